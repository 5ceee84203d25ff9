"""What a session's bash finds in its environment: the same from a kernel, from magics and from a script."""

from __future__ import annotations

import os
from collections.abc import Mapping

from shellkernel.errors import SessionStartFailed

__all__ = ("session_environment",)

_SET = {
    "TERM": "xterm-256color",
    "PAGER": "cat",  # a pager waits for keys that nobody presses
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "SYSTEMD_PAGER": "cat",
    "LESS": "-FRX",
    "HISTFILE": "/dev/null",  # until integration.bash unsets it: bash would read the user's own at its start
    "SHELLKERNEL": "1",
}

_REMOVED = frozenset(
    (
        # What a Python kernel sets for its own output (ipykernel, ZMQInteractiveShell.init_environment).
        "CLICOLOR CLICOLOR_FORCE FORCE_COLOR PY_COLORS COLUMNS LINES "
        # What would change how bash starts, or would be taken for the user's choice in it.
        "BASH_ENV BASHOPTS ENV IGNOREEOF INSIDE_EMACS OLDPWD POSIXLY_CORRECT PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4 "
        "SHELLOPTS SHLVL TMOUT _"
    ).split()
)
_REMOVED_PREFIXES = ("JPY_", "SHELLKERNEL_", "PYDEVD_", "BASH_FUNC_")


def session_environment(extra: Mapping[str, str] | None, session: str) -> dict[str, str]:
    """Return the whole environment: this process's, cleaned, with ours and then the caller's laid over it.

    Args:
        extra: Names and values of the caller.
        session: The session's name, for the error.

    Raises:
        SessionStartFailed: A name or value can not stand in an environment.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in _REMOVED and not name.startswith(_REMOVED_PREFIXES)
    }
    if environment.get("MPLBACKEND", "").startswith("module://"):
        del environment["MPLBACKEND"]  # ipykernel's; a program in the shell has no notebook to draw in
    if not any(environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        environment["LANG"] = "C.UTF-8"
    environment.update(_SET)
    environment["SHELLKERNEL_SESSION"] = os.urandom(8).hex()
    for name, value in (extra or {}).items():
        _check(name, value, session)
        environment[name] = value
    return environment


def _check(name: object, value: object, session: str) -> None:
    if not isinstance(name, str) or not isinstance(value, str):
        raise SessionStartFailed(
            f"session {session!r}: environment names and values are str, not {name!r}={value!r}; nothing was started",
            session,
        )
    if not name or "=" in name or "\0" in name or "\0" in value:
        raise SessionStartFailed(
            f"session {session!r}: {name!r} can not stand in an environment (empty, '=' or NUL); nothing was started",
            session,
        )
