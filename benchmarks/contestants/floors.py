"""What the machine itself needs: a bash without any of a session's promises.

`pipe`: a loop that reads a line and evaluates it, on bare pipes. `typed`: one line typed at a bare interactive bash on
a pseudoterminal, which evaluates the command and prints an end mark with the exit code, read in a tight loop. `marked`:
the same, with what a session cannot do without: a mark on the terminal where the output begins, one where it ends, with
exit code, pipestatus, options and directory, and one from the prompt. `drain`: a pseudoterminal that is read and thrown
away.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.contestants.sessions import Run
from benchmarks.model import NotHere

__all__ = ("drain", "marked", "pipe", "typed")

_LOOP = r"""while IFS= read -r line; do eval "$line"; printf '\1%d\2' "$?"; done"""
_MARK = (b"\1", b"\2")
_SETUP = b" PS1= PS2=; unset HISTFILE PROMPT_COMMAND; "
_LINE = b"\\builtin eval $'%s'; \\builtin printf '\\1%%d\\2' \"$?\"\n"
_FUNCTIONS = rb"""
    begin() { builtin printf "\3" >/dev/tty; }
    end() { local IFS=,; builtin printf "\4%s;%s;%s;%s" "$1" "${*:2}" "$-" "$PWD" >/dev/tty; }
    prompt() { builtin printf "\1\2" >/dev/tty; }
    PROMPT_COMMAND=prompt
"""
_MARKED_LINE = (
    b' \\builtin eval $\'{ begin && :; } >/dev/null 2>&1\\n%s\\n{ end "$?" "${PIPESTATUS[@]}"; } >/dev/null 2>&1\'\n'
)
READ_SIZE = 65_536


@contextmanager
def pipe() -> Iterator[Run]:
    """A `read`/`eval` loop on bare pipes."""
    with subprocess.Popen(
        ["bash", "--norc", "-c", _LOOP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as bash:
        assert bash.stdin is not None
        assert bash.stdout is not None
        to_bash, from_bash = bash.stdin.fileno(), bash.stdout.fileno()
        yield lambda command: _ask(to_bash, from_bash, command.encode() + b"\n")
        bash.stdin.close()


@contextmanager
def typed() -> Iterator[Run]:
    """A minimal typed `eval` line on a bare pseudoterminal."""
    master, pid = _start(["--noediting", "--norc", "--noprofile", "-i"])
    try:
        _ask(master, master, _SETUP + _LINE % b":")
        yield lambda command: _ask(master, master, b" " + _LINE % command.encode()).partition("\n")[2]
    finally:
        os.close(master)
        os.waitpid(pid, 0)


@contextmanager
def marked() -> Iterator[Run]:
    """A typed `eval` line with marks at the output's begin and end and from the prompt."""
    master, pid = _start(["--noediting", "--norc", "--noprofile", "-i"])
    try:
        _ask(master, master, _SETUP + _FUNCTIONS.strip().replace(b"\n", b";") + b"\n")
        yield (
            lambda command: _ask(master, master, _MARKED_LINE % command.encode()).partition("\3")[2].partition("\4")[0]
        )
    finally:
        os.close(master)
        os.waitpid(pid, 0)


def drain(*arguments: str) -> int:
    """Run bash on a pseudoterminal, throw its output away, and return how many bytes there were, once it is over."""
    master, pid = _start(["--norc", *arguments])
    size = 0
    try:
        while data := _read(master):
            size += len(data)
    finally:
        os.close(master)
        os.waitpid(pid, 0)
    return size


def _start(arguments: list[str]) -> tuple[int, int]:
    """Start bash on a pseudoterminal without output processing; return the master and the process id."""
    bash = shutil.which("bash")
    if bash is None:
        raise NotHere("no bash on PATH")
    master, slave = os.openpty()
    attributes = termios.tcgetattr(slave)
    attributes[1] &= ~termios.ONLCR
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    # The first terminal that a new session's leader opens is its controlling one (Linux tty_ioctl(4)).
    opened = [(os.POSIX_SPAWN_OPEN, 0, os.ttyname(slave), os.O_RDWR, 0)]
    copied = [(os.POSIX_SPAWN_DUP2, 0, 1), (os.POSIX_SPAWN_DUP2, 0, 2)]
    try:
        pid = os.posix_spawn(bash, ["bash", *arguments], os.environ, setsid=True, file_actions=[*opened, *copied])
    finally:
        os.close(slave)
    return master, pid


def _ask(to_bash: int, from_bash: int, line: bytes) -> str:
    os.write(to_bash, line)
    answer = b""
    while not answer.endswith(_MARK[1]) or _MARK[0] not in answer:
        data = _read(from_bash)
        if not data:
            raise EOFError(f"bash ended; it said {answer!r}")
        answer += data
    return answer.rpartition(_MARK[0])[0].decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, READ_SIZE)
    except OSError as error:
        if error.errno == errno.EIO:  # Linux: no process holds the slave
            return b""
        raise
