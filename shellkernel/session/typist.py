"""Typing at a session's prompt: one caller at a time, and only when bash reads.

Commands are the callers'. Between two of them, questions and set-up of ours may run ("asides", jobs with serial 0): a
caller who comes meanwhile waits these few milliseconds.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from shellkernel.errors import ProtocolMisuse, SessionBusy, SessionClosed, TerminalError
from shellkernel.results import Result
from shellkernel.sentinel.bytes import KILL_LINE
from shellkernel.sentinel.typing import (
    CellStart,
    end_line,
    fits,
    may_list_traps,
    may_trap,
    quote,
    type_aside,
    type_call,
    type_command,
    type_load,
    type_move,
    type_question,
)
from shellkernel.session.job import Job, first_line
from shellkernel.session.options import JobOptions

if TYPE_CHECKING:
    from shellkernel.session.engine import Engine
    from shellkernel.session.shell import Shell
    from shellkernel.session.statements import Marks
    from shellkernel.session.statements_surroundings import Surroundings
    from shellkernel.session.trace import Tracer
    from shellkernel.syntax.statements import Piece

__all__ = ("Typist",)

ASIDE_SECONDS = 10.0
"""Seconds after which an aside is interrupted."""
LOADS = 4
"""Times that a long command is typed: its shell may end, or be interrupted, meanwhile."""
PATIENCE = 2.0
"""Seconds, beside the start's, that prompt hooks may run before the shell is taken for lost, and replaced."""

_EXPORT_WORDS = ("export", "declare", "typeset", "set -", "source", ".", "eval")
"""One of these is in what _MAY_EXPORT finds; they are found far faster in a long cell."""
_MAY_EXPORT = re.compile(r"export|declare|typeset|allexport|set -\w*a|source|(?:^|[;&|({\s])\.\s|eval")


class Typist:
    """Types for one engine, whose lock it takes.

    Args:
        engine: Whose shell is typed to.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._turn = threading.Lock()  # taken before the engine's lock
        self._leaves_orphans = False
        self._knows_traps = False
        self._is_noisy = False
        self._surroundings: Surroundings | None = None

    def start(self, command: str, text: bytes, options: JobOptions, pieces: tuple[Piece, ...] | None = None) -> Job:
        """Type a command; `text` is its bytes, checked to be whole; `pieces` its statements where they are asked for.

        Raises:
            SessionBusy, SessionClosed: Nothing was sent.
            SessionStartFailed: The last shell ended and no new one could be started; nothing was sent.
            TerminalError: A long command could not be typed whole; nothing of it was run.
        """
        engine = self._engine
        with self._turn, engine.lock:
            self._wait_for_prompt()
            traps = self._knows_traps or may_trap(text)
            self._prepare_prompt(saves=traps)
            tracer = self._tracer(command, options) if options.trace else None
            marks = self._marks(command, pieces, options, tracer) if pieces is not None else None
            lists_traps = may_list_traps(text)
            if marks is not None:
                text = marks.text
            pipestatus = engine.pipestatus if "PIPESTATUS" in command else ()
            loaded = not fits(text, framed=marks is None and not pipestatus)
            self._bring(text if loaded else None, marks=marks is not None)
            job = Job(engine, command, engine.serial + 1, options)
            job.statements = marks.log() if marks is not None else None
            job.tracer = tracer
            job.stands_alone = not loaded and marks is None
            start = CellStart(
                loaded=loaded,
                jobs=engine.shell.outputs.has_jobs,
                traps=traps,
                lists_traps=lists_traps,
                pipestatus=pipestatus,
                exit_code=engine.code,
                pipefail="|" in engine.shell.conversation.options,
            )
            typed = (type_command if marks is None else marks.type)(text, job.nonce, start)
            verbose = "v" in engine.shell.conversation.options or "verbose" in command or "set -" in command or traps
            ours = marks.own_lines(job.nonce) if marks is not None else (end_line(job.nonce),)
            self._begin(job, typed, ours if verbose else ())
            engine.serial = job.serial
            job.typed = typed  # it is one line, which no terminal makes wait
            shell = engine.shell
            engine.must_save = engine.settings.restore and _may_export(command)
            self._knows_traps = self._knows_traps or _keeps_trap(command)
            self._is_noisy = self._is_noisy or (traps and _names_printing_trap(command))
            self._leaves_orphans = "&" in command.replace("&&", "")
        self.write(shell, typed)
        return job

    def ask(self, question: bytes) -> bytes:
        """Call a function or builtin of bash between two commands and return what it printed.

        Raises:
            SessionBusy, SessionClosed, SessionStartFailed: Nothing was sent.
        """
        return self._aside(lambda nonce: type_question(question, nonce)).raw

    def prepare(self, text: bytes) -> Result:
        """Run set-up between two commands, of which the next one finds but the effect.

        Raises:
            SessionBusy, SessionClosed, SessionStartFailed: Nothing was sent.
        """
        return self._aside(lambda nonce: type_aside(text, nonce))

    def snapshot(self) -> bool:
        """Have an idle shell write its state; return False, having done nothing, where a caller is about to type."""
        engine = self._engine
        if not self._turn.acquire(blocking=False):
            return False
        try:
            with engine.lock:
                if not engine.at_prompt or engine.closing:
                    return False
                if engine.shell.may_not_write():
                    return True
                job = Job(engine, "", 0, JobOptions(timeout=ASIDE_SECONDS))
                self._begin(job, b"", echo=False)
                shell = engine.shell
            typed = type_call("snapshot", job.nonce)
            self.write(shell, typed)
            job.typed = typed
            return True
        finally:
            self._turn.release()

    def refuse_in_callback(self) -> None:
        """Return where the thread that asks can wait for bash: the reader, in which callbacks run, can not.

        Raises:
            ProtocolMisuse: It is the reader. Nothing was sent.
        """
        engine = self._engine
        if engine.is_reader:
            raise ProtocolMisuse(f"session {engine.name!r}: its callbacks can not run its commands; nothing was sent")

    def write(self, shell: Shell, data: bytes, path: str = "") -> None:
        """Type bytes to this shell, into the terminal of this path, unless it is over: the reader sees that too, and
        says how. Not under the lock: the reader must go on while a program is slow to read.
        """
        with suppress(TerminalError):
            shell.write(data, path)

    def _aside(self, make: Callable[[bytes], bytes]) -> Result:
        with self._turn, self._engine.lock:
            self._wait_for_prompt()
            self._prepare_prompt()
            return self._run_aside(make)

    def _tracer(self, command: str, options: JobOptions) -> Tracer:
        """Return what a command's commands are told to."""
        from shellkernel.session.trace import Tracer

        engine = self._engine
        tracer = Tracer(command, engine.shell.pid, earlier=tuple(engine.history.commands()))
        if "x" in engine.shell.conversation.options:
            tracer.notes.append("`set -x` was on before the cell, which keeps it: nothing is traced")
            return tracer
        try:
            tracer.channel = engine.new_channel(options.trace_limit)
        except OSError as error:
            tracer.notes.append(f"nothing is traced: {error}")
        return tracer

    def _marks(self, command: str, pieces: tuple[Piece, ...], options: JobOptions, tracer: Tracer | None) -> Marks:
        """Place the marks of a command; asks bash what bears on them, where that is not known."""
        from shellkernel.session.statements import marks_of  # with bash's grammar: for who looks inside
        from shellkernel.session.statements_surroundings import Surroundings

        if self._surroundings is None:
            self._surroundings = Surroundings(self._engine)
        self._surroundings.look()
        aliases = b""
        if self._surroundings.may_have_aliases:
            aliases = self._run_aside(
                lambda nonce: type_question(b'\\builtin alias -p >"$__shellkernel_output"', nonce)
            ).raw
        return marks_of(
            command,
            pieces,
            aliases=aliases.decode("utf-8", "surrogateescape"),
            stops=options.stop_on_error,
            asks_pipestatus=self._surroundings.may_ask_pipestatus or "PIPESTATUS" in command,
            tracer=tracer,
        )

    def _bring(self, text: bytes | None, *, marks: bool) -> None:
        """Bring into bash what a command needs: its text, where that is long, and what marks need.

        Once more where the shell ended meanwhile, which has it then, or was interrupted: nothing has run.
        """
        engine = self._engine
        for _ in range(LOADS):
            shell = engine.shell
            if (not marks or self._read_marks()) and (text is None or self._load(text)) and engine.shell is shell:
                return
        raise TerminalError(
            f"session {engine.name!r}: bash ended, or was interrupted, while it was typed to; "
            "nothing of the command was run"
        )

    def _read_marks(self) -> bool:
        """Have bash read what marks need, once in its life; return whether it has."""
        shell = self._engine.shell
        if not shell.knows_marks:
            path = quote(os.fsencode(self._engine.settings.integration.with_name("statements.bash")))
            result = self._run_aside(lambda nonce: type_aside(b"\\builtin source $'%s'" % path, nonce))
            shell.knows_marks = result.end_reason == "completed"
        return shell.knows_marks

    def _load(self, text: bytes) -> bool:
        """Type a long command's text; return whether bash has it."""
        result = self._run_aside(lambda nonce: type_load(text, nonce), limited=False)
        return (result.end_reason, result.exit_code) == ("completed", 0)

    def _prepare_prompt(self, *, saves: bool = False) -> None:
        """Do what must be done before the next command, and is no part of it.

        Args:
            saves: Whether the shell's state is written down, since the command may replace the EXIT trap that does so.
        """
        engine = self._engine
        if engine.typed_ahead:  # half a line, perhaps, for a program that did not read it
            engine.typed_ahead = False
            self._run_aside(lambda nonce: KILL_LINE + type_call("load", nonce))
        if engine.must_save or (saves and engine.unsaved):
            engine.must_save = engine.unsaved = False
            if not engine.shell.may_not_write():
                self._run_aside(lambda nonce: type_call("snapshot", nonce))
        self._move_outputs()

    def _move_outputs(self) -> None:
        engine = self._engine
        outputs = engine.shell.outputs
        orphans = self._leaves_orphans
        if outputs.choose(engine.shell.pid, leaves_orphans=orphans, columns=engine.columns, rows=engine.rows):
            engine.poller.add(*outputs.descriptors)
            engine.poller.wake()
            old, new, extra = outputs.moved_from, outputs.paths(), outputs.extra_paths()
            self._run_aside(lambda nonce: type_move(nonce, old, new, extra))

    def _run_aside(self, make: Callable[[bytes], bytes], *, limited: bool = True) -> Result:
        """Type one of ours and wait for its end; the lock is given up meanwhile, the turn is not."""
        engine = self._engine
        self.refuse_in_callback()
        job = Job(engine, "", 0, JobOptions(timeout=ASIDE_SECONDS if limited else None))
        self._begin(job, b"", echo=False)
        shell = engine.shell
        engine.lock.release()
        try:
            typed = make(job.nonce)
            self.write(shell, typed)
            job.typed = typed
            result = job.result()
        except BaseException:  # a Ctrl-C, half of it being typed
            engine.abandon(job)
            raise
        finally:
            engine.lock.acquire()
        self._wait_for_prompt()
        return result

    def _begin(self, job: Job, typed: bytes, swallow: tuple[bytes, ...] = (), *, echo: bool = True) -> None:
        shell = self._engine.shell
        shell.terminal.restore_attributes()
        if not echo:
            shell.terminal.set_echo(on=False)
        shell.conversation.type(
            job.nonce,
            typed,
            shell.outputs.targets,
            serial=job.serial,
            swallow=swallow,
            noisy=self._is_noisy,
        )
        self._engine.begin(job)

    def _wait_for_prompt(self) -> None:
        """Return when a command can be typed: prompt hooks or an aside may still run, or a new shell start."""
        engine = self._engine
        patience = engine.settings.start_timeout + PATIENCE  # a new shell that does not start is given up before
        deadline = time.monotonic() + patience
        while True:
            self._raise_if_unusable()
            if engine.at_prompt:
                return
            self.refuse_in_callback()
            if not engine.changed.wait(deadline - time.monotonic()):
                # Prompt hooks that hang, or a bash that lost its way (`set -o vi` in a cell of more lines, 5.2.15).
                engine.kill_shell(f"bash did not come back to its prompt within {patience:g} s")
                deadline = time.monotonic() + 2 * patience

    def _raise_if_unusable(self) -> None:
        engine = self._engine
        if engine.failure is not None:
            raise engine.failure
        if engine.closing:
            raise SessionClosed(f"session {engine.name!r} is closed; nothing was sent", engine.name)
        if (running := engine.running) is not None:
            raise SessionBusy(
                f"session {engine.name!r} is busy for {running.elapsed:.1f} s with {first_line(running.command)!r}; "
                "nothing was sent. Wait for it, interrupt it, or use another session",
                engine.name,
            )


def _keeps_trap(command: str) -> bool:
    """Tell whether later commands may set a trap by a name that this one defines."""
    return "trap" in command and any(word in command for word in ("()", "function", "alias"))


def _names_printing_trap(command: str) -> bool:
    """Tell whether the trap that it may set runs, and perhaps prints, for our own lines as well."""
    lower = command.lower()
    return "debug" in lower or "return" in lower


def _may_export(command: str) -> bool:
    return any(word in command for word in _EXPORT_WORDS) and _MAY_EXPORT.search(command) is not None
