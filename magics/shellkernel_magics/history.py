"""What the cells of each session have run."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime
from weakref import WeakKeyDictionary

from shellkernel import BashSession, Result
from shellkernel.render import summary

__all__ = ("Ran", "history_of", "remember")

LIMIT = 1_000
"""Commands remembered for each session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One command, without its output."""

    command: str
    started: datetime
    summary: str


_ran: WeakKeyDictionary[BashSession, deque[Ran]] = WeakKeyDictionary()


def remember(session: BashSession, result: Result) -> None:
    """Add a command that is over to its session's history."""
    entry = Ran(command=result.command, started=result.started, summary=summary(result))
    _ran.setdefault(session, deque(maxlen=LIMIT)).append(entry)


def history_of(session: BashSession) -> tuple[Ran, ...]:
    """Return what the session's cells have run, oldest first."""
    return tuple(_ran.get(session, ()))
