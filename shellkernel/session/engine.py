"""The living session: the state that its callers and its reader thread share, and the callers' side.

Theory of operation. The reader thread (`reader`) owns the shell: it reads its terminal always, also between commands,
keeps the deadlines, and starts a new shell where the old one ended. Callers type (`typist`, `send`) and signal
(`interrupt`, `kill`) under `lock`; they wait on a job's end, never on the terminal. Where the talk with bash stands is
in `conversation`, what a running command has coming is in `overseer`.

A command's way: `start` types it and sets `job`. `Ended` comes; what an interrupted command left in its process groups
is swept away; its result is built, `job` is None again. `Prompted` comes, before or after: the next command can be
typed.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from shellkernel.errors import InternalError, ProtocolMisuse, SessionStartFailed
from shellkernel.results import BackgroundOutput, EndReason, Result
from shellkernel.sentinel.bytes import END_OF_FILE
from shellkernel.session.background import BackgroundPrinter
from shellkernel.session.ending import climb
from shellkernel.session.folder import PrivateFolder
from shellkernel.session.history import History
from shellkernel.session.job import Job
from shellkernel.session.options import JobOptions
from shellkernel.session.outcome import build_result
from shellkernel.session.overseer import Overseer
from shellkernel.session.poller import Poller
from shellkernel.session.reader import Reader
from shellkernel.session.recording import Recording
from shellkernel.session.shell import Shell, ShellSettings, new_nonce
from shellkernel.session.succession import Succession
from shellkernel.session.typist import Typist
from shellkernel.terminal import foreground

__all__ = ("Engine",)

if TYPE_CHECKING:
    from shellkernel.session.trace_channel import TraceChannel


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
        self.history = History()
        self.failure: SessionStartFailed | InternalError | None = None
        self.closing = False
        self.changed = threading.Condition(self.lock)
        self._keep = keep
        self.typist = Typist(self)
        self.folder = PrivateFolder()
        self.channels: dict[int, TraceChannel] = {}
        try:
            self.poller = Poller()
        except OSError as error:
            raise SessionStartFailed(f"session {name!r}: {error}; nothing was started", name) from error
        self.overseer: Overseer | None = None
        self.serial = 0
        self.code = 0
        self.pipestatus: tuple[int, ...] = ()
        self.lost = ""
        self.unsaved = False
        self.must_save = False
        self.typed_ahead = False
        try:
            self.succession = Succession(name, settings, self.poller, self.folder, cwd=cwd, columns=columns, rows=rows)
        except SessionStartFailed:
            self.poller.close()
            self.folder.remove()
            raise
        reader = Reader(self, BackgroundPrinter(name, on_background_output))
        self._thread = threading.Thread(target=reader.run, name=f"shellkernel session {name}", daemon=True)
        self._thread.start()
        with self.lock:
            self.changed.wait_for(lambda: self.at_prompt or self.failure is not None)
        self._raise_start_failure()

    @property
    def shell(self) -> Shell:
        """The shell that lives."""
        return self.succession.shell

    @property
    def cwd(self) -> str:
        """The working directory, as bash told at the last command's end."""
        return self.succession.cwd

    @property
    def columns(self) -> int:
        """The terminal's width."""
        return self.succession.columns

    @property
    def rows(self) -> int:
        """The terminal's height."""
        return self.succession.rows

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
        return self.succession.starting

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
        return Recording(*self._keep, lambda: self.folder.file(f"{stream}-{serial}"))

    def new_channel(self, limit: int) -> TraceChannel:
        """Return what bash can tell of a command's commands through; it is read from now on.

        Raises:
            OSError: It could not be made.
        """
        from shellkernel.session.trace_channel import TraceChannel  # for who traces

        nonce = new_nonce()[:16]
        channel = TraceChannel(self.folder.file(f"trace-{nonce.decode()}"), nonce, limit)
        self.channels[channel.fd] = channel
        self.poller.add(channel.fd)
        self.poller.wake()
        return channel

    def interrupt(self, job: Job | None = None) -> bool:
        """Interrupt the running command (or only if it is this one), or go up a rung; return whether one runs."""
        with self.lock:
            running = self.running
            return running is not None and (job is None or job is running) and self._climb()

    def abandon(self, job: Job) -> None:
        """Typist: nobody waits any more for an aside, which may be typed in part only: interrupt it."""
        with self.lock:
            if self.job is job:
                self._climb()

    def _climb(self) -> bool:
        """Go up the ladder, under the lock, unless the end of what runs has come."""
        if self.overseer is None:
            return self.job is not None and self._give_up_typing(self.job)
        self.overseer.climb("interrupted", time.monotonic())
        self.poller.wake()
        return True

    def _give_up_typing(self, job: Job) -> bool:
        """Let a command that waits for the next shell not be typed to it; return whether it waits."""
        if job.to_be_typed and job.rung < 0:
            job.rung, job.reason = 0, "interrupted"
        return job.to_be_typed

    def kill(self, job: Job) -> bool:
        """Go straight to the rung that kills; return whether the command still ran."""
        with self.lock:
            if self.job is not job:
                return False
            if self.overseer is None:
                return self._give_up_typing(job)
            if job.rung < 0:
                job.reason = "interrupted"
            own = self.shell.terminal.foreground_group() == self.shell.pid
            job.rung = max(job.rung, 3 if own else 2)
            climb(self.shell, job, time.monotonic())
        self.poller.wake()
        return True

    def kill_shell(self, reason: str) -> None:
        """Kill a shell that is of no use any more; the next one takes over."""
        self.lost = "; ".join(part for part in (self.lost, f"before this command, {reason}, and was killed") if part)
        with suppress(ProcessLookupError):
            os.kill(self.shell.pid, signal.SIGKILL)

    def send(self, job: Job, data: bytes) -> None:
        """Type bytes for the running command.

        Raises:
            ProtocolMisuse: It is over; nothing was sent.
        """
        with self.lock:
            if self.overseer is None or self.job is not job:
                raise ProtocolMisuse(f"session {self.name!r}: the command is over; nothing was sent")
            job.waiting = None
            self.typed_ahead = True
            self.overseer.progress(time.monotonic())
            shell = self.shell
        self.typist.write(shell, data, job.reads_from)

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
            self.succession.resize(columns, rows)

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
        self.overseer = Overseer(self.shell, job, time.monotonic(), self.keep_running)

    def keep_running(self, job: Job, reason: EndReason, note: str) -> None:
        """Reader: give the caller what there is of a command that goes on."""
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
