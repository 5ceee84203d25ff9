"""Feed text in several ways, and consume the changes as a front end would; shared by the tests of this folder."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from shellkernel.text import Change, Renderer, plain

__all__ = ("apply", "cuts_of", "in_pieces", "in_three_ways", "painted", "rendered_in_pieces")

SGR = re.compile("\x1b\\[([0-9;]*)m")


def apply(lines: list[str], change: Change) -> None:
    """Do what the contract of `Change` asks of someone who keeps a list of lines."""
    assert 0 <= change.erase <= len(lines)
    added = change.text.split("\n")
    if change.erase:
        del lines[-change.erase :]
    else:
        lines[-1] += added.pop(0)
    lines += added


def cuts_of(text: str) -> Iterator[list[int]]:
    """Yield places to cut: nowhere, between all characters, and at random ones."""
    yield []
    yield list(range(1, len(text)))
    chance = random.Random(text)
    for _ in range(3):
        yield sorted(chance.sample(range(len(text)), min(len(text), 6)))


def in_pieces(text: str, cuts: list[int]) -> list[str]:
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def rendered_in_pieces(renderer: Renderer, pieces: list[str]) -> str:
    """Feed pieces, take a change after each, and return the text that a consumer has in the end."""
    lines = [""]
    for piece in pieces:
        renderer.feed(piece)
        apply(lines, renderer.take())
    apply(lines, renderer.done())
    return "\n".join(lines)


def in_three_ways(text: str, columns: int = 120, *, rows: int = 40, colours: bool = False) -> str:
    """Return the text as `plain` gives it, after proving that chunks do not matter."""
    whole = plain(text, columns, rows=rows, colours=colours)
    for cuts in cuts_of(text):
        pieces = in_pieces(text, cuts)
        consumed = rendered_in_pieces(Renderer(columns, rows, colours=colours), pieces)
        assert painted(consumed) == painted(whole), pieces
    return whole


def painted(text: str) -> list[tuple[str, str]]:
    """Return each character with the parameters of the style it is in."""
    first, *rest = SGR.split(text)
    characters = [(char, "") for char in first]
    for parameters, stretch in zip(rest[::2], rest[1::2], strict=True):
        style = parameters.removeprefix("0").removeprefix(";")
        characters += [(char, style) for char in stretch]
    return characters
