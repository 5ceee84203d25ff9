"""What bash tells of one command, before it runs: PS4 as `shell/statements.bash` sets it, and what `set -x` prints."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ("Record", "read_record")

_FIELDS = re.compile(
    rb"(?P<level>\x1e+)[0-9a-f]+\x1f(?P<line>\d*)\x1f(?P<function>[^\x1f]*)\x1f(?P<depth>\d*)\x1f(?P<process>\d*)\x1f"
    rb"(?P<subshell>\d*)\x1f(?P<status>\d*)\x1f(?P<pipestatus>[\d ]*)\x1f(?P<time>[\d.,]*)\x1f(?P<source>[^\x1f]*)\x1f"
    rb"(?P<command>.*?)\x1d(?P<expanded>.*)",
    re.DOTALL,
)
_HEAD = re.compile(r"(?:for|select) \w+(?: in\b|$)|case .* in$|\(\( .* \)\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Record:
    """One command, and what its process knew when it was about to run it."""

    level: int
    """Deeper in evaluated text, and in command substitutions, than outside (bash's repeated first character)."""
    line: int
    function: str
    depth: int
    process: int
    subshell: int
    status: int
    """`$?`: of a command substitution in it, where it has one, else of the command before."""
    pipestatus: tuple[int, ...]
    """Of the last pipeline of its process that ended."""
    time: float
    source: str
    """The file that its function was defined in, or that is being read; "" for cells."""
    command: str
    expanded: str

    @property
    def is_ours(self) -> bool:
        """Whether it is one of the commands that tell the session what happens."""
        if "__shellkernel_" in self.function or "__shellkernel_" in self.expanded:
            return True
        return "__shellkernel_" in self.command and not self.is_head

    @property
    def is_head(self) -> bool:
        """Whether it is the head of a compound command: `command` is then that of another one (bash 5.1 to 5.3)."""
        return _HEAD.match(self.expanded) is not None


def read_record(data: bytes) -> Record | None:
    """Read one record, its line end included or not; None where it is none (two writers met in one)."""
    match = _FIELDS.fullmatch(data)
    if match is None:
        return None
    return Record(
        level=len(match["level"]),
        line=int(match["line"] or 0),
        function=_text(match["function"]),
        depth=int(match["depth"] or 0),
        process=int(match["process"] or 0),
        subshell=int(match["subshell"] or 0),
        status=int(match["status"] or 0),
        pipestatus=tuple(int(code) for code in match["pipestatus"].split()),
        time=float(match["time"].replace(b",", b".") or 0),
        source=_text(match["source"]),
        command=_text(match["command"]),
        expanded=_text(match["expanded"]).removesuffix("\n"),
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
