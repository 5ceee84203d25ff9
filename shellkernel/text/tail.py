"""Text behind which the cursor stands: the representation for output that only ever goes on at its end.

Most output never moves the cursor back. It is kept as the text it is, whole pieces at a time, without cells. Only the
last lines matter for what may come (as many as the screen has rows, for a line takes at least one); the rest is
history at once.

The text is in canonical form: `\\n` line ends; a line begins in the default style and ends in it; style changes are
written by `transition`, when something is printed in the new style. Where the last line's style is open, its RESET is
not there yet (`text()` adds it).
"""

from __future__ import annotations

from shellkernel.text.control import ESC, RESET
from shellkernel.text.sequences import SIMPLE, without_ignored
from shellkernel.text.style import change_style, last_style, open_style, transition
from shellkernel.text.width import ODD

__all__ = ("Tail",)

TRIM_ABOVE = 16 * 1024
"""Characters below which trimming to the lines that matter is not worth its time."""

LONG_LINE = 1024 * 1024
"""Characters of one line that are kept; above, only those which may be on the screen."""


class Tail:
    """Append-only text."""

    def __init__(self, columns: int, rows: int, *, colours: bool, text: str = "", style: str = "") -> None:
        """Start with canonical text; `style` is what the program has set, in which printing goes on."""
        self.style = style
        self.last_char = ""
        """What was printed last; empty after a tab or line feed."""
        self.scrolled_off: list[str] = []
        self.too_long = False
        """Whether the last line takes more than the screen and cannot be cut here, so that a `Screen` has to do it."""
        self._columns = columns
        self._rows = rows
        self._colours = colours
        self._open = last_style(text) if text.endswith(RESET) else ""  # the style in which the text ends
        self._parts = [text.removesuffix(RESET)]
        self._length = len(self._parts[0])
        self._trim_at = TRIM_ABOVE

    def text(self) -> str:
        """Return the canonical text, last line closed."""
        return self._whole() + RESET if self._open else self._whole()

    def append(self, text: str) -> None:
        """Go on with text that is not eventful (`sequences.is_eventful`)."""
        text = without_ignored(text)
        coloured = self._colours and ESC in text
        if ESC in text and not coloured:
            text = SIMPLE.sub("", text)
        if coloured:
            text = self._coloured(SIMPLE.split(text))
        elif text:
            self._note_last(text)
            if self.style or self._open:
                text = self._in_style(text)
        self._parts.append(text)
        self._length += len(text)
        if self._length > self._trim_at:
            self.trim()
            self._trim_line()
            self._trim_at = max(TRIM_ABOVE, 2 * self._length)

    def trim(self) -> None:
        """Let go of the lines that can no longer be on the screen."""
        text = self._whole()
        start = len(text)
        for _ in range(self._rows):
            start = text.rfind("\n", 0, start)
            if start < 0:
                return
        self._cut(start + 1)

    def _trim_line(self) -> None:
        """Let go of those rows of the last line that can no longer be on the screen."""
        if self._length <= LONG_LINE:
            return
        text = self._whole()
        start = text.rfind("\n") + 1
        gone = ((len(text) - start) // self._columns - self._rows) * self._columns
        if gone <= LONG_LINE:
            return
        line = text[start:]
        if "\t" in line or ESC in line or (not line.isascii() and ODD.search(line)):
            self.too_long = True
        else:
            self._cut(start + gone)

    def _whole(self) -> str:
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0]

    def _cut(self, end: int) -> None:
        text = self._whole()
        self.scrolled_off.append(text[:end])
        self._parts = [text[end:]]
        self._length = len(text) - end

    def _note_last(self, text: str) -> None:
        self.last_char = "" if text[-1] in "\t\n" else text[-1]

    def _coloured(self, pieces: list[str]) -> str:
        """Write (text, SGR parameters or None, text, …, text)."""
        written = [self._in_style(pieces[0])]
        last, style, opened = pieces[0], self.style, self._open
        for parameters, piece in zip(pieces[1::2], pieces[2::2], strict=True):
            if parameters is not None:
                style = change_style(style, parameters)
            if not piece:
                continue
            last = piece
            if style and "\n" in piece:
                self.style, self._open = style, opened
                written.append(self._in_style(piece))
                opened = self._open
            else:
                if style != opened:
                    written.append(transition(opened, style))
                    opened = style
                written.append(piece)
        self.style, self._open = style, opened
        if last:
            self._note_last(last)
        return "".join(written)

    def _in_style(self, piece: str) -> str:
        """Write text without controls in the current style, each line on its own."""
        if not piece:
            return ""
        style = self.style
        first, line_end, rest = piece.partition("\n")
        head = transition(self._open, style) + first if first else ""
        if first:
            self._open = style
        if not line_end:
            return head
        if self._open:
            head += RESET
            self._open = ""
        if not style:
            return f"{head}\n{rest}"
        return f"{head}\n{self._styled_lines(rest)}"

    def _styled_lines(self, text: str) -> str:
        opening = open_style(self.style)
        *lines, last = text.split("\n")
        if last:
            self._open = self.style
        closed = [f"{opening}{line}{RESET}" if line else "" for line in lines]
        return "\n".join([*closed, opening + last if last else ""])
