"""The line of `%%bash_session`: text to checked, frozen values. Nothing is started and nothing is run here.

The line is split as a POSIX shell would split it (shlex), so quotes group and disappear, but nothing in it
is expanded: neither by bash, nor by IPython (the magics are `@no_var_expand`).
"""

from __future__ import annotations

import argparse
import keyword
import math
import re
import shlex
from dataclasses import dataclass, fields, replace
from typing import Literal, NoReturn

from IPython.core.error import UsageError

__all__ = ("OPTIONS", "CellOptions", "check_session_name", "parse_cell_line", "split_line")

_SHELL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SESSION_NAME = re.compile(r"\w[\w.-]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOptions:
    """What one `%%bash_session` line asks for."""

    name: str | None
    """The session, unchecked; None: the default one."""
    out: str | None
    """Python variable for the Result."""
    err: str | None
    """Python variable for the separate stderr text."""
    proc: str | None
    """Python variable for the Job."""
    bg: bool
    """Return at once."""
    check: bool | None
    """Raise for a result that is not ok; None: as the trait says."""
    timeout: float | None
    """Seconds until the command is interrupted."""
    idle_timeout: float | None
    """Seconds without output until the command is interrupted."""
    quiet: bool
    """Show neither output nor result."""
    stderr: Literal["merge", "split"] | None
    """How a new session treats the two streams; None: as the trait says."""
    cwd: str | None
    """Directory to start in, or to change to first."""
    var: tuple[str, ...]
    """Python variables to set in bash first."""
    get: tuple[str, ...]
    """Shell variables to set in Python afterwards."""
    new: bool
    """Begin with a fresh session."""
    rcfile: str | None
    """rc file of a new session: "user", or a path."""
    env: tuple[tuple[str, str], ...]
    """Environment variables to set first."""
    input: tuple[str, ...] | None
    """Lines for a program that waits; None: none were given."""
    no_input: bool
    """Waiting for input is an error."""
    statements: bool
    """Record the statements."""
    trace: bool
    """Record every command, and the statements."""
    stop_on_error: bool
    """Run nothing behind a statement that fails."""
    dry_run: bool
    """Show the structure and run nothing."""


def split_line(line: str) -> list[str]:
    """Split a magic's line into words.

    Raises:
        UsageError: A quote is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{error} in: {line.strip()}") from None


def check_session_name(name: str) -> str:
    """Return the name.

    Raises:
        UsageError: It is not a letter, digit or underscore followed by such, dots and hyphens.
    """
    if not _SESSION_NAME.match(name):
        raise UsageError(f"bad session name {name!r}: use letters, digits, '_', '.' and '-'")
    return name


def parse_cell_line(line: str) -> CellOptions:
    """Read the line of a `%%bash_session` cell.

    Raises:
        UsageError: Something in it is unknown, missing, malformed or contradicts; the message names it.
    """
    found = _parser().parse_args(split_line(line))
    options = CellOptions(
        name=found.name,
        out=found.out,
        err=found.err,
        proc=found.proc,
        bg=found.bg,
        check=found.check,
        timeout=found.timeout,
        idle_timeout=found.idle_timeout,
        quiet=found.quiet,
        stderr="split" if found.err and found.stderr is None else found.stderr,
        cwd=found.cwd,
        var=_names(found.var, "--var"),
        get=_names(found.get, "--get"),
        new=found.new,
        rcfile=found.rcfile,
        env=tuple(found.env or ()),
        input=None if found.input is None else tuple(line for text in found.input for line in text),
        no_input=found.no_input,
        statements=found.statements or found.trace,
        trace=found.trace,
        stop_on_error=found.stop_on_error,
        dry_run=found.dry_run,
    )
    _check_together(options)
    return options


def _check_together(options: CellOptions) -> None:
    wrong = {
        "--err needs --stderr split": options.err and options.stderr == "merge",
        "--proc needs --bg": options.proc and not options.bg,
        "--get needs a command that is over: it can not be used with --bg": options.get and options.bg,
        "--check needs a command that is over: it can not be used with --bg": options.check and options.bg,
        "--input and --no-input contradict": options.input is not None and options.no_input,
        "--dry-run runs nothing; of the other options it can be used with --out and --quiet only": options.dry_run
        and _asks_to_run(options),
    }
    for message, holds in wrong.items():
        if holds:
            raise UsageError(message)


def _asks_to_run(options: CellOptions) -> bool:
    """Whether anything is said that only a command has a use for."""
    rest = replace(options, name=None, out=None, quiet=False, dry_run=False)
    return any(getattr(rest, each.name) not in (None, False, ()) for each in fields(rest))


class _Parser(argparse.ArgumentParser):
    """Turns every complaint into a UsageError, and never exits or prints."""

    def error(self, message: str) -> NoReturn:
        told = message.removeprefix("argument ").replace("unrecognized arguments:", "unknown:")
        raise UsageError(f"{told} (see %%bash_session?)")


def _parser() -> _Parser:
    parser = _Parser(prog="%%bash_session", add_help=False, allow_abbrev=False)
    parser.add_argument("name", nargs="?")
    for option in ("--out", "--err", "--proc"):
        parser.add_argument(option, type=_python_name, metavar="VAR")
    for option in ("--bg", "--quiet", "--no-input", "--statements", "--trace", "--stop-on-error", "--dry-run"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--new", "--restart", dest="new", action="store_true")
    checking = parser.add_mutually_exclusive_group()
    checking.add_argument("--check", dest="check", action="store_true", default=None)
    checking.add_argument("--no-raise-error", dest="check", action="store_false", default=None)
    for option in ("--timeout", "--idle-timeout"):
        parser.add_argument(option, type=_seconds, metavar="S")
    parser.add_argument("--stderr", choices=("merge", "split"))
    parser.add_argument("--cwd", type=_not_empty, metavar="DIR")
    parser.add_argument("--rcfile", type=_not_empty, metavar="FILE")
    parser.add_argument("--var", nargs="+", action="extend", metavar="NAME")
    parser.add_argument("--get", nargs="+", action="extend", metavar="NAME")
    parser.add_argument("--env", type=_assignment, action="append", metavar="K=V")
    parser.add_argument("--input", type=_input_lines, action="append", metavar="TEXT")
    return parser


def _python_name(text: str) -> str:
    if not text.isidentifier() or keyword.iskeyword(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a Python variable name")
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def _not_empty(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected a path, not an empty text")
    return text


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, not {text!r}")
    if not _SHELL_NAME.match(name):
        raise argparse.ArgumentTypeError(f"{name!r} is not a shell variable name")
    if "\0" in value:
        raise argparse.ArgumentTypeError(f"the value of {name} holds a NUL character")
    return name, value


def _input_lines(text: str) -> list[str]:
    """Split at newlines and at `\\n`; the other escapes are `\\t` and `\\\\`."""
    escapes = {"n": "\n", "t": "\t", "\\": "\\"}
    plain = re.sub(r"\\([nt\\])", lambda match: escapes[match[1]], text)
    return plain.removesuffix("\n").split("\n")


def _names(words: list[str] | None, option: str) -> tuple[str, ...]:
    names = [name for word in words or () for name in word.split(",") if name]
    for name in names:
        if not _SHELL_NAME.match(name):
            raise UsageError(f"{option}: {name!r} is not a shell variable name")
    return tuple(dict.fromkeys(names))


def _option_strings() -> tuple[str, ...]:
    return tuple(text for action in _parser()._actions for text in action.option_strings)


OPTIONS = _option_strings()
"""Every option, as it is spelled on the line."""
