"""What completion and inspection need to know of a session, as it was when it was last idle."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shellkernel.session import BashSession

__all__ = ("Snapshot", "take_snapshot")

# Each part ends in a NUL byte. The group's redirections keep `set -x` out of it, and keep it out of a file that the
# session's own output goes to (`exec >file`).
_QUESTION = (
    r"{ \builtin compgen -v; \builtin printf '\0%s\0%s\0' "
    r'"${PATH-}" "${HOME-}"; '
    r"\builtin declare -f; \builtin complete -p; \builtin printf '\0'; "
    r"\builtin alias -p; \builtin printf '\0'; } "
    r'>"$__shellkernel_output" 2>/dev/null'
)
_OURS = re.compile(
    r"^__shellkernel_\w+ \(\) ?\n\{.*?^\}\n(?:declare -f\w* __shellkernel_\w+\n)?", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A session between two commands."""

    cwd: str
    names: tuple[str, ...] = ()
    """The names of its variables."""
    path: str = ""
    """Its PATH."""
    home: str = ""
    """Its HOME."""
    definitions: str = ""
    """Its functions and compspecs, as bash source that bash itself has written."""
    aliases: str = ""
    """Its aliases, likewise."""


def take_snapshot(session: BashSession) -> Snapshot:
    """Ask an idle session; it is changed in nothing.

    Raises:
        SessionBusy, SessionClosed, SessionStartFailed: Nothing was asked.
    """
    raw = session.prepare(_QUESTION).raw.decode("utf-8", "surrogateescape")
    parts = [*raw.split("\0"), "", "", "", "", ""]
    names = tuple(name for name in parts[0].split() if not name.startswith("__shellkernel_"))
    return Snapshot(
        cwd=session.cwd,
        names=names,
        path=parts[1],
        home=parts[2],
        definitions=_OURS.sub("", parts[3]),
        aliases=parts[4],
    )
