"""Starting a program on a pseudoterminal.

The only module that knows pexpect. pexpect owns the child and the master descriptor; how the child is started is ours:

* `os.posix_spawn` makes the child a session leader whose first open of the pseudoterminal makes that its controlling
  terminal (Linux tty(4), macOS the same). It resets the signals that a Jupyter kernel or Python ignores. `pty.fork`,
  which pexpect uses, runs Python code between fork and exec and warns in a process with threads from Python 3.12 on.
* pexpect's `expect`, and its delays before sending and closing, are not used.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence

import pexpect
import ptyprocess

from shellkernel.errors import TerminalError
from shellkernel.terminal.pty import set_size

__all__ = ("Child", "Spawn", "spawn")

_DEFAULTED_SIGNALS = [
    getattr(signal, name)
    for name in (
        "SIGINT",
        "SIGQUIT",
        "SIGPIPE",
        "SIGXFSZ",
        "SIGTSTP",
        "SIGTTIN",
        "SIGTTOU",
        "SIGHUP",
        "SIGTERM",
        "SIGCHLD",
    )
]


class Child(ptyprocess.PtyProcess):  # type: ignore[misc]  # ptyprocess has no types
    """A pty process started by posix_spawn."""

    slave_path: str

    @classmethod
    def spawn(
        cls,
        argv: Sequence[str],
        env: Mapping[str, str],
        dimensions: tuple[int, int],
    ) -> Child:
        master, slave = os.openpty()
        try:
            set_size(master, dimensions[1], dimensions[0])
            name = os.ttyname(slave)
            pid = os.posix_spawn(
                argv[0],
                list(argv),
                dict(env),
                setsid=True,
                setsigmask=[],
                setsigdef=_DEFAULTED_SIGNALS,
                file_actions=[
                    *((os.POSIX_SPAWN_CLOSE, descriptor) for descriptor in _inheritable_descriptors()),
                    (os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0),
                    (os.POSIX_SPAWN_DUP2, 0, 1),
                    (os.POSIX_SPAWN_DUP2, 0, 2),
                ],
            )
        except BaseException:
            os.close(master)
            raise
        finally:
            os.close(slave)
        child = cls(pid, master)
        child.slave_path = name
        return child


class Spawn(pexpect.spawn):  # type: ignore[type-arg]  # generic in the stubs only
    """pexpect's spawn, with our way to start the child."""

    ptyproc: Child
    pid: int
    child_fd: int

    def _spawnpty(self, args: Sequence[str], **kwargs: object) -> Child:
        environment = kwargs["env"]
        dimensions = kwargs["dimensions"]
        assert isinstance(environment, Mapping)
        assert isinstance(dimensions, tuple)
        return Child.spawn(args, environment, dimensions)


def spawn(argv: Sequence[str], env: Mapping[str, str], *, columns: int, rows: int) -> Spawn:
    """Start a program; see `Terminal`.

    Raises:
        TerminalError: It could not be started, or no pseudoterminal is left.
    """
    try:
        return Spawn(argv[0], list(argv[1:]), env=dict(env), dimensions=(rows, columns), timeout=None, echo=True)
    except (OSError, pexpect.ExceptionPexpect) as error:
        raise TerminalError(f"can not start {argv[0]} on a pseudoterminal: {error}") from error


def _inheritable_descriptors() -> list[int]:
    """Return the descriptors over 2 that the child would get from us; Python's own are never among them (PEP 446)."""
    inheritable = []
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        try:
            if descriptor > 2 and os.get_inheritable(descriptor):
                inheritable.append(descriptor)
        except OSError:
            continue  # the listing's own descriptor, closed by now
    return inheritable
