"""Who runs in the foreground of a terminal, and does it wait for input?

Linux tells in /proc (proc(5)); `/proc/PID/syscall` needs the right to trace, which an ancestor of the same user has.
Setuid programs, hardened kernels and macOS tell nothing: then the terminal's attributes and the output's silence must
do. Checked on Linux 6 with cat, read, read -s, select, input(), getpass, less, python, bc, vi, top, sleep, tail -f.
"""

from __future__ import annotations

import os
import platform
import termios
from dataclasses import dataclass
from typing import Literal

__all__ = (
    "Process",
    "Waiting",
    "children",
    "descendants",
    "group_members",
    "hides_typing",
    "is_raw",
    "processes",
    "session_members",
    "waiting_process",
)

Waiting = Literal["reading", "polling", "no", "unknown"]
"""Blocked in a read of the terminal; blocked in poll, select or epoll; neither; nothing can be seen."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process, as /proc shows it."""

    pid: int
    name: str
    state: str
    group: int
    session: int


def processes() -> list[Process]:
    """Return all processes that /proc shows; empty where there is no /proc."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    return [found for name in names if name.isdigit() and (found := _process(int(name))) is not None]


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


def children(pid: int) -> list[int]:
    """Return the ids of a process's children, zombies included."""
    # CONFIG_PROC_CHILDREN (proc(5)); every distribution's kernel has it.
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def waiting_process(shell: int, group: int, terminal_path: str) -> tuple[Waiting, Process | None]:
    """Say whether a process of the group waits for the terminal.

    Args:
        shell: The session's leader; the group's processes are looked for among its descendants first.
        group: The foreground process group.
        terminal_path: The slave's path, such as /dev/pts/3.

    Returns:
        What was seen, and the process it was seen of: one that reads before one that polls.
    """
    seen: tuple[Waiting, Process | None] = ("unknown", None)
    members = [process for process in descendants(shell) if process.group == group]
    for process in members or group_members(group):
        waiting = _waiting(process.pid, terminal_path)
        if waiting == "reading":
            return waiting, process
        if seen[0] == "unknown" or waiting == "polling":
            seen = (waiting, process)
    return seen


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
    return Process(pid, name, fields[0].decode(), int(fields[2]), int(fields[3]))


def _waiting(pid: int, terminal_path: str) -> Waiting:
    """Look at every thread: in a program with threads the one that reads need not be the first."""
    seen: Waiting = "unknown"
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return seen
    for thread in threads:
        waiting = _thread_waiting(pid, thread, terminal_path)
        if waiting == "reading":
            return waiting
        if seen == "unknown" or waiting == "polling":
            seen = waiting
    return seen


def _thread_waiting(pid: int, thread: str, terminal_path: str) -> Waiting:
    try:
        with open(f"/proc/{pid}/task/{thread}/syscall") as file:
            call = file.read().split()
    except OSError:
        return "unknown"
    if not call or not call[0].isdigit():  # "running", or "-1" outside a system call
        return "no"
    number = int(call[0])
    if number in _READS and _is_terminal(pid, int(call[1], 16), terminal_path):
        return "reading"
    return "polling" if number in _POLLS else "no"


def _is_terminal(pid: int, descriptor: int, terminal_path: str) -> bool:
    try:
        target = os.readlink(f"/proc/{pid}/fd/{descriptor}")
    except OSError:
        return False
    return target in (terminal_path, "/dev/tty")


# System call numbers: asm/unistd_64.h for x86-64, asm-generic/unistd.h for AArch64 and RISC-V.
_CALLS: dict[str, tuple[frozenset[int], frozenset[int]]] = {
    # read, readv; poll, select, pselect6, ppoll, epoll_wait, epoll_pwait, epoll_pwait2
    "x86_64": (frozenset({0, 19}), frozenset({7, 23, 270, 271, 232, 281, 441})),
    "aarch64": (frozenset({63, 65}), frozenset({72, 73, 22, 441})),
    "riscv64": (frozenset({63, 65}), frozenset({72, 73, 22, 441})),
}
_READS, _POLLS = _CALLS.get(platform.machine(), (frozenset(), frozenset()))
