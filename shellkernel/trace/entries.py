"""What is made of a trace's records: entries, one for each command, and the processes that ran them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from shellkernel.results import Fate

__all__ = ("Entry", "Process", "ProcessKind", "assigned", "first_word", "leaving_code")

ProcessKind = Literal["shell", "subshell", "element", "substitution", "unsure"]

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[[^]]*\])?\+?=")
_PREFIX = re.compile(r"(?:\\?(?:builtin|command)\s+(?:-\w+\s+)*)*\\?")
_LEAVES = re.compile(r"(?:exit|return)(?: (-?\d+))?")


@dataclass(slots=True, eq=False)
class Entry:
    """One command that ran."""

    number: int
    """Its place in the order in which all began."""
    line: int
    depth: int
    level: int
    function: str
    process: Process
    command: str
    expanded: str
    started: float
    statement: int = -1
    """The number of the cell's statement that it ran for, from 0; -1 where that is not known."""
    call: Entry | None = None
    """The function call, `eval` or `source` of its process that it ran in."""
    is_head: bool = False
    """It is the head of a compound command, which has no exit code of its own."""
    in_trap: bool = False
    followed: bool = False
    """A process was started behind it, before its own process went on."""
    assigned: list[str] = field(default_factory=list)
    """The variables that it has assigned to so far."""
    assigns: bool = False
    """It is assignments alone: its exit code is that of its last substitution."""
    code: int | None = None
    duration: float | None = None
    fate: Fate = ""
    reason: str = ""

    @property
    def evaluates(self) -> bool:
        """Whether it runs text, whose commands are at a deeper level."""
        return first_word(self.command) in ("eval", "source", ".")


@dataclass(slots=True, eq=False)
class Process:
    """A bash of the cell: the session's own, a subshell, an element of a pipeline, a substitution."""

    number: int
    subshell: int
    kind: ProcessKind
    parent: Process | None = None
    call: Entry | None = None
    """The call of its parent that it was started in."""
    after: Entry | None = None
    """Its parent's last command before it."""
    born: int = 0
    """The number of its first entry."""
    consumer: Entry | None = None
    """Its parent's command that a substitution's output is for."""
    group: list[Process] = field(default_factory=list)
    """With it, the processes of one pipeline, left to right."""
    waited: bool = False
    """Its parent went on only when it was over."""
    level: int = 0
    """That of its last record."""
    now_subshell: int = 0
    """What bash's count of subshells is in it by now: in a function, an element of a pipeline is one."""
    statement: int = -1
    """As for an entry; for the shell, the one that runs."""
    entries: list[Entry] = field(default_factory=list)
    frames: dict[Entry | None, list[Entry | Process]] = field(default_factory=dict)
    """What ran one after the other in each of its calls, and in none: commands, and processes that it started."""
    calls: list[Entry] = field(default_factory=list)
    """The calls that it is in."""
    children: list[Process] = field(default_factory=list)
    """Those that have started since its last command."""
    code: int | None = None
    """How it ended, as its parent saw it."""

    @property
    def last(self) -> Entry | None:
        """Its last command."""
        return self.entries[-1] if self.entries else None


@lru_cache(maxsize=256)
def first_word(command: str) -> str:
    """Return the name of a command, without `builtin` and the like before it."""
    match = _PREFIX.match(command)
    rest = command[match.end() :] if match else command
    return rest.split(maxsplit=1)[0] if rest.strip() else ""


def assigned(expanded: str) -> str:
    """Return the name of the variable that a record assigns to; "" where it is another command."""
    match = _ASSIGNMENT.match(expanded)
    return match[1] if match else ""


def leaving_code(expanded: str) -> int | None:
    """Return the exit code that `exit 3` or `return 3` names; None where it names none, or is neither."""
    match = _LEAVES.fullmatch(expanded)
    return int(match[1]) & 0xFF if match and match[1] else None
