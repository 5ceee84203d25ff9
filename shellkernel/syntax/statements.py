"""A cell's statements: where each begins, and its text.

A statement is one list of the cell's top level as bash parses it, cut also at its `;` and `&`: `a && b || c` is one,
`a; b` are two. The reader in `tree.py` says where they may be, and bash itself proves it (`statements_proof.py`); where
it does not, the whole cell is one. A cut may be missing then, and is never wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shellkernel.syntax.check import check_syntax, is_blank
from shellkernel.syntax.plain import is_plainly_whole
from shellkernel.syntax.statements_proof import is_proven
from shellkernel.syntax.tree_grammar import Grammar
from shellkernel.syntax.tree_words import Part

__all__ = ("Piece", "join_from", "next_statement", "split_statements")

_REMEMBERED = 64
"""Cells whose statements are remembered: the same ones run again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One statement of a cell."""

    start: int
    """Offset of its first character: text put right before it runs right before it."""
    source: str
    """Its text; here documents that stand behind its line at the end."""
    first_line: int
    last_line: int
    """The cell's lines, from 1."""


def split_statements(text: str, *, shell: str = "bash") -> tuple[Piece, ...]:
    """Return a whole cell's statements, in their order; none for a blank cell.

    Args:
        text: A cell, with POSIX line ends.
        shell: The bash that will run it.

    Raises:
        IncompleteCommand, CommandSyntaxError: As `check_syntax`, which need not be called then.
    """
    return _split(text, shell)


@lru_cache(maxsize=_REMEMBERED)
def _split(text: str, shell: str) -> tuple[Piece, ...]:
    if is_blank(text):
        return ()
    pieces = tuple(_pieces(text))
    if is_plainly_whole(text) or is_proven(text, [(piece.start, piece.source) for piece in pieces], shell=shell):
        return pieces
    check_syntax(text, shell=shell)
    return join_from(text, pieces, 0)


def join_from(text: str, pieces: tuple[Piece, ...], index: int) -> tuple[Piece, ...]:
    """Return the pieces of a text with one for all from this index on."""
    if index >= len(pieces) - 1:
        return pieces
    first = pieces[index]
    source = text[first.start :].rstrip("\n")
    last_line = first.first_line + source.count("\n")
    return (*pieces[:index], Piece(start=first.start, source=source, first_line=first.first_line, last_line=last_line))


def next_statement(lines: Sequence[int], last: int, line: int) -> int:
    """Return the number of the statement that begins, from 0.

    That is the next one; but an error of an expansion drops the rest of what bash has read as one, and so of its line.

    Args:
        lines: The first line of each statement.
        last: The number of the one that began before; -1 for none.
        line: The line, as bash counts; 0 where it does not tell.
    """
    expected = last + 1
    if expected < len(lines) and lines[expected] < line and line in lines[expected:]:
        return list(lines).index(line, expected)
    return expected


def _pieces(text: str) -> Iterator[Piece]:
    newlines = [place for place, character in enumerate(text) if character == "\n"]
    for part in Grammar(text).cell().children:
        end = text.index("&", part.end) + 1 if part.after == "&" else part.end
        source, last = text[part.start : end], end
        for heredoc in _heredocs(part) if "<<" in source else ():
            if heredoc.start >= end:  # it stands behind the statement's line, which may go on with another one
                last = text.find("\n", heredoc.end)  # the end of the delimiter's line
                last = last if last >= 0 else len(text)
                source += "\n" + text[heredoc.start : last]
        first_line, last_line = (bisect_left(newlines, place) + 1 for place in (part.start, last))
        yield Piece(start=part.start, source=source, first_line=first_line, last_line=last_line)


def _heredocs(part: Part) -> Iterator[Part]:
    if part.kind == "heredoc":
        yield part
    for child in part.children:
        yield from _heredocs(child)
