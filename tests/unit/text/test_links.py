"""OSC 8 links become readable ones."""

from __future__ import annotations

import pytest

from shellkernel.text import Renderer
from tests.unit.text.ways import in_three_ways

__all__ = ()


def link(target: str, text: str, parameters: str = "", end: str = "\x1b\\") -> str:
    return f"\x1b]8;{parameters};{target}{end}{text}\x1b]8;;{end}"


LINKS = [
    ("text and URL", f"see {link('https://x.org/a', 'the page')}.\n", "see the page (https://x.org/a).\n"),
    ("ended by BEL", link("https://x.org", "x", end="\x07") + "\n", "x (https://x.org)\n"),
    ("at the end", link("https://x.org", "x"), "x (https://x.org)"),
    ("the text shows it", link("https://x.org", "https://x.org") + "\n", "https://x.org\n"),
    ("two", link("http://a", "1") + " " + link("http://b", "2") + "\n", "1 (http://a) 2 (http://b)\n"),
    ("two without a gap", link("http://a", "1") + link("http://b", "2") + "\n", "1 (http://a)2 (http://b)\n"),
    (
        "not closed before the next",
        "\x1b]8;;http://a\x071\x1b]8;;http://b\x072\x1b]8;;\x07",
        "1 (http://a)2 (http://b)",
    ),
    ("never closed", "\x1b]8;;http://a\x07text", "text (http://a)"),
    (
        "in parts",
        link("http://a", "one ", "id=1") + "\x1b[1m" + link("http://a", "two", "id=1") + ".",
        "one two (http://a).",
    ),
    ("a file whose name is the text", link("file://host/dir/a%20b", "a b") + "\n", "a b\n"),
    ("another file", link("file://host/dir/x", "here") + "\n", "here (file://host/dir/x)\n"),
    ("no text", link("http://a", "") + "x\n", "x\n"),
    ("nothing opened", "\x1b]8;;\x07x\n", "x\n"),
    ("malformed", "\x1b]8;x\x07y\x1b]8\x07\n", "y\n"),
    ("controls in the URL", "\x1b]8;;http://a\x01b\x07y\x1b]8;;\x07\n", "y\n"),
    ("a semicolon in the URL", link("http://a/;b", "x") + "\n", "x (http://a/;b)\n"),
]


@pytest.mark.parametrize(("given", "expected"), [case[1:] for case in LINKS], ids=[case[0] for case in LINKS])
def test_links(given: str, expected: str) -> None:
    assert in_three_ways(given) == expected


def test_the_url_takes_the_style_after_the_text() -> None:
    given = f"\x1b[31m{link('http://a', 'x')}\x1b[m y\n"
    assert in_three_ways(given, colours=True) == "\x1b[31mx\x1b[0m (http://a) y\n"


def test_a_link_of_many_lines_is_written_once() -> None:
    assert in_three_ways(link("http://a", "1\n2\n3") + "\n") == "1\n2\n3 (http://a)\n"


def test_an_endless_url_is_left_out() -> None:
    assert in_three_ways(link("http://a/" + "b" * 5000, "x") + "\n") == "x\n"


def test_much_text_in_a_link_costs_little() -> None:
    renderer = Renderer()
    renderer.feed("\x1b]8;;http://a\x07")
    renderer.feed("text\n" * 100_000)
    renderer.feed("\x1b]8;;\x07")
    assert renderer.done().text == "text\n" * 100_000 + " (http://a)"
