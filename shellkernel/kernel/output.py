"""A cell's output on its way to the notebook: pieces from the reader thread, messages at a bearable rate.

What is sent and when is `shellkernel.render.LiveText`'s: the first text at once, then one message each 50
ms or 64 kB; a line that a program draws again is sent as `\\r` and the line, padded; where lines above it
change too, the output is cleared and sent again (`clear_output(wait=True)`, so nothing flickers).
JupyterLab, Notebook, VS Code and nbclient give both the same meaning; jupyter console has no way to clear
and shows the new state below the old one.

Here: the lock, the clock, and the two streams. Text that is held back is sent by a timer of the kernel's
event loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Literal

from shellkernel.kernel.messages import Publisher
from shellkernel.render import LiveText, Operation, Write
from shellkernel.text import Renderer

__all__ = ("CellOutput", "Later", "StreamName")

StreamName = Literal["stdout", "stderr"]

Later = Callable[[float, Callable[[], None]], None]
"""Have a function called after some seconds, in another thread; may be called from any thread."""


class CellOutput:
    """One cell's streams. All methods may be called from any thread.

    Args:
        publisher: The cell's.
        later: How to be called back.
        columns, rows: The terminal's size.
        limit: Characters of each stream shown live.
    """

    def __init__(self, publisher: Publisher, later: Later, *, columns: int, rows: int, limit: int) -> None:
        self._publisher = publisher
        self._later = later
        self._size, self._limit = (columns, rows), limit
        self._streams: dict[StreamName, LiveText] = {}
        self._screens: list[Renderer] = []
        self._lock = threading.Lock()
        self._timer_set = False

    def feed(self, text: str, name: StreamName = "stdout") -> None:
        """Take raw output. Also after `settle`: output of a job in the background."""
        with self._lock:
            self._send(name, self._stream(name).feed(text, monotonic()))
            self._set_timer()

    def flush(self) -> None:
        """Send what is held back."""
        with self._lock:
            for name, live in self._streams.items():
                self._send(name, live.flush(monotonic()))

    def settle(self) -> None:
        """Send all that is held back: the cell is over."""
        with self._lock:
            for name, live in self._streams.items():
                self._send(name, live.finish(monotonic()))
            if not self._any_shown() and any(screen.cleared for screen in self._screens):
                self._publisher.clear(wait=False)  # `clear`, and nothing after it

    def shown(self) -> list[tuple[StreamName, str]]:
        """Return the text that each stream shows."""
        with self._lock:
            return self._any_shown()

    def _any_shown(self) -> list[tuple[StreamName, str]]:
        return [(name, live.shown) for name, live in self._streams.items() if live.shown]

    def _stream(self, name: StreamName) -> LiveText:
        if name not in self._streams:
            self._screens.append(screen := Renderer(*self._size))
            self._streams[name] = LiveText(screen, limit=self._limit)
        return self._streams[name]

    def _send(self, name: StreamName, operations: list[Operation]) -> None:
        for operation in operations:
            if isinstance(operation, Write):
                self._publisher.stream(operation.text, name)
            else:
                self._show_again(name, operation.text)

    def _show_again(self, name: StreamName, text: str) -> None:
        """Clear, then show this stream's new text, and the other's as it was."""
        texts = [(each, text if each == name else live.shown) for each, live in self._streams.items()]
        texts = [(each, shown) for each, shown in texts if shown]
        self._publisher.clear(wait=bool(texts))
        for each, shown in texts:
            self._publisher.stream(shown, each)

    def _set_timer(self) -> None:
        """Ask to be called at the first deadline; one timer at a time."""
        deadlines = [live.deadline for live in self._streams.values() if live.deadline is not None]
        if deadlines and not self._timer_set:
            self._timer_set = True
            self._later(max(0.0, min(deadlines) - monotonic()), self._tick)

    def _tick(self) -> None:
        with self._lock:
            self._timer_set = False
            now = monotonic()
            for name, live in self._streams.items():
                if live.deadline is not None and live.deadline <= now:
                    self._send(name, live.tick(now))
            self._set_timer()
