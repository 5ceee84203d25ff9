"""A cell written anew from its tree alone: every statement on a line of its own, every command from its parts.

bash reads the new text as it reads the old one exactly where the tree has the structure that bash sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shellkernel.syntax.tree import Node

__all__ = ("rewritten",)


def rewritten(cell: Node) -> str:
    """Return bash source with the same meaning."""
    return _Writer().statements(cell.children)


class _Writer:
    def __init__(self) -> None:
        self._documents: list[str] = []

    def statements(self, nodes: Sequence[Node]) -> str:
        return "".join(self.line(self.one(node) + (" &" if node.after == "&" else "")) for node in nodes)

    def line(self, text: str) -> str:
        """End a line, with the here-documents that it has opened behind it."""
        documents, self._documents = self._documents, []
        return f"{text}\n{''.join(documents)}"

    def one(self, node: Node) -> str:
        writer: Callable[[Node], str] | None = getattr(self, f"_{node.kind}", None)
        if writer is None:
            return node.text
        redirections = [child for child in node.children if child.kind == "redirection"]
        written = writer(node)
        if node.kind in ("command", "function", "coproc"):
            return written
        return " ".join([written, *map(self._redirection, redirections)])

    def _joined(self, node: Node) -> str:
        return "".join(
            f" {child.before} {self.one(child)}" if child.before else self.one(child) for child in node.children
        )

    _list = _pipeline = _joined

    def _not(self, node: Node) -> str:
        return " ".join(["!", *map(self.one, node.children)])

    def _time(self, node: Node) -> str:
        return " ".join(["time", node.label, *map(self.one, node.children)])

    def _command(self, node: Node) -> str:
        return " ".join(map(self.one, node.children))

    def _redirection(self, node: Node) -> str:
        for child in node.children:
            if child.kind == "heredoc":
                delimiter = node.text.partition("<<")[2].removeprefix("-")
                self._documents.append(child.text + _bare(delimiter) + "\n")
        return node.text

    def _inner(self, node: Node) -> str:
        return self.statements([child for child in node.children if child.kind != "redirection"])

    def _subshell(self, node: Node) -> str:
        return f"{self.line('(')}{self._inner(node)})"

    def _group(self, node: Node) -> str:
        return f"{self.line('{')}{self._inner(node)}}}"

    def _if(self, node: Node) -> str:
        found, word = "", "if"
        for block in node.children:
            if block.kind == "block":
                head = {"condition": word, "then": "then", "else": "else"}[block.label]
                found += f"{self.line(head)}{self.statements(block.children)}"
                word = "elif"
        return f"{found}fi"

    def _while(self, node: Node) -> str:
        head = self.line(node.kind)
        condition, body = (self.statements(block.children) for block in node.children if block.kind == "block")
        return f"{head}{condition}do\n{body}done"

    _until = _while

    def _for(self, node: Node) -> str:
        body = next(child for child in node.children if child.kind == "block")
        return f"{self.line(node.label)}do\n{self.statements(body.children)}done"

    _select = _for

    def _case(self, node: Node) -> str:
        clauses = [child for child in node.children if child.kind == "clause"]
        return self.line(node.label) + "".join(map(self._clause, clauses)) + "esac"

    def _clause(self, node: Node) -> str:
        commands = [child for child in node.children if "substitution" not in child.kind]
        return f"({node.label})\n{self.statements(commands)}{node.after or ';;'}\n"

    def _function(self, node: Node) -> str:
        return f"function {node.label} () {self.one(node.children[0])}"

    def _coproc(self, node: Node) -> str:
        return " ".join(["coproc", node.label, *map(self.one, node.children)])


def _bare(delimiter: str) -> str:
    return "".join(character for character in delimiter.strip() if character not in "'\"\\")
