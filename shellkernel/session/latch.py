"""Something that happens once, and threads that wait for it."""

from __future__ import annotations

import threading
import time

__all__ = ("SIGNAL_PAUSE", "Latch")

SIGNAL_PAUSE = 0.2
"""Seconds that a thread blocks at most before Python looks for signals again: one that comes right before it blocks
does not wake it (CPython, acquire_timed; 3 in 100 where both race), and a Ctrl-C would be seen at the end only."""


class Latch:
    """A `threading.Event` without `clear`: one lock, held until it happens. Each command makes two; they are cheap."""

    __slots__ = ("_lock", "happened")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()
        self.happened = False
        """Whether it has."""

    def happen(self) -> None:
        """Let everybody who waits go on. May be called twice, by one thread."""
        if not self.happened:
            self.happened = True
            self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        """Return when it has happened, or after `timeout` seconds; return whether it has."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self.happened:
            left = SIGNAL_PAUSE if deadline is None else min(SIGNAL_PAUSE, deadline - time.monotonic())
            if left < 0:
                break
            if self._lock.acquire(timeout=left):
                self._lock.release()  # for the next who waits
        return self.happened
