"""What is known of a cell while it runs."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from shellkernel.kernel.messages import Publisher, Request
from shellkernel.kernel.output import CellOutput
from shellkernel.session import Job

__all__ = ("Cell",)


def _set_event() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@dataclass(slots=True, kw_only=True)
class Cell:
    """One cell that runs."""

    code: str
    request: Request
    publisher: Publisher
    allow_stdin: bool
    output: CellOutput = field(init=False)
    job: Job | None = None
    interrupted: bool = False
    answered: threading.Event = field(default_factory=_set_event)
    """Not set while a box is open."""
    told: bool = False
    """Whether it was told that nobody waits for the answer any more."""
    statements: bool = False
    """Whether its statements are asked for; True where one of the next two is."""
    stop_on_error: bool = False
    trace: bool = False
    dry_run: bool = False
    """Whether its structure is shown, and nothing run."""
