"""Terminal text to tokens: stretches of text, and string sequences taken out of them, in order.

Theory of operation. A terminal stream holds two kinds of escape sequences. Short ones (CSI, ESC and a character) act
on the screen; they stay in the text, and the only promise here is that a stretch never ends inside one, wherever the
chunks were cut. String sequences (OSC, DCS, APC, PM, SOS, and ESC k titles) carry a payload, perhaps megabytes of
picture; each becomes one `StringSequence`. Who wants the payloads (pictures, links) takes them from here, in order
with the text; who does not, drops them.

A string is ended by ST; an OSC by BEL too. It is *given up* when another escape sequence, a C1 introducer, CAN or SUB
comes first, when it grows beyond its limit, or when the stream ends. What a program meant as a title or query is then
lost, as in a terminal, but only up to the end of its line: from the first line feed on, the text of a
given-up string is ordinary text again. So a stray introducer (binary output) cannot swallow the lines after it.

Limits, in characters: `SEQUENCE_LIMIT` for the parameters of a CSI sequence; `STRING_LIMIT` for a string;
`RICH_STRING_LIMIT` for those which open as pictures do (OSC 1337, sixel DCS, kitty APC): beyond it the payload is
discarded up to its terminator, and the sequence is reported as incomplete. A picture that breaks off is not text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from shellkernel.text.control import (
    BEL,
    CR,
    CSI_8BIT,
    ESC,
    INTRODUCERS,
    LF,
    SEQUENCE_LIMIT,
    ST,
    ST_8BIT,
    STRING_INTRODUCERS,
)

__all__ = ("RICH_STRING_LIMIT", "STRING_LIMIT", "StringSequence", "Token", "Tokenizer")

STRING_LIMIT: Final = 1024 * 1024
RICH_STRING_LIMIT: Final = 32 * 1024 * 1024

_STRING_START = re.compile("\x1b[]P_^Xk]|[\x90\x98\x9d-\x9f]")
_STRING_START_ASCII = re.compile("\x1b[]P_^Xk]")  # begins with a literal, so that it is searched for fast
_STRING_END = re.compile("[\x07\x18\x1a\x1b\x90\x98\x9b-\x9f]")
_UNFINISHED = re.compile(
    f"(?:{ESC}[ -/]{{0,8}}|(?:{ESC}\\[|{CSI_8BIT})[0-?]{{0,{SEQUENCE_LIMIT}}}[ -/]{{0,8}}|{CR})\\Z"
)
_TAIL = re.compile(f"[{ESC}{CSI_8BIT}{CR}]")
_LONGEST_UNFINISHED = SEQUENCE_LIMIT + 16
_OPENING = 64
_RICH = {
    "OSC": re.compile("1337;"),  # iTerm2: inline pictures
    "DCS": re.compile("[0-9;]*q|tmux;"),  # sixel, and pictures wrapped for tmux
    "APC": re.compile("G"),  # kitty graphics
}


@dataclass(frozen=True, slots=True)
class StringSequence:
    """A string sequence was received."""

    kind: str
    """`OSC`, `DCS`, `APC`, `PM`, `SOS` or `TITLE`."""
    body: str
    """What stands between introducer and terminator; empty when not `complete`."""
    complete: bool = True
    """False: a rich string was larger than its limit, or never ended."""

    @property
    def text(self) -> str:
        """The sequence as text, for someone who takes some strings out of a stream and feeds the others on."""
        return f"{INTRODUCERS[self.kind]}{self.body}{ST}" if self.complete else ""


Token = str | StringSequence


class Tokenizer:
    """Cut terminal text, in chunks, into tokens.

    Joined stretches do not depend on how the text was chunked.
    """

    def __init__(self) -> None:
        self._held = ""  # an unfinished escape sequence, or a CR whose LF may follow
        self._string: _OpenString | None = None

    def feed(self, text: str) -> list[Token]:
        """Take the next chunk and return the tokens that are complete; what is unfinished waits, unseen."""
        text = self._held + text
        self._held = ""
        tokens: list[Token] = []
        position = 0
        while position < len(text):
            step = self._ground if self._string is None else self._in_string
            position = step(text, position, tokens)
        return tokens

    def done(self) -> list[Token]:
        """Say that the stream is over and return what was waiting. Idempotent."""
        tokens: list[Token] = []
        if self._string is not None:
            self._give_up(self._string, tokens)
        self._held = ""
        return tokens

    def _ground(self, text: str, position: int, tokens: list[Token]) -> int:
        """Emit text up to the next string; return where to go on."""
        pattern = _STRING_START_ASCII if text.isascii() else _STRING_START
        start = pattern.search(text, position)
        if start is None:
            self._emit_held_back(text[position:], tokens)
            return len(text)
        if start.start() > position:
            tokens.append(text[position : start.start()])
        self._string = _OpenString(STRING_INTRODUCERS[start.group()])
        return start.end()

    def _emit_held_back(self, text: str, tokens: list[Token]) -> None:
        """Emit a stretch without its unfinished end."""
        end = text[-_LONGEST_UNFINISHED:]
        for match in _TAIL.finditer(end):
            if _UNFINISHED.match(end, match.start()):
                cut = len(text) - len(end) + match.start()
                text, self._held = text[:cut], text[cut:]
                break
        if text:
            tokens.append(text)

    def _in_string(self, text: str, position: int, tokens: list[Token]) -> int:
        """Take text into the open string; return where to go on."""
        string = self._string
        assert string is not None
        end = string.find_end(text, position)
        stop = len(text) if end is None else end.start()
        taken = string.take(text[position:stop])
        if position + taken < stop:
            self._give_up(string, tokens)
            return position + taken
        if end is None:
            return stop
        if end.group() == ESC and stop == len(text) - 1:
            self._held = ESC  # ST or another sequence: the next chunk tells
            return len(text)
        terminator = next((known for known in (BEL, ST, ST_8BIT) if text.startswith(known, stop)), None)
        if terminator is None:
            self._give_up(string, tokens)
            return stop
        tokens.append(StringSequence(string.kind, string.body(), string.complete))
        self._string = None
        return stop + len(terminator)

    def _give_up(self, string: _OpenString, tokens: list[Token]) -> None:
        """End the open string without a terminator; its text from the first line feed on is ordinary text."""
        self._string = None
        if string.rich:
            tokens.append(StringSequence(string.kind, "", complete=False))
            return
        _, line_end, lines = string.body().partition(LF)
        if line_end:
            tokens.append(line_end + lines)


class _OpenString:
    """A string sequence whose end has not come."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.complete = True
        self._parts: list[str] = []
        self._length = 0
        self._opening = ""

    @property
    def rich(self) -> bool:
        """Whether it opens as pictures do."""
        pattern = _RICH.get(self.kind)
        return pattern is not None and pattern.match(self._opening) is not None

    def body(self) -> str:
        return "".join(self._parts) if self.complete else ""

    def find_end(self, text: str, position: int) -> re.Match[str] | None:
        match = _STRING_END.search(text, position)
        while match and match.group() == BEL and self.kind != "OSC":
            match = _STRING_END.search(text, match.end())
        return match

    def take(self, text: str) -> int:
        """Keep more of the payload; return how many characters of it fitted (fewer than all: give up)."""
        if len(self._opening) < _OPENING:
            self._opening += text[: _OPENING - len(self._opening)]
        if self.rich:
            self._take_rich(text)
            return len(text)
        fits = min(len(text), STRING_LIMIT - self._length)
        self._parts.append(text[:fits])
        self._length += fits
        return fits

    def _take_rich(self, text: str) -> None:
        self._length += len(text)
        self._parts.append(text)
        if self._length > RICH_STRING_LIMIT:
            self.complete = False
            self._parts.clear()
