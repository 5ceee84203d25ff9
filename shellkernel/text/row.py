"""One row of the screen, as cells.

A cell is a string: the character printed there with the combining marks on it; `BLANK` where nobody printed; `""`
where the character to the left reaches over this column too (the second half of a wide character, the columns of a
tab). Writing over a part of such a character breaks it: its other columns become blank.

Cells end where printing ended, so blank cells at the end of a row are not there, and spaces printed there are.
"""

from __future__ import annotations

from itertools import groupby

from shellkernel.text.control import BLANK, RESET
from shellkernel.text.style import transition

__all__ = ("Row",)


class Row:
    """Cells and their styles. Columns count from 0."""

    __slots__ = ("_styles", "_text", "_wraps", "cells")

    def __init__(self) -> None:
        self.cells: list[str] = []
        self._wraps = False
        self._styles: list[str] | None = None  # None: all default
        self._text: str | None = ""

    @property
    def wraps(self) -> bool:
        """Whether the line goes on in the next row, because printing ran over the margin."""
        return self._wraps

    @wraps.setter
    def wraps(self, value: bool) -> None:
        if value != self._wraps:
            self._wraps = value
            self._text = None

    def write(self, x: int, text: str, style: str) -> None:
        """Print characters of one column each, from column x on."""
        cells = self.cells
        size = len(cells)
        end = x + len(text)
        if x < size:
            self._break(x)
            if end < size:
                self._break(end)
        elif x > size:
            cells.extend(BLANK * (x - size))
        cells[x:end] = text
        if style or self._styles is not None:
            self._paint(x, end, style)
        self._text = None

    def write_wide(self, x: int, text: str, style: str) -> None:
        """Print characters of two columns each, from column x on."""
        end = x + 2 * len(text)
        self.write(x, BLANK * (end - x), style)
        self.cells[x:end:2] = text
        self.cells[x + 1 : end : 2] = [""] * len(text)

    def write_tab(self, x: int, end: int, style: str) -> None:
        """Print a tab which reaches from column x up to column `end` (exclusive)."""
        self.write(x, BLANK * (end - x), style)
        self.cells[x:end] = ["\t", *[""] * (end - x - 1)]

    def attach(self, x: int, marks: str) -> None:
        """Put combining marks on the character at column x, or on a blank."""
        if x >= len(self.cells):
            self.write(x, BLANK, "")
        while x > 0 and self.cells[x] == "":
            x -= 1
        self.cells[x] += marks
        self._text = None

    def erase(self, start: int, end: int) -> None:
        """Make the columns from start up to end (exclusive) blank."""
        size = len(self.cells)
        if start >= size:
            return
        self._break(start)
        self._text = None
        if end >= size:
            self._cut(start)
            return
        self._break(end)
        self._blank(start, end)

    def insert(self, x: int, count: int, columns: int) -> None:
        """Move what is at column x and after to the right; what leaves the row of `columns` is lost."""
        if x >= len(self.cells):
            return
        self._expand_tabs(x)
        self._break(x)
        self.cells[x:x] = BLANK * count
        if self._styles is not None:
            self._styles[x:x] = [""] * count
        if len(self.cells) > columns:
            self._break(columns)
            self._cut(columns)
        self._text = None

    def delete(self, x: int, count: int) -> None:
        """Take `count` cells out from column x on; what is behind them moves left."""
        self._expand_tabs(x)
        self.erase(x, x + count)
        del self.cells[x : x + count]
        if self._styles is not None:
            del self._styles[x : x + count]
        self._text = None

    def render(self) -> str:
        """Return the text with its colours, which are all off again at the end; inner blanks are `BLANK`."""
        if self._text is None:
            cells = self.cells[: self.ends_at()]
            self._text = "".join(cells) if self._styles is None else self._render_styled(cells, self._styles)
        return self._text

    def ends_at(self) -> int:
        """Return the column after the last cell that is not blank; blanks count in a line that goes on."""
        cells = self.cells
        end = len(cells)
        if not self._wraps:
            while end and cells[end - 1] == BLANK:
                end -= 1
        return end

    @staticmethod
    def _render_styled(cells: list[str], styles: list[str]) -> str:
        parts: list[str] = []
        before = ""
        position = 0
        for style, run in groupby(styles[: len(cells)]):
            after = position + sum(1 for _ in run)
            parts += (transition(before, style), *cells[position:after])
            before, position = style, after
        return "".join(parts) + (RESET if before else "")

    def _paint(self, x: int, end: int, style: str) -> None:
        styles = self._styles
        if styles is None:
            styles = self._styles = [""] * len(self.cells)
        if x > len(styles):
            styles.extend([""] * (x - len(styles)))
        styles[x:end] = [style] * (end - x)

    def _expand_tabs(self, start: int) -> None:
        """Make tabs from column `start` on blank columns, because a tab that moves would end at another stop."""
        for x in range(start, len(self.cells)):
            if self.cells[x].startswith("\t"):
                self._break(x + 1)
                self._blank(x, x + 1)

    def _blank(self, start: int, end: int) -> None:
        self.cells[start:end] = BLANK * (end - start)
        if self._styles is not None:
            self._styles[start:end] = [""] * (end - start)

    def _cut(self, x: int) -> None:
        del self.cells[x:]
        if self._styles is not None:
            del self._styles[x:]

    def _break(self, x: int) -> None:
        """Where a character reaches over column x from the left, make all its columns blank."""
        cells = self.cells
        if x >= len(cells) or cells[x] != "":
            return
        start, end = x - 1, x + 1
        while start > 0 and cells[start] == "":
            start -= 1
        while end < len(cells) and cells[end] == "":
            end += 1
        self._blank(start, end)
