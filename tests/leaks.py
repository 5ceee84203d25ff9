"""What a test must not leave behind: threads, child processes, open file descriptors, temporary files.

`Snapshot.take()` before a test and after it, `after.beyond(before)` names what is new. It reads /proc; where
there is none it sees threads and files only.
"""

from __future__ import annotations

import os
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

__all__ = ("Snapshot",)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What this process has at one moment, each thing with words for a person."""

    things: dict[object, str]

    @classmethod
    def take(cls) -> Snapshot:
        """Look at this process and at the folder for temporary files."""
        things: dict[object, str] = {}
        for thread in threading.enumerate():
            things[thread] = f"thread {thread.name!r}"
        for pid in _children():
            things["child", pid] = f"child process {pid} ({_command(pid)})"
        for descriptor, target in _descriptors():
            things["fd", descriptor, target] = f"file descriptor {descriptor} ({target})"
        for name in os.listdir(tempfile.gettempdir()):
            things["file", name] = f"temporary file {name}"
        return cls(things)

    def beyond(self, before: Snapshot) -> list[str]:
        """Name what is here and was not there in `before`, in order."""
        return sorted(words for thing, words in self.things.items() if thing not in before.things)


def _children() -> list[str]:
    children: list[str] = []
    for task in Path("/proc/self/task").glob("*"):
        try:
            children += (task / "children").read_text().split()
        except OSError:  # the thread is over, or the system has no such file
            continue
    return children


def _command(pid: str) -> str:
    try:
        return Path("/proc", pid, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return "over"


def _descriptors() -> list[tuple[str, str]]:
    """Each open descriptor with what it is open on; the one that lists them is closed by then."""
    found: list[tuple[str, str]] = []
    for descriptor in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            found.append((descriptor, os.readlink(f"/proc/self/fd/{descriptor}")))
        except OSError:
            continue
    return found
