"""What completion and inspection need to know of a session, as it was when it was last idle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shellkernel.session import BashSession

__all__ = ("Snapshot", "take_snapshot")


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
    aliases: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    """Name to source."""


def take_snapshot(session: BashSession) -> Snapshot:
    """Ask an idle session; it is changed in nothing.

    Raises:
        SessionBusy, SessionClosed: Nothing was asked.
    """
    variables = session.vars
    aliases = variables.get("BASH_ALIASES", {})
    functions: Mapping[str, str] = getattr(session, "functions", {})
    return Snapshot(
        cwd=session.cwd,
        names=tuple(variables),
        path=str(variables.get("PATH", "")),
        home=str(variables.get("HOME", "")),
        aliases=aliases if isinstance(aliases, dict) else {},
        functions=dict(functions),
    )
