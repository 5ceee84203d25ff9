"""bash's grammar: statements, pipelines, commands and redirections of a text, each with where it stands.

Recursive descent after the grammar in parse.y (bash 5.1 to 5.3). What the reader can not follow raises `Lost`; the text
from the statement where that happens to its end is then one part of the kind `text`, and what came before holds.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from shellkernel.syntax.tree_compounds import STOPS, Compounds
from shellkernel.syntax.tree_words import Lost, Part

__all__ = ("Grammar",)

_REDIRECTION = re.compile(r"(?:\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)", re.ASCII)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[.*?\])?\+?=", re.ASCII | re.DOTALL)


class Grammar(Compounds):
    """Reads a whole text into its parts."""

    def __init__(self, text: str) -> None:
        super().__init__(text, self._substituted)

    def cell(self) -> Part:
        """Return the whole text as one part of the kind `cell`, its statements as children."""
        cell = Part("cell", 0, self.end)
        start = self.place
        try:
            while True:
                self.skip_newlines()
                start = self.place
                if self.place >= self.end:
                    return cell
                cell.children.append(self._statement())
        except (Lost, RecursionError):
            cell.children.append(Part("text", start, len(self.text.rstrip())))
            return cell

    def _substituted(self) -> list[Part]:
        """Statements up to a closing parenthesis, or up to the end of a back-quoted text."""
        found = self.statements((")",))
        if self.peek() == ")":
            self.place += 1
        return found

    def statements(self, stops: Collection[str]) -> list[Part]:
        """Statements up to one of these words or characters, which is left to be read."""
        found: list[Part] = []
        while True:
            self.skip_newlines()
            if self.place >= self.end:
                if ")" in stops and self.end < len(self.text):  # a back-quoted text
                    return found
                raise Lost
            if self._stops(stops):
                return found
            found.append(self._statement())

    def _stops(self, stops: Collection[str]) -> bool:
        if self.peek() == ")":
            return ")" in stops
        if any(self.at(mark) for mark in (";;", ";&")):
            return ";;" in stops
        return self.reserved() in stops

    def _statement(self) -> Part:
        """An and-or list, and the `;`, `&` or newline that ends it."""
        part = self._and_or()
        self.skip_blanks()
        if self.at(";;") or self.at(";&"):
            return part
        if self.peek() == "&":
            part.after = "&"
            self.place += 1
        elif self.peek() == ";":
            self.place += 1
        elif self.peek() == "\n":
            self.newline()
        elif self.peek() not in ("", ")") and self.reserved() not in STOPS:  # `done }` needs no `;`
            raise Lost
        return part

    def _and_or(self) -> Part:
        first = self._pipeline()
        self.skip_blanks()
        if not (self.at("&&") or self.at("||")):
            return first
        part = Part("list", first.start, children=[first])
        while self.at("&&") or self.at("||"):
            operator = self.text[self.place : self.place + 2]
            self.place += 2
            self.skip_newlines()
            part.children.append(self._pipeline())
            part.children[-1].before = operator
            self.skip_blanks()
        part.end = part.children[-1].end
        return part

    def _pipeline(self) -> Part:
        self.skip_blanks()
        word = self.reserved()
        if word == "!" or (self.at("!(") and not word):
            return self._prefixed("not", 1)
        if word == "time":
            return self._prefixed("time", 4)
        first = self._command()
        part = Part("pipeline", first.start, children=[first])
        self.skip_blanks()
        while self.peek() == "|" and not self.at("||"):
            operator = "|&" if self.at("|&") else "|"
            self.place += len(operator)
            self.skip_newlines()
            part.children.append(self._command())
            part.children[-1].before = operator
            self.skip_blanks()
        part.end = part.children[-1].end
        return part if len(part.children) > 1 else first

    def _prefixed(self, kind: str, length: int) -> Part:
        """`!` or `time` with the pipeline behind it, which may be empty."""
        part = Part(kind, self.place, self.place + length)
        self.place += length
        self.skip_blanks()
        if kind == "time":
            for option in ("-p", "--"):
                if self.reserved() == option:
                    part.label, self.place = "-p" if option == "-p" else part.label, self.place + 2
                    part.end = self.place
                    self.skip_blanks()
        if self.peek() not in ("", "\n", ";", "&", ")"):
            part.children.append(self._pipeline())
            part.end = part.children[0].end
        return part

    def _command(self) -> Part:
        self.skip_blanks()
        self.deeper()
        part = self.compound() or self.simple()
        self.higher()
        if not part.end:
            part.end = self.place
        return part

    def simple(self) -> Part:
        part = Part("command", self.place)
        while True:
            self.skip_blanks()
            if self.redirection(part):
                part.end = self.place
                continue
            if self.peek() in ("", "\n", ";", "&", "|", ")"):
                break
            words = any(child.kind == "word" for child in part.children)
            if self.peek() == "(":
                if len(part.children) == 1 and words:
                    return self._named_function(part)
                raise Lost
            word = self.word(assignable=not words)
            if not words and _ASSIGNMENT.match(self.text, word.start, word.end):
                word.kind = "assignment"
            part.children.append(word)
            part.end = self.place
        if not part.children:
            raise Lost
        return part

    def _named_function(self, part: Part) -> Part:
        name = part.children[0]
        self.place += 1
        self.skip_blanks()
        self.take(")")
        return self.function_body(Part("function", part.start, label=self.text[name.start : name.end]))

    def redirection(self, command: Part) -> bool:
        """Read a redirection if one begins here."""
        self.skip_blanks()
        found = _REDIRECTION.match(self.text, self.place, self.end)
        if not found:
            return False
        part = Part("redirection", self.place)
        self.place = found.end()
        self.skip_blanks()
        word = self.word()
        part.children += word.children
        part.end = self.place
        if found[1] in ("<<", "<<-"):
            self.expect_heredoc(part, self.text[word.start : word.end], strip=found[1] == "<<-")
        command.children.append(part)
        return True
