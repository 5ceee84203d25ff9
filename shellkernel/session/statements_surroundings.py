"""What earlier commands may have set that bears on how a command's statements are told apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shellkernel.session.statements import may_alias

if TYPE_CHECKING:
    from shellkernel.session.engine import Engine

__all__ = ("Surroundings",)

_READS_IN = re.compile(r"source|(?:^|[;&|({\s])\.\s|eval")


class Surroundings:
    """Looks through a session's commands, each once, and only when somebody asks.

    Args:
        engine: Whose.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._seen = 0
        unknown = engine.settings.rcfile is not None or engine.settings.system_rcfile
        self.may_have_aliases = unknown
        """Whether bash is to be asked for them."""
        self.may_ask_pipestatus = unknown
        """Whether there may be a function that reads PIPESTATUS."""

    def look(self) -> None:
        """Look at what has run since the last time."""
        engine = self._engine
        new = engine.serial - self._seen
        self._seen = engine.serial
        known = engine.history.commands()
        if new > len(known):
            self.may_have_aliases = self.may_ask_pipestatus = True
        for command in known[len(known) - new :] if new < len(known) else known:
            self.may_have_aliases = self.may_have_aliases or may_alias(command)
            self.may_ask_pipestatus = (
                self.may_ask_pipestatus or "PIPESTATUS" in command or _READS_IN.search(command) is not None
            )
