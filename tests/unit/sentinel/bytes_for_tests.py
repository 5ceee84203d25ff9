"""Sentinels as integration.bash prints them, and three ways to feed bytes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from shellkernel.sentinel.events import Event, OutputReceived
from shellkernel.sentinel.parser import SentinelParser

__all__ = ("FOREIGN", "HINT", "NONCE", "SHAPES", "begin", "end", "in_pieces", "joined", "parse", "prompt", "sentinel")

NONCE = b"0123456789abcdef0123456789abcdef"
FOREIGN = b"fedcba9876543210fedcba9876543210"


def sentinel(kind: bytes, fields: bytes = b"", nonce: bytes = NONCE) -> bytes:
    """Return one sentinel."""
    return b"\x1b]7711;%s;%s;%s;%s\x1b\\" % (nonce, kind, fields, nonce)


def begin(nonce: bytes = NONCE) -> bytes:
    """Return a begin sentinel."""
    return sentinel(b"B", nonce=nonce)


def end(
    code: int = 0,
    pipestatus: Iterable[int] = (0,),
    *,
    options: bytes = b"himBs",
    hook: bytes = b"hook",
    cwd: bytes = b"/tmp",
    nonce: bytes = NONCE,
) -> bytes:
    """Return an end sentinel."""
    elements = b",".join(b"%d" % element for element in pipestatus)
    return sentinel(b"E", b"%d;%s;%s;%s;%s" % (code, elements, options, hook, cwd), nonce)


def prompt(nonce: bytes = NONCE) -> bytes:
    """Return a prompt sentinel."""
    return sentinel(b"P", nonce=nonce)


HINT = prompt(b"0")

SHAPES = (begin(), end(), prompt(), HINT, begin(FOREIGN), end(nonce=FOREIGN))
"""Whole sentinels: ours, the hint that anyone can print, and what a program that wants to forge one might print."""


def in_pieces(data: bytes, seed: int = 0) -> Iterator[list[bytes]]:
    """Yield the bytes whole, byte by byte, and split at random places (three times)."""
    yield [data]
    yield [data[index : index + 1] for index in range(len(data))]
    chance = random.Random(f"{seed}{data!r}")
    for _ in range(3):
        cuts = sorted(chance.sample(range(len(data)), min(len(data), 5)))
        yield [data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def joined(events: Iterable[Event]) -> list[Event]:
    """Join neighbouring pieces of output: where it is cut means nothing."""
    whole: list[Event] = []
    pieces: list[bytes] = []
    for event in [*events, None]:
        if isinstance(event, OutputReceived):
            pieces.append(event.data)
            continue
        if pieces:
            whole.append(OutputReceived(b"".join(pieces)))
            pieces.clear()
        if event is not None:
            whole.append(event)
    return whole


def parse(pieces: Iterable[bytes], nonce: bytes = NONCE, swallow: tuple[bytes, ...] = ()) -> list[Event]:
    """Feed pieces to a new parser and return its events, output joined."""
    parser = SentinelParser()
    parser.expect(nonce, swallow=swallow)
    events = [event for piece in pieces for event in parser.feed(piece)]
    return joined([*events, *parser.flush()])
