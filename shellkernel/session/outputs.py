"""Which terminal a command's output goes to.

A shell starts with its output on its controlling terminal (and stderr on one of its own, where the streams are split).
When a command leaves background jobs behind, those keep writing to where it wrote, for as long as they live. The next
command is therefore given a fresh terminal for its output: nothing of theirs is mixed into it, and what they print
later is known to be theirs. Once no job is left, output goes to the first terminal again. Programs still see a
terminal, of the same size; only while jobs run it is not the controlling one.
"""

from __future__ import annotations

import os

from shellkernel.errors import TerminalError
from shellkernel.session.conversation import Targets
from shellkernel.terminal import foreground
from shellkernel.terminal.pty import OutputTerminal, Terminal

__all__ = ("Outputs",)


class Outputs:
    """The terminals that one shell writes to.

    Args:
        terminal: Its controlling terminal.
        split: Whether stderr has a terminal of its own.

    Raises:
        TerminalError: No pseudoterminal is left.
    """

    def __init__(self, terminal: Terminal, stderr: OutputTerminal | None) -> None:
        self._terminal = terminal
        self._others: dict[int, OutputTerminal] = {}  # by the master's descriptor, as everywhere here
        first = terminal.fd
        if stderr is not None:
            self._others[stderr.fd] = stderr
        self._first = Targets(first, stderr.fd if stderr is not None else first)
        self._jobs: set[int] = set()
        self._had_jobs = False
        self.targets = self._first
        """Where the shell writes, or will once it is moved."""
        self.moved_from = self.paths()
        """Where output and stderr went when `choose` was last called."""

    @property
    def jobs(self) -> frozenset[int]:
        """The processes of the background jobs that were there when `choose` last looked, before a command."""
        return frozenset(self._jobs)

    @property
    def has_jobs(self) -> bool:
        """Whether background jobs were there the last two times that `choose` looked: bash may still tell of them."""
        return bool(self._jobs) or self._had_jobs

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The terminals to read."""
        return (self._first.output, *self._others)

    def paths(self) -> tuple[str, str]:
        """Return the paths of where output and stderr go now."""
        return self._path(self.targets.output), self._path(self.targets.stderr)

    def extra_paths(self) -> list[str]:
        """Return the paths, other than the controlling terminal's, where sentinels must go too."""
        return sorted(set(self.paths()) - {self._terminal.path})

    def all_paths(self) -> list[str]:
        """Return the paths of all terminals, the controlling one first."""
        return [self._terminal.path, *(terminal.path for terminal in self._others.values())]

    def other(self, path: str) -> OutputTerminal | None:
        """Return the terminal with this path; None for the controlling one, or one that is no more."""
        return next((terminal for terminal in self._others.values() if terminal.path == path), None)

    def choose(self, shell: int, *, leaves_orphans: bool, columns: int, rows: int) -> bool:
        """See to it that the next command's output is its own; return whether the shell must be moved for that.

        Args:
            shell: bash's process id.
            leaves_orphans: Whether the last command may have left processes that are nobody's child here: `(job &)`.
            columns, rows: The size of a fresh terminal.

        Raises:
            TerminalError: No pseudoterminal is left; nothing has changed.
        """
        self._had_jobs = bool(self._jobs)
        jobs = set(foreground.children(shell))
        if leaves_orphans:
            jobs |= {process.pid for process in foreground.session_members(shell)} - {shell}
        before = self.targets
        self.moved_from = self.paths()
        if jobs - self._jobs and not self._writes_to_a_job(shell):
            self.renew(columns, rows)
        elif not jobs:
            self.return_to_first()
        self._jobs = jobs
        return self.targets != before

    def _writes_to_a_job(self, shell: int) -> bool:
        """Tell whether bash itself writes into a pipe: after `exec > >(tee log)` what that job prints is the
        command's.
        """
        try:
            return os.readlink(f"/proc/{shell}/fd/1").startswith("pipe:")
        except OSError:
            return False

    def renew(self, columns: int, rows: int) -> None:
        """Take fresh terminals for the next command.

        Raises:
            TerminalError: No pseudoterminal is left; nothing has changed.
        """
        output = OutputTerminal(columns, rows)
        stderr = output
        if self._first.output != self._first.stderr:
            try:
                stderr = OutputTerminal(columns, rows)
            except TerminalError:
                output.close()
                raise
        self._leave()
        self._others[output.fd] = output
        self._others[stderr.fd] = stderr
        self.targets = Targets(output.fd, stderr.fd)

    def return_to_first(self) -> None:
        """Let the next command write to the first terminals."""
        self._leave()
        self.targets = self._first

    def may_forget(self, descriptor: int) -> bool:
        """Tell whether the shell will not come back to this terminal."""
        return descriptor in self._others and descriptor not in (
            self.targets.output,
            self.targets.stderr,
            self._first.stderr,
        )

    def forget(self, descriptor: int) -> None:
        """Nobody writes to this terminal any more: close it."""
        self._others.pop(descriptor).close()

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of all but the controlling terminal."""
        for terminal in self._others.values():
            terminal.resize(columns, rows)

    def close(self) -> None:
        """Close all but the controlling terminal. May be called twice."""
        for terminal in self._others.values():
            terminal.close()
        self._others.clear()

    def _path(self, descriptor: int) -> str:
        return self._terminal.path if descriptor == self._first.output else self._others[descriptor].path

    def _leave(self) -> None:
        for descriptor in {self.targets.output, self.targets.stderr} - {self._first.output, self._first.stderr}:
            self._others[descriptor].release()
