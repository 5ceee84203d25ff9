"""Full-screen programs: the alternate screen is not output, but can be asked for."""

from __future__ import annotations

import pytest

from shellkernel.text import Renderer
from tests.unit.text.ways import in_three_ways

__all__ = ()


@pytest.mark.parametrize("mode", ["1049", "1047", "47"])
def test_the_main_screen_comes_back(mode: str) -> None:
    given = f"before\n\x1b7\x1b[?{mode}h\x1b[2J\x1b[Hfull\nscreen\x1b[?{mode}l\x1b8after\n"
    assert in_three_ways(given) == "before\nafter\n"


def test_what_it_showed_is_kept() -> None:
    renderer = Renderer(20, 4, colours=False)
    renderer.feed("before\n\x1b[?1049h\x1b[2;3Hhello\x1b[4;1Hstatus")
    assert (renderer.alternate_open, renderer.alternate_screen) == (True, "\n  hello\n\nstatus")
    assert renderer.take().text == "before\n"
    renderer.feed("\x1b[?1049lafter")
    assert (renderer.alternate_open, renderer.alternate_screen) == (False, "\n  hello\n\nstatus")
    assert renderer.done().text == "after"


def test_there_may_be_none() -> None:
    renderer = Renderer()
    renderer.feed("x\x1b[?1049l")
    assert (renderer.alternate_open, renderer.alternate_screen) == (False, None)


def test_it_has_no_history() -> None:
    renderer = Renderer(20, 3)
    renderer.feed("\x1b[?1049h" + "".join(f"{number}\n" for number in range(100)) + "end")
    assert renderer.alternate_screen == "98\n99\nend"
    assert renderer.done().text == ""


def test_a_program_that_was_killed_leaves_it_open() -> None:
    renderer = Renderer()
    renderer.feed("before\n\x1b[?1049hfull screen")
    assert renderer.done().text == "before\n"
    assert renderer.alternate_open


def test_style_and_cursor_come_back() -> None:
    given = "\x1b[31ma\x1b[?1049h\x1b[32m\x1b[9;9Hx\x1b[?1049lb\x1b[m\n"
    assert in_three_ways(given, colours=True) == "\x1b[31mab\x1b[0m\n"


def test_clearing_it_does_not_clear_the_output() -> None:
    renderer = Renderer()
    renderer.feed("before\n\x1b[?1049h\x1b[2J\x1b[3Jx\x1b[?1049l")
    assert renderer.done().text == "before\n"
    assert not renderer.cleared
