"""Bytes of a terminal to text."""

from __future__ import annotations

import codecs

__all__ = ("Decoder",)


class Decoder:
    """An incremental UTF-8 decoder which never fails.

    A character may be split between calls anywhere. What is not UTF-8 becomes U+FFFD, by the same
    maximal-subpart rule as `bytes.decode("utf-8", "replace")`.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> str:
        """Decode the next bytes; up to three bytes of an unfinished character wait for the next call."""
        return self._decoder.decode(data)

    def done(self) -> str:
        """Say that the stream is over: return U+FFFD for an unfinished character, else nothing. Idempotent."""
        rest = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return rest
