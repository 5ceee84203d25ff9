"""A file's name as it must stand in the cell."""

from __future__ import annotations

import re

from shellkernel.assist.words import Quote

__all__ = ("quoted",)

# What bash would read as something else than itself in a word (POSIX 2.2), `~` and `#` at its head included.
_SPECIAL = re.compile(r"[\s\\'\"`$&|;<>(){}*?\[\]!^]|(?<![\s\S])[~#]")
_SPECIAL_IN_DOUBLE = re.compile(r'[\\"$`]')


def quoted(name: str, quote: Quote) -> str:
    """Return the name for a place where `quote` is open, so that bash reads just this name.

    A newline, which no backslash keeps, is written in `$'…'` where no quote is open.
    """
    if quote == "'":
        return name.replace("'", "'\\''")
    if quote == "$'":
        return name.replace("\\", "\\\\").replace("'", "\\'")
    if quote == '"':
        return _SPECIAL_IN_DOUBLE.sub(r"\\\g<0>", name)
    if "\n" in name:
        return "$'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
    return _SPECIAL.sub(r"\\\g<0>", name)
