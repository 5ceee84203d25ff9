"""Something that happens once, and threads that wait for it."""

from __future__ import annotations

import threading

__all__ = ("Latch",)


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
        if not self.happened and self._lock.acquire(timeout=-1 if timeout is None else max(0.0, timeout)):
            self._lock.release()  # for the next who waits
        return self.happened
