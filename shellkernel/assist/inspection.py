"""What the word at the cursor means. Nothing of the cell is evaluated, and no program but `man` is run."""

from __future__ import annotations

import re
import shlex
import signal
from collections.abc import Callable, Mapping

from shellkernel.assist.completion import Asked
from shellkernel.assist.manual import manual_page, option_text
from shellkernel.assist.snapshot import Snapshot
from shellkernel.assist.words import Context, context_at
from shellkernel.render import describe_exit_code

__all__ = ("NotKnownNow", "inspect")

LONGEST = 100_000
"""Characters of a text that are shown."""

SPECIAL = {
    "?": "the exit code of the last command",
    "!": "the process id of the last job in the background",
    "$": "the process id of the shell",
    "#": "the number of positional parameters",
    "@": "the positional parameters; in double quotes, a word each",
    "*": "the positional parameters; in double quotes, one word",
    "-": "the option letters in force",
    "0": "the name of the shell",
    "_": "the last argument of the command before",
}
"""bash's special parameters (manual, 3.4.2)."""

_VARIABLE = re.compile(r"\$(?:\{[!#]?)?([A-Za-z_][A-Za-z0-9_]*|[?!$#@*0_-])")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BEYOND = re.compile(r"[^\s;|&()<>'\"`]*")
_PREFIXES = frozenset("builtin command doas env exec nice nohup sudo time".split())

Value = Callable[[str], object]
Letters = Callable[[str], str]

_ATTRIBUTES = {
    "r": "read-only",
    "x": "exported",
    "i": "integer",
    "l": "lower case",
    "u": "upper case",
    "n": "a reference to another variable",
    "t": "traced",
    "a": "array",
    "A": "associative array",
}
"""`declare`'s letters (manual, 4.2)."""


class NotKnownNow(Exception):
    """Raised by the caller's `value_of` while bash can not be asked."""


def inspect(text: str, cursor: int, snapshot: Snapshot, ask: Asked, value_of: Value, letters_of: Letters) -> str:
    """Return a text about the word at the cursor, or "" when nothing is known.

    Args:
        text: A whole cell.
        cursor: A position in it, in characters.
        snapshot: The session.
        ask: The helper.
        value_of: Returns a variable's value (str, list or dict), None when it has none; may raise NotKnownNow.
        letters_of: Returns the letters of its attributes, as `declare -p` has them.
    """
    beyond = _BEYOND.match(text, cursor)
    end = beyond.end() if beyond else cursor
    context = context_at(text, end)
    if found := _variable_at(text, cursor, end):
        return _about_variable(found, value_of, letters_of)
    if context.kind == "nothing":
        return ""
    about = _about_word(context, snapshot, ask, value_of, letters_of)
    return about if len(about) <= LONGEST else about[:LONGEST] + "\n…\n"


def _variable_at(text: str, cursor: int, end: int) -> str:
    """Return the name of the variable whose expansion the cursor is in."""
    line = text.rfind("\n", 0, cursor) + 1
    for found in _VARIABLE.finditer(text, line, end):
        if found.start() <= cursor <= found.end():
            return found[1]
    return ""


def _about_variable(name: str, value_of: Value, letters_of: Letters) -> str:
    if name in SPECIAL and name != "_":
        return f"${name}: {SPECIAL[name]}\n"
    try:
        found = value_of(name)
    except NotKnownNow:
        return f"{name}: bash is busy; its value can be read when the cell has ended\n"
    match found:
        case None:
            text, size = f"{name} is not set\n", 0
        case list() as items:
            text, size = f"{name}=({' '.join(shlex.quote(item) for item in items)})\n", len(items)
        case dict() as items:
            pairs = " ".join(f"[{shlex.quote(key)}]={shlex.quote(item)}" for key, item in items.items())
            text, size = f"{name}=({pairs})\n", len(items)
        case value:
            text, size = f"{name}={shlex.quote(str(value))}\n", 0
    words = [_ATTRIBUTES[letter] for letter in letters_of(name) if letter in _ATTRIBUTES]
    about = ", ".join(f"{word} of {size}" if "array" in word else word for word in words)
    return f"{text}{about}\n" if about else text


def _about_word(context: Context, snapshot: Snapshot, ask: Asked, value_of: Value, letters_of: Letters) -> str:
    word = context.current.value
    words = [each.value for each in context.words]
    while len(words) > 1 and words[0] in _PREFIXES:
        words = words[1:]
    command = words[0]
    if context.kind == "argument" and (about := _about_argument(command, words, word, snapshot)):
        return about
    if _NAME.fullmatch(word) and command in ("declare", "export", "readonly", "unset", "read", "local"):
        return _about_variable(word, value_of, letters_of)
    return _about_command(command, words, snapshot, ask) if command else ""


def _about_argument(command: str, words: list[str], word: str, snapshot: Snapshot) -> str:
    if command in ("exit", "return") and word.isdigit():
        return f"{word}: {describe_exit_code(int(word) & 255)}\n"
    if command in ("[", "[[", "test") and "$?" in words and word.isdigit():
        return _about_number(word)
    if command in ("kill", "pkill", "killall", "trap") and (about := _about_signal(word.lstrip("-"))):
        return about
    if not word.startswith("-") or len(word) < 2:
        return ""
    for page in _pages(command, words):
        if about := option_text(manual_page(page, snapshot.path), word):
            return f"{page} {about}"
    return ""


def _about_signal(word: str) -> str:
    """Return what a signal does, given by number or name."""
    name = f"SIG{word.upper().removeprefix('SIG')}"
    try:
        found = signal.Signals(int(word)) if word.isdigit() else signal.Signals[name]
    except (ValueError, KeyError):
        return ""
    return f"{found.name} ({found.value}): {signal.strsignal(found)}\n{_exit_code_line(found.value)}"


def _exit_code_line(number: int) -> str:
    return f"a command that it ends has exit code {128 + number}\n"


def _about_command(command: str, words: list[str], snapshot: Snapshot, ask: Asked) -> str:
    if command == "!":  # `help` knows nothing of it
        return "! PIPELINE: the exit code is 0 where the pipeline's is not, else 1\n"
    kind, *lines = ask("describe", command) or [""]
    text = "\n".join(lines) + "\n"
    if kind == "file":
        pages: Mapping[str, str] = {page: manual_page(page, snapshot.path) for page in _pages(command, words)}
        return next(filter(None, pages.values()), text)
    return text if kind else _about_number(command)


def _about_number(word: str) -> str:
    """Return what an exit code or a signal stands for, where its number or name stands alone."""
    if word.isdigit() and int(word) < 256:
        return f"{word}: {describe_exit_code(int(word))}\n"
    return _about_signal(word) if word.startswith("SIG") else ""


def _pages(command: str, words: list[str]) -> list[str]:
    """Return the names of the manual pages to look in: `git commit` has one of its own."""
    name = command.rpartition("/")[2]
    subcommand = next((word for word in words[1:] if re.fullmatch(r"[a-z][a-z0-9-]*", word)), "")
    return [f"{name}-{subcommand}", name] if subcommand else [name]
