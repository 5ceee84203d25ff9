"""What the bytes from a terminal say: facts, in the past tense.

Most are named tuples: those are made at a tenth of a dataclass's cost when this is imported, and faster each time. Two
tuples of different classes can be equal, so that the two facts of one shape are not both tuples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = (
    "CommandFinished",
    "CommandStarted",
    "Event",
    "JobsListed",
    "OutputReceived",
    "PromptHook",
    "PromptShown",
    "StatementEnded",
)

PromptHook = Literal["prompt", "hook", "user", "bare"]
"""What follows a command's end: nothing, our prompt hook having told of it; our prompt hook alone; the user's hooks and
then ours; or nothing that we hear of."""


class OutputReceived(NamedTuple):
    """Bytes that are not ours."""

    data: bytes


@dataclass(frozen=True, slots=True)
class JobsListed:
    """The shell's jobs, before a command that starts now."""

    listing: bytes
    """What `jobs` prints (bash manual, Job Control Builtins)."""


@dataclass(frozen=True, slots=True)
class CommandStarted:
    """The begin line ran: what comes next is the command's output."""


class StatementEnded(NamedTuple):
    """A mark ran, before a statement or at the end: the statement before it is over."""

    exit_code: int
    pipestatus: tuple[int, ...]
    time: float
    """Seconds since the epoch, by the clock of bash's machine (EPOCHREALTIME); 0 where a cell has unset that."""
    line: int | None
    """The cell's line where the next one begins, as bash counts (0 where a cell has unset LINENO); None at the end."""


class CommandFinished(NamedTuple):
    """The end line ran, or a probe was answered: the command is over."""

    exit_code: int
    pipestatus: tuple[int, ...]
    options: str
    """bash's `$-`, and "|" under `pipefail`, which has no letter there."""
    hook: PromptHook
    cwd: str


class PromptShown(NamedTuple):
    """The prompt hook ran: bash is about to read the terminal."""

    proven: bool
    """False when any program could have printed this: the nonce was not in it."""
    cwd: str = ""
    """The working directory; empty where it is not proven."""


Event = OutputReceived | JobsListed | CommandStarted | StatementEnded | CommandFinished | PromptShown
