"""The live sessions of this process, by name."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from shellkernel.errors import SessionExists, SessionNotFound

if TYPE_CHECKING:
    from shellkernel.session.bash import BashSession

__all__ = ("Registry", "sessions")


class Registry(Mapping[str, "BashSession"]):
    """Names to live sessions. A session enters when it starts and leaves when it is closed."""

    def __init__(self) -> None:
        self._sessions: dict[str, BashSession | None] = {}
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._count = 0

    def __getitem__(self, name: str) -> BashSession:
        session = self._sessions.get(name)
        if session is None:
            known = ", ".join(repr(known) for known in self) or "none"
            raise SessionNotFound(f"no session is called {name!r}; live sessions: {known}", str(name))
        return session

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter([name for name, session in self._sessions.items() if session is not None])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return f"<sessions: {', '.join(self) or 'none'}>"

    def get_or_start(self, name: str, **options: Any) -> BashSession:
        """Return the session of this name; start it with `options` (see `BashSession`) when there is none.

        Raises:
            SessionStartFailed: It could not be started.
        """
        from shellkernel.session.bash import BashSession  # the two refer to each other by design

        while True:
            with self._changed:
                while name in self._sessions and self._sessions[name] is None:  # another thread starts it
                    self._changed.wait()
            if (session := self.get(name)) is not None:
                return session
            try:
                return BashSession(name, **options)
            except SessionExists:  # another thread was first
                continue

    def close_all(self) -> None:
        """Close every session, those of other threads included."""
        with ExitStack() as stack:
            for name in self:
                session = self._sessions.get(name)
                if session is not None:
                    session.begin_close()  # all at once
                    stack.callback(session.close)

    def reserve(self, name: str | None) -> str:
        """Take a name, or the next free of bash-1, bash-2, …, for a session that is about to start.

        Raises:
            SessionExists: It is taken.
        """
        with self._lock:
            while name is None:
                self._count += 1
                if f"bash-{self._count}" not in self._sessions:
                    name = f"bash-{self._count}"
            if name in self._sessions:
                raise SessionExists(f"a session called {name!r} is there already; nothing was started", name)
            self._sessions[name] = None
            return name

    def enter(self, session: BashSession) -> None:
        """List a session under the name it has reserved."""
        with self._lock:
            self._sessions[session.name] = session
            self._changed.notify_all()

    def leave(self, name: str) -> None:
        """Free a name."""
        with self._lock:
            self._sessions.pop(name, None)
            self._changed.notify_all()


sessions = Registry()
"""All live sessions of this process."""

atexit.register(sessions.close_all)
