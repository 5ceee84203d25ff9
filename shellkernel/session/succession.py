"""The shells of one session, one after another.

Where a shell ends (exit, `set -e`, exec, a kill), the next one starts at once, in the same directory, with what the
last one left (`integration.bash` says what that is and how it is written). A shell that can not start with it starts
afresh.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from shellkernel.errors import SessionStartFailed, TerminalError
from shellkernel.session.ending import abandon_shell, end_shell, jobs_left
from shellkernel.session.folder import PrivateFolder
from shellkernel.session.outcome import death_note, exit_code_of, start_failure
from shellkernel.session.poller import Poller
from shellkernel.session.shell import Shell, ShellSettings
from shellkernel.terminal.reaper import reap_session

__all__ = ("Succession",)

TRIES = 4
"""Shells in a row that may fail to start, after one that came up, before the session is given up."""
CLOSE_SECONDS = 2.0
"""Seconds that ending a shell may take: half of them for SIGHUP to work, the rest for SIGKILL."""


class Succession:
    """Starts shells and ends them; `shell` is the one that lives.

    Args:
        name: The session's name, for errors.
        settings: How they are started.
        poller: What waits for their descriptors.
        folder: Where one writes its state for the next.
        cwd, columns, rows: Where the first is started, and the size of its terminal.

    Raises:
        SessionStartFailed: There is no first one; nothing is left of it.
    """

    def __init__(
        self,
        name: str,
        settings: ShellSettings,
        poller: Poller,
        folder: PrivateFolder,
        *,
        cwd: str,
        columns: int,
        rows: int,
    ) -> None:
        self.cwd = cwd
        self.columns = columns
        self.rows = rows
        self.start_until = 0.0
        """When its first prompt must have come, on the monotonic clock."""
        self._name = name
        self._settings = settings
        self._poller = poller
        self._state = folder.file("state")
        self._tries = 1  # the first must come up
        self._sessions: set[int] = set()
        try:
            self.shell = self._start(0)
        except TerminalError as error:
            raise SessionStartFailed(f"session {name!r}: {error}; nothing was started", name) from error

    @property
    def starting(self) -> bool:
        """Whether the shell has not reached its first prompt."""
        return self.shell.conversation.phase == "starting"

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size, for this shell and those after it."""
        self.columns, self.rows = columns, rows
        if not self.shell.closed:
            self.shell.resize(columns, rows)

    def replace(self, status: int, printed: bytes) -> tuple[int, str]:
        """A shell is over: start the next.

        Args:
            status: Its wait status.
            printed: The end of what its last command printed.

        Returns:
            Its exit code, and in words how it ended and what is kept.

        Raises:
            SessionStartFailed: There is no next one.
        """
        code = exit_code_of(status)
        note = death_note(status, self._state if self._settings.restore else None, printed, jobs_left(self.shell))
        self._poller.remove(*self.shell.descriptors)
        abandon_shell(self.shell)
        self.shell.close()
        if not os.path.isdir(self.cwd):
            self.cwd = os.path.expanduser("~")
        self._start_next(code)
        return code, note

    def came_up(self, cwd: str) -> None:
        """The shell is at a prompt.

        Args:
            cwd: Its directory, where it said.
        """
        self.cwd = cwd or self.cwd
        self._tries = TRIES

    def give_up_start(self, status: int | None) -> None:
        """The shell did not come to its first prompt.

        Where one has before, in this session, the next one is tried: what hits a shell that starts (a signal from
        outside) need not hit the next. What the last one left is given up where it may be the cause.

        Args:
            status: Its wait status; None when its time is over.

        Raises:
            SessionStartFailed: None has, or several in a row did not: there is no next one.
        """
        greeting = bytes(self.shell.conversation.greeting)
        self.end()
        self._tries -= 1
        if self._tries <= 0:
            raise start_failure(self._name, self._settings, greeting, status)
        if status is None or not os.WIFSIGNALED(status):
            self._forget_state()
        self._start_next(0)

    def end(self) -> None:
        """End the shell and every process of its session. May be called twice."""
        self._poller.remove(*self.shell.descriptors)
        end_shell(self.shell, CLOSE_SECONDS)
        for session in self._sessions:  # what an earlier shell left, and ended since
            reap_session(session)

    def _start_next(self, code: int) -> None:
        try:
            self.shell = self._start(code)
        except TerminalError as error:
            raise SessionStartFailed(f"session {self._name!r}: {error}; restart it", self._name) from error

    def _start(self, code: int) -> Shell:
        shell = Shell(
            self._settings,
            cwd=self.cwd,
            columns=self.columns,
            rows=self.rows,
            state=self._state,
            exit_code=code,
        )
        self.start_until = time.monotonic() + self._settings.start_timeout
        self._poller.add(*shell.descriptors)
        self._sessions.add(shell.pid)
        return shell

    def _forget_state(self) -> None:
        for path in self._state.parent.glob(f"{self._state.name}*"):
            Path(path).unlink(missing_ok=True)
