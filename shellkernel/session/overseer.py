"""What is due for a running command: its limits, the ladder's next rung, a look whether it waits for input."""

from __future__ import annotations

from collections.abc import Callable

from shellkernel.results import EndReason, InputRequest
from shellkernel.sentinel.bytes import KILL_LINE
from shellkernel.sentinel.typing import probe_line
from shellkernel.session.ending import climb, continue_shell, interrupt_again
from shellkernel.session.job import Job
from shellkernel.session.options import OnTimeout
from shellkernel.session.shell import Shell
from shellkernel.session.waiting import WaitingWatch
from shellkernel.terminal import foreground

__all__ = ("Overseer", "bash_reads")

LOST_AFTER = 1.0
"""Seconds after which bash, blocked in a read in place of a command's begin, has lost the command; until then it may
not have been woken."""
QUESTIONS = 3
"""Times that bash is asked whether it has lost a command."""
TAKEN_NOTE = (
    "what was typed did not reach bash: something else reads the terminal (a DEBUG trap, a process in its group); "
    "nothing of the command was run, and bash was interrupted"
)
ANSWER = 0.5
"""Seconds after which a probe without an answer is typed again."""
PROBE_PAUSE = 0.002
"""Seconds between two looks whether bash reads its terminal, after a prompt that proves nothing."""


class Overseer:
    """Sees one command of one shell through to its end. The engine's lock is held in every call.

    Args:
        shell: Where it runs.
        job: The command.
        now: Monotonic seconds.
        keep: Called where the command is to go on while its caller gets what there is (`on_timeout`, `on_waiting`).
    """

    def __init__(self, shell: Shell, job: Job, now: float, keep: Callable[[Job, EndReason, str], None]) -> None:
        self._keep = keep
        self._shell = shell
        self._job = job
        self._watch = WaitingWatch(now)
        self._typed_at = 0.0
        self._questions = 0
        self._hinted = False
        self._probed_at = 0.0

    def due(self, now: float) -> float:
        """Return when to `check` next."""
        if self._hinted:
            return now + PROBE_PAUSE
        limits = (self._watch.next_look, self._job.limit if self._job.rung < 0 else None, self._job.rung_until)
        return min(limit for limit in limits if limit is not None)

    def progress(self, now: float) -> None:
        """It printed, or was answered."""
        self._watch.reset(now)
        if not self._job.expected_echo:
            self._job.waiting = None

    def hint(self) -> None:
        """A prompt that proves nothing was seen; after a probe, that one was lost (a SIGINT takes what was typed).

        Before the command's begin it says nothing about its end.
        """
        self._hinted = self._shell.conversation.phase == "running"

    def check(self, now: float) -> None:
        """Do what is due."""
        job = self._job
        if self._hinted and bash_reads(self._shell):
            self._probe(now)
        elif job.rung < 0 and job.limit is not None and now >= job.limit:
            self._end("timed_out", job.options.on_timeout, _timeout_note(job, now), now)
        elif job.rung_until is not None and now >= job.rung_until:
            self.climb(job.reason, now)
        elif now >= self._watch.next_look:
            if job.rung >= 0:
                interrupt_again(self._shell, job)
            if foreground.is_stopped(self._shell.pid):
                continue_shell(self._shell)  # `suspend`: nobody else is there to do so
            self._look(now)

    def climb(self, reason: EndReason, now: float) -> None:
        """Make it end, or go a rung further."""
        if self._job.rung < 0:
            self._job.reason = reason
        climb(self._shell, self._job, now)
        self._probed_at = 0.0  # the signal may have taken the probe; a second answer is passed over

    def _is_lost(self, now: float) -> bool:
        """Tell whether bash waits at its prompt though it was typed to: an interrupt took the line away."""
        if not self._job.typed:
            return False
        self._typed_at = self._typed_at or now
        return now >= self._typed_at + LOST_AFTER and bash_reads(self._shell)

    def _find_lost(self, now: float) -> None:
        """Ask whether the command is lost; not for ever, where somebody else reads what is typed (a DEBUG trap)."""
        self._typed_at = now
        self._questions += 1
        if self._questions <= QUESTIONS:
            self._probe(now)
        else:
            self._end("awaiting_input", "interrupt", TAKEN_NOTE, now)

    def _probe(self, now: float) -> None:
        """Ask for the end of a command that was cut short; the answer carries its nonce."""
        self._hinted = False
        self._probed_at = now
        self._shell.conversation.probe()
        self._shell.terminal.set_echo(on=False)  # its echo would stand in the command's output
        self._shell.terminal.write(KILL_LINE + probe_line(self._job.nonce))

    def _look(self, now: float) -> None:
        job = self._job
        typing = self._shell.conversation.phase == "typed"  # bash reads the terminal, since it is typed to
        if typing and job.rung < 0:
            self._watch.reset(now)
            if self._is_lost(now):
                self._find_lost(now)
            return
        found, request = self._watch.look(self._shell, job, now)
        if found == "nothing":
            job.waiting = None
        elif found == "shell reads" and job.rung >= 0 and now >= self._probed_at + ANSWER:
            # Interrupted, and no hint: the prompt hook was replaced in mid-cell; or the probe was lost.
            self._probe(now)
        elif job.rung < 0 and job.waiting is None and request is not None:
            self._take_wait(request, now)

    def _take_wait(self, request: InputRequest, now: float) -> None:
        job = self._job
        job.expected_echo = b""
        job.waiting = request
        if job.options.on_input is not None:
            job.ask(request)
        elif job.options.on_waiting == "interrupt":
            self._end("awaiting_input", "interrupt", f"{_waiting_note(request)}; it was interrupted", now)
        else:
            self._end("awaiting_input", "keep", _waiting_note(request), now)

    def _end(self, reason: EndReason, way: OnTimeout, note: str, now: float) -> None:
        if way == "keep":
            self._keep(self._job, reason, f"{note}; it goes on (result.job)")
        else:
            self._job.note = note
            self.climb(reason, now)


def bash_reads(shell: Shell) -> bool:
    """Tell whether bash itself reads its terminal, as at a prompt; True where nothing can be seen."""
    group = shell.terminal.foreground_group()
    waiting, _, _ = foreground.waiting_process(shell.pid, group, [shell.terminal.path])
    return group == shell.pid and waiting in ("reading", "unknown")


def _timeout_note(job: Job, now: float) -> str:
    timeout, idle = job.options.timeout, job.options.idle_timeout
    if timeout is not None and now >= job.started_at + timeout:
        return f"its timeout of {timeout:g} s was over"
    return f"it printed nothing for {idle:g} s (idle_timeout)"


def _waiting_note(request: InputRequest) -> str:
    program = request.program or "a program"
    asked = f", at its prompt {request.prompt.strip()!r}" if request.prompt.strip() else ""
    kind = "a password" if request.password else "input"
    return f"{program} waited for {kind} from the terminal{asked}, and nobody could answer"
