"""One bash process: how it is started, and the descriptors that its session reads."""

from __future__ import annotations

import os
import resource
import select
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from shellkernel.errors import SessionStartFailed, TerminalError
from shellkernel.sentinel.typing import type_source
from shellkernel.session.conversation import Conversation
from shellkernel.session.outputs import Outputs
from shellkernel.terminal.pty import OutputTerminal, Terminal

__all__ = ("Shell", "ShellSettings", "find_directory", "find_program", "find_rcfile", "new_nonce")

STATE_SIZE = 100_000_000
"""Bytes that a shell's state may take at most; it is some 10 kB, and a few MB with large variables."""


def new_nonce() -> bytes:
    """Return a fresh secret: 128 bits in letters and digits."""
    return os.urandom(16).hex().encode()  # as `secrets` does, whose import takes 5 ms


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellSettings:
    """What stays the same for every bash of one session."""

    program: str
    """bash's absolute path."""
    environment: Mapping[str, str]
    rcfile: Path | None = None
    system_rcfile: bool = False
    """Whether the system-wide rc file is read as well, as in a person's terminal."""
    split: bool = False
    """Whether stderr has a terminal of its own."""
    start_timeout: float = 10.0
    restore: bool = True
    """Whether a shell that takes over has what the last one had."""
    integration: Path = field(default_factory=lambda: Path(__file__).parents[1] / "shell/integration.bash")
    """Our side; `statements.bash` is beside it."""


class Shell:
    """A bash that was just started, and the talk with it; it can be typed to from its first prompt on.

    Args:
        settings: How.
        cwd: Where.
        columns, rows: The terminal's size.
        state: The path where it writes its state for the next shell; where it is there already, this one takes it over.
        exit_code: What `$?` is at its start.

    Raises:
        TerminalError: It could not be started; nothing is left of it.
    """

    def __init__(
        self,
        settings: ShellSettings,
        *,
        cwd: str,
        columns: int,
        rows: int,
        state: Path | None = None,
        exit_code: int = 0,
    ) -> None:
        self.state = state
        self._exit_code = exit_code
        self.settings = settings
        self._closed = False
        self.nonce = new_nonce()
        stderr = OutputTerminal(columns, rows) if settings.split else None
        try:
            self.terminal = Terminal(
                self._arguments(),
                self._environment(cwd, stderr.path if stderr else ""),
                columns=columns,
                rows=rows,
            )
            if not settings.system_rcfile:
                self.terminal.write(type_source(os.fsencode(settings.integration)))
        except TerminalError:
            if stderr:
                stderr.close()
            raise
        self.outputs = Outputs(self.terminal, stderr)
        self.conversation = Conversation(self.nonce, self.terminal.fd, self.outputs.targets)
        self.knows_marks = False
        """Whether it has read `statements.bash`."""
        self.pid = self.terminal.pid
        self.pidfd = _open_pidfd(self.pid)

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The terminals to read, and the pidfd (-1 where there is none), which is ready once bash is over."""
        return (*self.outputs.descriptors, self.pidfd)

    def write(self, data: bytes, path: str = "") -> None:
        """Type into one of its terminals; the controlling one where no other has this path."""
        (self.outputs.other(path) or self.terminal).write(data)

    def local_flags(self, path: str) -> int:
        """Return termios' c_lflag of one of its terminals."""
        return (self.outputs.other(path) or self.terminal).local_flags()

    def takes_keys(self, path: str) -> bool:
        """Tell whether one of its terminals gives single keys, and Enter as a newline (`read -n`; no line editor)."""
        return (self.outputs.other(path) or self.terminal).takes_keys()

    def may_not_write(self) -> bool:
        """Tell whether a limit on file sizes (`ulimit -f`) would kill bash where it writes its state (SIGXFSZ)."""
        if sys.platform != "linux":
            return False
        with suppress(OSError):
            limit, _ = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
            return 0 <= limit < STATE_SIZE
        return False

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of its terminals."""
        self.terminal.resize(columns, rows)
        self.outputs.resize(columns, rows)

    def forget(self, descriptor: int) -> None:
        """Nobody writes to this terminal any more."""
        if self.outputs.may_forget(descriptor):
            self.conversation.forget(descriptor)
            self.outputs.forget(descriptor)

    def hang_up(self) -> None:
        """Close its terminals. May be called twice."""
        self.terminal.close()
        self.outputs.close()

    def wait_for_end(self, seconds: float) -> None:
        """Return when it is over, or after `seconds`."""
        if self.pidfd < 0:
            time.sleep(seconds)
            return
        waiter = select.poll()
        waiter.register(self.pidfd, select.POLLIN)
        waiter.poll(seconds * 1_000)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Hang up and close every descriptor; it was reaped before. May be called twice."""
        self._closed = True
        self.hang_up()
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1

    def _arguments(self) -> list[str]:
        # Debian's bash reads /etc/bash.bashrc whenever it reads an rc file at all, --rcfile or not: without one, ours
        # is typed.
        start = ["--rcfile", str(self.settings.integration)] if self.settings.system_rcfile else ["--norc"]
        return [self.settings.program, "--noediting", "--noprofile", *start, "-i"]

    def _environment(self, cwd: str, stderr_path: str) -> dict[str, str]:
        return {
            **self.settings.environment,
            "SHELLKERNEL_NONCE": self.nonce.decode(),
            "SHELLKERNEL_CWD": cwd,
            "SHELLKERNEL_RCFILE": str(self.settings.rcfile or ""),
            "SHELLKERNEL_STDERR": stderr_path,
            "SHELLKERNEL_CODE": str(self._exit_code),
            "SHELLKERNEL_STATE": str(self.state or ""),
            "SHELLKERNEL_RESTORE": "1"
            if self.settings.restore and self.state is not None and self.state.exists()
            else "",
        }


def find_program(program: str, session: str) -> str:
    """Return bash's absolute path.

    Raises:
        SessionStartFailed: There is none; nothing was started.
    """
    import shutil  # 3 ms: for who starts a session

    found = shutil.which(program) if program and "\0" not in program else None
    if found is None:
        raise SessionStartFailed(
            f"session {session!r}: no program {program!r} on PATH or at that path; install bash or give its path "
            "(shell=…); nothing was started",
            session,
        )
    return os.path.abspath(found)


def _open_pidfd(pid: int) -> int:
    if not hasattr(os, "pidfd_open"):  # macOS: its end is then looked for each 100 ms
        return -1
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1


def find_rcfile(rcfile: str | os.PathLike[str] | None, session: str) -> Path | None:
    """Return the rc file's path, None where none is read.

    Raises:
        SessionStartFailed: There is none; nothing was started.
    """
    if rcfile is None:
        return None
    if rcfile == "user":
        path = Path.home() / ".bashrc"
        return path if path.exists() else None
    path = Path(rcfile).expanduser().absolute()
    if not path.is_file():
        raise SessionStartFailed(f"session {session!r}: no rc file {str(path)!r}; nothing was started", session)
    return path


def find_directory(cwd: str | os.PathLike[str] | None, session: str) -> str:
    """Return the absolute path of the directory to start in.

    Raises:
        SessionStartFailed: There is none; nothing was started.
    """
    path = os.path.abspath(os.path.expanduser(os.fspath(cwd) if cwd is not None else os.getcwd()))
    if not os.path.isdir(path):
        raise SessionStartFailed(f"session {session!r}: no directory {path!r}; nothing was started", session)
    return path
