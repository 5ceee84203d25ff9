"""Waiting for descriptors, with a way to wake the waiter."""

from __future__ import annotations

import os
import select
import threading
from contextlib import suppress

__all__ = ("Poller",)


class Poller:
    """poll(2) over a session's descriptors: no limit of 1,023, unlike select(2). Close it once, when nobody waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # no byte goes to a number that is closed
        self._poll = select.poll()
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._poll.register(self._wake_read, select.POLLIN)

    def add(self, *descriptors: int) -> None:
        """Wait for these too; -1 is passed over."""
        for descriptor in descriptors:
            if descriptor >= 0:
                self._poll.register(descriptor, select.POLLIN)

    def remove(self, *descriptors: int) -> None:
        """Wait for these no more; one that was not added, or -1, is passed over."""
        for descriptor in descriptors:
            with suppress(KeyError, ValueError):
                self._poll.unregister(descriptor)

    def wait(self, seconds: float | None) -> list[int]:
        """Return the descriptors that have something, or hung up; empty after `seconds` or a `wake`."""
        # Half a millisecond is added: poll counts in whole ones, and rounding down would wait in a busy loop.
        milliseconds = None if seconds is None else max(0.0, seconds) * 1_000 + 0.5
        ready = [descriptor for descriptor, _ in self._poll.poll(milliseconds)]
        if self._wake_read in ready:
            ready.remove(self._wake_read)
            with suppress(BlockingIOError):
                os.read(self._wake_read, 4_096)
        return ready

    def wake(self) -> None:
        """Let `wait` return; from any thread."""
        with self._lock, suppress(OSError):
            os.write(self._wake_write, b"\0")

    def close(self) -> None:
        """Close the descriptors that are its own."""
        with self._lock:
            os.close(self._wake_read)
            os.close(self._wake_write)
            self._wake_write = -1  # the number may soon be another file's
