"""A pseudoterminal with a program on it: start, read, write, resize, signal the foreground group, end."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import struct
import termios
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress

from shellkernel.errors import TerminalError

__all__ = ("OutputTerminal", "Terminal", "read_available", "set_size")

FULL_READ = 4_000
"""Bytes: a read that gives as many has most likely left some (Linux gives 4,095 at most)."""
READ_SIZE = 65_536
"""Bytes asked for in one read; Linux gives about 4,096 at a time whatever is asked for."""

WRITE_PAUSE_MS = 10
"""Milliseconds after which a writer that waits looks whether the terminal is closed."""


class Terminal:
    """One program on its own pseudoterminal, as session leader. It moves bytes and parses none of them.

    Reads and writes do not block. One thread reads; any thread may write or signal.

    Args:
        argv: The program's absolute path and its arguments.
        env: Its whole environment.
        columns, rows: The size that it sees.

    Raises:
        TerminalError: The program could not be started, or no pseudoterminal is left.
    """

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], *, columns: int, rows: int) -> None:
        from shellkernel.terminal.spawn import spawn  # with pexpect, a tenth of what importing shellkernel would cost

        self._spawn = spawn(argv, env, columns=columns, rows=rows)
        self.lock = threading.Lock()
        """Held while the master is written to, or closed: its number may be another file's the moment after."""
        self.pid: int = self._spawn.pid
        self.fd: int = self._spawn.child_fd
        self.path: str = self._spawn.ptyproc.slave_path
        os.set_blocking(self.fd, False)
        attributes = termios.tcgetattr(self.fd)
        attributes[1] &= ~termios.ONLCR  # output is then byte-exact: "\\n" stays "\\n"
        self._sane = attributes
        self.restore_attributes()

    def write(self, data: bytes) -> None:
        """Write all of it, waiting where the program has not read what came before.

        Raises:
            TerminalError: The terminal is closed; some, all or none was written.
        """
        _write_all(self, data)

    def write_byte(self, data: bytes) -> bool:
        """Write one byte without waiting; return whether it was taken."""
        try:
            with self.lock:
                return os.write(self.fd, data) == 1
        except OSError:
            return False

    def resize(self, columns: int, rows: int) -> None:
        """Tell the program its size; the foreground group gets SIGWINCH."""
        set_size(self.fd, columns, rows)

    def restore_attributes(self) -> None:
        """Put the terminal's attributes back to what they were at the start."""
        try:
            if termios.tcgetattr(self.fd) != self._sane:
                termios.tcsetattr(self.fd, termios.TCSANOW, self._sane)
        except termios.error as error:
            raise TerminalError(f"the terminal of process {self.pid} is closed: {error}") from error

    def set_echo(self, *, on: bool) -> None:
        """Turn the echo of what is typed off or on, the other attributes being as at the start."""
        attributes = [*self._sane]
        if not on:
            attributes[3] = self._sane[3] & ~termios.ECHO
        try:
            termios.tcsetattr(self.fd, termios.TCSANOW, attributes)
        except termios.error as error:
            raise TerminalError(f"the terminal of process {self.pid} is closed: {error}") from error

    def local_flags(self) -> int:
        """Return termios' c_lflag: ECHO, ICANON, ISIG; 0 when the terminal is closed."""
        return _flags(self.fd)[3]

    def takes_keys(self) -> bool:
        """Tell whether its program gets single keys (ICANON off), Enter as a newline (ICRNL on)."""
        return _takes_keys(self.fd)

    def foreground_group(self) -> int:
        """Return the id of the foreground process group, 0 when there is none or the terminal is closed."""
        try:
            return os.tcgetpgrp(self.fd)
        except OSError:
            return 0

    def reap(self) -> int | None:
        """Return the wait status of the program once it is over (os.waitpid), None while it runs."""
        if self._status is None:
            pid, status = _waitpid(self.pid, os.WNOHANG)
            if pid == self.pid:
                self._set_status(status)
        return self._status

    def close(self) -> None:
        """Hang up: close the master. The program's group gets SIGHUP. May be called twice."""
        with self.lock:
            self.fd = -1
            self._spawn.ptyproc.fileobj.close()
            # Theirs would sleep 0.1 s, in their finalizers too.
            self._spawn.closed = self._spawn.ptyproc.closed = True

    def wait(self) -> None:
        """Wait until the program, which was killed, is over."""
        if self._status is None:
            self._set_status(_waitpid(self.pid, 0)[1])

    _status: int | None = None

    def _set_status(self, status: int) -> None:
        self._status = status
        self._spawn.ptyproc.terminated = True
        self._spawn.terminated = True
        self._spawn.flag_eof = True


class OutputTerminal:
    """A second pseudoterminal, for output alone: `fd` is its master, not blocking, `path` its slave's.

    This side keeps the slave open as well: a master whose slave nobody has open reads as ended (EIO on Linux), and a
    cell may redirect its output away and back. `release` gives that up; the master then ends with the last program that
    writes to it.

    Raises:
        TerminalError: No pseudoterminal is left.
    """

    def __init__(self, columns: int, rows: int) -> None:
        try:
            self.fd, self._slave = os.openpty()
        except OSError as error:
            raise TerminalError(f"no pseudoterminal is left: {error}") from error
        self.lock = threading.Lock()
        self.path = os.ttyname(self._slave)
        set_size(self.fd, columns, rows)
        attributes = termios.tcgetattr(self.fd)
        attributes[1] &= ~termios.ONLCR
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(self.fd, termios.TCSANOW, attributes)
        os.set_blocking(self.fd, False)

    def write(self, data: bytes) -> None:
        """Type into it, for a program that reads from where its output goes. Raises as `Terminal.write` does."""
        _write_all(self, data)

    def local_flags(self) -> int:
        """Return termios' c_lflag; 0 when it is closed."""
        return _flags(self.fd)[3]

    def takes_keys(self) -> bool:
        """Tell whether its program gets single keys (ICANON off), Enter as a newline (ICRNL on)."""
        return _takes_keys(self.fd)

    def resize(self, columns: int, rows: int) -> None:
        """Change its size."""
        set_size(self.fd, columns, rows)

    def release(self) -> None:
        """Close our side of the slave. May be called twice."""
        if self._slave >= 0:
            os.close(self._slave)
            self._slave = -1

    def close(self) -> None:
        """Close all of it: who still writes gets an error. May be called twice."""
        self.release()
        with self.lock:
            if self.fd >= 0:
                os.close(self.fd)
                self.fd = -1


def read_available(fd: int) -> bytes | None:
    """Read what is there, READ_SIZE bytes or a little more at most, without waiting.

    Returns:
        b"" when nothing is there, None at the end (EIO: no process holds the slave).
    """
    data = _read(fd)
    if not data or len(data) < FULL_READ:
        return data
    # Much output: what follows costs far more for each piece than for each byte (benchmark: session-output).
    pieces = [data]
    size = len(data)
    with suppress(OSError):  # nothing more is there; or an end or error, which the next read meets again
        while size < READ_SIZE and (piece := os.read(fd, READ_SIZE)):
            pieces.append(piece)
            size += len(piece)
    return b"".join(pieces)


def _read(fd: int) -> bytes | None:
    """Read once.

    Linux looks for data first and then whether the slave is closed (n_tty_read, 6.18): what was written and closed
    between the two looks is there for the next read only, which is therefore made.
    """
    for _ in range(2):
        try:
            return os.read(fd, READ_SIZE) or None
        except BlockingIOError:
            return b""
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EBADF):
                raise TerminalError(f"the terminal can not be read: {error}") from error
    return None


def _write_all(terminal: Terminal | OutputTerminal, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            with terminal.lock:
                view = view[os.write(terminal.fd, view) :]
        except BlockingIOError:
            waiter = select.poll()
            waiter.register(terminal.fd, select.POLLOUT)
            waiter.poll(WRITE_PAUSE_MS)
        except OSError as error:
            raise TerminalError(f"the terminal {terminal.path} is closed: {error}") from error


def _flags(fd: int) -> list[int]:
    """Return termios' flags (tcgetattr(3)), the first four of them; zeros when the terminal is closed."""
    try:
        return [*termios.tcgetattr(fd)[:4]]
    except (termios.error, ValueError):  # ValueError for -1
        return [0, 0, 0, 0]


def _takes_keys(fd: int) -> bool:
    input_flags, _, _, local_flags = _flags(fd)
    return bool(input_flags & termios.ICRNL) and not local_flags & termios.ICANON


def _waitpid(pid: int, options: int) -> tuple[int, int]:
    try:
        return os.waitpid(pid, options)
    except ChildProcessError:
        # Somebody else in this process waited for it (subprocess does not, os.wait() would): its status is lost.
        return pid, 0


def set_size(fd: int, columns: int, rows: int) -> None:
    """Set a terminal's size (Linux ioctl_tty(2), TIOCSWINSZ)."""
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
