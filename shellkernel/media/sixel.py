"""Sixel graphics to pixels.

Each character `?` to `~` is a column of six pixels in the current colour; `!12~` is twelve of them, `#3` selects a
colour register, `#3;2;10;20;30` sets it (percent), `$` goes back to the band's left, `-` to the next band. Source:
VT330/VT340 Programmer Reference Manual, chapter 14.
"""

from __future__ import annotations

import colorsys
import re
from itertools import groupby

__all__ = ("sixel_pixels",)

MOST_PIXELS = 16_000_000
_TOKEN = re.compile(r"#([0-9;]+)|!([0-9]+)([?-~])|\"[0-9;]*|([?-~]+)|([$-])")
_TRANSPARENT = b"\0\0\0\0"

# The VT340's own colours, in percent.
_DEFAULT = (
    (0, 0, 0), (20, 20, 80), (80, 13, 13), (20, 80, 20), (80, 20, 80), (20, 80, 80), (80, 80, 20), (53, 53, 53),
    (26, 26, 26), (33, 33, 60), (60, 26, 26), (33, 60, 33), (60, 33, 60), (33, 60, 60), (60, 60, 33), (80, 80, 80),
)  # fmt: skip


def sixel_pixels(body: str) -> tuple[int, int, bytes]:
    """Return width, height and RGBA pixels.

    Args:
        body: The control string: parameters, `q`, data.

    Raises:
        ValueError: There is no pixel in it, or there are too many.
    """
    picture = _Picture()
    for token in _TOKEN.finditer(body, body.index("q") + 1):
        colour, count, repeated, columns, move = token.groups()
        if columns:
            for char, run in groupby(columns):
                picture.draw(char, sum(1 for _ in run))
        elif repeated:
            picture.draw(repeated, int(count))
        elif colour:
            picture.set_colour([int(number) for number in colour.split(";") if number])
        elif move:
            picture.move(move)
    return picture.pixels()


class _Picture:
    def __init__(self) -> None:
        self._registers = {number: _rgba(*percents) for number, percents in enumerate(_DEFAULT)}
        self._colour = self._registers[0]
        self._rows: list[bytearray] = []
        self._x = self._top = self._width = self._height = 0

    def draw(self, char: str, count: int) -> None:
        bits = ord(char) - 63
        end = self._x + count
        if max(end, self._width) * (self._top + 6) > MOST_PIXELS:
            raise ValueError(f"more than {MOST_PIXELS:,} pixels")
        for row in range(bits.bit_length()):
            if bits >> row & 1:
                self._paint(self._top + row, end, count)
        self._x = end

    def _paint(self, y: int, end: int, count: int) -> None:
        while len(self._rows) <= y:
            self._rows.append(bytearray())
        row = self._rows[y]
        if len(row) < 4 * end:
            row.extend(_TRANSPARENT * (end - len(row) // 4))
        row[4 * self._x : 4 * end] = self._colour * count
        self._width, self._height = max(self._width, end), max(self._height, y + 1)

    def set_colour(self, numbers: list[int]) -> None:
        if not numbers:
            return
        register, *rest = numbers
        if len(rest) == 4:
            kind, *values = rest
            self._registers[register] = _from_hls(*values) if kind == 1 else _rgba(*values)
        self._colour = self._registers.get(register, self._registers[register % len(_DEFAULT)])

    def move(self, char: str) -> None:
        self._x = 0
        if char == "-":
            self._top += 6

    def pixels(self) -> tuple[int, int, bytes]:
        if not self._width:
            raise ValueError("there is no pixel in it")
        size = 4 * self._width
        return self._width, self._height, b"".join(bytes(row.ljust(size, b"\0")) for row in self._rows)


def _rgba(red: int, green: int, blue: int) -> bytes:
    return bytes(min(percent, 100) * 255 // 100 for percent in (red, green, blue)) + b"\xff"


def _from_hls(hue: int, lightness: int, saturation: int) -> bytes:
    """Blue is at 0 degrees, as DEC has it."""
    parts = colorsys.hls_to_rgb(((hue + 240) % 360) / 360, min(lightness, 100) / 100, min(saturation, 100) / 100)
    return bytes(round(255 * part) for part in parts) + b"\xff"
