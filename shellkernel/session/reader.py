"""A session's reader thread: it reads one bash always, keeps the deadlines, and starts a new one where it ended.

What happens on the terminal comes as `Happening`s of the `Conversation`; they are taken one by one (`_take`). What is
due without anything happening is looked at after each wait (`_tick`). The engine has the state that callers see; what
is of the reader alone is here.
"""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING, assert_never

from shellkernel.errors import InternalError, SessionStartFailed
from shellkernel.results import EndReason
from shellkernel.sentinel.events import CommandFinished
from shellkernel.session.background import BackgroundPrinter
from shellkernel.session.conversation import (
    BackgroundPrinted,
    CommandPrinted,
    Ended,
    Happening,
    Hinted,
    Lost,
    Marked,
    Prompted,
)
from shellkernel.session.ending import LAST_RUNG, finish_sweep, kill_rest, sweep
from shellkernel.session.job import Job
from shellkernel.session.log import log_exception
from shellkernel.session.outcome import build_result
from shellkernel.session.overseer import Overseer, bash_reads
from shellkernel.session.shell import new_nonce
from shellkernel.syntax import is_blank
from shellkernel.terminal.pty import read_available

if TYPE_CHECKING:
    from shellkernel.session.engine import Engine

__all__ = ("Reader",)

READS_IN_A_ROW = 4
"""Reads of one terminal before the deadlines are looked at again: 256 kB on Linux."""
SNAPSHOT_IDLE = 0.05
"""Seconds of idling after which the shell's state is written down: a person's pause, not an agent's."""
READ_BACK = 64
"""Bytes from the end of a command's output that tell how its shell ended."""
HOOKS_PAUSE = 1.0
"""Seconds of prompt hooks, and between two looks, after which it is seen whether bash reads its terminal."""
LOSSES = 3
"""Times that a command is typed again which bash did not take in."""
SHORT_READ = 1_024
"""Bytes: a read that gives fewer has most likely emptied the terminal (Linux gives about 4,096 at a time)."""
SWEEP_PAUSE = 0.01
"""Seconds between two looks at what an interrupted command left running."""
REAP_PAUSE = 0.1
"""Seconds between two looks whether bash is over, where the system has no pidfd."""


class Reader:
    """Reads for one engine, whose state it keeps.

    Args:
        engine: Its shells are read; its lock is taken.
        background: Gets what no running command printed.
    """

    def __init__(self, engine: Engine, background: BackgroundPrinter) -> None:
        self._engine = engine
        self._background = background
        self._finished: CommandFinished | None = None
        self._sweep_until = 0.0
        self._idle_since = 0.0
        self._hooks_since = 0.0

    def run(self) -> None:
        """Read until the engine is closing; what `close` says is done then."""
        try:
            while not self._engine.closing:
                ready = self._engine.poller.wait(self._pause())
                over = self._engine.shell.pidfd in ready or self._engine.shell.pidfd < 0
                for fd in ready:
                    self._read(fd, to_the_end=over)
                self._tick(time.monotonic(), self._engine.shell.terminal.reap() if over else None)
        except BaseException as error:  # noqa: BLE001  # the edge of a thread: whoever waits must be told
            log_exception("session %r: internal error", self._engine.name)
            self._engine.failure = InternalError(
                f"session {self._engine.name!r} ended by a bug of ours: {error!r}; restart it, and please report this"
            )
        finally:
            self._end()

    def _read(self, fd: int, *, to_the_end: bool) -> None:
        if fd not in self._engine.shell.outputs.descriptors:  # the pidfd: `_tick` reaps; or one that was just forgotten
            channel = self._engine.channels.get(fd)
            if channel is not None and not channel.read():
                self._engine.poller.remove(fd)
                self._engine.channels.pop(fd).close()
            return
        for _ in range(READS_IN_A_ROW):
            data = read_available(fd)
            if data is None:  # no process holds the terminal: the shell ended, or will not write again
                with self._engine.lock:  # its number may be a new terminal's the moment it is closed
                    self._engine.poller.remove(fd)
                    self._engine.shell.forget(fd)
            if not data:
                return
            for happening in self._engine.shell.conversation.feed(fd, data):
                self._take(happening)
            if len(data) < SHORT_READ and not to_the_end:
                return  # if there is more, `wait` says so at once

    def _take(self, happening: Happening) -> None:
        match happening:
            case CommandPrinted() | Marked():
                self._take_progress(happening)
            case BackgroundPrinted(data, started_by):
                self._background.print(data, started_by)
            case Ended(finished):
                self._take_end(finished)
            case Hinted():
                if self._engine.overseer is not None:
                    self._engine.overseer.hint()
            case Lost(finished, printed):
                self._take_loss(finished, printed)
            case Prompted(cwd):
                with self._engine.lock:
                    self._engine.succession.came_up(cwd)
                    self._engine.changed.notify_all()
                self._type_again()
            case _:
                assert_never(happening)

    def _take_progress(self, happening: CommandPrinted | Marked) -> None:
        """The running command has printed something, or come to a mark."""
        if self._engine.job is None or self._engine.overseer is None:
            return
        now = time.monotonic()
        if isinstance(happening, CommandPrinted):
            self._engine.job.receive(happening.stream, happening.data, now)
        elif self._engine.job.statements is not None:
            self._engine.job.statements.mark(happening.ended, self._engine.job.recording.size)
        self._engine.overseer.progress(now)

    def _take_loss(self, finished: CommandFinished, printed: bytes) -> None:
        """bash did not take in what was typed (a SIGINT that came late throws the line away): type it again."""
        job = self._engine.job
        if job is None:
            return
        job.losses += 1
        job.to_be_typed = True
        self._hooks_since = time.monotonic()
        if job.rung < 0 and job.losses <= LOSSES:
            self._type_again()
            return
        if job.rung < 0:
            job.reason = "interrupted"
            job.note = "bash did not take in what was typed to it; nothing of the command was run"
        job.receive("output", printed, time.monotonic())
        self._take_end(finished)

    def _type_again(self) -> None:
        """Type what was lost, once for each loss, as soon as bash is at its prompt."""
        with self._engine.lock:
            job, conversation = self._engine.job, self._engine.shell.conversation
            if job is None or not job.to_be_typed or conversation.phase != "prompt" or self._finished is not None:
                return
            job.to_be_typed = False
            given_up = job.rung >= 0 and self._engine.overseer is None  # interrupted between two shells
            if not given_up:
                nonce = new_nonce()
                conversation.type_again(nonce)
                job.nonce, job.typed = nonce, job.typed.replace(job.nonce, nonce)
                self._engine.overseer = Overseer(self._engine.shell, job, time.monotonic(), self._engine.keep_running)
        if given_up:
            self._end_untyped(job)
            return
        self._engine.shell.terminal.set_echo(on=not job.is_question)
        self._engine.typist.write(self._engine.shell, job.typed)

    def _take_end(self, finished: CommandFinished) -> None:
        with self._engine.lock:
            job = self._engine.job
            if job is None:
                return
            self._engine.overseer = None
            self._finished = finished
            self._hooks_since = time.monotonic()
            self._engine.succession.cwd = finished.cwd
        if job.rung < 0 or sweep(job, signal.SIGTERM):
            self._complete(job)
        else:
            self._sweep_until = time.monotonic() + job.options.ladder.terminate

    def _complete(self, job: Job) -> None:
        finished = self._finished
        assert finished is not None
        if not job.is_question:
            self._engine.code = finished.exit_code
            if not is_blank(job.command):  # it runs no pipeline
                self._engine.pipestatus = finished.pipestatus
            self._engine.unsaved = self._engine.settings.restore
        self._finish(job, finished.exit_code, finished.pipestatus, job.reason)

    def _finish(self, job: Job, exit_code: int | None, pipestatus: tuple[int, ...], reason: EndReason) -> None:
        finish_sweep(job)
        job.end_output()
        lost = ""
        if not job.is_question:  # a person reads it
            lost, self._engine.lost = self._engine.lost, ""
        result = build_result(
            job,
            exit_code=exit_code,
            pipestatus=pipestatus,
            end_reason=reason,
            cwd=self._engine.cwd,
            size=(self._engine.columns, self._engine.rows),
            note=lost,
            options=self._finished.options if self._finished else "",
        )
        with self._engine.lock:
            self._engine.job = self._engine.overseer = self._finished = None
            self._idle_since = time.monotonic()
            if not job.is_question:
                self._engine.last = result
                self._engine.history.add(result)
            callbacks = job.finish(result)
            self._engine.changed.notify_all()
        for callback in callbacks:
            try:
                callback(job)
            except BaseException:  # noqa: BLE001  # foreign code: SystemExit is no reason to end the session
                log_exception("session %r: a done callback failed", self._engine.name)

    def _pause(self) -> float | None:
        """Return the seconds until something is due, None when nothing is."""
        now = time.monotonic()
        due = []
        if self._engine.starting and self._engine.failure is None:
            due.append(self._engine.succession.start_until)
        with self._engine.lock:
            if self._engine.overseer is not None:
                due.append(self._engine.overseer.due(now))
        if self._finished is not None:
            due.append(now + SWEEP_PAUSE)
        if self._engine.unsaved and self._engine.at_prompt:
            due.append(self._idle_since + SNAPSHOT_IDLE)
        if self._engine.shell.conversation.phase == "hooks":
            due.append(self._hooks_since + HOOKS_PAUSE)
        if self._engine.shell.pidfd < 0:
            due.append(now + REAP_PAUSE)
        return min(due) - now if due else None

    def _tick(self, now: float, status: int | None) -> None:
        if self._engine.failure is not None:
            return
        if self._engine.starting and (status is not None or now >= self._engine.succession.start_until):
            self._give_up_start(status)
        elif status is not None:
            self._take_death(status)
        elif self._finished is not None and self._engine.job is not None:
            if sweep(self._engine.job, signal.SIGKILL if now >= self._sweep_until else signal.SIGTERM):
                self._complete(self._engine.job)
        elif self._engine.unsaved and self._engine.at_prompt and now >= self._idle_since + SNAPSHOT_IDLE:
            self._idle_since = now  # the next try, if a caller is about to type
            self._engine.unsaved = not self._engine.typist.snapshot()
        elif self._engine.shell.conversation.phase == "hooks" and now >= self._hooks_since + HOOKS_PAUSE:
            self._look_for_prompt(now)
        else:
            with self._engine.lock:
                if self._engine.overseer is not None:
                    self._engine.overseer.check(now)

    def _look_for_prompt(self, now: float) -> None:
        """A SIGINT that ends our prompt hook takes its sentinel along: see whether bash reads all the same."""
        self._hooks_since = now
        if bash_reads(self._engine.shell):
            self._engine.shell.conversation.assume_prompt()
            self._take(Prompted(""))

    # The shell's life.

    def _take_death(self, status: int) -> None:
        """The shell is over: take in what it left, start a new one, end the command."""
        for fd in self._engine.shell.outputs.descriptors:
            self._read(fd, to_the_end=True)
        for happening in self._engine.shell.conversation.flush():
            self._take(happening)
        job, finished = self._engine.job, self._finished
        printed = job.recording.last(READ_BACK) if job is not None else b""
        talk = self._engine.shell.conversation
        untyped = talk.phase == "typed" and job is not None and not job.is_question and job.rung < 0
        if job is not None and job.rung == LAST_RUNG:
            kill_rest(self._engine.shell, job)
        with self._engine.lock:
            self._engine.overseer = None
            try:
                self._engine.code, note = self._engine.succession.replace(status, printed)
                self._engine.shell.conversation.take_over(talk)
            except SessionStartFailed as failure:
                note = str(failure)
                self._fail(failure)
        self._engine.pipestatus = ()
        if job is None or job.is_question or untyped:
            self._engine.lost = "; ".join(part for part in (self._engine.lost, f"before this command, {note}") if part)
        if job is None:
            return
        if finished is not None:
            self._complete(job)
        elif untyped:
            self._take_to_next_shell(job)
        else:
            job.note = "; ".join(part for part in (job.note, note) if part)
            self._finish(job, self._engine.code, (self._engine.code,), job.reason if job.rung >= 0 else "session_ended")

    def _take_to_next_shell(self, job: Job) -> None:
        """A shell has ended before it took a command in (no begin sentinel came): the next one gets it."""
        job.losses += 1
        job.to_be_typed = job.stands_alone and bool(job.typed) and job.losses <= LOSSES and self._engine.failure is None
        if not job.to_be_typed:
            self._end_untyped(job)

    def _end_untyped(self, job: Job) -> None:
        job.note = "; ".join(part for part in (job.note, "nothing of the command was run") if part)
        self._finish(job, None, (), job.reason if job.rung >= 0 else "session_ended")

    def _give_up_start(self, status: int | None) -> None:
        with self._engine.lock:
            try:
                self._engine.succession.give_up_start(status)
                self._engine.lost = "; ".join(
                    part for part in (self._engine.lost, "a new shell took over, afresh") if part
                )
            except SessionStartFailed as failure:
                self._fail(failure)
        job = self._engine.job
        if self._engine.failure is not None and job is not None:
            self._end_untyped(job)

    def _fail(self, failure: SessionStartFailed) -> None:
        self._engine.failure = failure
        self._engine.changed.notify_all()

    def _end(self) -> None:
        """The thread's last act: nothing of the session stays, and nobody waits for ever."""
        with self._engine.lock:
            self._engine.closing = True
            self._engine.overseer = None  # nobody signals what is being ended
        self._engine.succession.end()
        self._engine.poller.close()
        with self._engine.lock:
            job = self._engine.job
            self._engine.changed.notify_all()
        if job is not None:
            job.note = str(self._engine.failure or "the session was closed")
            self._finish(job, None, (), "session_ended")
        for channel in self._engine.channels.values():
            channel.end()
            channel.close()
        self._engine.folder.remove()
