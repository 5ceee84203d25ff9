"""The end of a command's output, kept up to date at little cost."""

from __future__ import annotations

import threading

from shellkernel.render.growing import GrowingText
from shellkernel.text import Renderer

__all__ = ("Tail",)

_KEPT = 20_000
"""Characters kept; a tail of some lines is cut from them."""


class Tail:
    """The last lines of an output as a person would read them. Fed in one thread, read in another."""

    def __init__(self, columns: int, rows: int) -> None:
        self._lock = threading.Lock()
        self._renderer = Renderer(columns, rows, colours=False)
        self._text = GrowingText()

    def feed(self, text: str) -> None:
        """Take raw output."""
        with self._lock:
            self._renderer.feed(text)
            change = self._renderer.take()
            self._text.cut(change.erase)
            self._text.append(change.text)
            if len(self._text) > 4 * _KEPT:
                self._text.keep_end(_KEPT)

    def lines(self, count: int) -> list[str]:
        """Return at most the last `count` lines, without colours."""
        with self._lock:
            text = self._text.join()
        return text.rstrip("\n").split("\n")[-count:] if text else []
