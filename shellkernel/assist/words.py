"""What is under the cursor: a cell's text up to there, read as bash reads it, without running anything.

A reader of bash's lexical grammar (POSIX 2.2, 2.3, 2.10.2, and bash's additions), cut off at the cursor. It need not
judge whether the text is right: for text that bash would refuse any answer will do. It keeps a stack: each `$(`, back
quote, `<(` or `(` begins a command of its own inside the one before.

    frame       one such command: its words so far, and where the current one begins
    word        raw text, quotes and escapes in it; `value` is what bash would make of it, expansions left as they are
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

__all__ = ("Context", "Kind", "Word", "context_at", "unquote")

Kind = Literal["command", "argument", "file", "variable", "nothing"]
"""What would be completed: a command's name; a command's argument; a file (a redirection's target, or the value of an
assignment); the name of a variable; nothing (in a comment, or where only data stands)."""

Quote = Literal["", "'", '"', "$'"]

_BLANK = " \t"
_META = " \t\n|&;()<>"
_AGAIN_COMMAND = frozenset("if then elif else while until do ! { time coproc".split())
"""Words after which a command stands."""
_ENDS = frozenset("fi done esac } ]]".split())
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=")
_VARIABLE = re.compile(r"(?<!\\)(?:\$(?:\{[!#]?)?[A-Za-z_][A-Za-z0-9_]*|\$\{?[!#]?)\Z")
_REDIRECTION = re.compile(r"(?:&>>?|[0-9]*(?:<<<|<<-?|<>|<&|>>|>\||>&|<|>))")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command."""

    start: int
    """Where it begins in the text."""
    raw: str
    """As it is written."""

    @property
    def value(self) -> str:
        """Without quotes and escapes; expansions are left as they are."""
        return unquote(self.raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is under the cursor."""

    kind: Kind
    words: tuple[Word, ...]
    """The command's words up to the cursor, assignments and redirections left out; the last is the current one, which
    may be empty. It is whole only when the cursor stands at its end."""
    quote: Quote
    """The quotes that are open at the cursor."""

    @property
    def current(self) -> Word:
        """The word at the cursor."""
        return self.words[-1]


@dataclass(slots=True)
class _Frame:
    """One command of the nesting."""

    closed_by: str
    words: list[Word] = field(default_factory=list)
    start: int | None = None
    """Where the current word begins."""
    at_command: bool = True
    redirected: str = ""
    """The redirection operator whose target is the next word."""


def context_at(text: str, cursor: int) -> Context:
    """Return what is under the cursor.

    Args:
        text: A whole cell.
        cursor: A position in it, in characters.
    """
    return _Reader(text[:cursor]).read()


def unquote(raw: str) -> str:
    """Take quotes and escapes off a word; an open quote is taken as closed."""
    if not any(char in raw for char in "'\"\\"):
        return raw
    value, place = [], 0
    while place < len(raw):
        char = raw[place]
        if char == "\\":
            value.append(raw[place + 1 : place + 2])
            place += 2
        elif char in "'\"":
            end = _quote_end(raw, place)
            inside = raw[place + 1 : end]
            value.append(inside if char == "'" else re.sub(r'\\([\\"`$\n])', r"\1", inside))
            place = end + 1
        else:
            value.append(char)
            place += 1
    return "".join(value)


def _quote_end(text: str, start: int) -> int:
    """Return the place of the quote that closes the one at `start`, or the text's end."""
    quote, place = text[start], start + 1
    while place < len(text) and text[place] != quote:
        place += 2 if quote == '"' and text[place] == "\\" else 1
    return min(place, len(text))


class _Reader:
    """Reads once, from the beginning to the cursor."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._frames = [_Frame("")]
        self._heredocs: list[tuple[str, bool]] = []
        self._quote: Quote = ""
        self._nothing = False

    def read(self) -> Context:
        while self._place < len(self._text) and not self._nothing:
            self._step()
        frame = self._frames[-1]
        start = len(self._text) if frame.start is None else frame.start
        current = Word(start, self._text[start:])
        kind = self._kind(frame, current)
        return Context(kind=kind, words=(*frame.words, current), quote=self._quote)

    def _kind(self, frame: _Frame, current: Word) -> Kind:
        if self._quote not in ("'", "$'") and not self._nothing and _VARIABLE.search(current.raw):
            return "variable"
        if self._nothing or frame.redirected.startswith("<<"):
            return "nothing"
        if frame.redirected or (frame.at_command and _ASSIGNMENT.match(current.raw)):
            return "file"
        return "command" if frame.at_command else "argument"

    def _step(self) -> None:
        text, place, frame = self._text, self._place, self._frames[-1]
        char = text[place]
        if char == frame.closed_by:
            self._close()
        elif char == "\n":
            self._end_command()
            self._place += 1
            self._skip_heredocs()
        elif char in _BLANK:
            self._end_word()
            self._place += 1
        elif text.startswith("\\\n", place):
            self._place += 2
        elif char == "#" and frame.start is None:
            self._skip_comment()
        elif frame.start is None or (char in "<>&" and text[frame.start : place].isdigit()):
            self._begin(char)
        elif char in _META:
            self._end_word()
        else:
            self._in_word(char)

    def _begin(self, char: str) -> None:
        """Something new begins: an operator, or a word."""
        redirection = _REDIRECTION.match(self._text, self._frames[-1].start or self._place)
        if self._text.startswith(("<(", ">("), self._place):
            self._frames[-1].start = self._place
            self._open(2, ")")
        elif redirection and redirection.end() > self._place:
            self._redirect(redirection)
        elif char in "|&;()":
            self._operator(char)
        else:
            self._frames[-1].start = self._place
            self._in_word(char)

    def _redirect(self, redirection: re.Match[str]) -> None:
        frame = self._frames[-1]
        frame.start = None
        frame.redirected = redirection[0].lstrip("0123456789")
        self._place = redirection.end()

    def _operator(self, char: str) -> None:
        self._end_command()
        if char == "(":
            self._open(1, ")")
        else:
            self._place += 1

    def _in_word(self, char: str) -> None:
        text, place = self._text, self._place
        if char == "\\":
            self._place += 2
        elif char == "'":
            self._single_quoted(place, "'")
        elif text.startswith("$'", place):
            self._ansi_quoted()
        elif char == '"':
            self._double_quoted()
        elif text.startswith("$((", place):
            self._skip_arithmetic()
        elif text.startswith("$(", place):
            self._open(2, ")")
        elif text.startswith("${", place):
            self._skip_parameter()
        elif char == "`":
            self._open(1, "`")
        elif text.startswith("(", place):
            self._open(1, ")")
        else:
            self._place += 1

    def _single_quoted(self, place: int, quote: Quote) -> None:
        end = self._text.find("'", place + 1)
        if end < 0:
            self._quote = quote
        self._place = len(self._text) if end < 0 else end + 1

    def _ansi_quoted(self) -> None:
        place = self._place + 2
        while place < len(self._text) and self._text[place] != "'":
            place += 2 if self._text[place] == "\\" else 1
        if place >= len(self._text):
            self._quote = "$'"
        self._place = min(place + 1, len(self._text))

    def _double_quoted(self) -> None:
        """Read to the closing quote; a command inside is a frame of its own, and its end comes back here."""
        self._place += 1
        self._quote = '"'
        while self._place < len(self._text) and self._quote:
            text, place = self._text, self._place
            if text[place] == '"':
                self._quote = ""
                self._place += 1
            elif text[place] == "\\":
                self._place += 2
            elif text.startswith("$(", place) and not text.startswith("$((", place):
                self._nested(2, ")")
            elif text[place] == "`":
                self._nested(1, "`")
            else:
                self._place += 1
        self._place = min(self._place, len(self._text))

    def _nested(self, opening: int, closing: str) -> None:
        depth = len(self._frames)
        self._quote = ""
        self._open(opening, closing)
        while self._place < len(self._text) and len(self._frames) > depth and not self._nothing:
            self._step()
        if len(self._frames) == depth:
            self._quote = '"'

    def _skip_arithmetic(self) -> None:
        end = self._text.find("))", self._place)
        self._nothing = end < 0
        self._place = len(self._text) if end < 0 else end + 2

    def _skip_parameter(self) -> None:
        """`${…}`: to the brace that closes it; when it is open, the rest is the word's."""
        depth, place = 0, self._place
        while place < len(self._text):
            if self._text[place] == "\\":
                place += 1
            elif self._text.startswith("${", place):
                depth += 1
            elif self._text[place] == "}":
                depth -= 1
                if not depth:
                    break
            place += 1
        self._place = min(place + 1, len(self._text))

    def _skip_comment(self) -> None:
        end = self._text.find("\n", self._place)
        self._nothing = end < 0
        self._place = len(self._text) if end < 0 else end

    def _skip_heredocs(self) -> None:
        """After the line that began them: their text is data."""
        for delimiter, tabs in self._heredocs:
            pattern = rf"^{chr(9) + '*' if tabs else ''}{re.escape(delimiter)}$\n?"
            end = re.compile(pattern, re.MULTILINE).search(self._text, self._place)
            if end is None or (end.end() == len(self._text) and not end[0].endswith("\n")):
                self._nothing = True
                self._place = len(self._text)
                break
            self._place = end.end()
        self._heredocs.clear()

    def _open(self, length: int, closing: str) -> None:
        self._frames.append(_Frame(closing))
        self._place += length

    def _close(self) -> None:
        """The command of the innermost frame ends; the word that it stands in goes on."""
        self._end_word()
        if len(self._frames) > 1:
            self._frames.pop()
            if self._frames[-1].start is None:  # a subshell, not a substitution
                self._end_command()
        self._place += 1

    def _end_command(self) -> None:
        self._end_word()
        frame = self._frames[-1]
        frame.words, frame.at_command, frame.redirected = [], True, ""

    def _end_word(self) -> None:
        frame = self._frames[-1]
        if frame.start is None:
            return
        word = Word(frame.start, self._text[frame.start : self._place])
        frame.start = None
        if frame.redirected:
            if frame.redirected in ("<<", "<<-"):
                self._heredocs.append((word.value, frame.redirected == "<<-"))
            frame.redirected = ""
        elif frame.at_command and (word.raw in _AGAIN_COMMAND or _ASSIGNMENT.match(word.raw)):
            frame.words = []
        elif word.raw == "{" and frame.words and frame.words[0].raw == "function":
            frame.words, frame.at_command = [], True
        else:
            frame.words.append(word)
            frame.at_command = word.raw in _ENDS
