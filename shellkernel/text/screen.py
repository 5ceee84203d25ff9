"""The screen of a terminal: rows of cells, a cursor, margins.

Theory of operation. Only rows that were reached by printing or by a line feed exist, so
a cursor may stand below the last one. A row that leaves at the top is history: its text goes to `scrolled_off` and is
not touched again. Row 0 is always the top of the screen.

The cursor's column `x` may equal `columns`: printing reached the margin and the next character wraps ("pending
wrap" of the VT100 family). All other actions then see it in the last column. A row over whose margin a line was
wrapped says so (`Row.wraps`); such rows are one line in the text.

Where we differ from a terminal, always so that no text is lost: a tab at the margin wraps; erasing to the end
of the line in pending wrap erases nothing (a terminal takes the last character).
"""

from __future__ import annotations

from itertools import groupby, pairwise

from shellkernel.text.control import BLANK
from shellkernel.text.row import Row
from shellkernel.text.style import join
from shellkernel.text.width import ODD, width

__all__ = ("Screen", "TAB_STOP")

TAB_STOP = 8
"""Columns between tab stops; programs that set other ones (`tabs`) are not followed."""


class Screen:
    """Columns and rows count from 0 here, and every argument may be out of range."""

    def __init__(self, columns: int, rows: int, *, keep_history: bool = True) -> None:
        """Start empty, with at least two columns (one wide character) and one row."""
        self.columns = columns
        self.height = rows
        self.rows = [Row()]
        self.x = 0
        self.y = 0
        self.top = 0
        self.bottom = self.height - 1
        self.autowrap = True
        self.insert_mode = False
        self.origin_mode = False
        self.scrolled_off: list[str] = []
        self._keep_history = keep_history
        self._writers = (self._attach, self._write_narrow, self._write_wide)  # by columns of a character

    # What is there

    def text(self) -> str:
        """Return the lines down to the cursor, or further down to the last row in which something is printed."""
        rows = self.rows[: self._used()]
        pieces = [row.render() if row.wraps else f"{row.render()}\n" for row in rows[:-1]]
        return join([*pieces, rows[-1].render()]) if rows else ""

    def at_end(self) -> bool:
        """Tell whether printing would go on behind all that is there, with nothing out of the ordinary set."""
        if self.insert_mode or self.origin_mode or not self.autowrap or not self._keep_history:
            return False
        if self.top != 0 or self.bottom != self.height - 1 or self.y != len(self.rows) - 1:
            return False
        last = self.rows[-1]
        return self.x == len(last.cells) == last.ends_at() and self._wrapped_by_printing()

    def row(self, y: int) -> Row:
        """Return a row, made now if nobody was there before."""
        rows = self.rows
        while len(rows) <= y:
            rows.append(Row())
        return rows[y]

    # Printing

    def write(self, text: str, style: str) -> None:
        """Print text without control characters."""
        if text.isascii():
            self._write_narrow(text, style)
            return
        for index, part in enumerate(ODD.split(text)):
            if index % 2:
                for columns, run in groupby(part, width):
                    self._writers[columns]("".join(run), style)
            elif part:
                self._write_narrow(part, style)

    def tab(self, style: str) -> None:
        """Move to the next tab stop; behind the text, the tab itself is kept, as one wide character."""
        if self.x >= self.columns:
            self._wrap()
        stop = min((self.x // TAB_STOP + 1) * TAB_STOP, self.columns)
        row = self.row(self.y)
        if self.x >= row.ends_at():
            row.write_tab(self.x, stop, style)
            self.x = stop
        else:
            self.x = min(stop, self.columns - 1)

    def newline(self) -> None:
        """Go to the start of the next row, which begins a new line."""
        self.row(self.y).wraps = False
        self.x = 0
        self.index()
        self.row(self.y)

    # Moving

    def move(self, down: int, right: int) -> None:
        """Move the cursor, not beyond the edges, nor out of the scroll region when it is inside."""
        self.x = min(max(self._column() + right, 0), self.columns - 1)
        if down:
            lowest = self.bottom if self.y <= self.bottom else self.height - 1
            highest = self.top if self.y >= self.top else 0
            self.y = min(max(self.y + down, highest), lowest)

    def go(self, y: int | None, x: int | None) -> None:
        """Place the cursor; None keeps the row or the column."""
        if y is not None:
            lowest = self.bottom if self.origin_mode else self.height - 1
            self.y = min(max(y + (self.top if self.origin_mode else 0), 0), lowest)
        self.x = min(max(self._column() if x is None else x, 0), self.columns - 1)

    def carriage_return(self) -> None:
        self.x = 0

    def index(self) -> bool:
        """Go down one row; at the bottom, scroll. False when neither is possible."""
        if self.y == self.bottom:
            self.scroll_up(1)
        elif self.y < self.height - 1:
            self.y += 1
        else:
            return False
        return True

    def reverse_index(self) -> None:
        """Go up one row; at the top, scroll down."""
        if self.y == self.top:
            self.scroll_down(1)
        elif self.y > 0:
            self.y -= 1

    def forward_tab(self) -> None:
        self.x = min((self._column() // TAB_STOP + 1) * TAB_STOP, self.columns - 1)

    def back_tab(self, count: int) -> None:
        for _ in range(min(count, self.columns)):
            self.x = max((self._column() - 1) // TAB_STOP * TAB_STOP, 0)

    def set_margins(self, top: int, bottom: int) -> None:
        """Set the scroll region, both rows inclusive, and go home; an impossible region is the whole screen."""
        top, bottom = max(top, 0), min(bottom, self.height - 1)
        if top >= bottom:
            top, bottom = 0, self.height - 1
        self.top, self.bottom = top, bottom
        self.go(0, 0)

    # Scrolling, inserting and deleting rows

    def scroll_up(self, count: int) -> None:
        """Take rows out at the top of the region; from the top of the screen they go to history."""
        self._unwrap(self.top - 1)
        for _ in range(min(count, self.bottom - self.top + 1)):
            if self.top < len(self.rows):
                row = self.rows.pop(self.top)
                if self.top == 0:
                    self._scroll_off(row)
                self._fill_bottom()

    def scroll_down(self, count: int) -> None:
        """Put blank rows in at the top of the region; what leaves it at the bottom is lost."""
        self._insert_rows(self.top, count)

    def insert_rows(self, count: int) -> None:
        if self.top <= self.y <= self.bottom:
            self._insert_rows(self.y, count)
            self.x = 0

    def delete_rows(self, count: int) -> None:
        if self.top <= self.y <= self.bottom:
            self._unwrap(self.y - 1)
            for _ in range(min(count, self.bottom - self.y + 1)):
                if self.y < len(self.rows):
                    del self.rows[self.y]
                    self._fill_bottom()
            self.x = 0

    # Erasing, inserting and deleting cells

    def erase_in_line(self, mode: int) -> None:
        """0: from the cursor to the end; 1: from the start to the cursor, inclusive; 2: the whole row."""
        if self.y >= len(self.rows):
            return
        if mode == 0 and self.x < self.columns:
            self._erase(self.x, self.columns)
        elif mode == 1:
            self._erase(0, self._column() + 1)
        elif mode == 2:
            self._erase(0, self.columns)

    def erase_in_display(self, mode: int) -> None:
        """0: from the cursor on; 1: up to the cursor, inclusive; 2: all. Rows above the screen are not touched."""
        if mode == 0:
            self.erase_in_line(0)
            del self.rows[self.y + 1 :]
            self._unwrap(self.y)
        elif mode == 1:
            for y in range(min(self.y, len(self.rows))):
                self.rows[y] = Row()
            self.erase_in_line(1)
        elif mode == 2:
            self.rows.clear()

    def erase_cells(self, count: int) -> None:
        if self.y < len(self.rows):
            self._erase(self._column(), self._column() + count)

    def insert_cells(self, count: int) -> None:
        row = self.row(self.y)
        row.insert(self._column(), min(count, self.columns), self.columns)

    def delete_cells(self, count: int) -> None:
        row = self.row(self.y)
        row.delete(self._column(), min(count, self.columns))
        row.wraps = False

    # Inside

    def _column(self) -> int:
        return min(self.x, self.columns - 1)

    def _erase(self, start: int, end: int) -> None:
        """Make cells of the cursor's row blank; where the first or last column is, the line ends there."""
        self.rows[self.y].erase(start, end)
        if end >= self.columns:
            self._unwrap(self.y)
        if start == 0:
            self._unwrap(self.y - 1)

    def _wrapped_by_printing(self) -> bool:
        """Tell whether printing the text once more would wrap it in the same places."""
        for row, after in pairwise(self.rows):
            missing = self.columns - len(row.cells)
            wide_next = after.cells[1:2] == [""] and after.cells[0] != "\t"
            full = row.cells[-1:] != [BLANK] and (missing == 0 or (missing == 1 and wide_next))
            if row.wraps and not (full and after.ends_at()):
                return False
        return True

    def _used(self) -> int:
        """Count the rows down to the cursor or to the last one that is not empty."""
        used = len(self.rows)
        while used > self.y + 1 and not self.rows[used - 1].render():
            used -= 1
        return used

    def _write_narrow(self, text: str, style: str) -> None:
        position, length, columns = 0, len(text), self.columns
        while position < length:
            if self.x >= columns:
                self._wrap()
            part = text[position : position + columns - self.x]
            position += len(part)
            if position < length and not self.autowrap:
                part, position = part[:-1] + text[-1], length
            row = self.row(self.y)
            if self.insert_mode:
                row.insert(self.x, len(part), columns)
            row.write(self.x, part, style)
            self.x += len(part)

    def _write_wide(self, text: str, style: str) -> None:
        position, columns = 0, self.columns
        while position < len(text):
            if self.x + 2 > columns:
                self._make_room_for_wide()
            part = text[position : position + (columns - self.x) // 2]
            position += len(part)
            row = self.row(self.y)
            if self.insert_mode:
                row.insert(self.x, 2 * len(part), columns)
            row.write_wide(self.x, part, style)
            self.x += 2 * len(part)

    def _make_room_for_wide(self) -> None:
        if self.autowrap:
            self.row(self.y).erase(self.x, self.columns)
            self._wrap(missing=self.columns - self.x)
        else:
            self.x = self.columns - 2

    def _attach(self, marks: str, style: str) -> None:
        """Put marks on the character before the cursor; at the start of a line they stand alone."""
        y, x = self.y, self.x - 1
        if x < 0 and y > 0 and y - 1 < len(self.rows) and self.rows[y - 1].wraps:
            y -= 1
            x = len(self.rows[y].cells) - 1
        if x < 0:
            self._write_narrow(marks[0], style)
            marks, x = marks[1:], self.x - 1
        self.row(y).attach(x, marks)

    def _wrap(self, missing: int = 0) -> None:
        """Go on in the next row; its text is the same line, if this row is full but for `missing` columns."""
        if not self.autowrap:
            self.x = self.columns - 1
            return
        row = self.row(self.y)
        row.wraps = False
        row.wraps = row.ends_at() >= self.columns - missing  # before it may scroll off
        row.wraps = self.index() and row.wraps
        self.x = 0
        self.row(self.y)

    def _unwrap(self, y: int) -> None:
        """The row after this one is no longer its continuation."""
        if 0 <= y < len(self.rows):
            self.rows[y].wraps = False

    def _scroll_off(self, row: Row) -> None:
        if self._keep_history:
            self.scrolled_off.append(row.render() if row.wraps else row.render() + "\n")

    def _fill_bottom(self) -> None:
        """After a row of the region was taken out: keep the rows below the region where they were."""
        if len(self.rows) > self.bottom:
            self.rows.insert(self.bottom, Row())

    def _insert_rows(self, y: int, count: int) -> None:
        self._unwrap(y - 1)
        for _ in range(min(count, self.bottom - y + 1)):
            if y < len(self.rows):
                self.rows.insert(y, Row())
                del self.rows[self.bottom + 1 : self.bottom + 2]
        self._unwrap(self.bottom)
