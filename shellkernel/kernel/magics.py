"""The kernel's own commands: the lines with a `%` at the head of a cell.

`%` is bash's job syntax as well (`%1`, `fg %?name`), so only the names in `MAGICS` are taken, and only at a cell's
head. What follows in the cell runs as bash, with its line numbers.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from traitlets import TraitError

from shellkernel.kernel.settings import KernelSettings

__all__ = ("MAGICS", "MagicCall", "UsageError", "assignments", "check_head", "setting", "split_magics", "usage")

MAGICS: Mapping[str, tuple[str, str]] = {
    "timeout": ("[SECONDS|none]", "interrupt each cell from here on after so many seconds; tell the limit"),
    "on_nonzero": ("[error|continue]", "what a non-zero exit code is from here on; tell what it is"),
    "stderr": ("[merge|split]", "one stream or two, from the next %restart on; tell which"),
    "env_file": ("FILE", "export the NAME=VALUE lines of a file"),
    "statements": ("[on|off]", "whether each cell from here on is shown with its statements' exit codes; tell which"),
    "%statements": ("[--stop-on-error]", "show this cell with its statements' exit codes; run none after a failure"),
    "%trace": ("[--stop-on-error]", "the same, and every command that ran, with its exit code"),
    "%dry_run": ("", "show the structure of this cell, and run nothing"),
    "restart": ("", "end bash with all it runs, and start a fresh one"),
    "last": ("", "show the last cell's output again, after a page was reloaded for instance"),
    "help": ("[NAME]", "help on a command, function or variable, in the pager"),
    "lsmagic": ("", "list these"),
}
"""Name: arguments, and what it does. Those with a `%` of their own (`%%trace`) are about one cell."""

_LINE = re.compile(rf"%({'|'.join(MAGICS)})(?:[ \t]+(\S.*?))?[ \t]*", re.ASCII)
_MISSPELT = re.compile(r"(%%?)([A-Za-z_][\w-]*)", re.ASCII)
_ASSIGNMENT = re.compile(r"(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.ASCII)


class UsageError(ValueError):
    """A magic was given something it can not take; nothing was changed."""


@dataclass(frozen=True, slots=True)
class MagicCall:
    """One magic line."""

    name: str
    argument: str = ""


def split_magics(cell: str) -> tuple[list[MagicCall], str]:
    """Take the magic lines off the head of a cell.

    Returns:
        The calls, and the rest of the cell with an empty line for each line that was taken.
    """
    calls: list[MagicCall] = []
    lines = cell.split("\n")
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line.strip())
        if not found:
            rest = "\n" * number + "\n".join(lines[number:])
            return (calls, rest) if calls else ([], cell)
        calls.append(MagicCall(found[1], found[2] or ""))
    return calls, "" if calls else cell


def check_head(rest: str) -> None:
    """Return where what `split_magics` left begins with no misspelt magic: it would run what was only to be looked at.

    Raises:
        UsageError: It begins with `%%name`, which means nothing in bash, or with `%name` for a `%%name`.
    """
    lines = (line.strip() for line in rest.split("\n"))
    head = next((line for line in lines if line and not line.startswith("#")), "")
    found = _MISSPELT.match(head)
    if found is None:
        return
    meant = found[2].replace("-", "_").lower()
    known = f"%{meant}" in MAGICS
    if known or found[1] == "%%":
        advice = f"it is %%{meant}, alone in its line" if known else "%lsmagic lists those that there are"
        raise UsageError(f"there is no {found[0]}: {advice}; nothing was run")


def usage() -> str:
    """Return the list of magics for a person."""
    heads = {name: f"%{name} {arguments}".rstrip() for name, (arguments, _) in MAGICS.items()}
    width = max(map(len, heads.values()))
    return "\n".join(f"{heads[name]:{width}}  {text}" for name, (_, text) in MAGICS.items())


def setting(settings: KernelSettings, call: MagicCall) -> str | None:
    """Set what `%timeout`, `%on_nonzero`, `%stderr` or `%statements` says, or return its value when it says nothing.

    Raises:
        UsageError: The value is none of the possible ones.
    """
    if not call.argument:
        value = getattr(settings, call.name)
        if value is None or isinstance(value, bool):
            return {None: "none", True: "on", False: "off"}[value]
        return f"{value:g}" if isinstance(value, float) else str(value)
    try:
        setattr(settings, call.name, _CONVERSIONS.get(call.name, str)(call.argument))
    except (TraitError, ValueError, KeyError) as error:
        raise UsageError(f"%{call.name} {MAGICS[call.name][0]}: not {call.argument!r}") from error
    return None


def assignments(path: str) -> dict[str, str]:
    """Read a file of `NAME=VALUE` lines; `export`, quotes, empty lines and comments are understood, `$` is not.

    Raises:
        UsageError: The file can not be read, or a line is no assignment.
    """
    file = Path(path).expanduser()
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"%env_file: {error}") from error
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        assignment = _ASSIGNMENT.fullmatch(line.strip())
        if not assignment:
            raise UsageError(f"%env_file: {file}, line {number} is no NAME=VALUE; nothing was exported")
        found[assignment[1]] = _unquoted(assignment[2], f"{file}, line {number}")
    return found


def _unquoted(value: str, place: str) -> str:
    try:
        words = shlex.split(value, comments=True)
    except ValueError as error:
        raise UsageError(f"%env_file: {place}: {error}; nothing was exported") from error
    return " ".join(words)


def _seconds(text: str) -> float | None:
    if text == "none":
        return None
    seconds = float(text)
    if not 0 < seconds < float("inf"):  # "nan" is none of both
        raise ValueError(text)
    return seconds


def _switch(text: str) -> bool:
    return {"on": True, "off": False}[text]


_CONVERSIONS: Mapping[str, Callable[[str], object]] = {"timeout": _seconds, "statements": _switch}
