"""Who runs in the foreground of a terminal, and does it wait for input?

Linux tells in /proc (proc(5)); `/proc/PID/syscall` needs the right to trace, which an ancestor of the same user has.
Setuid programs, hardened kernels and macOS tell nothing: then the terminal's attributes and the output's silence must
do. Checked on Linux 6 with cat, read, read -s, select, input(), getpass, less, python, bc, vi, top, sleep, tail -f.
"""

from __future__ import annotations

import os
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = (
    "Process",
    "Waiting",
    "age",
    "children",
    "descendants",
    "group_members",
    "group_of",
    "hides_typing",
    "is_raw",
    "is_stopped",
    "processes",
    "processes_with",
    "runs_the_same",
    "session_members",
    "waiting_process",
    "waits_for_child",
)

Waiting = Literal["reading", "listening", "expecting", "polling", "no", "unknown"]
"""Blocked in a read of the terminal; in poll, select or epoll without a time limit; in a select of standard input, a
terminal, alone and with a limit (`read -t`); in another one with a limit; in none of these; nothing can be seen."""

_RANK: dict[Waiting, int] = {"reading": 5, "listening": 4, "expecting": 3, "polling": 2, "no": 1, "unknown": 0}


@dataclass(frozen=True, slots=True)
class Process:
    """One process, as /proc shows it."""

    pid: int
    name: str
    state: str
    parent: int
    group: int
    session: int


def processes() -> list[Process]:
    """Return all processes that /proc shows; empty where there is no /proc."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    return [found for name in names if name.isdigit() and (found := _process(int(name))) is not None]


def processes_with(variable: str) -> list[Process]:
    """Return the living processes of this user that were started with this in their environment ("NAME=value")."""
    wanted = variable.encode()
    found = []
    for process in processes():
        try:
            with open(f"/proc/{process.pid}/environ", "rb") as file:
                if wanted in file.read().split(b"\0") and process.state not in "ZX":
                    found.append(process)
        except OSError:
            continue
    return found


def group_members(group: int) -> list[Process]:
    """Return the living processes (no zombies) of a process group."""
    return [process for process in processes() if process.group == group and process.state not in "ZX"]


def session_members(session: int) -> list[Process]:
    """Return the living processes (no zombies) of a session, its leader included."""
    return [process for process in processes() if process.session == session and process.state not in "ZX"]


def descendants(pid: int) -> list[Process]:
    """Return the living descendants of a process, and itself first.

    Many times faster than looking at every process; one whose parent has died is not among them.
    """
    found = []
    waiting = [pid]
    while waiting:
        process = _process(waiting.pop())
        if process is not None and process.state not in "ZX":
            found.append(process)
        if process is not None:
            waiting.extend(children(process.pid))
    return found


def is_stopped(pid: int) -> bool:
    """Tell whether a process is stopped (SIGSTOP, SIGTSTP), and waits for SIGCONT."""
    process = _process(pid)
    return process is not None and process.state == "T"


def group_of(pid: int) -> int:
    """Return a process's group; 0 where it is over, or nothing can be seen."""
    process = _process(pid)
    return process.group if process is not None and process.state not in "ZX" else 0


def waits_for_child(pid: int) -> bool:
    """Tell whether a process is blocked in wait4(2); False where nothing can be seen."""
    try:
        with open(f"/proc/{pid}/syscall") as file:
            return file.read().split(maxsplit=1)[:1] == [_WAIT]
    except OSError:
        return False


def age(pid: int) -> float:
    """Return the seconds since a process was forked, to 0.01; infinite where it is over or nothing can be seen."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])  # proc(5): starttime
    except (OSError, IndexError):
        return float("inf")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Return the ids of a process's children, zombies included."""
    # CONFIG_PROC_CHILDREN (proc(5)); every distribution's kernel has it.
    try:
        file = os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        text = b""
        while part := os.read(file, 65_536):
            text += part
    except OSError:
        return []
    finally:
        os.close(file)
    return [int(child) for child in text.split()]


def waiting_process(shell: int, group: int, paths: Sequence[str]) -> tuple[Waiting, Process | None, str]:
    """Say whether a process of the group waits for the terminal.

    Args:
        shell: The session's leader; the group's processes are looked for among its descendants first.
        group: The foreground process group.
        paths: The session's terminals, such as /dev/pts/3, the controlling one first. `less` reads from where stderr
        goes.

    Returns:
        What was seen, the process it was seen of (one that reads before one that polls), and the terminal: the one that
        it reads, else the first.
    """
    seen: tuple[Waiting, Process | None, str] = ("unknown", None, paths[0])
    members = [process for process in descendants(shell) if process.group == group]
    for process in members or group_members(group):
        waiting, path = _waiting(process.pid, paths)
        if _RANK[waiting] > _RANK[seen[0]]:
            seen = (waiting, process, path)
    return seen


def runs_the_same(one: int, other: int) -> bool:
    """Tell whether two processes run the same program."""
    try:
        return os.path.samefile(f"/proc/{one}/exe", f"/proc/{other}/exe")
    except OSError:
        return False


def is_raw(local_flags: int) -> bool:
    """Tell whether a program took the terminal's line editing over (ICANON off)."""
    return not local_flags & termios.ICANON


def hides_typing(local_flags: int) -> bool:
    """Tell whether typed characters are not echoed while lines are edited: a password is asked for."""
    return bool(local_flags & termios.ICANON) and not local_flags & termios.ECHO


def _process(pid: int) -> Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            stat = file.read()
    except OSError:
        return None
    # The name is in parentheses and may hold any byte, also ")".
    name_end = stat.rindex(b")")
    name = stat[stat.index(b"(") + 1 : name_end].decode("utf-8", "replace")
    fields = stat[name_end + 2 :].split()
    return Process(pid, name, fields[0].decode(), int(fields[1]), int(fields[2]), int(fields[3]))


def _waiting(pid: int, paths: Sequence[str]) -> tuple[Waiting, str]:
    """Look at every thread: in a program with threads the one that reads need not be the first."""
    seen: tuple[Waiting, str] = ("unknown", paths[0])
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return seen
    for thread in threads:
        seen = max(seen, _thread_waiting(pid, thread, paths), key=lambda sight: _RANK[sight[0]])
    return seen


def _thread_waiting(pid: int, thread: str, paths: Sequence[str]) -> tuple[Waiting, str]:
    try:
        with open(f"/proc/{pid}/task/{thread}/syscall") as file:
            call = file.read().split()
    except OSError:
        return "unknown", paths[0]
    if not call or not call[0].isdigit():  # "running", or "-1" outside a system call
        return "no", paths[0]
    number = int(call[0])
    if number in _READS:
        path = _terminal_behind(pid, int(call[1], 16), paths)
        return ("reading", path) if path else ("no", paths[0])
    if number not in _POLLS:
        return "no", paths[0]
    kind, argument = _POLLS[number]
    limit = int(call[1 + argument], 16)
    endless = limit == 0 if kind == "pointer" else limit & 0xFFFFFFFF == 0xFFFFFFFF
    if endless:
        return "listening", paths[0]
    if number in _SELECTS and int(call[1], 16) == 1 and (path := _terminal_behind(pid, 0, paths)):
        return "expecting", path
    return "polling", paths[0]


def _terminal_behind(pid: int, descriptor: int, paths: Sequence[str]) -> str:
    """Return which of the terminals a process's descriptor is open on; empty for none."""
    try:
        target = os.readlink(f"/proc/{pid}/fd/{descriptor}")
    except OSError:
        return ""
    if target == "/dev/tty":
        return paths[0]
    return target if target in paths else ""


# System call numbers: asm/unistd_64.h for x86-64, asm-generic/unistd.h for AArch64 and RISC-V. Of the calls that poll:
# which argument holds the time limit, as a pointer (NULL is none) or in milliseconds (-1 is none).
_Polls = dict[int, tuple[Literal["pointer", "milliseconds"], int]]
_GENERIC: tuple[frozenset[int], _Polls] = (
    frozenset({63, 65}),  # read, readv
    {
        72: ("pointer", 4),  # pselect6
        73: ("pointer", 2),  # ppoll
        22: ("milliseconds", 3),  # epoll_pwait
        441: ("pointer", 3),  # epoll_pwait2
    },
)
_X86_64: tuple[frozenset[int], _Polls] = (
    frozenset({0, 19}),  # read, readv
    {
        7: ("milliseconds", 2),  # poll
        23: ("pointer", 4),  # select
        270: ("pointer", 4),  # pselect6
        271: ("pointer", 2),  # ppoll
        232: ("milliseconds", 3),  # epoll_wait
        281: ("milliseconds", 3),  # epoll_pwait
        441: ("pointer", 3),  # epoll_pwait2
    },
)
_WAIT = {"x86_64": "61", "aarch64": "260", "riscv64": "260"}.get(os.uname().machine, "")
"""wait4."""
_SELECTS = {"x86_64": {23, 270}}.get(os.uname().machine, {72})
"""Calls whose first argument is a number of descriptors, from 0 on: select and pselect6."""
_READS, _POLLS = {"x86_64": _X86_64, "aarch64": _GENERIC, "riscv64": _GENERIC}.get(
    os.uname().machine, (frozenset(), {})
)
