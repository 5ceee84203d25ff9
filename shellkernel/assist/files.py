"""Names of files that continue what was typed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Literal

from shellkernel.assist.quoting import quoted
from shellkernel.assist.words import Quote, unquote

__all__ = ("FileKind", "Wanted", "complete_file", "home_of", "users")

FileKind = Literal["directory", "program", "file"]
Wanted = Literal["files", "directories", "programs"]

_TILDE = re.compile(r"~([^/]*)(?=/|\Z)")
_VARIABLE = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})")


def complete_file(
    raw: str, quote: Quote, *, cwd: str, values: Mapping[str, str], wanted: Wanted = "files"
) -> Iterator[tuple[str, FileKind]]:
    """Yield the text that may stand in the place of `raw`, and what it names; a directory ends in `/`.

    The part up to the last slash is kept as it was typed, with its quotes, `~` and variables. Hidden files come
    when their dot was typed.

    Args:
        raw: What was typed of the name, without the quote that is open.
        quote: The quote that is open in it.
        cwd: Where relative names begin.
        values: The values of variables; a name that needs another yields nothing.
        wanted: What to look for; directories are always found.
    """
    head, slash, typed = raw.rpartition("/")
    folder = _folder(head + slash, quote, cwd, values)
    if folder is None:
        return
    prefix = _plain(typed, quote)
    entries: list[os.DirEntry[str]] = []
    with suppress(OSError), os.scandir(folder) as found:
        entries = [entry for entry in found if entry.name.startswith(prefix)]
    for entry in sorted(entries, key=lambda entry: entry.name):
        if entry.name.startswith(".") and not prefix.startswith("."):
            continue
        kind = _kind(entry)
        if (kind != "directory" and wanted == "directories") or (kind == "file" and wanted == "programs"):
            continue
        name = quoted(entry.name, quote) if head or slash else _not_an_option(quoted(entry.name, quote), typed)
        yield head + slash + name + ("/" if kind == "directory" else ""), kind


def home_of(user: str) -> str | None:
    """Return a user's home directory; "" is the user's own."""
    path = os.path.expanduser(f"~{user}")
    return None if path.startswith("~") else path


def users(prefix: str) -> list[str]:
    """Return the users of this machine whose names begin so."""
    try:
        import pwd  # not everywhere

        return sorted({entry.pw_name for entry in pwd.getpwall() if entry.pw_name.startswith(prefix)})
    except ImportError:
        return []


def _folder(typed: str, quote: Quote, cwd: str, values: Mapping[str, str]) -> str | None:
    """Return the directory that was typed, or None where it can not be known without evaluating something."""
    if "`" in typed or "$(" in typed:
        return None
    if quote != "'":
        try:
            typed = _VARIABLE.sub(lambda found: values[found[1] or found[2]], typed)
        except KeyError:
            return None
    path = _plain(typed, quote)
    if not quote and (tilde := _TILDE.match(typed)):
        home = values.get("HOME") if not tilde[1] else home_of(tilde[1])
        if home is None:
            return None
        path = home + path[tilde.end() :]
    return os.path.join(cwd, path)


def _plain(raw: str, quote: Quote) -> str:
    if quote in ("'", "$'"):
        return raw
    return unquote(f'"{raw}' if quote == '"' else raw)


def _kind(entry: os.DirEntry[str]) -> FileKind:
    try:
        if entry.is_dir():
            return "directory"
        return "program" if os.access(entry.path, os.X_OK) else "file"
    except OSError:
        return "file"


def _not_an_option(name: str, typed: str) -> str:
    return f"./{name}" if name.startswith("-") and not typed else name
