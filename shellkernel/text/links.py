"""OSC 8 links to readable ones: `text (URL)`.

`OSC 8 ; parameters ; URL ST` opens a link and an empty URL closes it. The URL is written once, behind the link's
text, when something else comes: programs close and open the same link again in the middle of its text (rich, at
each change of colour). It is not written when the text shows it already, nor for a `file:` URL whose name
is the text.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from shellkernel.text.sequences import SEQUENCE
from shellkernel.text.style import SGR

__all__ = ("LINK_TEXT_LIMIT", "Links")

_COLOURS = re.compile(f"(?:{SGR.pattern})*")

LINK_TEXT_LIMIT: Final = 4096
"""Characters of a link's text that are looked at; also the longest URL that is written."""


class Links:
    """The link that is open, or closed but not yet written out."""

    def __init__(self) -> None:
        self._target = ""
        self._text = ""
        self._closed = False

    @property
    def open(self) -> bool:
        return bool(self._target) and not self._closed

    @property
    def waiting(self) -> bool:
        """Whether a link is over and its URL not written."""
        return bool(self._target) and self._closed

    def change(self, body: str) -> str:
        """Act on the body of an OSC 8 string; return what is to be printed first."""
        target = body.split(";", 2)[2] if body.count(";") >= 2 else ""
        if not target or target == self._target:
            self._closed = not target
            return ""
        before = self.finish()
        if len(target) <= LINK_TEXT_LIMIT and target.isprintable():
            self._target = target
        return before

    def saw(self, text: str) -> None:
        """Take note of text (controls and all) that is printed while the link is open."""
        if len(self._text) < LINK_TEXT_LIMIT:
            self._text += SEQUENCE.sub("", text[:LINK_TEXT_LIMIT])

    def written_into(self, text: str) -> str:
        """Return text with the waiting URL before the first thing in it that is not a change of colour."""
        colours = _COLOURS.match(text)
        assert colours is not None
        if colours.end() == len(text):
            return text
        return colours.group() + self.finish() + text[colours.end() :]

    def finish(self) -> str:
        """Forget the link and return what is to be printed behind its text."""
        target, text = self._target, self._text.strip()
        self._target = self._text = ""
        self._closed = False
        if not target or not text or target in text:
            return ""
        if target.startswith("file:") and unquote(target).rstrip("/").endswith(text.rstrip("/")):
            return ""
        return f" ({target})"
