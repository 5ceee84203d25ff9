"""The session that a cell runs in: found or started, and set up as the cell's line asks.

Everything that can be wrong with the line is found before a session is started, closed or given anything.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from IPython.core.error import UsageError

from shellkernel import BashSession, sessions
from shellkernel_magics.options import CellOptions, check_session_name
from shellkernel_magics.values import UnsupportedValue, assignment, scalar

__all__ = ("Defaults", "find_session", "open_session", "read_values")


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What holds where a line says nothing: the traits, as values."""

    name: str
    check: bool
    timeout: float | None
    idle_timeout: float | None
    stderr: Literal["merge", "split"]
    rcfile: str | None
    columns: int
    rows: int
    statements: bool
    trace_limit: int


def find_session(name: str) -> BashSession:
    """Return a live session.

    Raises:
        UsageError: There is none of this name; the message lists those that live. Or it is no name at all.
    """
    session = sessions.get(name)
    if session is not None:
        return session
    check_session_name(name)
    living = ", ".join(sorted(sessions)) or "none is running"
    raise UsageError(f"no session named {name!r} (sessions: {living})")


def read_values(options: CellOptions, namespace: Mapping[str, object]) -> list[str]:
    """Return bash source that sets what `--env` and `--var` ask for, one assignment each.

    Raises:
        UsageError: A Python variable is unknown, or no shell variable can hold its value.
    """
    source = []
    for name in options.var:
        if name not in namespace:
            raise UsageError(f"--var: no Python variable named {name!r}")
        try:
            source.append(assignment(name, namespace[name]))
        except UnsupportedValue as error:
            raise UsageError(f"--var: {name!r}: {error}") from None
    return source


def open_session(options: CellOptions, defaults: Defaults, source: list[str], body: str) -> BashSession:
    """Return the session of a cell, ready for its command.

    Args:
        options: The cell's line.
        defaults: For a new session, and for its name.
        source: What `read_values` gave; it is run here.
        body: What will run. Where the session is changed for it here, it must be whole before that.

    Raises:
        UsageError: A directory or file is not there; a living session can not be as the line asks; a variable
            could not be set. Nothing of the cell has run.
        SessionBusy: The session runs something; it was told nothing.
        IncompleteCommand, CommandSyntaxError, InvalidCommand: The body can not run; nothing was changed.
    """
    name = options.name or defaults.name
    living = sessions.get(name)
    if living is None:
        check_session_name(name)
    elif not options.new:
        _check_same(living, options)
        setup = [f"\\builtin export {key}={scalar(value)}" for key, value in options.env]
        if options.cwd is not None:
            setup.insert(0, f"\\builtin cd -- {scalar(_directory(options.cwd, living.cwd))}")
        _set_up(living, setup + source, body)
        return living
    cwd = _directory(options.cwd or ".", os.getcwd())
    rcfile = _rcfile(options.rcfile) if options.rcfile is not None else defaults.rcfile
    if living is not None:
        living.check(body)
        living.close()
    session = sessions.get_or_start(
        name,
        cwd=cwd,
        env=dict(options.env),
        rcfile=rcfile,
        columns=defaults.columns,
        rows=defaults.rows,
        stderr=options.stderr or defaults.stderr,
    )
    _set_up(session, source, body)
    return session


def _check_same(session: BashSession, options: CellOptions) -> None:
    """Refuse what only a new session can have."""
    if options.stderr is not None and options.stderr != session.stderr:
        raise UsageError(
            f"--stderr {options.stderr}: session {session.name!r} was started with {session.stderr}; "
            "add --new for a fresh one, or use another name"
        )
    if options.rcfile is not None and _rcfile(options.rcfile) != session.rcfile:
        raise UsageError(
            f"--rcfile: session {session.name!r} runs already, with {session.rcfile or 'none'}; "
            "add --new for a fresh one, or use another name"
        )


def _directory(path: str, base: str) -> str:
    whole = os.path.normpath(os.path.join(base, os.path.expanduser(path)))
    if not os.path.isdir(whole):
        raise UsageError(f"--cwd: no such directory: {whole}")
    return whole


def _rcfile(path: str) -> str:
    if path == "user":
        return path
    whole = os.path.abspath(os.path.expanduser(path))
    if not os.path.isfile(whole):
        raise UsageError(f"--rcfile: no such file: {whole}")
    return whole


def _set_up(session: BashSession, source: list[str], body: str) -> None:
    """Change a session for a cell whose body can run; its command finds $? and the like as the last one left them."""
    if not source:
        return
    session.check(body)
    result = session.prepare(" &&\n".join(f"{{ {line}; }}" for line in source))
    if not result.ok:
        told = result.output.strip() or result.note or f"exit code {result.exit_code}"
        raise UsageError(f"session {session.name!r} could not be set up: {told}")
