"""Completion and inspection for the front ends: what `shellkernel.assist` finds, as Jupyter wants it."""

from __future__ import annotations

import threading

from shellkernel.assist.completion import Asked, Completion, Match, complete
from shellkernel.assist.helper import Helper
from shellkernel.assist.inspection import NotKnownNow, inspect
from shellkernel.assist.snapshot import Snapshot, take_snapshot
from shellkernel.assist.variables import attribute_letters
from shellkernel.kernel.magics import MAGICS
from shellkernel.kernel.messages import Content
from shellkernel.kernel.runner import Runner
from shellkernel.kernel.settings import KernelSettings

__all__ = ("Assistant",)


class Assistant:
    """Answers from any thread, also while a cell runs: then from what the session was like before.

    Args:
        settings: How the helper's bash is started.
        runner: Has the session.
    """

    def __init__(self, settings: KernelSettings, runner: Runner) -> None:
        self._settings = settings
        self._runner = runner
        self._lock = threading.Lock()
        self._helper: Helper | None = None
        self._snapshot: Snapshot | None = None
        self._seen = 0
        self._closed = False

    def complete(self, code: str, cursor: int) -> Content:
        """Return the content of a `complete_reply`."""
        cursor = _inside(code, cursor)
        found = _magic_names(code, cursor)
        if found is None:
            snapshot = self.refresh()
            found = complete(code, cursor, snapshot, self._asked(snapshot), self._text_of)
        types = [
            {"start": found.start, "end": found.end, "text": match.text, "type": match.kind, "signature": ""}
            for match in found.matches
        ]
        return {
            "status": "ok",
            "matches": [match.text for match in found.matches],
            "cursor_start": found.start,
            "cursor_end": found.end,
            "metadata": {"_jupyter_types_experimental": types},
        }

    def inspect(self, code: str, cursor: int) -> str:
        """Return a text about the word at the cursor, or ""."""
        snapshot = self.refresh()
        return inspect(code, _inside(code, cursor), snapshot, self._asked(snapshot), self._value_of, self._letters_of)

    def refresh(self) -> Snapshot:
        """Look at the session if it is idle and a cell has run since; return what it is, or was, like."""
        serial = self._runner.serial
        if self._snapshot is None or serial != self._seen:
            taken = self._runner.ask(take_snapshot)
            if taken is not None:
                self._snapshot, self._seen = taken, serial
        return self._snapshot or Snapshot(cwd=self._cwd())

    def cell_ended(self) -> None:
        """Look at the session now where completion is in use: it may be asked for while the next cell runs."""
        if self._helper is not None:
            self.refresh()

    def close(self) -> None:
        """End the helper. May be called twice."""
        with self._lock:
            self._closed = True
            if self._helper is not None:
                self._helper.close()

    def _cwd(self) -> str:
        started = self._runner.started
        return started.cwd if started is not None else "."

    def _asked(self, snapshot: Snapshot) -> Asked:
        def ask(function: str, /, *words: str) -> list[str]:
            with self._lock:
                if self._helper is None and not self._closed:
                    self._helper = Helper(self._settings.session_options())
            return self._helper.ask(snapshot, function, *words) if self._helper is not None else []

        return ask

    def _value_of(self, name: str) -> object:
        answer = self._runner.ask(lambda session: (session.vars.get(name),))
        if answer is None:
            raise NotKnownNow
        return answer[0]

    def _letters_of(self, name: str) -> str:
        return self._runner.ask(lambda session: attribute_letters(session, name)) or ""

    def _text_of(self, name: str) -> str | None:
        answer = self._runner.ask(lambda session: session.vars.get(name))
        return answer if isinstance(answer, str) else None


def _inside(code: str, cursor: int) -> int:
    """Return the nearest position that there is: front ends count, and may count on another text."""
    return max(0, min(cursor, len(code)))


def _magic_names(code: str, cursor: int) -> Completion | None:
    """Return the magics that may stand at the cursor, or None when bash stands there."""
    *above, line = code[:cursor].split("\n")
    if not line.startswith("%") or any(text.strip() and not text.startswith("%") for text in above):
        return None
    matches = tuple(Match(f"%{name}", "magic") for name in sorted(MAGICS) if f"%{name}".startswith(line))
    return Completion(cursor - len(line), cursor, matches) if matches else None
