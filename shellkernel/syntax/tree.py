"""The structure of a cell, as bash parses it: statements, pipelines, redirections, here-documents. Nothing is run.

An own reader, since none of those at hand is right for all of bash. bashlex parses no `case`, `[[ ]]`, arrays,
`$(( ))`, C-style `for`, `time`, `select`, `coproc` or quoted here-documents; tree-sitter-bash 0.25 takes
`a | b |& c && d` apart in the wrong places, and `time` and `coproc` for commands. The tests hold this one against bash
itself: what is written anew from its tree must be the same to bash (`declare -f`); and against bashlex where that
parses (tests/session/test_tree.py).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast

from shellkernel.syntax.tree_grammar import Grammar
from shellkernel.syntax.tree_words import Part

__all__ = ("Kind", "Node", "read_tree")

Kind = Literal[
    "cell",
    "list",
    "pipeline",
    "not",
    "time",
    "command",
    "subshell",
    "group",
    "if",
    "while",
    "until",
    "for",
    "select",
    "case",
    "clause",
    "block",
    "function",
    "coproc",
    "arithmetic",
    "condition",
    "assignment",
    "word",
    "redirection",
    "heredoc",
    "substitution",
    "process substitution",
    "text",
]
"""`list`: pipelines joined by && and ||. `not`: `!`. `block`: the statements between two reserved words. `condition`:
`[[ ]]`. `text`: what could not be read further.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A part of a cell."""

    kind: Kind
    text: str
    """As written. A here-document's own text is in its redirection's child, not in the command's text."""
    start: int
    """Offset of its first character in the cell."""
    first_line: int
    last_line: int
    """The cell's lines that it stands in, from 1; here-documents included."""
    before: str = ""
    """What joins it to the one before: `&&`, `||`, `|`, `|&`; or ""."""
    after: str = ""
    """`&` behind a statement in the background; `;;`, `;&` or `;;&` behind a clause."""
    label: str = ""
    """A function's or coprocess's name; a clause's patterns; the head of a `for`, `select` or `case`; a block's part in
    its command (`condition`, `then`, `else`, `body`); what opens a substitution; `expanded` or `as it is` for a
    here-document and its redirection.
    """
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """Yield it and all below it, in the order in which they stand."""
        yield self
        for child in self.children:
            yield from child.walk()

    def to_dict(self) -> dict[str, Any]:
        """Return it as values that `json.dumps` takes; empty fields are left out."""
        values: dict[str, Any] = {"kind": self.kind, "text": self.text, "lines": [self.first_line, self.last_line]}
        values |= {name: text for name in ("before", "after", "label") if (text := getattr(self, name))}
        if self.children:
            values["children"] = [child.to_dict() for child in self.children]
        return values


def read_tree(cell: str) -> Node:
    """Return the structure of a cell; its children are the cell's statements.

    A text that bash can not parse has one too, up to where the reader lost its way: the rest is one child of the kind
    `text`. Whether bash can parse it is `check_syntax`'s question.

    Args:
        cell: With POSIX line ends.
    """
    ends = [place for place, character in enumerate(cell) if character == "\n"]
    return _frozen(Grammar(cell).cell(), cell, ends)


def _frozen(part: Part, cell: str, ends: list[int]) -> Node:
    children = tuple(_frozen(child, cell, ends) for child in part.children)
    first = bisect_right(ends, part.start - 1) + 1
    behind = part.end if part.kind == "heredoc" else part.end - 1  # its delimiter stands on a line of its own
    last = bisect_right(ends, max(part.start, behind) - 1) + 1
    return Node(
        kind=cast("Kind", part.kind),
        text=cell[part.start : part.end],
        start=part.start,
        first_line=first,
        last_line=max([last, *(child.last_line for child in children)]),
        before=part.before,
        after=part.after,
        label=part.label,
        children=children,
    )
