"""Progress bars: redrawn in place, hidden draws left out without a difference."""

from __future__ import annotations

import random

import pytest

from shellkernel.text import Renderer, interpreter, plain
from shellkernel.text.progress import without_hidden_draws
from tests.unit.text.ways import apply, in_three_ways, painted

__all__ = ()

BARS = [
    ("one line", "".join(f"\r{i}%" for i in range(101)) + "\n", "100%\n"),
    ("coloured", "".join(f"\r\x1b[32m{'#' * i}\x1b[0m {i}" for i in range(20)) + "\n", "#" * 19 + " 19\n"),
    ("shrinking", "\rabcdef\rabcde\rabcd\rabc\rab\n", "abcdef\n"),
    ("with an erase", "\rabcdef\rab\x1b[K\rabc\rx\ry\n", "ybc\n"),
    ("erased before each", "".join(f"\r\x1b[2Kstep {'x' * (9 - i)}" for i in range(10)) + "\n", "step \n"),
    ("beside text", "done\nload: \r10\r20\r30\r40\nnext\n", "done\n40ad: \nnext\n"),
    ("hidden cursor", "\x1b[?25l" + "".join(f"\r{i}" for i in range(9)) + "\x1b[?25h\n", "8\n"),
    ("docker", "1: a\n2: b\n" + "".join(f"\x1b[2A\r\x1b[2K1: {i}\x1b[2B\r" for i in range(9)), "1: 8\n2: b\n"),
    ("two bars", "".join(f"\rA{i}\n\rB{i}\x1b[A" for i in range(9)) + "\n\n", "A8\nB8\n"),
    ("git", "remote: 1%\x1b[K\rremote: done.\x1b[K\nremote: x\x1b[K\n", "remote: done.\nremote: x\n"),
]


@pytest.mark.parametrize(("given", "expected"), [case[1:] for case in BARS], ids=[case[0] for case in BARS])
def test_a_bar_leaves_its_last_state(given: str, expected: str) -> None:
    assert in_three_ways(given) == expected


def test_the_style_set_by_hidden_draws_stays() -> None:
    assert in_three_ways("\ra\r\x1b[31mb\rc\rd\re\n", colours=True) == "\x1b[31me\x1b[0m\n"
    assert in_three_ways("\ra\r\x1b[31mb\rc\x1b[0m\x1b[1m\rd\re\n", colours=True) == "\x1b[1me\x1b[0m\n"


def test_only_what_is_seen_is_drawn() -> None:
    draws = "".join(f"\r{number:5d}" for number in range(1000))
    assert without_hidden_draws(draws, 80) == "\r  999"
    assert without_hidden_draws("a\rbcd\rbc\rb\rx\r", 80) == "a\rbcd\rbc\rx\r"


@pytest.mark.parametrize(
    "line", ["\ra\rb\rc\rd\te", "\ra\rb\rc\x1b[1K\rd", "\ra\rb\r日\rd", "\r12345\r1\r2\r3", "\ra\rb"]
)
def test_what_is_not_plainly_known_is_not_touched(line: str) -> None:
    assert without_hidden_draws(line, 4) == line


@pytest.mark.parametrize("seed", range(40))
def test_leaving_draws_out_makes_no_difference(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    atoms = ["\r", "\r", "ab", "abcde", "\x1b[31m", "\x1b[m", "\x1b[1m", "\x1b[K", "\x1b[2K", "x" * 9, "\n"]
    text = "".join(chance.choices(atoms, k=60))
    given = plain(text, 10, rows=3, colours=True)
    monkeypatch.setattr(interpreter, "without_hidden_draws", lambda line, _: line)
    assert painted(given) == painted(plain(text, 10, rows=3, colours=True)), repr(text)


def test_a_bar_is_redrawn_with_few_changes() -> None:
    renderer = Renderer()
    lines = [""]
    changes = []
    for number in range(5):
        renderer.feed("".join(f"\r{number}.{step}" for step in range(10)))
        changes.append(renderer.take())
        apply(lines, changes[-1])
    assert [(change.erase, change.text) for change in changes] == [(0, "0.9"), *((1, f"{n}.9") for n in range(1, 5))]
    renderer.feed("\n")
    assert renderer.done().text == "\n"
