"""The characters of a cell as bash's words: quotes, expansions and here-documents, each with where it stands.

The rules are those of bash's own reader (parse.y, read_token_word and parse_matched_pair, bash 5.1 to 5.3). Nothing is
expanded and nothing is run; aliases are not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ("BLANKS", "METACHARACTERS", "Lost", "Part", "Words")

BLANKS = " \t"
METACHARACTERS = " \t\n;&|()<>"
"""Characters that end a word (bash manual, Definitions)."""

_PLAIN = re.compile(r"[^ \t\n;&|()<>\\'\"$`?*+@!=\[]+")
_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[.*\])?\+?=", re.ASCII | re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_STRIPS = re.compile(r"\$\{!?(?:\w+|[@*#?$!-])(?:\[[^]]*\])?[#%^,/]", re.ASCII)
"""Expansions in which single quotes quote, also within double quotes."""
_DEEPEST = 80
"""Constructs in constructs; bash has no limit, Python has one."""


class Lost(Exception):
    """The reader does not see how the text goes on; never leaves this package."""


@dataclass(slots=True)
class Part:
    """A part of a cell while it is read; `tree.Node` is what it becomes."""

    kind: str
    start: int
    end: int = 0
    before: str = ""
    after: str = ""
    label: str = ""
    children: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class _Heredoc:
    """A here-document whose text is still to come."""

    part: Part
    delimiter: str
    strip: bool


class Words:
    """Reads words off a text; `place` is the offset of the next character.

    Args:
        text: The cell.
        commands: Reads the statements of a substitution up to its closing parenthesis, and leaves `place` behind it.
    """

    def __init__(self, text: str, commands: Callable[[], list[Part]]) -> None:
        self.text = text
        self.place = 0
        self.end = len(text)
        self._commands = commands
        self._pending: list[_Heredoc] = []
        self._depth = 0

    def at(self, what: str) -> bool:
        """Tell whether the text goes on with this."""
        return self.text.startswith(what, self.place, self.end)

    def peek(self) -> str:
        """Return the next character, "" at the end."""
        return self.text[self.place] if self.place < self.end else ""

    def deeper(self) -> None:
        """Enter a construct.

        Raises:
            Lost: There are too many around it.
        """
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Lost

    def higher(self) -> None:
        """Leave a construct."""
        self._depth -= 1

    def skip_blanks(self) -> None:
        """Go to what is not a blank, a continued line or a comment."""
        while self.place < self.end:
            if self.text[self.place] in BLANKS:
                self.place += 1
            elif self.at("\\\n"):
                self.place += 2
            elif self.text[self.place] == "#":
                found = self.text.find("\n", self.place, self.end)
                self.place = self.end if found < 0 else found
            else:
                return

    def skip_newlines(self) -> None:
        """Go to what is neither blank nor newline; here-documents on the way are read."""
        self.skip_blanks()
        while self.peek() == "\n":
            self.newline()
            self.skip_blanks()

    def newline(self) -> None:
        """Step over a newline and the here-documents that begin behind it."""
        self.place += 1
        pending, self._pending = self._pending, []
        for each in pending:
            self._read_heredoc(each)

    def expect_heredoc(self, part: Part, word: str, *, strip: bool) -> None:
        """Have the text of a here-document read when its line ends.

        Args:
            part: The redirection; the document becomes its child.
            word: The delimiter as written.
            strip: Whether leading tabs do not count (`<<-`).
        """
        self._pending.append(_Heredoc(part, _unquoted(word), strip))
        part.label = "as it is" if _unquoted(word) != word else "expanded"

    def _read_heredoc(self, heredoc: _Heredoc) -> None:
        start, joined = self.place, False
        while self.place < self.end:
            found = self.text.find("\n", self.place, self.end)
            stop = self.end if found < 0 else found
            line = self.text[self.place : stop]
            last, self.place = self.place, min(stop + 1, self.end)
            if not joined and (line.lstrip("\t") if heredoc.strip else line) == heredoc.delimiter:
                heredoc.part.children.append(Part("heredoc", start, last, label=heredoc.part.label))
                return
            # An expanded document's lines are joined before they are compared.
            joined = heredoc.part.label == "expanded" and (len(line) - len(line.rstrip("\\"))) % 2 == 1
        raise Lost

    def word(self, *, assignable: bool = False, extended: bool = True) -> Part:
        """Read a word that begins here; its substitutions are its children.

        Args:
            assignable: Whether an assignment may stand here, in whose subscript blanks are part of the word.
            extended: Whether `!(` begins a pattern rather than a negated subshell.

        Raises:
            Lost: No word begins here, or a quote is open.
        """
        part = Part("word", self.place)
        while self.place < self.end:
            character = self.text[self.place]
            if character in "<>" and self.text.startswith("(", self.place + 1):
                self._substitution(part, "process substitution", 2)
            elif character == "(" and self._is_array(part.start):
                self._array(part)
            elif character in METACHARACTERS:
                break
            elif character in "?*+@!" and self.text.startswith("(", self.place + 1):
                if character == "!" and not extended and self.place == part.start:
                    break
                self.place += 1
                self._matched(part, "(", ")")
            elif character == "[" and assignable and _NAME.fullmatch(self.text, part.start, self.place):
                self._matched(part, "[", "]")
            elif not self._quoted(part):
                found = _PLAIN.match(self.text, self.place, self.end)
                self.place = found.end() if found else self.place + 1
        if self.place == part.start:
            raise Lost
        part.end = self.place
        return part

    def arithmetic(self, part: Part, opening: int) -> bool:
        """Read an arithmetic expression up to its `))`; False, with nothing read, where it is none.

        Args:
            part: What substitutions in it become children of.
            opening: Characters of what opens it: `((` or `$((`.
        """
        start, count = self.place, len(part.children)
        self.place += opening
        level = 0
        try:
            while self.place < self.end:
                character = self.text[self.place]
                if character == "(":
                    level += 1
                elif character == ")" and level == 0:
                    if not self.at("))"):
                        break
                    self.place += 2
                    return True
                elif character == ")":
                    level -= 1
                elif self._quoted(part):
                    continue
                self.place += 1
        except Lost:
            pass
        self.place = start
        del part.children[count:]
        return False

    def _is_array(self, start: int) -> bool:
        return _ARRAY.fullmatch(self.text, start, self.place) is not None

    def _array(self, part: Part) -> None:
        self.place += 1
        while True:
            self.skip_newlines()
            if self.peek() == ")":
                self.place += 1
                return
            part.children += self.word(assignable=True).children

    def _quoted(self, part: Part, *, inside: bool = False) -> bool:
        """Read a quoted or expanded piece that begins here, if one does.

        Args:
            part: What substitutions in it become children of.
            inside: Within double quotes, where single quotes mean nothing.
        """
        character = self.text[self.place]
        if character == "\\":
            self.place = min(self.place + 2, self.end)
        elif character == "'" and not inside:
            self._to("'", self.place + 1)
        elif character == '"' and not inside:
            self._double(part)
        elif character == "`":
            self._backquoted(part)
        elif character == "$":
            self._dollar(part, inside=inside)
        else:
            return False
        return True

    def _double(self, part: Part) -> None:
        self.place += 1
        while self.peek() != '"':
            if not self.peek():
                raise Lost
            if not self._quoted(part, inside=True):
                self.place += 1
        self.place += 1

    def _dollar(self, part: Part, *, inside: bool) -> None:
        if self.at("$((") and self.arithmetic(part, 3):
            return
        if self.at("$("):
            self._substitution(part, "substitution", 2)
        elif self.at("${ ") or self.at("${\n") or self.at("${|"):
            raise Lost  # a function substitution of bash 5.3, or an error
        elif self.at("${"):
            quotes = inside and not _STRIPS.match(self.text, self.place)
            self.place += 1
            self._matched(part, "{", "}", inside=quotes, nests=False)
        elif self.at("$["):
            self.place += 1
            self._matched(part, "[", "]")
        elif self.at("$'") and not inside:
            self.place += 2
            while self.peek() != "'":
                if not self.peek():
                    raise Lost
                self.place += 2 if self.peek() == "\\" else 1
            self.place += 1
        else:
            self.place += 1

    def _matched(self, part: Part, opening: str, closing: str, *, inside: bool = False, nests: bool = True) -> None:
        """Read from an opening character to the one that closes it."""
        self.deeper()
        self.place += 1
        while self.peek() != closing:
            if not self.peek():
                raise Lost
            if nests and self.peek() == opening:
                self._matched(part, opening, closing, inside=inside)
            elif self.peek() == '"':
                self._double(part)
            elif not self._quoted(part, inside=inside):
                self.place += 1
        self.place += 1
        self.higher()

    def _substitution(self, part: Part, kind: str, opening: int) -> None:
        self.deeper()
        inner = Part(kind, self.place, label=self.text[self.place : self.place + opening])
        self.place += opening
        outer, self._pending = self._pending, []  # its lines are not those that outer here-documents wait for
        inner.children = self._commands()
        self._pending = outer + self._pending
        inner.end = self.place
        part.children.append(inner)
        self.higher()

    def _backquoted(self, part: Part) -> None:
        inner = Part("substitution", self.place, label="`")
        self.place += 1
        start = self.place
        while self.peek() != "`":
            if not self.peek():
                raise Lost
            self.place += 2 if self.peek() == "\\" else 1
        inner.end = self.place + 1
        if "\\" not in self.text[start : self.place]:  # else its text is not what bash reads
            self._read_inside(inner, start)
        self.place = inner.end
        part.children.append(inner)

    def _read_inside(self, inner: Part, start: int) -> None:
        end, pending = self.end, self._pending
        self.place, self.end, self._pending = start, inner.end - 1, []
        self.deeper()
        try:
            inner.children = self._commands()
        finally:
            self.end, self._pending = end, pending
            self.higher()

    def _to(self, closing: str, place: int) -> None:
        found = self.text.find(closing, place, self.end)
        if found < 0:
            raise Lost
        self.place = found + 1


def _unquoted(word: str) -> str:
    """Return a here-document's delimiter without its quotes."""
    found: list[str] = []
    for piece in re.findall(r"\\.|\$?'[^']*'|\$?\"[^\"]*\"|.", word, re.DOTALL):
        text = piece.removeprefix("$") if piece[:2] in ("$'", '$"') else piece
        found.append(text[1:] if text[0] == "\\" else text[1:-1] if text[0] in "'\"" and len(text) > 1 else text)
    return "".join(found)
