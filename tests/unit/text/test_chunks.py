"""Properties: it never raises, chunks never matter, and the fast ways give the same text as the slow one."""

from __future__ import annotations

import random
import re

import pytest

from shellkernel.text import Renderer, changes, interpreter, plain, tail
from tests.unit.text.ways import in_pieces, painted, rendered_in_pieces

__all__ = ()

TEXT = ["a", "b", "xyz", "hello world ", "    ", "\n", "\n", "\r", "\r\n", "\r\r\n", "\t", "\b", "x" * 13, "y" * 27]
ODD = [
    "日本",
    "é",
    "👍",
    "█████",
    "\x07",
    "\x00",
    "\x7f",
    "\x0b",
    "\x0c",
    "\x0e",
    "\x0f",
    "\x18",
    "\x85",
    "\x9b",
    "\x9c",
]
SGR = ["\x1b[m", "\x1b[31m", "\x1b[1;32m", "\x1b[0m", "\x1b[22m", "\x1b[48;5;9m", "\x1b[7m"]
CSI = [f"\x1b[{final}" for final in "@ABCDEFGHIJKLMPSTXZbdfsur"] + [
    "\x1b[2K",
    "\x1b[1K",
    "\x1b[2J",
    "\x1b[1J",
    "\x1b[3J",
]
CSI += ["\x1b[2A", "\x1b[5G", "\x1b[2;3H", "\x1b[2;4r", "\x1b[3b", "\x1b[2P", "\x1b[2@", "\x1b[2X", "\x1b[99999999999C"]
MODES = [f"\x1b[{mode}" for mode in ("?1049h", "?1049l", "?7l", "?7h", "4h", "4l", "?25l", "?6h", "?6l", "!p", "6n")]
ESCAPES = ["\x1bc", "\x1b7", "\x1b8", "\x1bM", "\x1bD", "\x1bE", "\x1b(0", "\x1b(B", "\x1b", "\x1b[", "\x1b[3", "\x1b="]
STRINGS = ["\x1b]0;t\x07", "\x1b]8;;http://x/\x1b\\", "\x1b]8;;\x1b\\", "\x1bPq#0~\n~\x1b\\", "\x1b]zz\nyy", "\x9d"]
KINDS = [TEXT + SGR, TEXT + SGR + ["\x1b[K", "\x1b[2K", "\r"], TEXT + ODD + SGR + CSI + MODES + ESCAPES + STRINGS]


def random_text(seed: int) -> tuple[str, int, int]:
    """Return text, columns and rows."""
    chance = random.Random(seed)
    atoms = chance.choices(KINDS[seed % len(KINDS)], k=chance.choice([5, 20, 60]))
    return "".join(atoms), chance.choice([3, 10, 20, 120]), chance.choice([1, 2, 5, 40])


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every block, stretch and line a large one."""
    monkeypatch.setattr(interpreter, "BLOCK", 5)
    monkeypatch.setattr(interpreter, "WORTH_LEAVING", 1)
    monkeypatch.setattr(tail, "TRIM_ABOVE", 10)
    monkeypatch.setattr(tail, "LONG_LINE", 20)
    monkeypatch.setattr(changes, "LINE_LIMIT", 40)


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_chunks_do_not_matter(seed: int, colours: bool) -> None:
    text, columns, rows = random_text(seed)
    whole = painted(plain(text, columns, rows=rows, colours=colours))
    for cuts in (list(range(1, len(text))), sorted(random.Random(seed).sample(range(len(text)), 4))):
        renderer = Renderer(columns, rows, colours=colours)
        assert painted(rendered_in_pieces(renderer, in_pieces(text, cuts))) == whole, repr(text)


@pytest.mark.parametrize("seed", range(60))
def test_limits_do_not_matter(seed: int, request: pytest.FixtureRequest) -> None:
    text, columns, rows = random_text(seed)
    whole = plain(text, columns, rows=rows)
    request.getfixturevalue("small_limits")
    assert plain(text, columns, rows=rows) == whole, repr(text)
    pieces = in_pieces(text, sorted(random.Random(seed).sample(range(len(text)), 4)))
    assert rendered_in_pieces(Renderer(columns, rows, colours=False), pieces) == whole, repr(text)


@pytest.mark.parametrize("seed", range(60))
def test_only_colours_are_left(seed: int) -> None:
    text, columns, rows = random_text(seed)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", plain(text, columns, rows=rows)), repr(text)
    coloured = plain(text, columns, rows=rows, colours=True)
    assert not re.search("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\\[[0-9;]+m)", coloured), repr(text)
    for line in coloured.split("\n"):
        assert re.findall("\x1b\\[[0-9;]+m", line)[-1:] in ([], ["\x1b[0m"]), repr(text)


@pytest.mark.parametrize("seed", range(20))
def test_binary_output_keeps_its_last_line(seed: int) -> None:
    noise = random.Random(seed).randbytes(3000).decode("utf-8", "replace")
    assert "END" in plain(f"{noise}\nEND\n").rstrip().split("\n")[-1]
