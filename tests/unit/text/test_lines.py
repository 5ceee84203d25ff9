"""Text to lines: what is kept as it is, and what controls do within one line."""

from __future__ import annotations

import pytest

from shellkernel.text import plain
from tests.unit.text.ways import in_three_ways

__all__ = ()

KEPT = [
    ("nothing", "", ""),
    ("no line end", "abc", "abc"),
    ("lines", "a\nb\n\nc\n", "a\nb\n\nc\n"),
    ("carriage return and line feed", "a\r\nb\r\n", "a\nb\n"),
    ("carriage return twice", "a\r\r\nb\r\r\r\n", "a\nb\n"),
    ("trailing spaces", "a  \n  \nb ", "a  \n  \nb "),
    ("tabs", "all:\n\tcc\t-c x\n", "all:\n\tcc\t-c x\n"),
    ("unicode", "héllo ✓ 日本 🎉\n", "héllo ✓ 日本 🎉\n"),
    ("combining marks", "e\u0301 \u0301 x\n\u0301y\n", "e\u0301 \u0301 x\n\u0301y\n"),
    ("a joined emoji", "👩\u200d💻\n", "👩\u200d💻\n"),
    ("replacement character", "a\ufffdb", "a\ufffdb"),
    ("line separators are no line ends", "a\u2028b\x1dc\n", "a\u2028bc\n"),
]

DROPPED = [
    ("bell", "a\x07b\x07\n", "ab\n"),
    ("null", "a\x00b\n", "ab\n"),
    ("delete", "a\x7fb\n", "ab\n"),
    ("other C0 controls", "a\x01\x02\x05\x06\x10\x11\x13\x14\x17\x19\x1c\x1db\n", "ab\n"),
    ("cancel and substitute", "a\x18b\x1ac\n", "abc\n"),
    ("C1 controls", "a\x80b\x81c\x99d\n", "abcd\n"),
    ("a lone escape", "a\x1b\nb\x1b", "a\nb"),
    ("an escape broken off", "a\x1b[12\nb\x1b[3", "a\nb"),
    ("two escapes", "a\x1b\x1b[31mb\n", "ab\n"),
]

ONE_LINE = [
    ("overwrite", "abc\rX\n", "Xbc\n"),
    ("overwrite with more", "abc\rdefgh\n", "defgh\n"),
    ("return at the end", "abc\r", "abc"),
    ("progress", "\r1%\r2%\r100%\n", "100%\n"),
    ("a shorter line leaves its tail", "100 items\r99 items\n", "99 itemss\n"),
    ("backspace", "abc\b\bX\n", "aXc\n"),
    ("backspace stops at the start", "a\b\b\bX\n", "X\n"),
    ("a spinner", "|\b/\b-\b\\\b done\n", " done\n"),
    ("man's bold and underline", "N\bNA\bA _\bx\n", "NA x\n"),
    ("erase to the end", "abcdef\r\x1b[2C\x1b[K\n", "ab\n"),
    ("erase to the start", "abcdef\r\x1b[2C\x1b[1KX\n", "  Xdef\n"),
    ("erase the line", "abcdef\x1b[2KX\n", "      X\n"),
    ("erase and redraw", "downloading\r\x1b[2Kdone\n", "done\n"),
    ("erase behind all is nothing", "abc\x1b[K\n\x1b[Kx\n", "abc\nx\n"),
    ("erase in a full row takes nothing", "0123456789\x1b[K\nx", "0123456789\nx"),
    ("cursor forward is no printing", "a\x1b[5C\n", "a\n"),
    ("cursor forward, then printing", "a\x1b[3Cb\n", "a   b\n"),
    ("cursor back", "abc\x1b[2DX\n", "aXc\n"),
    ("column", "abcdef\x1b[3GX\x1b[1GY\n", "YbXdef\n"),
    ("column by the other name", "abcdef\x1b[3`X\n", "abXdef\n"),
    ("delete characters", "abcdef\r\x1b[2PX\n", "Xdef\n"),
    ("insert characters", "abcdef\r\x1b[2@X\n", "X abcdef\n"),
    ("erase characters", "abcdef\r\x1b[2XY\n", "Y cdef\n"),
    ("erase characters at the end", "abcdef\x1b[2D\x1b[9X\n", "abcd\n"),
    ("insert mode", "def\r\x1b[4habc\x1b[4l\rX\n", "Xbcdef\n"),
    ("repeat", "ab\x1b[3b\n", "abbbb\n"),
    ("repeat nothing", "\x1b[3b\nx\n\x1b[3b", "\nx\n"),
    ("save and restore", "abc\x1b7def\x1b8X\n", "abcXef\n"),
    ("save and restore, the other way", "abc\x1b[sdef\x1b[uX\n", "abcXef\n"),
    ("restore without save", "one\ntwo\x1b8three\nfour\x1b[ufive\n\x1b[?1048lEND\n", "one\ntwothree\nfourfive\nEND\n"),
    ("C1 forms", "abc\x9b1GX\x85y", "Xbc\ny"),
    ("printed spaces stay when overwritten", "abc\r   \n", "   \n"),
    ("blanks of the screen do not stay", "abc\x1b[2K\n", "\n"),
]

TABS = [
    ("over text it only moves", "abcdefghij\r\tX\n", "abcdefghXj\n"),
    ("overwritten it is columns", "\tx\ra\n", "a       x\n"),
    ("another line keeps its own", "\tx\n\ty\ra\n\tz\n", "\tx\na       y\n\tz\n"),
    ("behind the text it is kept", "abc\r\x1b[3C\tX\n", "abc\tX\n"),
    ("moved it is columns", "ab\tx\r\x1b[P\n", "b      x\n"),
    ("back", "abcdefghij\x1b[ZX\n", "abcdefghXj\n"),
    ("forward", "a\x1b[2IX\n", "a               X\n"),
]

WIDE = [
    ("two columns", "日本x\r\x1b[2CX\n", "日X x\n"),
    ("a half overwritten", "日本\rX\n", "X 本\n"),
    ("the other half overwritten", "日本\r\x1b[CX\n", " X本\n"),
    ("over two narrow ones", "abcd\r日\n", "日cd\n"),
    ("a mark joins the one before", "ab\re\u0301\n", "e\u0301b\n"),
    ("a mark after a wide one", "日\u0301\rab\n", "ab\n"),
]


def named(cases: list[tuple[str, str, str]]) -> pytest.MarkDecorator:
    ids = [name for name, _, _ in cases]
    return pytest.mark.parametrize(("given", "expected"), [case[1:] for case in cases], ids=ids)


@named(KEPT)
def test_ordinary_text_is_kept(given: str, expected: str) -> None:
    assert in_three_ways(given) == expected


@named(DROPPED)
def test_controls_without_a_picture_are_dropped(given: str, expected: str) -> None:
    assert in_three_ways(given) == expected


@named(ONE_LINE)
def test_a_line_is_redrawn(given: str, expected: str) -> None:
    assert in_three_ways(given, 10 if "0123456789" in given else 120) == expected


@named(TABS)
def test_tabs(given: str, expected: str) -> None:
    assert in_three_ways(given) == expected


@named(WIDE)
def test_wide_characters(given: str, expected: str) -> None:
    assert in_three_ways(given) == expected


def test_the_same_text_comes_from_cells_and_without() -> None:
    """A harmless query makes the renderer take its slow way."""
    for _, given, expected in KEPT:
        assert plain("\x1b[6n" + given, 5) == expected


def test_form_feed_and_vertical_tab_go_down_one_row() -> None:
    assert in_three_ways("ab\x0bc\x0cd\n") == "ab\n  c\n   d\n"


def test_a_line_is_never_wrapped_in_the_text() -> None:
    line = "x" * 1000
    assert in_three_ways(f"{line}\n{line}\x1b[6n\n", 10, rows=3) == f"{line}\n{line}\n"
