"""A bash with a name: what users and the faces in the notebook hold."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from signal import SIGKILL
from types import TracebackType
from typing import Literal, Self, Unpack

from shellkernel.errors import ProtocolMisuse
from shellkernel.results import BackgroundOutput, Result
from shellkernel.sentinel.typing import encode, normalise
from shellkernel.session.engine import Engine
from shellkernel.session.environment import session_environment
from shellkernel.session.job import Job
from shellkernel.session.jobs import BackgroundJob, parse_jobs
from shellkernel.session.ladder import DEFAULT_LADDER, Ladder
from shellkernel.session.options import Inside, JobOptions, OnInput, OnOutput, OnTimeout
from shellkernel.session.outcome import error_of
from shellkernel.session.recording import KEEP_HEAD, KEEP_TAIL
from shellkernel.session.registry import sessions
from shellkernel.session.shell import ShellSettings, find_directory, find_program, find_rcfile
from shellkernel.session.variables import Variables
from shellkernel.session.waiter import start_in_thread
from shellkernel.syntax import check_syntax
from shellkernel.terminal.foreground import Process, processes_with

__all__ = ("BashSession", "SessionState", "StderrMode")

SHORT = 10_000
"""Characters of a command that is checked and typed in a millisecond or two: no work for a thread of its own."""
SessionState = Literal["starting", "idle", "busy", "awaiting input", "ended"]
StderrMode = Literal["merge", "split"]


class BashSession:
    """One living bash on a pseudoterminal of its own. It starts here, and lives until `close`.

    Methods may be called from any thread; one command runs at a time. As a context manager it closes at the end.

    Args:
        name: Its name in `sessions`; None takes the next of bash-1, bash-2, …
        cwd: The directory to start in; None is this process's.
        env: Variables laid over this process's environment and our defaults (TERM, PAGER=cat, …).
        rcfile: None reads no rc file: the same shell on every machine. "user" reads what a person's terminal reads: the
            system's bashrc and ~/.bashrc. A path reads that file.
        columns, rows: The terminal's size, 1 to 65,535.
        stderr: "merge" keeps both streams in one, in true order. "split" gives stderr a terminal of its own; the order
            between the two is then approximate.
        shell: bash, 5.1 or newer: a name on PATH, or a path.
        start_timeout: Seconds until the first prompt must have come, rc file included.
        keep_head, keep_tail: Bytes of one command's output kept in memory, from its beginning and its end; a larger
            output is whole in a file (`Result.output_path`).
        restore: When bash ends (exit, `set -e`, a kill), a new shell takes over at once. True gives it the variables,
            functions, aliases, options, traps, limits, umask and directory of the last one; False starts it afresh.
        listed: Whether it is in `sessions`; one that is not must be closed by whoever started it.
        on_background_output: Called, in the session's reader thread, with output that no running command printed.

    Raises:
        SessionExists: The name is taken.
        SessionStartFailed: No such program, directory or rc file, or bash did not come to its first prompt; the error
            has its last output. Nothing is left running.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        rcfile: str | os.PathLike[str] | None = None,
        columns: int = 120,
        rows: int = 40,
        stderr: StderrMode = "merge",
        shell: str = "bash",
        start_timeout: float = 10.0,
        keep_head: int = KEEP_HEAD,
        keep_tail: int = KEEP_TAIL,
        restore: bool = True,
        listed: bool = True,
        on_background_output: Callable[[BackgroundOutput], None] | None = None,
    ) -> None:
        if name is not None and (not name.strip() or not name.isprintable()):
            raise ValueError(f"a session's name is printable text, not {name!r}; nothing was started")
        if stderr not in ("merge", "split"):
            raise ValueError(f"stderr is 'merge' or 'split', not {stderr!r}; nothing was started")
        for label, number, least in (
            ("columns", columns, 1),
            ("rows", rows, 1),
            ("keep_head", keep_head, 0),
            ("keep_tail", keep_tail, 0),
        ):
            if number < least:
                raise ValueError(f"{label} is a whole number, {least} or more, not {number!r}; nothing was started")
        self.name = sessions.reserve(name) if listed else name or "unlisted"
        self._listed = listed
        self.rcfile = rcfile
        self.stderr: StderrMode = stderr
        self._size = (columns, rows)
        self._keep = (keep_head, keep_tail)
        self._on_background_output = on_background_output
        try:
            self._settings = ShellSettings(
                program=find_program(shell, self.name),
                environment=session_environment(env, self.name),
                rcfile=find_rcfile(rcfile, self.name),
                system_rcfile=rcfile == "user",
                split=stderr == "split",
                start_timeout=start_timeout,
                restore=restore,
            )
            self._cwd = find_directory(cwd, self.name)
            self._engine = self._start_engine()
        except BaseException:
            if listed:
                sessions.leave(self.name)
            raise
        self.vars = Variables(
            lambda question: self._engine.typist.ask(question),  # noqa: PLW0108  # `restart` makes a new engine
            lambda source: self._engine.typist.prepare(source),  # noqa: PLW0108
        )
        """The shell's variables: `session.vars["NAME"]` is a str, list or dict."""
        if listed:
            sessions.enter(self)

    def __repr__(self) -> str:
        return f"<BashSession {self.name!r}, {self.state}, {self.cwd}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def cwd(self) -> str:
        """The working directory, as bash told at the last command's end."""
        return self._engine.cwd

    @property
    def state(self) -> SessionState:
        """`starting`, `idle`, `busy`, `awaiting input` or `ended`."""
        engine = self._engine
        if engine.closing or engine.failure is not None:
            return "ended"
        if (job := engine.running) is not None:
            return "awaiting input" if job.waiting else "busy"
        return "starting" if engine.starting else "idle"

    @property
    def last(self) -> Result | None:
        """The last command's result."""
        return self._engine.last

    @property
    def running(self) -> Job | None:
        """The command that runs, if one does."""
        return self._engine.running

    @property
    def pid(self) -> int:
        """bash's process id."""
        return self._engine.pid

    @property
    def columns(self) -> int:
        """The terminal's width."""
        return self._engine.columns

    @property
    def rows(self) -> int:
        """The terminal's height."""
        return self._engine.rows

    def run(
        self,
        command: str,
        *,
        timeout: float | None = None,
        idle_timeout: float | None = None,
        check: bool = False,
        on_output: OnOutput | None = None,
        on_stderr: OnOutput | None = None,
        on_input: OnInput | None = None,
        on_timeout: OnTimeout = "interrupt",
        on_waiting: OnTimeout = "interrupt",
        ladder: Ladder | None = None,
        **inside: Unpack[Inside],
    ) -> Result:
        """Run one command and wait until it is over.

        KeyboardInterrupt (and any other exception raised into this thread meanwhile) interrupts the command, a second
        one goes up the ladder; it is raised again when the command is over. The partial result is `last`.

        Args:
            command: Bash source of one or more lines, delivered as one unit.
            timeout: Seconds until the command is ended; None waits for ever.
            idle_timeout: Seconds without output until it is ended.
            check: Raise a CommandError instead of returning a result that is not ok.
            on_output, on_stderr: Called with decoded text as it comes, escape sequences in it, in the session's reader
                thread; they must return soon, and can not run commands of this session.
            on_input: Called in this thread when a program waits for the terminal; returns the line to type (without its
                end), or None for end of file. Without it such a program is interrupted, since it would wait for ever.
            on_timeout, on_waiting: "keep" lets the command go on; its result then has the output so far, and `job`.
            ladder: The seconds between the steps of making it end.
            statements, stop_on_error, trace, trace_limit: See `Inside`.

        Returns:
            The result, also for a non-zero exit code, a timeout and a shell that ended; `end_reason` tells which.

        Raises:
            SessionBusy: Another command is running. Nothing was sent.
            SessionClosed: The session was closed. Nothing was sent.
            IncompleteCommand, CommandSyntaxError, InvalidCommand: The text can not run. Nothing was sent.
            CommandError: One of its leaves, with `check`; it carries the result.
        """
        options = JobOptions(
            timeout=timeout,
            idle_timeout=idle_timeout,
            on_output=on_output,
            on_stderr=on_stderr,
            on_input=on_input,
            on_timeout=on_timeout,
            on_waiting=on_waiting,
            ladder=ladder or DEFAULT_LADDER,
            **inside,
        )
        result = self._run(command, options)
        if check and not result.ok:
            raise error_of(result)
        return result

    async def run_async(
        self,
        command: str,
        *,
        timeout: float | None = None,
        idle_timeout: float | None = None,
        check: bool = False,
        on_output: OnOutput | None = None,
        on_stderr: OnOutput | None = None,
        on_input: OnInput | None = None,
        on_timeout: OnTimeout = "interrupt",
        on_waiting: OnTimeout = "interrupt",
        ladder: Ladder | None = None,
        **inside: Unpack[Inside],
    ) -> Result:
        """Run one command and wait in asyncio, without blocking its loop. Arguments, result and errors are `run`'s.

        Cancelling interrupts the command; CancelledError is raised when it is over. `on_input` is called in a thread.
        """
        options = JobOptions(
            timeout=timeout,
            idle_timeout=idle_timeout,
            on_output=on_output,
            on_stderr=on_stderr,
            on_input=on_input,
            on_timeout=on_timeout,
            on_waiting=on_waiting,
            ladder=ladder or DEFAULT_LADDER,
            **inside,
        )
        if len(command) <= SHORT and self._engine.at_prompt:
            result = await self._start(command, options)
        else:
            result = await start_in_thread(lambda: self._start(command, options))
        if check and not result.ok:
            raise error_of(result)
        return result

    def start(
        self,
        command: str,
        *,
        timeout: float | None = None,
        idle_timeout: float | None = None,
        on_output: OnOutput | None = None,
        on_stderr: OnOutput | None = None,
        on_input: OnInput | None = None,
        on_waiting: OnTimeout = "keep",
        ladder: Ladder | None = None,
        **inside: Unpack[Inside],
    ) -> Job:
        """Start one command and return at once. Arguments and errors are `run`'s.

        A program that waits for the terminal may wait (`Job.waiting`), until `Job.send` answers it; or `on_input` does,
        in a thread of the job's own.
        """
        job = self._start(
            command,
            JobOptions(
                timeout=timeout,
                idle_timeout=idle_timeout,
                on_output=on_output,
                on_stderr=on_stderr,
                on_input=on_input,
                on_waiting=on_waiting,
                ladder=ladder or DEFAULT_LADDER,
                **inside,
            ),
        )
        if on_input is not None:
            threading.Thread(target=job.serve_input, name=f"shellkernel input {self.name}", daemon=True).start()
        return job

    def check(self, command: str) -> None:
        """Return when this bash can parse the whole command; it is not run.

        Raises:
            IncompleteCommand, CommandSyntaxError, InvalidCommand: As `run` does.
        """
        command = normalise(command)
        encode(command)
        check_syntax(command, shell=self._settings.program)

    def prepare(self, source: str) -> Result:
        """Run set-up between two commands: the next one finds $?, $_, PIPESTATUS and `last` as the last one left them.

        It is no command: it is in no history, its output goes nowhere but into the result, and it is ended after 10 s.

        Raises:
            SessionBusy, SessionClosed: Nothing was sent.
            IncompleteCommand, CommandSyntaxError, InvalidCommand: The text can not run. Nothing was sent.
        """
        self.check(source)
        return self._engine.typist.prepare(encode(normalise(source)))

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the shell's functions. Asks bash between two commands, and raises as `vars` does."""
        answer = self._engine.typist.ask(b'\\builtin compgen -A function >"$__shellkernel_output"')
        names = answer.decode("utf-8", "replace").split("\n")
        return tuple(name for name in names if name and not name.startswith("__shellkernel_"))

    def jobs(self) -> tuple[BackgroundJob, ...]:
        """Return the shell's background jobs. Asks bash between two commands, and raises as `vars` does."""
        answer = self._engine.typist.ask(b'\\builtin jobs -l >"$__shellkernel_output"')
        return parse_jobs(answer.decode("utf-8", "replace"))

    def kill_job(self, number: int, signal: str = "TERM") -> None:
        """Send a signal to a background job, as `kill -s SIGNAL %NUMBER` does.

        Raises:
            LookupError: There is no such job; nothing was sent.
            ValueError: bash knows no such signal; nothing was sent.
        """
        if not re.fullmatch(r"[A-Za-z0-9+-]+", signal):
            raise ValueError(f"{signal!r} is no name of a signal; nothing was sent")
        if number not in {job.number for job in self.jobs()}:
            raise LookupError(f"session {self.name!r} has no background job {number}; nothing was sent")
        result = self.prepare(f"\\builtin kill -s {signal} %{number}")
        if result.exit_code != 0:
            raise ValueError(f"session {self.name!r}: job {number} got no signal: {result.output.strip()}")

    def detached(self) -> tuple[str, ...]:
        """Return the processes that this session's commands started and that left its terminal (`setsid`, daemons).

        Each as "name (process id)". They live on after `close`, but for `close(detached="end")`. Found by a variable of
        their environment (SHELLKERNEL_SESSION); Linux only.
        """
        return tuple(f"{process.name} ({process.pid})" for process in self._detached())

    def _detached(self) -> list[Process]:
        mark = f"SHELLKERNEL_SESSION={self._settings.environment['SHELLKERNEL_SESSION']}"
        return [process for process in processes_with(mark) if process.session != self.pid]

    @property
    def history(self) -> tuple[Result, ...]:
        """The results of the last commands, oldest first, without their outputs."""
        return self._engine.history.results()

    def interrupt(self) -> bool:
        """Interrupt what runs; each further call for the same command goes up the ladder. False when nothing runs."""
        return self._engine.interrupt()

    def send(self, text: str) -> None:
        """Type text for the running command; a line ends with "\\n".

        Raises:
            ProtocolMisuse: Nothing runs; nothing was sent.
        """
        job = self.running
        if job is None:
            raise ProtocolMisuse(f"session {self.name!r}: nothing runs that could read this; nothing was sent")
        job.send(text)

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size; what runs gets SIGWINCH."""
        self._engine.resize(columns, rows)

    def restart(self) -> None:
        """End the shell with all it runs, and start a fresh one: the first directory and environment, nothing restored.

        Raises:
            SessionStartFailed: As at the start; the session has then ended, and can be restarted.
            SessionExists: It was closed, and another one has its name by now; nothing was started.
        """
        if self._listed and sessions.get(self.name) is not self:
            sessions.reserve(self.name)
        self._engine.close()
        self._engine = self._start_engine()
        if self._listed:
            sessions.enter(self)

    def begin_close(self) -> None:
        """Let the shell begin to end, and return at once; `close` waits for it."""
        self._engine.begin_close()

    def close(self, *, detached: Literal["leave", "end"] = "leave") -> None:
        """End the shell and every process of its session, and free the name. Idempotent; takes two seconds at most.

        Args:
            detached: "end" kills those too that left the session (`detached`); otherwise they live on.
        """
        escaped = self._detached() if detached == "end" else []
        self._engine.close()
        for process in escaped:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, SIGKILL)
        if self._listed and sessions.get(self.name) is self:
            sessions.leave(self.name)

    def _start_engine(self) -> Engine:
        return Engine(
            self.name,
            self._settings,
            cwd=self._cwd,
            columns=self._size[0],
            rows=self._size[1],
            keep=self._keep,
            on_background_output=self._on_background_output,
        )

    def _start(self, command: str, options: JobOptions) -> Job:
        command = normalise(command)
        text = encode(command)
        if options.looks_inside:
            from shellkernel.syntax.statements import split_statements  # with bash's grammar: for who looks inside

            pieces = split_statements(command, shell=self._settings.program)
            return self._engine.typist.start(command, text, options, pieces)
        check_syntax(command, shell=self._settings.program)
        return self._engine.typist.start(command, text, options)

    def _run(self, command: str, options: JobOptions) -> Result:
        """Start a command and wait for its end; what is raised into this thread meanwhile interrupts it, and waits."""
        if self._engine.running is None:  # else it is busy, and says with what
            self._engine.typist.refuse_in_callback()
        job: Job | None = None
        raised: BaseException | None = None
        pending = False
        while True:
            try:
                if pending:  # here, and not in the handler: a second Ctrl-C comes while the first is dealt with
                    job = job or self._engine.job_with(options)
                    if job is None or job.settled:
                        break
                    pending = False
                    job.interrupt()
                if job is None:
                    job = self._start(command, options)
                if options.on_input is not None:
                    job.serve_input()
                job.settle()
                break
            except BaseException as error:  # noqa: BLE001  # KeyboardInterrupt, or what on_input raised
                raised, pending = error, True
        if raised is not None:
            raise raised
        assert job is not None
        return job.settle()
