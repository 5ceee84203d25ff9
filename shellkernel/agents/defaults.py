"""What the sessions of agents have in common: programs write plainly, and a command that shall end does so soon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shellkernel.session import Ladder

__all__ = ("AGENT_ENVIRONMENT", "AGENT_LADDER")

AGENT_ENVIRONMENT: Final[Mapping[str, str]] = {
    "TERM": "dumb",  # git, ls, pytest, readline and others then write neither colours nor cursor movements
    "NO_COLOR": "1",  # https://no-color.org
    "PYTHON_BASIC_REPL": "1",  # Python 3.13 and later warn otherwise that they can not draw on a dumb terminal
}
"""Variables of an agent's session, beside those that every session has; the caller's own are laid over them."""

AGENT_LADDER: Final = Ladder(interrupt=0.5, again=0.5, terminate=0.5, kill=0.5)
"""How a command is ended whose time is over: killed 1.5 s later, where it ignores all else."""
