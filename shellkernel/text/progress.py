"""Lines which are drawn over and over, `\\r` and again `\\r`: find the draws of which nothing is seen in the end.

A progress bar may redraw its line a hundred thousand times. A draw that starts at the first column is wholly hidden
when a later draw of the same line is at least as wide, or erases what is right of it. Such draws need no cells: all
that they leave behind is the style they set. Only the widths are compared here, nothing is interpreted.
"""

from __future__ import annotations

import re

from shellkernel.text.control import CR, CSI, ESC, SEQUENCE_LIMIT
from shellkernel.text.style import SGR
from shellkernel.text.width import NARROW

__all__ = ("without_hidden_draws",)

_WORTH_IT = 4
"""Draws of one line from which on looking at them is cheaper than drawing them all."""

_CLEARS_ROW = re.compile(f"{CR}(?:{ESC}\\[[0-9;:]*m)*{ESC}\\[0?K|{ESC}\\[2K")
_ERASE = re.compile(f"{ESC}\\[[02]?K")
_INVISIBLE = re.compile(f"{ESC}\\[(?:[0-9;:]{{0,{SEQUENCE_LIMIT}}}m|[02]?K|\\?25[hl])")
_PLAIN = re.compile(f"[{NARROW}{CR}]*")
_RESETS = (f"{CSI}0m", f"{CSI}m")


def without_hidden_draws(line: str, columns: int) -> str:
    """Return text without `\\n` such that it has the same effect, with hidden draws left out.

    The line comes back as it is when it holds anything whose width is not plainly known.
    """
    if line.count(CR) < _WORTH_IT:
        return line
    bare = _INVISIBLE.sub("", line) if ESC in line else line
    if _PLAIN.fullmatch(bare) is None:
        return line
    first, *draws = line.split(CR)
    widths = [len(draw) for draw in bare.split(CR)[1:]]
    if max(widths) > columns:
        return line  # some wrap, and go on in another row
    erasing = _last_erasing(draws) if _ERASE.search(line) else None
    if erasing is None:
        return CR.join([first, *_seen(draws, widths)])
    before = _hidden_before(draws[:erasing])
    return CR.join([first, before + draws[erasing], *_seen(draws[erasing + 1 :], widths[erasing + 1 :])])


def _last_erasing(draws: list[str]) -> int | None:
    indices = range(len(draws) - 1, -1, -1)
    return next((index for index in indices if ESC in draws[index] and _ERASE.search(draws[index])), None)


def _hidden_before(draws: list[str]) -> str:
    """Return what draws leave behind which are hidden by one that erases."""
    if not draws:
        return ""
    clears = _CLEARS_ROW.search(CR + CR.join(draws))  # then the row no longer continues the one above
    return _styles(draws) + (f"{CSI}K" if clears else "")


def _seen(draws: list[str], widths: list[int]) -> list[str]:
    """Return the draws that are not covered by a later one, each with the style changes hidden before it."""
    kept: list[str] = []
    covered = -1
    end = len(draws)
    for index in range(len(draws) - 1, -1, -1):
        if widths[index] > covered:
            if kept:
                kept[-1] = _styles(draws[index + 1 : end]) + kept[-1]
            kept.append(draws[index])
            covered = widths[index]
            end = index
    if kept:
        kept[-1] = _styles(draws[:end]) + kept[-1]
    return kept[::-1]


def _styles(draws: list[str]) -> str:
    """Return the style changes in hidden draws, from the last one that resets everything."""
    if not draws:
        return ""
    text = CR.join(draws)
    start = max(text.rfind(reset) for reset in _RESETS)
    return "".join(match.group() for match in SGR.finditer(text, max(start, 0)))
