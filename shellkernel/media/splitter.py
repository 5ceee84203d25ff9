"""Output to text and control strings that carry data.

Sources: iTerm2's documentation, "Images" (OSC 1337); kitty's "Terminal graphics protocol" (APC G); DEC STD 070 and the
VT330/340 manual for sixel (DCS … q). OSC 7712 is ours: `shellkernel/kernel/bin/display` prints it. All else is text,
other control strings too: the renderer drops those.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ("LIMIT", "Broken", "Carrier", "ControlString", "Splitter")

LIMIT = 48_000_000
"""Characters of one control string that are kept; base64 of a picture of 36 MB."""

Carrier = Literal["iterm", "display", "kitty", "sixel"]

_START = re.compile(r"\x1b(?:\]1337;|\]7712;|_G|P[0-9;]*q)")
_BEGUN = re.compile(r"\x1b(?:\](?:1(?:3(?:37?)?)?|7(?:7(?:12?)?)?)?|_|P[0-9;]{0,64})?\Z")
"""The beginning of a start, at the end of what is there."""
_END = re.compile(r"\x1b\\|\x07|\x18|\x1a|\x1b(?=[^\\])")
"""String terminator; BEL; CAN and SUB, which cancel; an escape sequence that begins instead of the end."""
_CARRIERS: dict[str, Carrier] = {"]1": "iterm", "]7": "display", "_G": "kitty"}


@dataclass(frozen=True, slots=True)
class ControlString:
    """A whole control string, without what opens and closes it."""

    carrier: Carrier
    body: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A control string that can not be used; `reason` says why, for a person."""

    reason: str


class Splitter:
    """Feed text as it comes, cut anywhere; take what is in it, in order."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._held = ""
        self._carrier: Carrier | None = None
        self._body: list[str] = []
        self._size = 0

    def feed(self, text: str) -> list[str | ControlString | Broken]:
        """Return what is complete."""
        if self._carrier is None and not self._held and "\x1b" not in text:
            return [text] if text else []
        text, self._held = self._held + text, ""
        found: list[str | ControlString | Broken] = []
        while text:
            text = self._take_text(text, found) if self._carrier is None else self._take_body(text, found)
        return found

    def finish(self) -> list[str | ControlString | Broken]:
        """Return what is left: the output is over."""
        held, self._held = self._held, ""
        if self._carrier is not None:
            self._carrier = None
            self._body.clear()
            return [Broken("the data stops in the middle")]
        return [held] if held else []

    def _take_text(self, text: str, found: list[str | ControlString | Broken]) -> str:
        start = _START.search(text)
        if start is None:
            begun = _BEGUN.search(text)
            end = begun.start() if begun else len(text)
            self._held = text[end:]
            before, rest = text[:end], ""
        else:
            before, rest = text[: start.start()], text[start.end() :]
            self._carrier = _CARRIERS.get(start[0][1:3], "sixel")
            self._body, self._size = [start[0][2:-1]] if self._carrier == "sixel" else [], 0
        if before:
            found.append(before)
        return rest

    def _take_body(self, text: str, found: list[str | ControlString | Broken]) -> str:
        assert self._carrier is not None
        end = _END.search(text)
        if end is None:
            keep = len(text) - 1 if text.endswith("\x1b") else len(text)
            self._keep(text[:keep])
            self._held = text[keep:]
            return ""
        if end[0] == "\x07" and self._carrier not in ("iterm", "display"):  # only OSC may end so
            self._keep(text[: end.end()])
            return text[end.end() :]
        self._keep(text[: end.start()])
        found.append(self._ended(end[0]))
        self._carrier, self._body = None, []
        return text[end.end() :] if end[0] != "\x1b" else text[end.start() :]

    def _keep(self, text: str) -> None:
        self._size += len(text)
        if self._size <= self._limit:
            self._body.append(text)
        else:
            self._body.clear()

    def _ended(self, by: str) -> ControlString | Broken:
        assert self._carrier is not None
        if self._size > self._limit:
            return Broken(f"{self._size:,} characters of data; at most {self._limit:,} are taken")
        if by not in ("\x1b\\", "\x07"):
            return Broken("the data stops in the middle")
        if self._carrier == "sixel":
            return ControlString("sixel", f"{self._body[0]}q{''.join(self._body[1:])}")
        return ControlString(self._carrier, "".join(self._body))
