"""Where a traced command stands in the cell's text, and what that makes of its exit code.

A record has a command's text and line; the same text may stand there twice. What is said here holds for every place
where it may stand, or is not said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from shellkernel.syntax.statements import Piece, next_statement
from shellkernel.syntax.tree import Node, read_tree
from shellkernel.trace.entries import Entry

__all__ = ("Site", "Structure", "own_code")

_Answer = TypeVar("_Answer", str, bool)
_COMMANDS = ("command", "arithmetic", "condition")
_UNITS = ("function", "subshell", "substitution", "process substitution", "coproc")
"""What has an exit code of its own, which its last command gives."""
_DECLARES = ("local", "declare", "typeset", "export", "readonly")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a text where a command stands."""

    node: Node
    above: tuple[Node, ...]
    """What it stands in, the innermost last."""

    @property
    def function(self) -> str:
        """The function that it is in the body of; "" for none."""
        return next((node.label for node in reversed(self.above) if node.kind == "function"), "")

    def steps(self) -> Iterator[tuple[Node, Node]]:
        """Yield each node with its parent, up to the unit whose exit code it may be."""
        child = self.node
        for parent in reversed(self.above):
            yield child, parent
            if parent.kind in _UNITS or child.after == "&":
                return
            child = parent

    @property
    def is_element(self) -> bool:
        """Whether it is, alone, one element of a pipeline: it has a process, and is no subshell for bash."""
        return bool(self.above) and self.above[-1].kind == "pipeline"

    @property
    def in_background(self) -> bool:
        """Whether nobody waits for it at once."""
        return any(node.after == "&" or node.kind == "coproc" for node in (self.node, *self.above))

    def assigns(self, entry: Entry) -> bool:
        """Whether it is assignments alone, and an entry has come to the last of them."""
        words = [child for child in self.node.children if child.kind != "redirection"]
        return len(words) == len(entry.assigned) and all(child.kind == "assignment" for child in words)

    @property
    def carries(self) -> bool:
        """Whether its unit's exit code is its own, when it was the last that ran."""
        for child, parent in self.steps():
            if parent.kind == "not" or child.label == "condition" or child.after == "&":
                return False
            if parent.kind == "pipeline":
                return True  # the element is the unit
            if parent.kind in ("block", "group", "subshell", "substitution", "clause", "cell") and (
                child is not parent.children[-1]
            ):
                return False
        return True

    @property
    def swallowed(self) -> str:
        """Why its failure goes no further, whatever else runs; "" where it may."""
        for child, parent in self.steps():
            if parent.kind == "not":
                return "`!` turns it around"
            if child.label == "condition":
                return f"condition of {parent.kind}"
            if parent.kind == "list" and _or_follows(child, parent):
                return "left of ||"
            if child.after == "&":
                return "in the background"
            if parent.kind == "pipeline":
                return ""  # that is the pipeline's matter
        return ""

    @property
    def around(self) -> str:
        """Why the failure of the pipeline, or of the subshell, that it is in goes no further; "" where it may."""
        kinds = ("pipeline", "subshell")
        index = next((i for i, node in reversed([*enumerate(self.above)]) if node.kind in kinds), None)
        if index is None:
            return ""
        if index and self.above[index].kind == "subshell" and self.above[index - 1].kind == "pipeline":
            index -= 1
        return Site(self.above[index], self.above[:index]).swallowed

    @property
    def is_loop_condition(self) -> bool:
        """Whether it stands in the condition of a loop, whose exit code is its body's."""
        return any(child.label == "condition" and parent.kind in ("while", "until") for child, parent in self.steps())


class Structure:
    """The places of commands in a cell, and in the cells before, where its functions may have been defined.

    Args:
        command: The cell.
        pieces: Its statements that have marks, of which an entry has the number.
        earlier: The cells before, oldest first.
    """

    def __init__(self, command: str, pieces: Iterable[Piece] = (), earlier: Iterable[str] = ()) -> None:
        pieces = tuple(pieces)
        self._starts = tuple(piece.start for piece in pieces)
        self._lines = tuple(piece.first_line for piece in pieces)
        self._answers: dict[tuple[str, str, str, int, int], Any] = {}
        self._found: dict[tuple[str, str, int, int], list[Site]] = {}
        self._sites: dict[str, list[Site]] = {}
        self._earlier = tuple(earlier)
        self._functions: dict[str, dict[str, list[Site]]] = {}
        _collect(read_tree(command), (), self._sites)

    def next_statement(self, last: int, mark: str) -> int:
        """Return the number of the statement behind a mark, of which bash has told in these words."""
        line = mark.split()[3]
        return next_statement(self._lines, last, int(line) if line.isdecimal() else 0)

    def sites(self, entry: Entry) -> list[Site]:
        """Return where a command may stand; nothing where that is not known (evaluated text, traps, other files)."""
        place = (entry.command, entry.function, entry.line, entry.statement)
        found = self._found.get(place)
        if found is None:
            found = self._found[place] = self._find(entry)
        return found

    def _find(self, entry: Entry) -> list[Site]:
        key = _key(entry.command)
        if entry.function:
            here = [site for site in self._sites.get(key, ()) if site.function == entry.function]
            return here or self._in_earlier(entry.function).get(key, [])
        start, end = self._reach(entry.statement)
        return [
            site
            for site in self._sites.get(key, ())
            if not site.function
            and start <= site.node.start < end
            and site.node.first_line <= entry.line <= site.node.last_line
        ]

    def _reach(self, statement: int) -> tuple[int, float]:
        """Where a statement begins, and the next one."""
        if not 0 <= statement < len(self._starts):
            return 0, float("inf")
        return self._starts[statement], [*self._starts, float("inf")][statement + 1]

    def agree(self, entry: Entry, ask: Callable[[Site], bool]) -> bool:
        """Tell whether this is so for each place where a command may stand, and there is one."""
        sites = self.sites(entry)
        return bool(sites) and all(ask(site) for site in sites)

    def hides(self, entry: Entry) -> bool:
        """Tell whether a command without a name may run beside it, untold (`>file`, `$empty`), and set PIPESTATUS."""
        return self._once(entry, "hides", lambda sites: any(_has_nameless(site) for site in sites))

    def swallowed(self, entry: Entry) -> str:
        """Why its failure goes no further; "" where it may, or where that is not known."""
        return self._once(entry, "swallowed", _one_reason)

    def is_loop_condition(self, entry: Entry) -> bool:
        """Tell whether it stands in a loop's condition, for certain."""
        return self._once(entry, "loops", lambda sites: bool(sites) and all(site.is_loop_condition for site in sites))

    def _once(self, entry: Entry, name: str, ask: Callable[[list[Site]], _Answer]) -> _Answer:
        """Ask once for each place: loops run the same commands again and again."""
        place = (name, entry.command, entry.function, entry.line, entry.statement)
        if place not in self._answers:
            self._answers[place] = ask(self.sites(entry))
        answer: _Answer = self._answers[place]
        return answer

    def _in_earlier(self, function: str) -> dict[str, list[Site]]:
        if function not in self._functions:
            found: dict[str, list[Site]] = {}
            for command in reversed(self._earlier):
                if re.search(rf"(?:\bfunction\s+|(?<![\w.-])){re.escape(function)}\b", command):
                    sites: dict[str, list[Site]] = {}
                    _collect(read_tree(command), (), sites)
                    found = {key: [site for site in each if site.function == function] for key, each in sites.items()}
                    if any(found.values()):
                        break
            self._functions[function] = found
        return self._functions[function]


def _one_reason(sites: list[Site]) -> str:
    reasons = {site.swallowed for site in sites}
    return reasons.pop() if len(reasons) == 1 else ""


def own_code(word: str) -> str:
    """Say why a command substitution's exit code is not that of the command that it stands in."""
    return f"`{word}` has an exit code of its own" if word in _DECLARES else f"an argument of `{word}`"


def _collect(node: Node, above: tuple[Node, ...], sites: dict[str, list[Site]]) -> None:
    if node.kind in _COMMANDS:
        sites.setdefault(_key(node.text), []).append(Site(node, above))
    for child in node.children:
        _collect(child, (*above, node), sites)


def _key(text: str) -> str:
    """Return what stays the same when bash prints a command anew."""
    return _BLANKS.sub("", text.partition("<<")[0] if "<<" in text and "<<<" not in text else text)


def _or_follows(child: Node, parent: Node) -> bool:
    index = next(index for index, node in enumerate(parent.children) if node is child)
    return any(node.before == "||" for node in parent.children[index + 1 :])


def _has_nameless(site: Site) -> bool:
    """Tell whether a command that may come to nothing stands in the same statement, or function."""
    top = next((node for node in site.above if node.kind == "function"), site.above[1] if len(site.above) > 1 else None)
    return top is not None and any(_is_nameless(node) for node in top.walk())


def _is_nameless(node: Node) -> bool:
    return node.kind == "command" and all(
        child.kind == "redirection" or (child.kind == "word" and child.text.lstrip('"')[:1] in ("$", "`"))
        for child in node.children
    )
