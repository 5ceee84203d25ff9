"""`--dry-run`: the structure of a cell, as a value that shows itself."""

from __future__ import annotations

from typing import Any

from shellkernel.render.outline import outline, outline_bundle
from shellkernel.sentinel.typing import normalise
from shellkernel.syntax import check_syntax
from shellkernel.syntax.tree import Node, read_tree

__all__ = ("Structure", "read_structure")


class Structure:
    """What a cell consists of, as bash parses it; nothing of it was run."""

    def __init__(self, tree: Node) -> None:
        self.tree = tree
        """The cell; `children` are its statements."""

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as values that `json.dumps` takes."""
        return self.tree.to_dict()

    def __str__(self) -> str:
        return outline(self.tree)

    __repr__ = __str__

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        return outline_bundle(self.tree)


def read_structure(body: str) -> Structure:
    """Read a cell.

    Raises:
        IncompleteCommand, CommandSyntaxError, InvalidCommand: bash could not run it.
    """
    text = normalise(body)
    check_syntax(text)
    return Structure(read_tree(text))
