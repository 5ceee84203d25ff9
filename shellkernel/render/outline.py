"""The structure of a cell as a drawn tree, in plain text and in HTML: what bash would run, and how it is joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from shellkernel.render.paint import CODE, NO_MATH, QUIET, TINTS
from shellkernel.render.structure import one_line
from shellkernel.syntax.tree import Node

__all__ = ("outline", "outline_bundle")

_WIDEST = 100
"""Characters of a command in one line of the tree."""
_LONGEST = 1_000
"""Lines of the tree; of more, the number is told."""

_REDIRECTION = re.compile(r"(\d*|\{\w+\})(<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|&>>|&>)\s*(.*)", re.DOTALL)
_STREAMS = {"0": "standard input", "1": "standard output", "2": "standard error"}
_KINDS = {
    "list": "and-or list",
    "not": "! turns the exit code round",
    "subshell": "( ) subshell",
    "group": "{ } group",
    "arithmetic": "(( )) arithmetic",
    "condition": "[[ ]] condition",
    "text": "not understood",
}
_LEAVES = ("command", "arithmetic", "condition", "text")
"""Kinds whose text is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    lines: str
    """The cell's lines that it is about; "" where that stands above."""
    branch: str
    """The tree's own strokes."""
    before: str
    kind: str
    text: str
    after: str = ""


def outline(tree: Node) -> str:
    """Return the tree as plain text, a line for each part."""
    drawn = list(_draw(tree))
    width = max((len(line.lines) for line in drawn), default=0)
    shown = [_plain(line, width) for line in drawn[:_LONGEST]]
    if len(drawn) > _LONGEST:
        shown.append(f"… {len(drawn) - _LONGEST:,} more")
    return "\n".join(shown)


def outline_bundle(tree: Node) -> dict[str, str]:
    """Return the tree for display: `text/plain` and `text/html`."""
    drawn = list(_draw(tree))
    width = max((len(line.lines) for line in drawn), default=0)
    rows = [_marked(line, width) for line in drawn[:_LONGEST]]
    if len(drawn) > _LONGEST:
        rows.append(f"… {len(drawn) - _LONGEST:,} more")
    style = f"margin:.3em 0;padding:0;background:none;color:inherit;white-space:pre-wrap;{CODE}"
    html = f'<div role="group" class="{NO_MATH}" aria-label="structure of the cell; nothing was run">'
    return {"text/plain": outline(tree), "text/html": f'{html}<pre style="{style}">{"".join(rows)}</pre></div>'}


def _plain(line: _Line, width: int) -> str:
    parts = [line.before, line.kind, line.text, line.after]
    return f"{line.lines:>{width}} │ {line.branch}{'  '.join(filter(None, parts))}".rstrip()


def _marked(line: _Line, width: int) -> str:
    kind = f'<span style="background:{TINTS["off"]};border-radius:.3em;padding:0 .3em">{escape(line.kind)}</span>'
    parts = [
        f"<b>{escape(line.before)}</b>" if line.before else "",
        kind if line.kind else "",
        escape(line.text),
        f"<b>{escape(line.after)}</b>" if line.after else "",
    ]
    margin = f'<span style="{QUIET}">{line.lines:>{width}} │ {line.branch}</span>'
    return f"{margin}{' '.join(filter(None, parts))}\n"


def _draw(tree: Node) -> Iterator[_Line]:
    for child in tree.children:
        yield from _node(child, "", "")


def _node(node: Node, branch: str, below: str) -> Iterator[_Line]:
    """Draw a part.

    Args:
        branch: The strokes before it.
        below: The strokes before what hangs on it.
    """
    lines = str(node.first_line) if node.first_line == node.last_line else f"{node.first_line}-{node.last_line}"
    kind, text = _words(node)
    after = "& in the background" if node.after == "&" else node.after
    yield _Line(lines=lines, branch=branch, before=node.before, kind=kind, text=text, after=after)
    parts = list(_parts(node))
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        yield from _node(part, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "))


def _parts(node: Node) -> Iterator[Node]:
    """Yield what hangs on a part: its words only stand for the substitutions in them."""
    for child in node.children:
        if child.kind in ("word", "assignment"):
            yield from child.children
        else:
            yield child


def _words(node: Node) -> tuple[str, str]:
    """Return what a part is, and its own text."""
    match node.kind:
        case "command":
            return _command(node)
        case "pipeline":
            return f"pipeline of {len(node.children)}", ""
        case "block":
            return node.label, ""
        case "clause":
            return "pattern", f"{node.label})"
        case "for" | "select" | "case":
            return node.kind, one_line(node.label.partition(node.kind)[2], _WIDEST)
        case "function" | "coproc" | "time":
            return node.kind, node.label
        case "redirection":
            return "redirection", f"{one_line(node.text, _WIDEST)}{_redirected(node)}"
        case "heredoc":
            return f"here-document, {node.label}", _counted(node.text.count("\n"), "line")
        case "substitution" | "process substitution":
            name = f"{node.label}`" if node.label == "`" else f"{node.label} )"
            return f"{name} {node.kind}", "" if node.children else one_line(node.text, _WIDEST)
        case _:
            return _KINDS.get(node.kind, node.kind), one_line(node.text, _WIDEST) if node.kind in _LEAVES else ""


def _command(node: Node) -> tuple[str, str]:
    words = [child for child in node.children if child.kind in ("word", "assignment")]
    only_assigns = bool(words) and all(word.kind == "assignment" for word in words)
    return "assignment" if only_assigns else "command", one_line(" ".join(word.text for word in words), _WIDEST)


def _redirected(node: Node) -> str:
    """Say what a redirection does."""
    found = _REDIRECTION.fullmatch(node.text)
    if not found:
        return ""
    number, operator, target = found.groups()
    stream = _STREAMS.get(number or ("0" if operator[0] == "<" else "1"), f"descriptor {number}")
    both = "standard output and standard error"
    copied = "is closed" if target == "-" else f"becomes a copy of {_STREAMS.get(target, target)}"
    words = {
        "<": f"{stream} from a file",
        "<<<": f"{stream} from this word",
        "<<": f"{stream} from the lines below",
        "<<-": f"{stream} from the lines below, without leading tabs",
        "<&": f"{stream} {copied}",
        "<>": f"{stream} to read and write a file",
        ">": f"{stream} to a file",
        ">|": f"{stream} to a file, whatever noclobber says",
        ">>": f"{stream} to the end of a file",
        ">&": f"{stream} {copied}" if target == "-" or target.isdigit() or number else f"{both} to a file",
        "&>": f"{both} to a file",
        "&>>": f"{both} to the end of a file",
    }[operator]
    return f"   ({words})"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
