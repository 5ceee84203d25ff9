"""How many columns a character takes.

Wide and fullwidth characters (Unicode Standard Annex 11) take two, combining and format characters none, all others
one. Ambiguous ones (`█`, `─`, Greek) take one, as in every terminal with a UTF-8 locale outside old CJK set-ups.
Emoji joined by U+200D count as the sum of their parts, which is what most terminals do.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ("NARROW", "ODD", "display_width", "width")

NARROW: Final = (
    " -~"  # ASCII
    "\u00a0-\u02ff"  # Latin
    "\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0482"  # Greek, Cyrillic
    "\u2010-\u2027\u2030-\u205e"  # general punctuation without its format characters
    "\u20a0-\u20c0"  # currency
    "\u2100-\u218b\u2190-\u2319"  # letterlike, number forms, arrows, mathematics
    "\u2500-\u25fc"  # box drawing, blocks, geometric shapes
    "\u2800-\u28ff"  # braille (spinners)
    "\ufffd"
)
"""Ranges of a character class in which every character takes one column (proved by a test against unicodedata)."""

ODD: Final = re.compile(f"([^{NARROW}]+)")
"""Finds runs of characters whose width has to be looked up. Split with it: narrow, odd, narrow, odd, …, narrow."""


@lru_cache(maxsize=4096)
def width(char: str) -> int:
    """Return the columns that one character takes: 0, 1 or 2."""
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    if "\u1160" <= char <= "\u11ff":  # Hangul medial vowels and finals join the initial before them
        return 0
    if char == "\u00ad":  # soft hyphen: a format character which terminals show
        return 1
    return 0 if unicodedata.category(char) in ("Mn", "Me", "Cf") else 1


def display_width(text: str) -> int:
    """Return the columns that text without control characters takes."""
    if text.isascii():
        return len(text)
    return sum(width(char) for char in text)
