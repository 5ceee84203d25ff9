"""Bytes to characters."""

from __future__ import annotations

import random

import pytest

from shellkernel.text import Decoder

__all__ = ()

CASES = [
    b"plain\n",
    "héllo ✓ 日本 🎉".encode(),
    b"a\xff\xfeb",
    b"\xe6\x97",
    b"\xf0\x9f\x8e",
    b"\xe6\x97x\xe6",
    b"\xc0\xaf\xed\xa0\x80\xf5\x80",
    bytes(range(256)),
]


@pytest.mark.parametrize("data", CASES, ids=range(len(CASES)))
def test_bytes_split_anywhere(data: bytes) -> None:
    expected = data.decode("utf-8", "replace")
    chance = random.Random(data)
    for cuts in ([], range(1, len(data)), sorted(chance.sample(range(len(data)), len(data) // 3))):
        decoder = Decoder()
        pieces = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        assert "".join([*map(decoder.feed, pieces), decoder.done()]) == expected


def test_done_is_idempotent_and_clean() -> None:
    decoder = Decoder()
    assert decoder.feed(b"a\xe6") == "a"
    assert decoder.done() == "\ufffd"
    assert decoder.done() == ""
    assert decoder.feed(b"\x97") == "\ufffd"
