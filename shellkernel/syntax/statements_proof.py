"""Proof by bash itself that a cell's statements are where they were found.

`bash --pretty-print` reads a text, runs nothing of it, and prints every command that it has read in one normal form. It
is given the text as it is; the text with a mark, a command of ours, before each statement; and each statement alone.

Each of these has a line of ours behind it, `:  NAME`. Under `-v` bash also prints the lines that it reads, when it
reads them: where our line's normal form, `: NAME`, follows it at once, bash was at the beginning of a command, and what
came before was whole. (In a text that is not, our line becomes a part of it: of a string, a list, a `$( )`.)

The proof is that every statement is whole alone, and that the second is the first with our marks in it as commands:
they are written with two blanks, and come out with one only where bash took them for a command.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence

from shellkernel.syntax.check import let_bash_read

__all__ = ("is_proven",)

_EXTENDED = re.compile(r"[?*+@!]\(")
"""Where bash reads another text under `extglob`."""


def is_proven(text: str, statements: Sequence[tuple[int, str]], *, shell: str) -> bool:
    """Tell whether bash reads these statements, each whole, one after the other, in this text.

    Args:
        text: A cell.
        statements: Where each begins, and its own text.
        shell: The bash that will run it.

    Returns:
        True also says that the text is whole.
    """
    name = f"shellkernel_{secrets.token_hex(8)}"
    sections = "".join(_sections(text, statements, name))
    count = len(statements)
    answers = [_answer(sections, count, name, shell)]
    if _EXTENDED.search(text):  # the session, or the cell's own first line, may have extglob on
        answers.append(_answer(sections, count, name, shell, "-O", "extglob"))
    return any(answers) and False not in answers


def _sections(text: str, statements: Sequence[tuple[int, str]], name: str) -> Iterator[str]:
    yield f"{text}\n:  {name}\n"
    position = 0
    for number, (start, _) in enumerate(statements):
        yield f"{text[position:start]}{name}  {number}; "
        position = start
    yield f"{text[position:]}\n:  {name}\n"
    for _, source in statements:
        yield f"{source}\n:  {name}\n"


def _answer(sections: str, count: int, name: str, shell: str, *options: str) -> bool | None:
    """Return whether it is proven; None where bash can not read the text at all."""
    read = let_bash_read(shell, sections, "--noprofile", "--pretty-print", "-v", *options, merged=True)
    whole, *others = read.stdout.decode("utf-8", "surrogateescape").split(f":  {name}\n: {name}\n")
    if not others:  # it ends at the first error
        return None
    return len(others) == count + 2 and _without_marks(others[0], name, count) == whole


def _without_marks(printed: str, name: str, count: int) -> str | None:
    """Take the marks out; None where one is not there as a command, in its place.

    Behind a here document bash 5.3 leaves out the semicolons that it read.
    """
    printed = re.sub(rf"{name}  \d+; ", "", printed)  # the lines as they were read
    marks = list(re.finditer(rf"{name} (\d+);? ", printed))
    if [int(mark[1]) for mark in marks] != list(range(count)):
        return None
    return re.sub(rf"{name} \d+;? ", "", printed)
