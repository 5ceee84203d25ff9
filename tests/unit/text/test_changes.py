"""What changed: erase and append, in place, and the limits of what is kept."""

from __future__ import annotations

import re

import pytest

from shellkernel.text import Change, Renderer, changes, plain, tail
from tests.unit.text.ways import apply, in_pieces, rendered_in_pieces

__all__ = ()


def taken(texts: list[str], columns: int = 120, rows: int = 40, *, colours: bool = False) -> list[tuple[int, str]]:
    renderer = Renderer(columns, rows, colours=colours)
    result = []
    for text in texts:
        renderer.feed(text)
        change = renderer.take()
        result.append((change.erase, change.text))
    return result


def test_text_is_appended() -> None:
    assert taken(["a", "b\nc", "\n", "", "d"]) == [(0, "a"), (0, "b\nc"), (0, "\n"), (0, ""), (0, "d")]


def test_only_lines_that_differ_are_replaced() -> None:
    assert taken(["1\n2\n3\nend", "\x1b[2A\rX", "\x1b[2B", "\rE"]) == [
        (0, "1\n2\n3\nend"),
        (3, "X\n3\nend"),
        (0, ""),
        (1, "End"),
    ]


def test_a_redraw_with_the_same_text_changes_nothing() -> None:
    assert taken(["1\n2\n", "\x1b[2A\r\x1b[2K1\n\x1b[2K2\n"]) == [(0, "1\n2\n"), (0, "")]


def test_lines_may_go() -> None:
    assert taken(["1\n2\n3", "\x1b[2A\r\x1b[J"]) == [(0, "1\n2\n3"), (3, "")]


def test_a_chunk_may_end_in_the_middle_of_anything() -> None:
    assert taken(["a\x1b[3", "1mb", "\r", "\n", "\x1b]0;ti", "tle\x07c"]) == [
        (0, "a"),
        (0, "b"),
        (0, ""),
        (0, "\n"),
        (0, ""),
        (0, "c"),
    ]


def test_clearing_everything_erases_everything() -> None:
    many = "line\n" * 1000
    assert taken([many, "\x1b[H\x1b[2J\x1b[3J", "new"]) == [(0, many), (1001, ""), (0, "new")]
    assert taken(["\x1b[3Jx", "\x1b[3J"]) == [(0, "x"), (1, "x")]


def test_done_brings_the_rest_once() -> None:
    renderer = Renderer()
    renderer.feed("a\x1b]8;;http://x\x07b\x1b]8;;\x07\x1b[")
    assert renderer.take().text == "ab"
    assert renderer.done().text == " (http://x)"
    assert renderer.done().empty


def test_a_line_taken_in_parts_is_appended_to() -> None:
    for number in (1, 7, 119, 120, 121, 500):
        changes_taken = taken(["x" * number] * 5)
        assert changes_taken == [(0, "x" * number)] * 5


class FrontEnd:
    """How JupyterLab treats stream text (`processText` in @jupyterlab/outputarea/src/model.ts, 4.6)."""

    def __init__(self) -> None:
        self.text = ""
        self._index = 0

    def add(self, text: str) -> None:
        for part in re.split("([\n\r])", text):
            if part == "\r":
                self._index = self.text.rfind("\n", 0, self._index) + 1
            elif part == "\n":
                self.text += "\n"
                self._index = len(self.text)
            else:
                end = self._index + len(part)
                self.text = self.text[: self._index] + part + self.text[end:]
                self._index = end


@pytest.mark.parametrize(
    "texts",
    [
        ["ab", "\rX", "\n"],
        ["abcdef", "\x1b[2K\rX", "Y", "\n", "next"],
        ["abcdef", "\r\x1b[K", "\nz"],
        ["\x1b[31mabc", "\rX", "\r\x1b[Kab", "c\nd"],
        ["long line", "\r\x1b[K\x1b[1mx\x1b[my\nz", "\x1b[2K\rw"],
        ["100 items", "\r\x1b[K9", "0", "\r\x1b[K8", "0", "\r\x1b[K7", "0\n"],
    ],
)
def test_a_change_of_the_last_line_can_be_shown_in_place(texts: list[str]) -> None:
    renderer = Renderer()
    front_end = FrontEnd()
    lines = [""]
    for text in texts:
        renderer.feed(text)
        change = renderer.take()
        apply(lines, change)
        in_place = change.in_place()
        assert in_place is not None
        front_end.add(in_place)
        shown = re.sub("\x1b\\[[0-9;]*m", "", front_end.text)
        expected = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(lines))
        assert [line.rstrip() for line in shown.split("\n")] == [line.rstrip() for line in expected.split("\n")]


def test_padding_does_not_grow() -> None:
    renderer = Renderer()
    for number in range(100):
        renderer.feed(f"\r\x1b[K{number % 7} of")
        assert renderer.take().last_length <= len("7 of 10")
        renderer.feed(" 10")
        renderer.take()


def test_more_than_the_last_line_is_not_in_place() -> None:
    assert Change(2, "a\nb").in_place() is None
    assert Change(0, "a").in_place() == "a"
    assert Change(1, "a", last_length=3).in_place() == "\ra  \ra"
    assert Change(1, "abc\nd", last_length=3).in_place() == "\rabc\nd"


def test_a_line_longer_than_its_limit_is_shown_late_but_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "LINE_LIMIT", 50)
    monkeypatch.setattr(tail, "LONG_LINE", 20)
    monkeypatch.setattr(tail, "TRIM_ABOVE", 10)
    text = "".join(f"{number:03d}," for number in range(60)) + "\rX\nnext\n"
    pieces = in_pieces(text, list(range(1, len(text))))
    assert rendered_in_pieces(Renderer(10, 3, colours=False), pieces) == plain(text, 10, rows=3)
    renderer = Renderer(10, 3, colours=False)
    lines = [""]
    for piece in pieces[:200]:
        renderer.feed(piece)
        apply(lines, renderer.take())
    assert 110 <= len("\n".join(lines)) <= 170, "all but what is on the screen, and as much as is not worth a cut"


def test_a_long_line_stays_one_line() -> None:
    line = "x" * 1_000_000
    assert plain(f"{line}\nEND\n") == f"{line}\nEND\n"
    renderer = Renderer(colours=False)
    lines = [""]
    for _ in range(16):
        renderer.feed("x" * 100_000)
        apply(lines, renderer.take())
    renderer.feed("\r\nEND")
    apply(lines, renderer.done())
    assert lines == ["x" * 1_600_000, "END"]
