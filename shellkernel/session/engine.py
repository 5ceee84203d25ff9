"""The living session: one thread that reads one bash, and the state that callers share with it.

Theory of operation. The reader thread owns the shell: it reads its terminal always, also between commands, keeps the
deadlines, and starts a new shell where the old one ended. Callers type (`start`, `send`) and signal (`interrupt`,
`kill`) under `lock`; they wait on a job's end, never on the terminal. Where the talk with bash stands is in
`conversation`, what a running command has coming is in `overseer`; this file puts them to work.

A command's way: `start` types it and sets `job`. `Ended` comes; what an interrupted command left in its process groups
is swept away; its result is built, `job` is None again. `Prompted` comes, before or after: the next command can be
typed.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from shellkernel.errors import ProtocolMisuse, SessionStartFailed
from shellkernel.results import BackgroundOutput, EndReason, Result
from shellkernel.sentinel.bytes import END_OF_FILE
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
from shellkernel.session.ending import climb, finish_sweep, sweep
from shellkernel.session.folder import PrivateFolder
from shellkernel.session.job import Job, JobOptions
from shellkernel.session.outcome import build_result
from shellkernel.session.overseer import Overseer, bash_reads
from shellkernel.session.poller import Poller
from shellkernel.session.recording import Recording
from shellkernel.session.shell import Shell, ShellSettings, new_nonce
from shellkernel.session.succession import Succession
from shellkernel.session.typist import Typist
from shellkernel.syntax import is_blank
from shellkernel.terminal import foreground
from shellkernel.terminal.pty import read_available

__all__ = ("Engine", "without_output")

READS_IN_A_ROW = 4
"""Reads of one terminal before the deadlines are looked at again: 256 kB on Linux."""
SNAPSHOT_IDLE = 0.05
"""Seconds of idling after which the shell's state is written down: a person's pause, not an agent's."""
READ_BACK = 64
"""Bytes from the end of a command's output that tell how its shell ended."""
HISTORY = 1_000
"""Commands whose results, without outputs, a session remembers."""
HOOKS_PAUSE = 1.0
"""Seconds of prompt hooks, and between two looks, after which it is seen whether bash reads its terminal."""
LOSSES = 3
"""Times that a command is typed again which bash did not take in."""
SMALL = 1_024
"""Bytes of output that a remembered result keeps until somebody asks: taking them out costs more than they do."""
SHORT_READ = 1_024
"""Bytes: a read that gives fewer has most likely emptied the terminal (Linux gives about 4,096 at a time)."""
SWEEP_PAUSE = 0.01
"""Seconds between two looks at what an interrupted command left running."""
REAP_PAUSE = 0.1
"""Seconds between two looks whether bash is over, where the system has no pidfd."""

if TYPE_CHECKING:
    from shellkernel.session.trace_channel import TraceChannel

logger = logging.getLogger("shellkernel")


class Engine:
    """One session's shell and reader thread.

    Args:
        name: The session's name, for errors.
        settings: How its shells are started.
        cwd, columns, rows: Where, and the size of the terminal.
        keep: Bytes of output kept in memory, from the beginning and from the end.
        on_background_output: Called in the reader thread with what no running command printed.

    Raises:
        SessionStartFailed: The shell did not reach its first prompt; nothing is left of it.
    """

    def __init__(
        self,
        name: str,
        settings: ShellSettings,
        *,
        cwd: str,
        columns: int,
        rows: int,
        keep: tuple[int, int],
        on_background_output: Callable[[BackgroundOutput], None] | None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.lock = threading.RLock()
        self.job: Job | None = None
        self.last: Result | None = None
        self.history: deque[Result] = deque(maxlen=HISTORY)
        self.failure: SessionStartFailed | None = None
        self.closing = False
        self.changed = threading.Condition(self.lock)
        self._keep = keep
        self.typist = Typist(self)
        self._background = BackgroundPrinter(name, on_background_output)
        self._folder = PrivateFolder()
        self._channels: dict[int, TraceChannel] = {}
        try:
            self.poller = Poller()
        except OSError as error:
            raise SessionStartFailed(f"session {name!r}: {error}; nothing was started", name) from error
        self._overseer: Overseer | None = None
        self.serial = 0
        self.code = 0
        self.pipestatus: tuple[int, ...] = ()
        self._finished: CommandFinished | None = None
        self._sweep_until = 0.0
        self._lost = ""
        self.unsaved = False
        self.must_save = False
        self.typed_ahead = False
        self._idle_since = 0.0
        self._hooks_since = 0.0
        try:
            self._succession = Succession(
                name, settings, self.poller, self._folder, cwd=cwd, columns=columns, rows=rows
            )
        except SessionStartFailed:
            self.poller.close()
            self._folder.remove()
            raise
        self._thread = threading.Thread(target=self._read_always, name=f"shellkernel session {name}", daemon=True)
        self._thread.start()
        with self.lock:
            self.changed.wait_for(lambda: self.at_prompt or self.failure is not None)
        self._raise_start_failure()

    @property
    def shell(self) -> Shell:
        """The shell that lives."""
        return self._succession.shell

    @property
    def cwd(self) -> str:
        """The working directory, as bash told at the last command's end."""
        return self._succession.cwd

    @property
    def columns(self) -> int:
        """The terminal's width."""
        return self._succession.columns

    @property
    def rows(self) -> int:
        """The terminal's height."""
        return self._succession.rows

    @property
    def pid(self) -> int:
        """The process id of the shell."""
        return self.shell.pid

    @property
    def at_prompt(self) -> bool:
        """Whether a command can be typed."""
        return self.shell.conversation.phase == "prompt" and self.job is None

    @property
    def starting(self) -> bool:
        """Whether the shell has not reached its first prompt."""
        return self._succession.starting

    @property
    def running(self) -> Job | None:
        """The caller's command that runs."""
        job = self.job
        return job if job is not None and not job.is_question else None

    def job_with(self, options: JobOptions) -> Job | None:
        """Return the running command if it was started with these very options."""
        job = self.job
        return job if job is not None and job.options is options else None

    @property
    def is_reader(self) -> bool:
        """Whether the thread that asks is the reader."""
        return threading.current_thread() is self._thread

    # Callers' side.

    def new_recording(self, serial: int, stream: str = "output") -> Recording:
        """Return an empty recording for one command's stream."""
        return Recording(*self._keep, lambda: self._folder.file(f"{stream}-{serial}"))

    def new_channel(self, limit: int) -> TraceChannel:
        """Return what bash can tell of a command's commands through; it is read from now on.

        Raises:
            OSError: It could not be made.
        """
        from shellkernel.session.trace_channel import TraceChannel  # for who traces

        nonce = new_nonce()[:16]
        channel = TraceChannel(self._folder.file(f"trace-{nonce.decode()}"), nonce, limit)
        self._channels[channel.fd] = channel
        self.poller.add(channel.fd)
        self.poller.wake()
        return channel

    def interrupt(self, job: Job | None = None) -> bool:
        """Interrupt the running command (or only if it is this one), or go up a rung; return whether one runs."""
        with self.lock:
            running = self.running
            if self._overseer is None or running is None or (job is not None and job is not running):
                return False
            self._overseer.climb("interrupted", time.monotonic())
        self.poller.wake()
        return True

    def abandon(self, job: Job) -> None:
        """Typist: nobody waits any more for an aside, which may be typed in part only: interrupt it."""
        with self.lock:
            if self._overseer is not None and self.job is job:
                self._overseer.climb("interrupted", time.monotonic())
        self.poller.wake()

    def kill(self, job: Job) -> bool:
        """Go straight to the rung that kills; return whether the command still ran."""
        with self.lock:
            if self._overseer is None or self.job is not job:
                return False
            if job.rung < 0:
                job.reason = "interrupted"
            own = self.shell.terminal.foreground_group() == self.shell.pid
            job.rung = max(job.rung, 3 if own else 2)
            climb(self.shell, job, time.monotonic())
        self.poller.wake()
        return True

    def kill_shell(self, reason: str) -> None:
        """Kill a shell that is of no use any more; the next one takes over."""
        self._lost = "; ".join(part for part in (self._lost, f"before this command, {reason}, and was killed") if part)
        with suppress(ProcessLookupError):
            os.kill(self.shell.pid, signal.SIGKILL)

    def send(self, job: Job, data: bytes) -> None:
        """Type bytes for the running command.

        Raises:
            ProtocolMisuse: It is over; nothing was sent.
        """
        with self.lock:
            if self._overseer is None or self.job is not job:
                raise ProtocolMisuse(f"session {self.name!r}: the command is over; nothing was sent")
            job.waiting = None
            self.typed_ahead = True
            self._overseer.progress(time.monotonic())
        self.typist.write(data, job.reads_from)

    def answer(self, job: Job, text: str | None) -> None:
        """Give a program that waits its line, or None: end of file; to one that takes keys, the keys without Enter."""
        if text is None and job.reads_keys:  # where keys are read one by one there is no end of file
            self.interrupt(job)
            return
        end = b"" if text and job.reads_keys else b"\n"  # `read -n 1` would leave it to the next question
        data = END_OF_FILE if text is None else text.encode("utf-8", "surrogateescape") + end
        if text is not None and not foreground.hides_typing(self.shell.local_flags(job.reads_from)):
            job.expected_echo = data
        with suppress(ProtocolMisuse):  # it ended while a person was thinking
            self.send(job, data)

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size, for this shell and those after it."""
        with self.lock:
            self._succession.resize(columns, rows)

    def begin_close(self) -> None:
        """Let the reader end; it does what `close` says."""
        with self.lock:
            self.closing = True
            self.changed.notify_all()
        self.poller.wake()

    def close(self) -> None:
        """End the shell and everything in its session; a running command ends as `session_ended`. Idempotent, bounded.

        SIGHUP and the terminal's end first, SIGKILL after a second.
        """
        self.begin_close()
        if not self.is_reader:
            self._thread.join()

    def _raise_start_failure(self) -> None:
        if self.failure is not None:
            self.close()
            raise self.failure

    def begin(self, job: Job) -> None:
        """Typist: this job is about to be typed."""
        self.job = job
        self._overseer = Overseer(self.shell, job, time.monotonic(), self._keep_running)

    # The reader's side.

    def _read_always(self) -> None:
        try:
            while not self.closing:
                ready = self.poller.wait(self._pause())
                over = self.shell.pidfd in ready or self.shell.pidfd < 0
                for fd in ready:
                    self._read(fd, to_the_end=over)
                self._tick(time.monotonic(), self.shell.terminal.reap() if over else None)
        except BaseException as error:  # the edge of a thread: whoever waits must be told
            logger.exception("session %r: internal error", self.name)
            self.failure = SessionStartFailed(
                f"session {self.name!r}: internal error: {error!r}; restart it", self.name
            )
        finally:
            self._end()

    def _read(self, fd: int, *, to_the_end: bool) -> None:
        if fd not in self.shell.outputs.descriptors:  # the pidfd: `_tick` reaps; or one that was just forgotten
            channel = self._channels.get(fd)
            if channel is not None and not channel.read():
                self.poller.remove(fd)
                self._channels.pop(fd).close()
            return
        for _ in range(READS_IN_A_ROW):
            data = read_available(fd)
            if data is None:  # no process holds the terminal: the shell ended, or will not write again
                with self.lock:  # its number may be a new terminal's the moment it is closed
                    self.poller.remove(fd)
                    self.shell.forget(fd)
            if not data:
                return
            for happening in self.shell.conversation.feed(fd, data):
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
                if self._overseer is not None:
                    self._overseer.hint()
            case Lost(finished, printed):
                self._take_loss(finished, printed)
            case Prompted(cwd):
                with self.lock:
                    self._succession.came_up(cwd)
                    self.changed.notify_all()
                self._type_again()
            case _:
                assert_never(happening)

    def _take_progress(self, happening: CommandPrinted | Marked) -> None:
        """The running command has printed something, or come to a mark."""
        if self.job is None or self._overseer is None:
            return
        now = time.monotonic()
        if isinstance(happening, CommandPrinted):
            self.job.receive(happening.stream, happening.data, now)
        elif self.job.statements is not None:
            self.job.statements.mark(happening.ended, self.job.recording.size)
        self._overseer.progress(now)

    def _take_loss(self, finished: CommandFinished, printed: bytes) -> None:
        """bash did not take in what was typed (a SIGINT that came late throws the line away): type it again."""
        job = self.job
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
        with self.lock:
            job, conversation = self.job, self.shell.conversation
            if job is None or not job.to_be_typed or conversation.phase != "prompt" or self._finished is not None:
                return
            job.to_be_typed = False
            nonce = new_nonce()
            conversation.type_again(nonce)
            job.nonce, job.typed = nonce, job.typed.replace(job.nonce, nonce)
            self._overseer = Overseer(self.shell, job, time.monotonic(), self._keep_running)
        self.shell.terminal.set_echo(on=not job.is_question)
        self.typist.write(job.typed)

    def _take_end(self, finished: CommandFinished) -> None:
        with self.lock:
            job = self.job
            if job is None:
                return
            self._overseer = None
            self._finished = finished
            self._hooks_since = time.monotonic()
            self._succession.cwd = finished.cwd
        if job.rung < 0 or sweep(job, signal.SIGTERM):
            self._complete(job)
        else:
            self._sweep_until = time.monotonic() + job.options.ladder.terminate

    def _complete(self, job: Job) -> None:
        finished = self._finished
        assert finished is not None
        if not job.is_question:
            self.code = finished.exit_code
            if not is_blank(job.command):  # it runs no pipeline
                self.pipestatus = finished.pipestatus
            self.unsaved = self.settings.restore
        self._finish(job, finished.exit_code, finished.pipestatus, job.reason)

    def _finish(self, job: Job, exit_code: int | None, pipestatus: tuple[int, ...], reason: EndReason) -> None:
        finish_sweep(job)
        job.end_output()
        lost = ""
        if not job.is_question:  # a person reads it
            lost, self._lost = self._lost, ""
        result = build_result(
            job,
            exit_code=exit_code,
            pipestatus=pipestatus,
            end_reason=reason,
            cwd=self.cwd,
            size=(self.columns, self.rows),
            note=lost,
            options=self._finished.options if self._finished else "",
        )
        with self.lock:
            self.job = self._overseer = self._finished = None
            self._idle_since = time.monotonic()
            if not job.is_question:
                self.last = result
                small = len(result.output) + len(result.raw) + len(result.stderr or "") <= SMALL
                small = small and result.statements is None
                self.history.append(result if small else without_output(result))
            callbacks = job.finish(result)
            self.changed.notify_all()
        for callback in callbacks:
            try:
                callback(job)
            except BaseException:  # foreign code: SystemExit is no reason to end the session
                logger.exception("session %r: a done callback failed", self.name)

    def _keep_running(self, job: Job, reason: EndReason, note: str) -> None:
        """Give the caller what there is of a command that goes on."""
        size = (self.columns, self.rows)
        job.keep(
            build_result(
                job,
                exit_code=None,
                pipestatus=(),
                end_reason=reason,
                cwd=self.cwd,
                size=size,
                note=note,
                running=job,
            )
        )

    def _pause(self) -> float | None:
        """Return the seconds until something is due, None when nothing is."""
        now = time.monotonic()
        due = []
        if self.starting and self.failure is None:
            due.append(self._succession.start_until)
        with self.lock:
            if self._overseer is not None:
                due.append(self._overseer.due(now))
        if self._finished is not None:
            due.append(now + SWEEP_PAUSE)
        if self.unsaved and self.at_prompt:
            due.append(self._idle_since + SNAPSHOT_IDLE)
        if self.shell.conversation.phase == "hooks":
            due.append(self._hooks_since + HOOKS_PAUSE)
        if self.shell.pidfd < 0:
            due.append(now + REAP_PAUSE)
        return min(due) - now if due else None

    def _tick(self, now: float, status: int | None) -> None:
        if self.failure is not None:
            return
        if self.starting and (status is not None or now >= self._succession.start_until):
            self._give_up_start(status)
        elif status is not None:
            self._take_death(status)
        elif self._finished is not None and self.job is not None:
            if sweep(self.job, signal.SIGKILL if now >= self._sweep_until else signal.SIGTERM):
                self._complete(self.job)
        elif self.unsaved and self.at_prompt and now >= self._idle_since + SNAPSHOT_IDLE:
            self._idle_since = now  # the next try, if a caller is about to type
            self.unsaved = not self.typist.snapshot()
        elif self.shell.conversation.phase == "hooks" and now >= self._hooks_since + HOOKS_PAUSE:
            self._look_for_prompt(now)
        else:
            with self.lock:
                if self._overseer is not None:
                    self._overseer.check(now)

    def _look_for_prompt(self, now: float) -> None:
        """A SIGINT that ends our prompt hook takes its sentinel along: see whether bash reads all the same."""
        self._hooks_since = now
        if bash_reads(self.shell):
            self.shell.conversation.assume_prompt()
            self._take(Prompted(""))

    # The shell's life.

    def _take_death(self, status: int) -> None:
        """The shell is over: take in what it left, start a new one, end the command."""
        for fd in self.shell.outputs.descriptors:
            self._read(fd, to_the_end=True)
        for happening in self.shell.conversation.flush():
            self._take(happening)
        job, finished = self.job, self._finished
        printed = job.recording.last(READ_BACK) if job is not None else b""
        with self.lock:
            self._overseer = None
            try:
                self.code, note = self._succession.replace(status, printed)
            except SessionStartFailed as failure:
                note = str(failure)
                self._fail(failure)
        self.pipestatus = ()
        if job is None or job.is_question:
            self._lost = "; ".join(part for part in (self._lost, f"before this command, {note}") if part)
        if job is None:
            return
        if finished is not None:
            self._complete(job)
        else:
            job.note = "; ".join(part for part in (job.note, note) if part)
            self._finish(job, self.code, (self.code,), job.reason if job.rung >= 0 else "session_ended")

    def _give_up_start(self, status: int | None) -> None:
        with self.lock:
            try:
                self._succession.give_up_start(status)
                self._lost = "; ".join(part for part in (self._lost, "a new shell took over, afresh") if part)
            except SessionStartFailed as failure:
                self._fail(failure)

    def _fail(self, failure: SessionStartFailed) -> None:
        self.failure = failure
        self.changed.notify_all()

    def _end(self) -> None:
        """The thread's last act: nothing of the session stays, and nobody waits for ever."""
        with self.lock:
            self.closing = True
            self._overseer = None  # nobody signals what is being ended
        self._succession.end()
        self.poller.close()
        with self.lock:
            job = self.job
            self.changed.notify_all()
        if job is not None:
            job.note = "the session was closed"
            self._finish(job, None, (), "session_ended")
        for channel in self._channels.values():
            channel.end()
            channel.close()
        self._folder.remove()


def without_output(result: Result) -> Result:
    """Return the result as a session remembers it."""
    return replace(result, output="", raw=b"", stderr=None, statements=None, trace=None)
