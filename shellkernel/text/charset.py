"""Character sets: ASCII and the DEC special graphics ("line drawing") set.

`ESC ( 0` designates line drawing as G0 and `ESC ( B` ASCII; `)` does the same for G1; SI and SO choose G0 or G1.
Other sets (national variants of ASCII) count as ASCII. The table is the VT100's, as in xterm and in terminfo's acsc.
"""

from __future__ import annotations

from typing import Final

from shellkernel.text.control import ESC, SI, SO

__all__ = ("LINE_DRAWING", "Charsets")

LINE_DRAWING: Final = str.maketrans(
    "_`abcdefghijklmnopqrstuvwxyz{|}~",
    " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·",
)


class Charsets:
    """Which set is designated as G0 and G1, and which of the two is in use."""

    def __init__(self) -> None:
        self._line_drawing = [False, False]
        self._active = 0

    @property
    def plain(self) -> bool:
        """Whether all is as at the start: ASCII everywhere, G0 in use."""
        return not any(self._line_drawing) and self._active == 0

    @property
    def drawing(self) -> bool:
        """Whether printed text is line drawing now."""
        return self._line_drawing[self._active]

    def shift(self, control: str) -> None:
        """Act on SO or SI."""
        assert control in (SO, SI)
        self._active = 1 if control == SO else 0

    def designate(self, sequence: str) -> None:
        """Act on `ESC ( final`, `ESC ) final`; G2 and G3 are not followed."""
        assert sequence.startswith(ESC)
        if sequence[1] in "()":
            self._line_drawing["()".index(sequence[1])] = sequence[2:] == "0"
