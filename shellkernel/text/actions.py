"""What each control sequence does to the screen: the tables.

Functions of the sequence that concern more than the screen (style, character sets, the alternate screen, reset) are in
`interpreter.py`. What is in neither table does nothing: device queries, key modes, mouse, window operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shellkernel.text.control import CR, ESC, FF, IND_8BIT, NEL_8BIT, RI_8BIT, VT
from shellkernel.text.screen import Screen
from shellkernel.text.sequences import ControlSequence

__all__ = ("CONTROL_ACTIONS", "SEQUENCE_ACTIONS")

Action = Callable[[Screen, ControlSequence], None]


def _index(screen: Screen) -> None:
    screen.index()


def _backspace(screen: Screen) -> None:
    screen.move(0, -1)


CONTROL_ACTIONS: Final[dict[str, Callable[[Screen], None]]] = {
    "\n": Screen.newline,
    CR: Screen.carriage_return,
    "\b": _backspace,
    VT: _index,
    FF: _index,
    f"{ESC}D": _index,
    IND_8BIT: _index,
    f"{ESC}E": Screen.newline,
    NEL_8BIT: Screen.newline,
    f"{ESC}M": Screen.reverse_index,
    RI_8BIT: Screen.reverse_index,
}
"""Controls without parameters, in full."""


def _up_to_start(screen: Screen, s: ControlSequence) -> None:
    screen.move(-s.count(), 0)
    screen.carriage_return()


def _down_to_start(screen: Screen, s: ControlSequence) -> None:
    screen.move(s.count(), 0)
    screen.carriage_return()


def _margins(screen: Screen, s: ControlSequence) -> None:
    given = s.parameters[1] if len(s.parameters) > 1 else 0
    screen.set_margins(s.count() - 1, (given or screen.height) - 1)


def _tabs(screen: Screen, s: ControlSequence) -> None:
    for _ in range(min(s.count(), screen.columns)):
        screen.forward_tab()


def _scroll_down(screen: Screen, s: ControlSequence) -> None:
    if len(s.parameters) == 1:  # with more it is xterm's mouse tracking
        screen.scroll_down(s.count())


def _set_modes(screen: Screen, s: ControlSequence, on: bool) -> None:
    if s.function[0] != "?":
        screen.insert_mode = on if 4 in s.parameters else screen.insert_mode
        return
    if 6 in s.parameters:
        screen.origin_mode = on
        screen.go(0, 0)
    if 7 in s.parameters:
        screen.autowrap = on


SEQUENCE_ACTIONS: Final[dict[str, Action]] = {
    "@": lambda screen, s: screen.insert_cells(s.count()),
    "A": lambda screen, s: screen.move(-s.count(), 0),
    "B": lambda screen, s: screen.move(s.count(), 0),
    "C": lambda screen, s: screen.move(0, s.count()),
    "D": lambda screen, s: screen.move(0, -s.count()),
    "E": _down_to_start,
    "F": _up_to_start,
    "G": lambda screen, s: screen.go(None, s.count() - 1),
    "H": lambda screen, s: screen.go(s.count() - 1, s.count(1) - 1),
    "I": _tabs,
    "J": lambda screen, s: screen.erase_in_display(s.parameters[0]),
    "K": lambda screen, s: screen.erase_in_line(s.parameters[0]),
    "L": lambda screen, s: screen.insert_rows(s.count()),
    "M": lambda screen, s: screen.delete_rows(s.count()),
    "P": lambda screen, s: screen.delete_cells(s.count()),
    "S": lambda screen, s: screen.scroll_up(s.count()),
    "T": _scroll_down,
    "X": lambda screen, s: screen.erase_cells(s.count()),
    "Z": lambda screen, s: screen.back_tab(s.count()),
    "`": lambda screen, s: screen.go(None, s.count() - 1),
    "a": lambda screen, s: screen.move(0, s.count()),
    "d": lambda screen, s: screen.go(s.count() - 1, None),
    "e": lambda screen, s: screen.move(s.count(), 0),
    "f": lambda screen, s: screen.go(s.count() - 1, s.count(1) - 1),
    "h": lambda screen, s: _set_modes(screen, s, True),
    "l": lambda screen, s: _set_modes(screen, s, False),
    "?h": lambda screen, s: _set_modes(screen, s, True),
    "?l": lambda screen, s: _set_modes(screen, s, False),
    "r": _margins,
}
"""Function of a CSI sequence -> what it does."""
