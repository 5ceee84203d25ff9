"""Columns of a character."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest

from shellkernel.text.width import NARROW, display_width, width

__all__ = ()


@pytest.mark.parametrize(
    ("char", "columns"),
    [
        *(("a", 1), ("é", 1), ("█", 1), ("─", 1), ("⠋", 1), ("✓", 1), ("\ue0b0", 1), ("\uff71", 1), ("\u00ad", 1)),
        *(("日", 2), ("한", 2), ("\uff21", 2), ("🎉", 2), ("✅", 2)),
        *(("\u0301", 0), ("\u200d", 0), ("\ufe0f", 0), ("\u1161", 0)),
    ],
)
def test_width(char: str, columns: int) -> None:
    assert width(char) == columns


def test_width_of_a_text() -> None:
    assert display_width("abc") == 3
    assert display_width("日本e\u0301") == 5


def test_what_is_called_narrow_is_narrow() -> None:
    """Assigned characters only: what a later Unicode puts into the gaps is not our concern."""
    narrow = re.compile(f"[{NARROW}]")
    for char in map(chr, range(0x10000)):
        if narrow.match(char) and unicodedata.category(char) != "Cn":
            assert width.__wrapped__(char) == 1, hex(ord(char))
    assert not narrow.match(chr(sys.maxunicode))
