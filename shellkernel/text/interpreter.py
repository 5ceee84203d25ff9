"""Terminal text to lines.

Theory of operation. There are two representations of what is shown, and one of them holds at any time. A `Tail` is
text behind which the cursor stands, for output that only goes on. A `Screen` has cells, for output that moves the
cursor. The first control that a Tail cannot follow turns its last lines into a Screen, by printing them there. A
Screen turns back into a Tail when a long stretch of simple text comes and the cursor stands behind everything. Both
give the same text for the same input; only the speed differs.

The text is looked at in blocks of whole lines, so that one control in a megabyte costs one block its speed.

The alternate screen is a second Screen, without history, beside the main one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from shellkernel.text.actions import CONTROL_ACTIONS, SEQUENCE_ACTIONS
from shellkernel.text.charset import LINE_DRAWING, Charsets
from shellkernel.text.control import CR, CSI, CSI_8BIT, ESC, HT, LF, SI, SO
from shellkernel.text.progress import without_hidden_draws
from shellkernel.text.screen import Screen
from shellkernel.text.sequences import CANONICAL, SEQUENCE, ControlSequence, is_eventful, parse
from shellkernel.text.style import change_style, join
from shellkernel.text.tail import Tail

__all__ = ("Interpreter",)

BLOCK: Final = 16 * 1024
"""Characters that are looked at as one, at least; a block ends with a line."""

WORTH_LEAVING: Final = 4 * 1024
"""Characters of simple text from which on turning the screen back into a tail is cheaper than printing on it."""

_REPEATED_CR = re.compile("\r\r+")
_ALTERNATE_MODES = {47, 1047, 1049}


class Interpreter:
    """Apply stretches of terminal text, each of whole escape sequences."""

    def __init__(self, columns: int, rows: int, *, colours: bool) -> None:
        self.clears = 0
        """How often the main screen was cleared (ED 2, ED 3, RIS)."""
        self.history_cleared = False
        """Whether the history was cleared too (ED 3); whoever acts on it sets it back."""
        self.alternate_screen: str | None = None
        """The text of the last alternate screen, as it was when it was left."""
        self._columns = columns = max(columns, 2)
        self._rows = rows = max(rows, 1)
        self._colours = colours
        self._tail: Tail | None = Tail(columns, rows, colours=colours)
        self._main = Screen(columns, rows)  # unused while there is a tail
        self._alternate: Screen | None = None
        self._screen = self._main
        self._style = ""
        self._charsets = Charsets()
        self._saved: dict[bool, tuple[int, int, str]] = {}  # by whether the alternate screen is open
        self._last_char = ""
        self._scrolled_off: list[str] = []
        self._actions: dict[str, Callable[[ControlSequence], None]] = {
            "J": self._erase_in_display,
            "b": self._repeat,
            "s": self._save_cursor,
            "u": self._restore_cursor,
            "?h": self._set_modes,
            "?l": self._reset_modes,
            "!p": self._soft_reset,
        }

    # What is there

    @property
    def alternate_open(self) -> bool:
        return self._alternate is not None

    def alternate_text(self) -> str | None:
        """The text of the alternate screen as it is now, or as it was when it was left."""
        return self.alternate_screen if self._alternate is None else self._alternate.text()

    def take_scrolled_off(self) -> str:
        """Return, once, the text which can no longer change."""
        self._collect()
        pieces, self._scrolled_off = self._scrolled_off, []
        return join(pieces)

    def text(self) -> str:
        """Return the text which may still change."""
        return self._main.text() if self._tail is None else self._tail.text()

    # Input

    def interpret(self, text: str) -> None:
        """Apply a stretch of text; it must not end inside an escape sequence."""
        if CR in text:
            text = _without_cr_at_line_end(text)
        if self._tail is not None and not is_eventful(text):
            self._append(self._tail, text)
            return
        for block in _blocks(text):
            if not is_eventful(block):
                self._simple(block)
            else:
                self._eventful(block)

    def _simple(self, block: str) -> None:
        if self._tail is None and len(block) >= WORTH_LEAVING and not self._leave_screen():
            cut = _end_of_lines(block, self._rows + 1)  # after these the cursor is at the bottom
            self._run(block[:cut])
            block = block[cut:]
            self._leave_screen()
        if self._tail is None:
            self._run(block)
        else:
            self._append(self._tail, block)

    def _append(self, tail: Tail, text: str) -> None:
        tail.append(text)
        if tail.too_long:
            self._enter_screen()

    def _eventful(self, block: str) -> None:
        self._enter_screen()
        if block.count(CR) > 1 and not self._screen.insert_mode:
            columns = self._screen.columns
            block = "\n".join([without_hidden_draws(line, columns) for line in block.split("\n")])
        self._run(block)

    # The two representations

    def _enter_screen(self) -> None:
        """Print the tail's last lines on a fresh screen."""
        if self._tail is None:
            return
        tail, self._tail = self._tail, None
        tail.trim()
        self._scrolled_off += tail.scrolled_off
        self._screen = self._main = Screen(self._columns, self._rows)
        self._style = ""
        self._run(tail.text(), CANONICAL)
        self._style = tail.style
        self._last_char = tail.last_char

    def _leave_screen(self) -> bool:
        """Go back to a tail if the cursor stands behind everything and nothing special is set."""
        if self._alternate is not None or not self._charsets.plain or not self._main.at_end():
            return False
        self._collect()
        text = self._main.text()
        self._tail = Tail(self._columns, self._rows, colours=self._colours, text=text, style=self._style)
        self._tail.last_char = self._last_char
        return True

    def _collect(self) -> None:
        source = self._main if self._tail is None else self._tail
        self._scrolled_off += source.scrolled_off
        source.scrolled_off.clear()

    # Controls

    def _run(self, text: str, controls: re.Pattern[str] = SEQUENCE) -> None:
        """Apply text to the screen in use."""
        first, *rest = controls.split(text)
        if first:
            self._print(first)
        for control, printed in zip(rest[::2], rest[1::2], strict=True):
            self._control(control)
            if printed:
                self._print(printed)

    def _print(self, text: str) -> None:
        if self._charsets.drawing:
            text = text.translate(LINE_DRAWING)
        self._screen.write(text, self._style)
        self._last_char = text[-1]

    def _control(self, control: str) -> None:
        if control.startswith((CSI, CSI_8BIT)):
            self._control_sequence(control)
        elif control == HT:
            self._screen.tab(self._style)
            self._last_char = ""
        elif action := CONTROL_ACTIONS.get(control):
            action(self._screen)
            if control == LF:
                self._last_char = ""
        elif control in (SO, SI):
            self._charsets.shift(control)
        elif control.startswith(ESC) and len(control) > 1:
            self._escape(control)

    def _control_sequence(self, control: str) -> None:
        sequence = parse(control)
        if sequence.function == "m":
            if self._colours:
                start = len(CSI) if control.startswith(CSI) else len(CSI_8BIT)
                self._style = change_style(self._style, control[start:-1])
        elif own := self._actions.get(sequence.function):
            own(sequence)
        elif action := SEQUENCE_ACTIONS.get(sequence.function):
            action(self._screen, sequence)

    def _escape(self, control: str) -> None:
        if control[1] in "()":
            self._charsets.designate(control)
        elif control == f"{ESC}7":
            self._save_cursor()
        elif control == f"{ESC}8":
            self._restore_cursor()
        elif control == f"{ESC}c":
            self._reset()

    def _erase_in_display(self, sequence: ControlSequence) -> None:
        mode = sequence.parameters[0]
        if mode in (2, 3) and self._alternate is None:
            self.clears += 1
        if mode != 3:
            self._screen.erase_in_display(mode)
        elif self._alternate is None:
            self.history_cleared = True
            self._collect()
            self._scrolled_off.clear()

    def _repeat(self, sequence: ControlSequence) -> None:
        if self._last_char:
            count = min(sequence.count(), self._columns)  # programs repeat within a row; so seven bytes stay a row
            self._screen.write(self._last_char * count, self._style)

    def _save_cursor(self, sequence: ControlSequence | None = None) -> None:
        if sequence is None or sequence.parameters == (0,):  # with parameters it sets margins
            screen = self._screen
            self._saved[self.alternate_open] = (screen.y, screen.x, self._style)

    def _restore_cursor(self, _: ControlSequence | None = None) -> None:
        """Where nothing was saved a terminal goes home (DECRC), to the top of a window that began long before this
        output. Here that would be its first line, and binary output (1 in 40 of 3,000 random bytes) would be
        overwritten by what comes after it; so nothing is done.
        """
        if self.alternate_open in self._saved:
            self._screen.y, self._screen.x, self._style = self._saved[self.alternate_open]

    def _set_modes(self, sequence: ControlSequence) -> None:
        SEQUENCE_ACTIONS["?h"](self._screen, sequence)
        if 1048 in sequence.parameters or 1049 in sequence.parameters:
            self._save_cursor()
        if _ALTERNATE_MODES.intersection(sequence.parameters) and self._alternate is None:
            self._alternate = Screen(self._columns, self._rows, keep_history=False)
            self._alternate.go(self._screen.y, self._screen.x)
            self._screen = self._alternate

    def _reset_modes(self, sequence: ControlSequence) -> None:
        SEQUENCE_ACTIONS["?l"](self._screen, sequence)
        if _ALTERNATE_MODES.intersection(sequence.parameters) and self._alternate is not None:
            self._leave_alternate()
        if 1048 in sequence.parameters or 1049 in sequence.parameters:
            self._restore_cursor()

    def _leave_alternate(self) -> None:
        if self._alternate is not None:
            self.alternate_screen = self._alternate.text()
            self._main.go(self._alternate.y, self._alternate.x)
            self._alternate = None
            self._screen = self._main

    def _soft_reset(self, _: ControlSequence | None = None) -> None:
        screen = self._screen
        screen.insert_mode = screen.origin_mode = False
        screen.autowrap = True
        screen.top, screen.bottom = 0, screen.height - 1
        self._style = ""
        self._charsets = Charsets()

    def _reset(self) -> None:
        self._leave_alternate()
        self._soft_reset()
        self._main.erase_in_display(2)
        self._main.go(0, 0)
        self._saved.clear()
        self._last_char = ""
        self.clears += 1


def _without_cr_at_line_end(text: str) -> str:
    if "\r\r" in text:
        text = _REPEATED_CR.sub(CR, text)
    return text.replace("\r\n", "\n")


def _blocks(text: str) -> Iterator[str]:
    """Cut text into pieces of whole lines; the last may lack its line end."""
    position = 0
    while position < len(text):
        end = text.find("\n", position + BLOCK) + 1 or len(text)
        yield text[position:end]
        position = end


def _end_of_lines(text: str, lines: int) -> int:
    """Return where the first so many lines end."""
    position = 0
    for _ in range(lines):
        position = text.find("\n", position) + 1
        if not position:
            return len(text)
    return position
