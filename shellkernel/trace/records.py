"""What bash tells of one command, before it runs: PS4 as `shell/statements.bash` sets it, and what `set -x` prints.

All processes of a cell write to one pipe. Up to PIPE_BUF bytes (4,096 on Linux) stay together there (pipe(7)); the
record of a command with larger words is written bit by bit, and those of other processes may come in the middle of it
(in 6 of 100 cells with such words and background jobs, under load).
"""

from __future__ import annotations

import re
from itertools import pairwise
from select import PIPE_BUF
from typing import Final, NamedTuple

__all__ = ("RECORD_LIMIT", "Record", "Records")

RECORD_LIMIT: Final = 1_000_000
"""Bytes kept of one record: a command with all its expanded words."""

_HEAD = re.compile(r"(?:for|select) \w+(?: in\b|$)|case .* in$|\(\( .* \)\)$", re.DOTALL)
_OURS = "__shellkernel_"
_LINE = re.compile(
    rb"[^\x1d]*\x1d(?>(?:[^\n'\"\\$]++|\$?\\.|\$'(?:[^'\\]|\\.)*'|'[^']*'|\"(?:[^\"\\]|\\.)*\"|\$)*)\n", re.DOTALL
)
"""A record to its end, a line feed that is not quoted. An atomic group: see `syntax/plain.py`."""


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


class Records:
    """Reads what bash writes, in pieces as they come.

    Args:
        nonce: What begins each record.
        limit: Records that are kept at most, ours not counted; the rest is counted.
    """

    def __init__(self, nonce: bytes, limit: int) -> None:
        self.all: list[Record] = []
        """In the order in which they began; ours, too: they tell what the one before came to."""
        self.omitted = 0
        self.garbled = 0
        """Records that could not be read."""
        self._limit = limit
        self._kept = 0
        self._start = re.compile(rb"\x1e+%s\x1f" % nonce)
        self._pending = b""
        self._broken: _Broken | None = None

    def feed(self, data: bytes) -> None:
        """Take in what bash wrote. A record is over when the next one begins."""
        data = self._pending + data
        starts = [match.start() for match in self._start.finditer(data)]
        for start, end in pairwise(starts):
            self._take(data[start:end])
        self._pending = _shortened(data[starts[-1] :] if starts else data)

    def end(self) -> None:
        """Nothing more comes: what has begun is over, too."""
        self._take(self._pending)
        self._pending = b""
        if self._broken is not None:
            self._mend(self._broken)

    def _take(self, data: bytes) -> None:
        """Take in what lies between the begins of two records."""
        if not data:
            return
        if self._broken is None:
            place = self._add(data)
            if not data.endswith(b"\n"):
                self._broken = _Broken([data], place)
            return
        line = _LINE.match(data)
        end = line.end() if line else len(data)
        if line is None or end > PIPE_BUF:  # it is a large one, too: which of them goes on behind it is not known
            self.garbled += 1
        self._add(data[:end])
        if data[end:]:
            self._broken.parts.append(data[end:])
        if data[end:].endswith(b"\n"):
            self._mend(self._broken)

    def _mend(self, broken: _Broken) -> None:
        """Put what a broken record came to in its place."""
        self._broken = None
        record = _read_record(_shortened(b"".join(broken.parts)))
        if record is not None and broken.place is not None:
            self.all[broken.place] = record

    def _add(self, data: bytes) -> int | None:
        """Keep a record; return its place, None where it is not kept."""
        if self._kept >= self._limit and _OURS.encode() not in data:
            self.omitted += 1
            return None
        record = _read_record(data)
        if record is None:
            self.garbled += 1
            return None
        self._kept += not record.is_ours
        self.all.append(record)
        return len(self.all) - 1


class _Broken(NamedTuple):
    """A record in whose middle others came."""

    parts: list[bytes]
    place: int | None
    """Among all; None where it is not kept."""


def _shortened(data: bytes) -> bytes:
    """Return as much of a record as is kept; its last byte stays the last."""
    return data if len(data) <= RECORD_LIMIT else data[: RECORD_LIMIT - 1] + data[-1:]


def _read_record(data: bytes) -> Record | None:
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
