"""Colours: one canonical form, closed at the end of each line and of each change."""

from __future__ import annotations

import pytest

from shellkernel.text import Renderer, plain
from shellkernel.text.style import change_style
from tests.unit.text.ways import in_three_ways

__all__ = ()

STYLES = [
    ("nothing is a reset", "1;31", "", ""),
    ("reset and set", "1;31", "0;32", "32"),
    ("leading zeros", "", "01;031", "1;31"),
    ("attributes in order", "", "7;31;1", "1;7;31"),
    ("bold off turns dim off too", "1;2;3", "22", "3"),
    ("each off", "1;3;4;5;7;8;9;31;42", "23;24;25;27;28;29;39;49", "1"),
    ("bright", "", "91;102", "91;102"),
    ("256", "", "38;5;208;48;5;20;1", "1;38;5;208;48;5;20"),
    ("24 bit", "", "38;2;1;2;3", "38;2;1;2;3"),
    ("with colons", "", "38:5:208;48:2::1:2:3", "38;5;208;48;2;1;2;3"),
    ("curly underline", "", "4:3", "4"),
    ("no underline", "4", "4:0", ""),
    ("double underline", "", "21", "4"),
    ("underline colour is skipped", "", "58;5;1;31", "31"),
    ("fonts and overline are dropped", "", "10;53;31", "31"),
    ("colour out of range", "31", "38;5;256", "31"),
    ("broken off", "31", "38;5", "31"),
    ("unknown kind", "31", "38;9;1", "1;31"),
    ("nonsense", "31", "99999999999999999999;;:;1:2:3", "1"),
]

TEXTS = [
    ("as it is", "a\x1b[31mb\x1b[0mc\n", "a\x1b[31mb\x1b[0mc\n"),
    ("short reset", "\x1b[1mb\x1b[mc", "\x1b[1mb\x1b[0mc"),
    ("from one to another", "\x1b[31ma\x1b[1mb\x1b[0;32mc\x1b[m", "\x1b[31ma\x1b[0;1;31mb\x1b[0;32mc\x1b[0m"),
    ("nothing printed", "\x1b[31m\x1b[0ma\x1b[32m\x1b[m\n", "a\n"),
    ("the same again", "\x1b[31ma\x1b[31mb\x1b[0;31mc\x1b[0m", "\x1b[31mabc\x1b[0m"),
    ("over a line end", "\x1b[31ma\n\nb\nc\x1b[m", "\x1b[31ma\x1b[0m\n\n\x1b[31mb\x1b[0m\n\x1b[31mc\x1b[0m"),
    ("never closed", "\x1b[31ma\n", "\x1b[31ma\x1b[0m\n"),
    (
        "gcc",
        "\x1b[01m\x1b[Kx.c:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror\x1b[m\x1b[K",
        "\x1b[1mx.c:\x1b[0m \x1b[1;31merror\x1b[0m",
    ),
    ("tput sgr0", "\x1b[1mb\x1b(B\x1b[mc", "\x1b[1mb\x1b[0mc"),
    ("redrawn", "\x1b[31mabc\x1b[m\r\x1b[32mX\x1b[m\n", "\x1b[32mX\x1b[0;31mbc\x1b[0m\n"),
    ("redrawn over two lines", "\x1b[31ma\nb\x1b[m\x1b[A\x1b[2DX", "X\n\x1b[31mb\x1b[0m"),
    ("erased cells have no style", "\x1b[41mabc\x1b[2D\x1b[K\x1b[m.\n", "\x1b[41ma\x1b[0m.\n"),
    ("spaces keep theirs", "\x1b[7m  \x1b[m\n", "\x1b[7m  \x1b[0m\n"),
    ("a wide character", "\x1b[31m日\x1b[m本\r\n", "\x1b[31m日\x1b[0m本\n"),
    ("private parameters are no colour", "\x1b[>4;1ma\x1b[?1mb", "ab"),
]


@pytest.mark.parametrize(("before", "parameters", "after"), [case[1:] for case in STYLES], ids=[c[0] for c in STYLES])
def test_a_style_is_changed(before: str, parameters: str, after: str) -> None:
    assert change_style(before, parameters) == after


@pytest.mark.parametrize(("given", "expected"), [case[1:] for case in TEXTS], ids=[c[0] for c in TEXTS])
def test_colours_of_a_text(given: str, expected: str) -> None:
    assert in_three_ways(given, colours=True) == expected
    assert plain("\x1b[6n" + given, colours=True) == expected, "in cells"


@pytest.mark.parametrize(("given", "expected"), [case[1:] for case in TEXTS], ids=[c[0] for c in TEXTS])
def test_a_wrapped_line_has_the_same_colours(given: str, expected: str) -> None:
    """Rows joined to a line do not close and open the colour between them."""
    if "\r" not in given and "\x1b[A" not in given:
        given, expected = given.replace("a", "a" * 9), expected.replace("a", "a" * 9)
        assert plain("\x1b[6n" + given, 4, rows=2, colours=True) == expected


@pytest.mark.parametrize("given", [case[1] for case in TEXTS], ids=[c[0] for c in TEXTS])
def test_without_colours_none_is_left(given: str) -> None:
    assert "\x1b" not in in_three_ways(given)


def test_each_change_stands_for_itself() -> None:
    renderer = Renderer()
    changes = []
    for text in ("\x1b[31ma", "b", "\x1b[1mc", "\x1b[md", "\x1b[32m", "e\n", "f"):
        renderer.feed(text)
        changes.append(renderer.take())
    assert [change.erase for change in changes] == [0] * 7
    assert [change.text for change in changes] == [
        "\x1b[31ma\x1b[0m",
        "\x1b[31mb\x1b[0m",
        "\x1b[0;1;31mc\x1b[0m",
        "d",
        "",
        "\x1b[32me\x1b[0m\n",
        "\x1b[32mf\x1b[0m",
    ]
