"""What the structure of a text says about its exit codes: which command a code is of, where that is certain."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import lru_cache

from shellkernel.syntax.tree import Node, read_tree

__all__ = (
    "commands_named",
    "elements",
    "has_commands",
    "in_functions",
    "one_line",
    "only_statement",
    "same_words",
    "without_blanks",
)

_LONGEST = 200_000
"""Characters beyond which a text is not taken apart for a face."""


@lru_cache(maxsize=256)
def _read(text: str) -> Node | None:
    return read_tree(text) if len(text) <= _LONGEST else None


def only_statement(text: str) -> Node | None:
    """Return the one statement that a text is, or None where it is not one, or not understood."""
    tree = _read(text)
    if tree is None or len(tree.children) != 1 or tree.children[0].kind == "text":
        return None
    return tree.children[0]


def commands_named(text: str, name: str) -> list[Node]:
    """Return the simple commands that are written with this name, also in functions and substitutions."""
    tree = _read(text)
    return [] if tree is None else [node for node in tree.walk() if node.kind == "command" and _name(node) == name]


def has_commands(text: str, *, pipeline: int = 0, first_line: int = 1) -> frozenset[int]:
    """Return the lines that commands of a statement begin in, or, of those, pipelines.

    Those in functions and substitutions do not count: they run at another time, or elsewhere.

    Args:
        text: The statement.
        pipeline: Ask for pipelines of so many elements instead.
        first_line: The line that it begins in.
    """
    tree = _read(text)
    return frozenset() if tree is None else frozenset(_lines(tree, pipeline, first_line - 1))


def _lines(node: Node, pipeline: int, shift: int) -> Iterator[int]:
    if node.kind in ("function", "substitution", "process substitution"):
        return
    if (node.kind == "pipeline" and len(node.children) == pipeline) if pipeline else node.kind == "command":
        yield node.first_line + shift
    for child in node.children:
        yield from _lines(child, pipeline, shift)


def in_functions(text: str) -> dict[tuple[str, int, str], int]:
    """Return where the commands of the functions that a text defines stand.

    Returns:
        By function, line as bash counts in it (LINENO: its own first line is 1), and command without blanks: the line
        of the text.
    """
    tree = _read(text)
    found = {}
    for function in tree.walk() if tree is not None else ():
        if function.kind == "function":
            for node in function.walk():
                if node.kind in ("command", "arithmetic", "condition"):
                    line = node.first_line - function.first_line + 1
                    found[function.label, line, without_blanks(node.text)] = node.first_line
    return found


def without_blanks(text: str) -> str:
    """Return a command so that it can be compared: bash prints its own blanks around redirections."""
    return "".join(text.split())


def same_words(command: str, expanded: str) -> bool:
    """Tell whether a command ran with the very words that it was written with: only quotes, or redirections, differ."""
    node = only_statement(command)
    if node is None or node.kind != "command":
        return command == expanded
    written = " ".join(child.text for child in node.children if child.kind in ("word", "assignment"))
    try:
        return shlex.split(written) == shlex.split(expanded)
    except ValueError:  # $'…' holds an odd quote
        return False


def _name(command: Node) -> str:
    word = next((child.text for child in command.children if child.kind == "word"), "")
    return word.rpartition("/")[2]


def elements(statement: str, count: int) -> tuple[Node, ...]:
    """Return the elements of the pipeline that a statement's pipestatus is of; () where that is not certain.

    bash sets PIPESTATUS at a pipeline's end, and at a simple command's, which is one of one element; compound commands
    leave it as it was. So a pipeline of `count` elements among simple commands is the one, if no other has as many.

    Args:
        statement: Its source.
        count: How many elements its pipestatus has; above 1.
    """
    node = only_statement(statement)
    if node is None:
        return ()
    parts = node.children if node.kind == "list" else (node,)
    inner = [_unprefixed(part) for part in parts]
    found = [part for part in inner if part.kind == "pipeline" and len(part.children) == count]
    certain = all(part.kind in ("pipeline", "command") for part in inner)
    return found[0].children if certain and len(found) == 1 else ()


def _unprefixed(node: Node) -> Node:
    while node.kind in ("not", "time") and node.children:
        node = node.children[0]
    return node


def one_line(text: str, limit: int = 60) -> str:
    """Return a text as one line of at most `limit` characters, with a mark where something is left out."""
    lines = text.strip().split("\n")
    line = lines[0].rstrip() + (" …" if len(lines) > 1 else "")
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
