"""What an exit code says, as bash and POSIX use the numbers.

A program may choose any code for any reason, so no sentence here claims to know more than the convention.
Sources: bash(1), EXIT STATUS; POSIX.1-2017, Shell Command Language 2.8.2; timeout(1); env(1); ssh(1).
"""

from __future__ import annotations

import signal

__all__ = ("describe_exit_code",)

_CODES = {
    0: "success",
    1: "failed, or the answer is no",
    2: "failed; often wrong usage",
    124: "failed; timeout(1) gives this when the time is over",
    125: "failed; env, timeout and docker give this when they fail themselves",
    126: "command found but not executable",
    127: "command not found (unless a program chose this code itself)",
    128: "failed; bash gives this for an exit argument that is no number",
    255: "failed; ssh gives this when the connection failed, and so does `exit -1`",
}

_REMARKS = {
    "SIGABRT": "it aborted itself",
    "SIGBUS": "memory fault",
    "SIGFPE": "arithmetic fault, such as a division by zero",
    "SIGHUP": "its terminal was closed",
    "SIGILL": "illegal instruction",
    "SIGPIPE": "nobody read its output any more",
    "SIGSEGV": "memory fault",
    "SIGXCPU": "CPU time limit",
    "SIGXFSZ": "file size limit",
}

_STOPPING = ("SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU")
_HARMLESS = ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH")


def describe_exit_code(code: int) -> str:
    """Return in a few words what an exit code means by convention.

    Args:
        code: 0 to 255, as bash gives it. Other numbers are described as a plain failure.

    Returns:
        One line without a full stop, never empty: "command not found (…)", "ended by SIGTERM (15)".
    """
    if code in _CODES:
        return _CODES[code]
    if code == 128 + signal.SIGINT:
        return "interrupted (SIGINT)"
    return _signalled(code - 128) or "failed"


def _signalled(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return ""
    if name in _HARMLESS:  # their default is not to end the program: the code was its own choice
        return ""
    verb = "stopped" if name in _STOPPING else "ended"
    remark = f": {_REMARKS[name]}" if name in _REMARKS else ""
    return f"{verb} by {name} ({number}){remark}"
