"""bash's compound commands, functions and coprocesses: what stands between reserved words."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection

from shellkernel.syntax.tree_words import BLANKS, METACHARACTERS, Lost, Part, Words

__all__ = ("STOPS", "Compounds")

_WORD = re.compile(r"[^ \t\n;&|()<>\\'\"$`]+")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
STOPS = frozenset("then else elif fi do done esac }".split())
"""Reserved words that end a list where a command may begin; elsewhere they are errors, or arguments."""
_COMPOUNDS = frozenset("{ ( if while until for select case [[".split())


class Compounds(Words, ABC):
    """Reads compound commands; statements, simple commands and redirections are read by `tree_grammar.Grammar`."""

    @abstractmethod
    def statements(self, stops: Collection[str]) -> list[Part]:
        """Read statements up to one of these words or characters, which is left to be read."""

    @abstractmethod
    def simple(self) -> Part:
        """Read a simple command, or a function that begins with its name."""

    @abstractmethod
    def redirection(self, command: Part) -> bool:
        """Read a redirection if one begins here; it becomes a child of the command."""

    def reserved(self) -> str:
        """Return the word that begins here if nothing in it is quoted, else ""."""
        found = _WORD.match(self.text, self.place, self.end)
        if not found or (found.end() < self.end and self.text[found.end()] not in METACHARACTERS):
            return ""
        return found[0]

    def compound(self) -> Part | None:
        """A compound command with its redirections, a function or a coprocess, if one begins here."""
        start, word = self.place, self.reserved()
        if self.peek() == "(":
            part = self._parenthesis()
        elif word in STOPS:
            raise Lost
        elif word in ("coproc", "function"):
            self.place += len(word)
            return self._coprocess(start) if word == "coproc" else self._function(start)
        elif word in ("{", "if", "while", "until", "for", "select", "case", "[["):
            self.place += len(word)
            part = {
                "{": self._group,
                "if": self._if,
                "while": self._loop,
                "until": self._loop,
                "for": self._for,
                "select": self._for,
                "case": self._case,
                "[[": self._condition,
            }[word](start)
        else:
            return None
        part.end = self.place
        while self.redirection(part):
            part.end = self.place
        return part

    def _parenthesis(self) -> Part:
        part = Part("arithmetic", self.place)
        if self.at("((") and self.arithmetic(part, 2):
            return part
        part.kind = "subshell"
        self.place += 1
        part.children = self.statements((")",))
        self.take(")")
        return part

    def _group(self, start: int) -> Part:
        part = Part("group", start, children=self.statements(("}",)))
        self.take("}")
        return part

    def _if(self, start: int) -> Part:
        part = Part("if", start)
        self._block(part, "condition", ("then",))
        while True:
            self.take("then")
            self._block(part, "then", ("elif", "else", "fi"))
            if self.reserved() == "elif":
                self.take("elif")
                self._block(part, "condition", ("then",))
                continue
            if self.reserved() == "else":
                self.take("else")
                self._block(part, "else", ("fi",))
            self.take("fi")
            return part

    def _loop(self, start: int) -> Part:
        part = Part(self.text[start : self.place], start)
        self._block(part, "condition", ("do",))
        self._body(part)
        return part

    def _for(self, start: int) -> Part:
        part = Part(self.text[start : self.place], start)
        self.skip_blanks()
        if part.kind == "for" and self.at("(("):
            if not self.arithmetic(part, 2):
                raise Lost
        else:
            self._name()
            self.skip_newlines()
            if self.reserved() == "in":
                self.place += 2
                self._words(part)
        part.label = self.text[start : self.place]
        self.skip_blanks()
        if self.peek() == ";":
            self.place += 1
        self.skip_newlines()
        self._body(part)
        return part

    def _name(self) -> str:
        found = _NAME.match(self.text, self.place, self.end)
        if not found:
            raise Lost
        self.place = found.end()
        return found[0]

    def _words(self, part: Part) -> None:
        """Words up to the end of a line or a `;`."""
        while True:
            self.skip_blanks()
            if self.peek() in ("", "\n", ";"):
                return
            part.children.append(self.word())

    def _body(self, part: Part) -> None:
        opening, closing = ("{", "}") if self.reserved() == "{" else ("do", "done")
        self.take(opening)
        self._block(part, "body", (closing,))
        self.take(closing)

    def _case(self, start: int) -> Part:
        part = Part("case", start)
        self.skip_blanks()
        part.children.append(self.word())
        self.skip_newlines()
        self.take("in")
        part.label = self.text[start : self.place]
        self.skip_newlines()
        while self.reserved() != "esac":
            part.children.append(self._clause())
            self.skip_newlines()
        self.take("esac")
        return part

    def _clause(self) -> Part:
        part = Part("clause", self.place)
        if self.peek() == "(":
            self.place += 1
        self.skip_blanks()
        start = self.place
        while True:
            self.skip_blanks()
            pattern = self.word()
            part.children += pattern.children
            self.skip_blanks()
            if self.peek() != "|":
                break
            self.place += 1
        part.label = self.text[start : pattern.end]
        self.take(")")
        part.children += self.statements((";;", "esac"))
        for mark in (";;&", ";;", ";&"):
            if self.at(mark):
                part.after = mark
                self.place += len(mark)
                break
        part.end = self.place
        return part

    def _condition(self, start: int) -> Part:
        part = Part("condition", start)
        matches = ""
        while True:
            self.skip_newlines()
            if self.reserved() == "]]":
                self.place += 2
                return part
            if matches == "=~":
                self._regular_expression(part)
                matches = ""
            elif self.peek() in "()<>&|" or (self.peek() == "!" and not matches):
                if not self.peek():
                    raise Lost
                self.place += 1
                matches = ""
            else:
                word = self.word()
                part.children += word.children
                matches = self.text[word.start : word.end]
                matches = matches if matches in ("=~", "==", "=", "!=") else ""

    def _regular_expression(self, part: Part) -> None:
        """The right side of `=~`: blanks within parentheses belong to it, and it ends at a blank."""
        level = 0
        while self.peek() and (level or self.peek() not in BLANKS + "\n"):
            if self.peek() in "()":
                level += 1 if self.peek() == "(" else -1
                if level < 0:
                    return
                self.place += 1
            elif self.peek() in BLANKS + "\n|<>&;!?*+@[":
                self.place += 1
            else:
                part.children += self.word().children

    def _function(self, start: int) -> Part:
        """What follows `function`, or a name and `()`."""
        part = Part("function", start)
        self.skip_blanks()
        word = self.word()
        part.label = self.text[word.start : word.end]
        self.skip_blanks()
        if self.peek() == "(":
            self.place += 1
            self.skip_blanks()
            self.take(")")
        return self.function_body(part)

    def function_body(self, part: Part) -> Part:
        self.skip_newlines()
        self.deeper()
        body = self.compound()
        self.higher()
        if body is None:
            raise Lost
        part.children.append(body)
        part.end = self.place
        return part

    def _coprocess(self, start: int) -> Part:
        part = Part("coproc", start)
        self.skip_blanks()
        body = self.compound()
        if body is None:
            body = self._named_coprocess(part) or self.simple()
        part.children.append(body)
        part.end = self.place
        return part

    def _named_coprocess(self, part: Part) -> Part | None:
        """A name and a compound command, if they begin here."""
        place = self.place
        found = _NAME.match(self.text, place, self.end)
        if found:
            self.place = found.end()
            self.skip_blanks()
            if self.place > found.end() and (self.peek() == "(" or self.reserved() in _COMPOUNDS):
                part.label = found[0]
                return self.compound()
            self.place = place
        return None

    def _block(self, part: Part, label: str, stops: Collection[str]) -> None:
        block = Part("block", self.place, label=label)
        block.children = self.statements(stops)
        if block.children:
            block.start, block.end = block.children[0].start, block.children[-1].end
        else:
            block.start = block.end = self.place
        part.children.append(block)

    def take(self, word: str) -> None:
        """Step over a reserved word or character that must stand here."""
        if not self.at(word):
            raise Lost
        self.place += len(word)
