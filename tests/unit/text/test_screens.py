"""Text to lines: what controls do over several lines, on a screen of 10 columns and 4 rows."""

from __future__ import annotations

import pytest

from shellkernel.text import Renderer
from tests.unit.text.ways import in_three_ways

__all__ = ()

MOVES = [
    ("up and over", "one\ntwo\n\x1b[2AX\n", "Xne\ntwo"),
    ("up, erase, down", "one\ntwo\n\x1b[A\x1b[2KTWO\n", "one\nTWO\n"),
    ("up stops at the top", "one\n\x1b[9AX\ntwo\n", "Xne\ntwo\n"),
    ("down stops at the bottom", "a\x1b[99Bb\n", "a\n\n\n b\n"),
    ("down and nothing printed", "a\x1b[2B", "a"),
    ("to the start of the line above", "one\ntwo\x1b[FX", "Xne\ntwo"),
    ("to the start of the line below", "one\ntwo\x1b[A\x1b[EX", "one\nXwo"),
    ("home", "one\ntwo\x1b[HX", "Xne\ntwo"),
    ("row and column", "\x1b[2;3HX\x1b[3;1fY", "\n  X\nY"),
    ("row", "ab\x1b[3dX", "ab\n\n  X"),
    ("home is the top of the screen", "1\n2\n3\n4\n5\n6\x1b[HX", "1\n2\nX\n4\n5\n6"),
    ("index keeps the column", "ab\x1bDc", "ab\n  c"),
    ("next line", "ab\x1bEc", "ab\nc"),
    ("reverse index", "ab\ncd\x1bMX", "abX\ncd"),
    ("reverse index at the top", "ab\x1bMX", "  X\nab"),
    ("a line feed goes over what is there", "one\ntwo\x1b[HX\nY", "Xne\nYwo"),
    ("blank lines in the end stay", "a\n\n\n", "a\n\n\n"),
]

ERASING = [
    ("below", "one\ntwo\nthree\x1b[2;2H\x1b[J", "one\nt"),
    ("above", "one\ntwo\nthree\x1b[2;2H\x1b[1J", "\n  o\nthree"),
    ("all, from home", "one\ntwo\x1b[H\x1b[2Jnew", "new"),
    ("all, in place", "one\ntwo\x1b[2Jnew", "\n   new"),
    ("all, but not what scrolled off", "1\n2\n3\n4\n5\n6\x1b[H\x1b[2Jnew", "1\n2\nnew"),
    ("what scrolled off", "1\n2\n3\n4\n5\n6\x1b[3J", "3\n4\n5\n6"),
    ("clear", "1\n2\n3\n4\n5\n6\n\x1b[H\x1b[2J\x1b[3Jnew\n", "new\n"),
    ("reset", "1\n2\n3\x1bcnew", "new"),
    ("what tput reset prints", "1\n\x1bc\x1b]104\x07\x1b[!p\x1b[?3;4l\x1b[4l\x1b>new\n", "new\n"),
]

ROWS = [
    ("insert a row", "1\n2\n3\x1b[2H\x1b[Lx", "1\nx\n2\n3"),
    ("insert pushes out the last", "1\n2\n3\n4\x1b[2H\x1b[Lx", "1\nx\n2\n3"),
    ("delete a row", "1\n2\n3\n4\x1b[2H\x1b[M", "1\n3\n4"),
    ("scroll up keeps the top as history", "1\n2\n3\n4\x1b[2Sx", "1\n2\n3\n4\n\n x"),
    ("scroll down", "1\n2\n3\n4\x1b[T", "\n1\n2\n3"),
    ("mouse tracking is no scrolling", "1\n2\x1b[1;2;3;4;5T", "1\n2"),
    ("region", "\x1b[1;3r1\n2\n3\n4\n5", "1\n2\n3\n4\n5"),
    ("region with a fixed last row", "\x1b[4Hbar\x1b[1;3r1\n2\n3\n4", "1\n2\n3\n4\nbar"),
    ("region in the middle loses its lines", "a\nb\nc\nd\x1b[2;3r\x1b[3Hx\ny", "a\nx\ny\nd"),
    ("impossible region", "1\n2\x1b[3;3rX", "X\n2"),
    ("region and origin", "1\n2\n3\n4\x1b[2;3r\x1b[?6h\x1b[HX\x1b[9HY\x1b[?6l\x1b[HZ", "Z\nX\nY\n4"),
]

WRAPPING = [
    ("one line", "0123456789abc\n", "0123456789abc\n"),
    ("a full row and a line feed", "0123456789\nabc", "0123456789\nabc"),
    ("a full row and a return", "0123456789\rX\n", "X123456789\n"),
    ("return goes to the start of the row, not the line", "0123456789abc\rX\n", "0123456789Xbc\n"),
    ("up goes one row, not one line", "0123456789abc\x1b[AX", "012X456789abc"),
    ("a bar over two rows redrawn", "0123456789abc\r\x1b[A9876543210cba\n", "9876543210cba\n"),
    ("erasing a row ends the line above", "0123456789abc\x1b[2K\rX", "0123456789\nX"),
    ("wide characters do not fit in one column", "012345678日", "012345678日"),
    ("they leave the last column", "012345678日\x1b[A\x1b[9GX", "01234567X日"),
    ("without wrapping", "\x1b[?7l0123456789abc\x1b[?7h", "012345678c"),
    ("backspace in a full row", "0123456789\bX", "01234567X9"),
    ("a tab at the margin", "012345678\t\tx", "012345678\t\tx"),
]


def named(cases: list[tuple[str, str, str]]) -> pytest.MarkDecorator:
    ids = [name for name, _, _ in cases]
    return pytest.mark.parametrize(("given", "expected"), [case[1:] for case in cases], ids=ids)


@named(MOVES)
def test_moving(given: str, expected: str) -> None:
    assert in_three_ways(given, 10, rows=4) == expected


@named(ERASING)
def test_erasing(given: str, expected: str) -> None:
    assert in_three_ways(given, 10, rows=4) == expected


@named(ROWS)
def test_rows(given: str, expected: str) -> None:
    assert in_three_ways(given, 10, rows=4) == expected


@named(WRAPPING)
def test_wrapping(given: str, expected: str) -> None:
    assert in_three_ways(given, 10, rows=4) == expected


def test_clearing_is_told() -> None:
    renderer = Renderer(10, 4)
    renderer.feed("1\n2\n")
    assert [renderer.take().cleared, renderer.cleared] == [False, False]
    renderer.feed("\x1b[H\x1b[2J\x1b[3Jnew")
    change = renderer.take()
    assert (change.erase, change.text, change.cleared) == (3, "new", True)
    assert [renderer.take().cleared, renderer.cleared] == [False, True]


def test_lines_beyond_the_screen_are_never_touched() -> None:
    lines = "".join(f"{number}\n" for number in range(100))
    assert in_three_ways(f"{lines}\x1b[99A\x1b[J", 10, rows=4) == lines.removesuffix("97\n98\n99\n")


@pytest.mark.parametrize("parameter", ["0", "", "99999999999999999999", "1;2;3;4;5;6;7;8;9", ":", "1:2", "-1"])
def test_any_parameter_is_harmless(parameter: str) -> None:
    for final in map(chr, range(0x40, 0x7F)):
        text = in_three_ways(f"a\n\x1b[{parameter}{final}b", 10, rows=4)
        assert "b" in text or final == "m"
