"""Tab inside a cell: the Bash kernel's completer, for the session that the cell runs in."""

from __future__ import annotations

import os

from shellkernel import BashSession, ShellKernelError, sessions
from shellkernel.assist.completion import Completion, complete
from shellkernel.assist.helper import Helper
from shellkernel.assist.snapshot import Snapshot, take_snapshot

__all__ = ("BodyCompleter",)


class BodyCompleter:
    """Completes the bodies of cells. Each session has a helper of its own, which ends some time after the session."""

    def __init__(self) -> None:
        self._helpers: dict[BashSession | None, tuple[Helper, Snapshot]] = {}

    def complete(self, session: BashSession | None, body: str, cursor: int) -> Completion:
        """Return what may stand at the cursor.

        While the session is busy, it is as it was when it was last asked.

        Args:
            session: Where the cell will run; None: in one that is yet to be started.
            body: The cell without its first line.
            cursor: A position in it, in characters.
        """
        self._forget_ended()
        helper, snapshot = self._look(session)
        self._helpers[session] = helper, snapshot

        def ask(function: str, /, *words: str) -> list[str]:
            return helper.ask(snapshot, function, *words)

        def value_of(name: str) -> str | None:
            if session is None:
                return os.environ.get(name)
            try:
                value = session.vars[name]
            except (KeyError, ShellKernelError):
                return None
            return value if isinstance(value, str) else None

        return complete(body, cursor, snapshot, ask, value_of)

    def close(self) -> None:
        """End all helpers."""
        for helper, _ in self._helpers.values():
            helper.close()
        self._helpers.clear()

    def _look(self, session: BashSession | None) -> tuple[Helper, Snapshot]:
        known = self._helpers.get(session)
        if session is None:
            return known[0] if known else Helper({}), Snapshot(cwd=os.getcwd(), names=tuple(os.environ))
        options = {"rcfile": session.rcfile, "columns": session.columns, "rows": session.rows}
        helper = known[0] if known else Helper(options)
        try:
            return helper, take_snapshot(session)
        except ShellKernelError:
            return helper, known[1] if known else Snapshot(cwd=session.cwd)

    def _forget_ended(self) -> None:
        living = list(sessions.values())
        for session in [*self._helpers]:
            if session is not None and session not in living:
                self._helpers.pop(session)[0].close()
