"""No faster than Jupyter's server lets output through: above that it drops messages, without a word to the kernel.

jupyter_server counts the bytes of stream messages (`iopub_data_rate_limit`, 1 MB a second) in a window of three
seconds (`rate_limit_window`). Who sends here waits instead, and a program that prints faster waits for its terminal.
"""

from __future__ import annotations

import threading
from collections import deque
from time import monotonic

__all__ = ("Pace", "size_of")

WINDOW = 3.0
"""Seconds that the server looks back."""
MOST = 2_500_000
"""Bytes in a window; the server's limit is 3,000,000."""
HEADERS = 1_000
"""Bytes of a message beside its text, about."""


class Pace:
    """One for each kernel. May be used from any thread."""

    def __init__(self, most: int = MOST, window: float = WINDOW) -> None:
        self._most = most
        self._window = window
        self._sent: deque[tuple[float, int]] = deque()
        self._size = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def wait(self, text: str) -> None:
        """Return when this text may be sent; a text that is too large for any window goes alone."""
        size = size_of(text)
        with self._lock:
            while (seconds := self._seconds(size)) > 0 and not self._ended.wait(seconds):
                pass
            self._sent.append((monotonic(), size))
            self._size += size

    def end(self) -> None:
        """Let all go that wait: the kernel ends."""
        self._ended.set()

    def _seconds(self, size: int) -> float:
        """Return how long until the oldest message leaves the window, 0 where there is room."""
        start = monotonic() - self._window
        while self._sent and self._sent[0][0] <= start:
            self._size -= self._sent.popleft()[1]
        return self._sent[0][0] - start if self._sent and self._size + size > self._most else 0.0


def size_of(text: str) -> int:
    """Return the bytes of a stream message with this text, as JSON."""
    length = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return HEADERS + length + text.count("\n") + 5 * text.count("\x1b")
