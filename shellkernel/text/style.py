"""Colours and attributes: SGR, "select graphic rendition" (ECMA-48, 8.3.117).

A style is a string: the canonical SGR parameters which lead to it from the default, attributes in ascending order,
then foreground, then background: `"1;4;31;48;5;20"`; the default style is `""`. So styles compare and hash at the
speed of strings, and a style is written by putting it between `CSI` and `m`.

From one style to another we go by `RESET`, or by `CSI 0;… m`, which says the whole new style. A reader that starts
anywhere in a line therefore only needs the last sequence before it.

Kept: bold 1, dim 2, italic 3, underline 4 (all kinds of underline), blink 5, inverse 7, conceal 8, strike 9, the 16
colours, the 256 (38;5;n), 24 bits (38;2;r;g;b), in the `;` and `:` forms. Fonts, overline, underline colour are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from shellkernel.text.control import CSI, ESC, RESET, SEQUENCE_LIMIT

__all__ = ("SGR", "change_style", "join", "last_style", "open_style", "transition")

SGR: Final = re.compile(f"{ESC}\\[([0-9;:]{{0,{SEQUENCE_LIMIT}}})m")
"""A colour or attribute change; group 1 has the parameters."""

_ATTRIBUTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7, 8: 8, 9: 9, 21: 4}
_ATTRIBUTES_OFF = {22: (1, 2), 23: (3,), 24: (4,), 25: (5,), 27: (7,), 28: (8,), 29: (9,)}
_FOREGROUND = {*range(30, 38), *range(90, 98)}
_BACKGROUND = {*range(40, 48), *range(100, 108)}
_EXTENDED = {38: "foreground", 48: "background", 58: "underline"}


class _Attributes:
    """A style taken apart, to be changed by one sequence."""

    def __init__(self, style: str) -> None:
        self.set: set[int] = set()
        self.colours: dict[str, str] = {}
        self.apply(style)

    def apply(self, parameters: str) -> None:
        fields = iter(parameters.split(";"))
        for field in fields:
            head, _, rest = field.partition(":")
            code = _number(head)
            if code in _EXTENDED:
                self._extended(code, rest.split(":") if rest else None, fields)
            elif code == 4 and rest and _number(rest) == 0:
                self.set.discard(4)
            else:
                self._simple(code)

    def _simple(self, code: int) -> None:
        if code == 0:
            self.set.clear()
            self.colours.clear()
        elif code in _ATTRIBUTES:
            self.set.add(_ATTRIBUTES[code])
        elif code in _ATTRIBUTES_OFF:
            self.set.difference_update(_ATTRIBUTES_OFF[code])
        elif code in _FOREGROUND:
            self.colours["foreground"] = str(code)
        elif code in _BACKGROUND:
            self.colours["background"] = str(code)
        elif code == 39:
            self.colours.pop("foreground", None)
        elif code == 49:
            self.colours.pop("background", None)

    def _extended(self, code: int, colons: list[str] | None, fields: Iterator[str]) -> None:
        kind = _number(colons[0]) if colons else _number(next(fields, ""))
        wanted = {5: 1, 2: 3}.get(kind, 0)
        if colons:
            numbers = [_number(part) for part in colons[1:]][-wanted:] if wanted else []  # 38:2::r:g:b names a space
        else:
            numbers = [_number(next(fields, "?")) for _ in range(wanted)]
        if len(numbers) == wanted and wanted and max(numbers) < 256 and code != 58:
            self.colours[_EXTENDED[code]] = ";".join(map(str, (code, kind, *numbers)))

    def __str__(self) -> str:
        colours = [self.colours[name] for name in ("foreground", "background") if name in self.colours]
        return ";".join([*map(str, sorted(self.set)), *colours])


def _number(digits: str) -> int:
    """Read one parameter; an empty one is 0, one that is no small number is 9999, which means nothing."""
    if not digits:
        return 0
    return int(digits) if digits.isdecimal() and len(digits) < 5 else 9999


@lru_cache(maxsize=8192)
def change_style(style: str, parameters: str) -> str:
    """Apply the parameters of one SGR sequence (`"01;31"`, `""`) to a style and return the style after it."""
    attributes = _Attributes(style)
    attributes.apply(parameters)
    return str(attributes)


def open_style(style: str) -> str:
    """Return the sequence which leads from the default style to this one; empty for the default."""
    return f"{CSI}{style}m" if style else ""


@lru_cache(maxsize=8192)
def transition(before: str, after: str) -> str:
    """Return the shortest of our sequences which leads from one style to another; empty for the same."""
    if before == after:
        return ""
    if not after:
        return RESET
    return f"{CSI}0;{after}m" if before else f"{CSI}{after}m"


def last_style(text: str) -> str:
    """Return the style in which canonical text ends, before a RESET at its very end."""
    end = len(text) - len(RESET) if text.endswith(RESET) else len(text)
    change = SGR.match(text, text.rfind(ESC, text.rfind("\n") + 1, end), end)
    return change_style("", change.group(1)) if change else ""


def join(pieces: Iterable[str]) -> str:
    """Join pieces of canonical text, of one line perhaps: a style that goes on is not closed between them."""
    joined: list[str] = []
    open_at_end = ""
    for piece in pieces:
        opening = SGR.match(piece) if open_at_end else None
        if opening is not None:
            joined[-1] = joined[-1].removesuffix(RESET)
            joined.append(transition(open_at_end, change_style("", opening.group(1))) + piece[opening.end() :])
        elif piece:
            joined.append(piece)
        if piece:
            open_at_end = last_style(piece) if piece.endswith(RESET) else ""
    return "".join(joined)
