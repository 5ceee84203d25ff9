"""Does the running command wait for somebody to type?"""

from __future__ import annotations

import re
from typing import Literal

from shellkernel.results import InputRequest
from shellkernel.session.job import Job
from shellkernel.session.shell import Shell
from shellkernel.terminal import foreground
from shellkernel.text import plain

__all__ = ("WaitingWatch",)

FIRST_LOOK = 0.05
"""Seconds of silence before the first look; a program that prints is not looked at."""
LONGEST_PAUSE = 0.2
"""Seconds between two looks at most: a blocked read is then known within 0.5 s."""
QUIET = 1.0
"""Seconds of silence after which a program that polls a raw terminal is taken to wait for keys."""
PROMPT_BYTES = 16_384
"""Bytes from the end of the output in which the prompt line is looked for."""

_CURSOR_ADDRESS = re.compile(rb"\x1b\[\d*;?\d*[Hf]")  # CUP and HVP (ECMA-48, 8.3.21 and 8.3.63)

Found = Literal["nothing", "shell reads", "waits"]


class WaitingWatch:
    """Looks at the foreground group while a command is silent, at growing distances.

    A process blocked in a read of the terminal, or in a poll without a time limit while the terminal is raw, seen twice
    with no output between, waits for certain. One that polls again and again while the terminal is raw and its output
    silent waits most likely. So does one that waits for a line for some time (`read -t 30`), where somebody can answer.
    Where nothing can be seen (a setuid program, no /proc), silence with the echo off, or with an unfinished line, must
    do.
    """

    def __init__(self, now: float) -> None:
        self.reset(now)

    def reset(self, now: float) -> None:
        """Start again: a command was typed, it printed, or somebody answered it."""
        self._since = now
        self._pause = FIRST_LOOK
        self.next_look = now + FIRST_LOOK
        self._seen = 0

    def look(self, shell: Shell, job: Job, now: float) -> tuple[Found, InputRequest | None]:
        """Look once. `shell reads` is said of bash itself blocked in a read: its `read` builtin, or a prompt."""
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        self.next_look = now + self._pause
        group = shell.terminal.foreground_group()
        if not group:
            return "nothing", None
        waiting, process, path = foreground.waiting_process(shell.pid, group, shell.outputs.all_paths())
        flags = shell.local_flags(path)
        job.reads_from = path
        job.reads_keys = (
            process is not None and shell.takes_keys(path) and foreground.runs_the_same(process.pid, shell.pid)
        )
        certain = waiting == "reading" or (waiting == "listening" and foreground.is_raw(flags))
        seen = process.pid if process and certain else 0
        if seen and seen == self._seen:
            return ("shell reads" if seen == shell.pid else "waits"), self._request(shell, job, flags, process)
        self._seen = seen
        silent = now - self._since >= QUIET
        if silent and waiting in ("polling", "expecting") and foreground.is_raw(flags):
            return "waits", self._request(shell, job, flags, process)
        if silent and waiting == "expecting" and job.options.on_input is not None:
            return "waits", self._request(shell, job, flags, process)  # else it goes on by itself, in its time
        if silent and waiting == "unknown" and group != shell.pid and self._looks_unfinished(shell, job, flags):
            return "waits", self._request(shell, job, flags, process)
        return "nothing", None

    def _looks_unfinished(self, shell: Shell, job: Job, flags: int) -> bool:
        return foreground.hides_typing(flags) or foreground.is_raw(flags) or bool(_prompt_line(shell, job))

    def _request(self, shell: Shell, job: Job, flags: int, process: foreground.Process | None) -> InputRequest:
        name = process.name if process else ""
        return InputRequest(prompt=_prompt_line(shell, job), password=foreground.hides_typing(flags), program=name)


def _prompt_line(shell: Shell, job: Job) -> str:
    """Return the unfinished last line of the output, of stderr, or of the controlling terminal where that is apart."""
    tails = [
        job.stderr_recording.last(PROMPT_BYTES) if job.stderr_recording else b"",
        job.recording.last(PROMPT_BYTES),
        shell.conversation.prompt_tail,
    ]
    return next((line for line in map(_unfinished_line, tails) if line.strip()), "")


def _unfinished_line(data: bytes) -> str:
    if _CURSOR_ADDRESS.search(data):
        return ""  # a full-screen program: its last line is no question
    return plain(data.decode("utf-8", "replace")).rpartition("\n")[2]
