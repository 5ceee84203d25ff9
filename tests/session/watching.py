"""Waiting for what a session does: for an event, never for some seconds."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from pathlib import Path

from shellkernel import BackgroundOutput, InputRequest, Job

__all__ = ("DEADLINE", "Heard", "is_over", "is_stopped", "wait_for_request", "wait_until")

DEADLINE = 20.0
"""Seconds after which a test gives up; nothing that goes right takes as long."""


class Heard:
    """A callback for output that a test can wait for; it also takes `BackgroundOutput`."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.serials: list[int] = []
        self._changed = threading.Condition()

    def __call__(self, output: str | BackgroundOutput) -> None:
        with self._changed:
            if isinstance(output, BackgroundOutput):
                self.serials.append(output.started_by)
                output = output.text
            self.texts.append(output)
            self._changed.notify_all()

    @property
    def text(self) -> str:
        """All that was heard."""
        return "".join(self.texts)

    def wait_for(self, text: str) -> str:
        """Return all that was heard, as soon as `text` is in it."""
        with self._changed:
            assert self._changed.wait_for(lambda: text in self.text, DEADLINE), f"no {text!r} in {self.text!r}"
            return self.text


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Look until a condition holds that nothing announces (the state of another process, for one)."""
    never = threading.Event()
    for _ in range(int(DEADLINE / 0.01)):
        if condition():
            return
        never.wait(0.01)  # how often it is looked, not how long something takes
    raise AssertionError(f"{what}: not within {DEADLINE} s")


def wait_for_request(job: Job) -> InputRequest:
    """Return what the program that waits for the terminal asks, once the session has seen it."""
    wait_until(lambda: job.waiting is not None or job.done, "a program waits for input")
    assert job.waiting is not None, f"it is over: {job.result()}"
    return job.waiting


def is_over(pid: int, seconds: float = DEADLINE) -> bool:
    """Tell whether a process ends within some seconds; a zombie has ended."""
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        waiter = select.poll()
        waiter.register(pidfd, select.POLLIN)
        return bool(waiter.poll(seconds * 1_000))
    finally:
        os.close(pidfd)


def is_stopped(pid: int) -> bool:
    """Tell whether a process is stopped (proc(5), stat)."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
