"""What real programs print, and what a person sees of it (tests/recordings/text; `record.py` there records them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from shellkernel.text import Decoder, Renderer, plain
from tests.unit.text.ways import cuts_of, in_pieces, painted, rendered_in_pieces

__all__ = ()

RECORDINGS = Path(__file__).parents[2] / "recordings" / "text"
NAMES = sorted(path.stem for path in RECORDINGS.glob("*.bytes"))


def recorded(name: str) -> str:
    return Decoder().feed((RECORDINGS / f"{name}.bytes").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_looks_as_it_did(name: str) -> None:
    text = recorded(name)
    assert plain(text) == (RECORDINGS / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_may_arrive_in_pieces(name: str) -> None:
    text = recorded(name)[:3000]
    whole = painted(plain(text, colours=True))
    for cuts in cuts_of(text):
        assert painted(rendered_in_pieces(Renderer(), in_pieces(text, cuts))) == whole


@pytest.mark.parametrize("name", [path.name.split(".")[0] for path in sorted(RECORDINGS.glob("*.alternate.txt"))])
def test_the_alternate_screen_of_a_recording(name: str) -> None:
    renderer = Renderer(colours=False)
    renderer.feed(recorded(name))
    expected = (RECORDINGS / f"{name}.alternate.txt").read_text(encoding="utf-8")
    assert (renderer.alternate_screen, renderer.alternate_open) == (expected, False)


def test_there_are_recordings() -> None:
    assert len(NAMES) > 15
