"""Reaping what an ended command leaves behind.

A process whose parent has died belongs to PID 1, which reaps it; in many containers PID 1 is a program that does not,
and it stays as a zombie that `pgrep` and `kill -0` still see. While a command is being ended, this process therefore
takes the orphans of its descendants (Linux prctl(2), PR_SET_CHILD_SUBREAPER) and reaps those that it ended itself. It
is no more than that while: afterwards orphans go to PID 1 as before. Elsewhere than on Linux nothing is done.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

from shellkernel.terminal import foreground

__all__ = ("adopt_orphans", "reap_group", "reap_session", "release_orphans")

_PR_SET_CHILD_SUBREAPER = 36

_lock = threading.Lock()
_users = 0


def adopt_orphans() -> None:
    """Take orphans from now on; call `release_orphans` once for each call."""
    global _users
    with _lock:
        _users += 1
        if _users == 1:
            _set(1)


def release_orphans() -> None:
    """Take orphans no more, when nobody else asked for them."""
    global _users
    with _lock:
        _users -= 1
        if _users == 0:
            _set(0)


def reap_group(group: int) -> None:
    """Reap what is over of a process group, as far as it is ours."""
    with suppress(ChildProcessError):
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass


def reap_session(session: int) -> None:
    """Reap what is over of a session, as far as it is ours."""
    for process in foreground.processes():
        if process.session == session and process.state == "Z" and process.parent == os.getpid():
            with suppress(ChildProcessError):
                os.waitpid(process.pid, os.WNOHANG)


def _set(value: int) -> None:
    if sys.platform != "linux":
        return
    import ctypes  # 10 ms, for the first interrupt only

    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0)
