"""What bash tells of one command, before it runs: PS4 as `shell/statements.bash` sets it, and what `set -x` prints."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ("Record", "read_record")

_HEAD = re.compile(r"(?:for|select) \w+(?: in\b|$)|case .* in$|\(\( .* \)\)$", re.DOTALL)
_OURS = "__shellkernel_"


class Record(NamedTuple):
    """One command, and what its process knew when it was about to run it."""

    level: int
    """Deeper in evaluated text, and in command substitutions, than outside (bash's repeated first character)."""
    line: int
    function: str
    depth: int
    process: int
    subshell: int
    status: int | None
    """`$?`: of a command substitution in it, where it has one, else of the command before; None where IFS holds digits,
    at which bash splits it (5.1 to 5.3)."""
    pipestatus: tuple[int, ...]
    """Of the last pipeline of its process that ended."""
    time: float
    command: str
    expanded: str
    is_head: bool
    """It is the head of a compound command: `command` may then be that of another one (bash 5.1 to 5.3)."""
    is_ours: bool
    """It is one of the commands that tell the session what happens."""


def read_record(data: bytes) -> Record | None:
    """Read one record, its line end included or not; None where it is none (two writers met in one)."""
    try:
        head, line, function, depth, process, subshell, status, pipestatus, time, rest = data.split(b"\x1f", 9)
        written, _, printed = rest.partition(b"\x1d")
        command, expanded, inside = _text(written), _text(printed).removesuffix("\n"), _text(function)
        is_head = _HEAD.match(expanded) is not None
        return Record(
            head.count(b"\x1e"),
            int(line or 0),
            inside,
            int(depth) if depth.isdigit() else int(inside != ""),  # likewise
            int(process or 0),
            int(subshell or 0),
            int(status) if status.isdigit() else None,
            tuple(map(int, pipestatus.split())),
            float(time.replace(b",", b".") or 0),
            command,
            expanded,
            is_head,
            _OURS in inside or _OURS in expanded or (_OURS in command and not is_head),
        )
    except ValueError:
        return None


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
