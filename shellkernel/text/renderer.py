"""The front of the package: terminal text in, readable text out, bit by bit or at once."""

from __future__ import annotations

from typing import Final

from shellkernel.text.changes import Change, Changes
from shellkernel.text.control import BLANK
from shellkernel.text.interpreter import Interpreter
from shellkernel.text.links import Links
from shellkernel.text.sequences import has_controls
from shellkernel.text.tokens import Token, Tokenizer

__all__ = ("PENDING_LIMIT", "Renderer", "plain")

PENDING_LIMIT: Final = 256 * 1024
"""Characters that are fed before they are looked at; less waits for `take`, so that many small feeds cost as one."""


class Renderer:
    """Turn terminal text into what a person would have seen, incrementally.

    Not thread-safe. Memory: one screen, the pending text, and what changed since the last `take`.
    """

    def __init__(self, columns: int = 120, rows: int = 40, *, colours: bool = True) -> None:
        """Start with an empty screen of that size; without `colours`, SGR sequences are dropped."""
        self._tokenizer = Tokenizer()
        self._links = Links()
        self._interpreter = Interpreter(columns, rows, colours=colours)
        self._changes = Changes()
        self._pending: list[str] = []
        self._pending_length = 0
        self._clears_taken = 0

    def feed(self, text: str) -> None:
        """Take the next chunk; it may be cut anywhere, also inside an escape sequence."""
        self._pending.append(text)
        self._pending_length += len(text)
        if self._pending_length >= PENDING_LIMIT:
            self._look()

    def take(self) -> Change:
        """Return what changed since the last call."""
        self._look()
        return self._change(last=False)

    def done(self) -> Change:
        """Say that the stream is over and return the last change. An unfinished escape sequence is dropped."""
        self._look()
        self._apply(self._tokenizer.done())
        self._interpret(self._links.finish())
        return self._change(last=True)

    @property
    def cleared(self) -> bool:
        """Whether the program has cleared the screen, ever."""
        self._look()
        return self._interpreter.clears > 0

    @property
    def alternate_screen(self) -> str | None:
        """What the alternate screen (full-screen programs) shows, or showed last; None: there was none."""
        self._look()
        text = self._interpreter.alternate_text()
        return None if text is None else text.replace(BLANK, " ")

    @property
    def alternate_open(self) -> bool:
        """Whether a full-screen program has the alternate screen open now."""
        self._look()
        return self._interpreter.alternate_open

    def _look(self) -> None:
        if self._pending:
            text = "".join(self._pending)
            self._pending.clear()
            self._pending_length = 0
            self._apply(self._tokenizer.feed(text))

    def _apply(self, tokens: list[Token]) -> None:
        for token in tokens:
            if isinstance(token, str):
                self._stretch(token)
            elif token.kind == "OSC" and token.body.startswith("8;"):
                self._interpret(self._links.change(token.body))

    def _stretch(self, text: str) -> None:
        if self._links.open:
            self._links.saw(text)
        elif self._links.waiting:
            text = self._links.written_into(text)
        self._interpret(text)

    def _interpret(self, text: str) -> None:
        if text:
            self._interpreter.interpret(text)

    def _change(self, *, last: bool) -> Change:
        interpreter = self._interpreter
        if interpreter.history_cleared:
            interpreter.history_cleared = False
            self._changes.forget()
        cleared = interpreter.clears > self._clears_taken
        self._clears_taken = interpreter.clears
        return self._changes.next(interpreter.take_scrolled_off(), interpreter.text(), cleared=cleared, last=last)


def plain(text: str, columns: int = 120, *, rows: int = 40, colours: bool = False) -> str:
    """Return what a person would have seen of a whole text, as `\\n`-ended lines.

    The same as feeding it to a `Renderer`, whatever the chunks, and applying all changes.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if not has_controls(text):
        return text
    renderer = Renderer(columns, rows, colours=colours)
    renderer.feed(text)
    return renderer.done().text
