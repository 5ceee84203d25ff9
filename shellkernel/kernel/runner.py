"""The kernel's one bash session: cells in, results out; what a running cell needs from the notebook.

Threads: `run` is called in the kernel's worker thread and blocks there; output arrives in the session's
reader thread; `interrupt` and `close` come from the main thread or the control thread.
"""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from shellkernel.errors import SessionClosed, ShellKernelError
from shellkernel.kernel.cell import Cell
from shellkernel.kernel.gallery import Gallery
from shellkernel.kernel.input import InputBox, keys
from shellkernel.kernel.output import CellOutput, Later
from shellkernel.kernel.settings import KernelSettings
from shellkernel.results import BackgroundOutput, InputRequest, Result
from shellkernel.session import BashSession, Job

__all__ = ("Runner",)

T = TypeVar("T")

REMEMBERED = 32
"""Cells whose background jobs still print into their own output; jobs of older ones print into the last's."""

QUESTION_SECONDS = 0.3
"""Seconds that a question waits for its turn."""

HOW_TO_LEAVE = (
    "[{} has taken over the screen. A line is sent as keys and Enter: `q` leaves less, man and top, `^[:q!` vi, `^X` "
    "nano (`^[` at the head of a line is Escape, `^X` Ctrl-X). The interrupt button ends it.]\n"
)

NOBODY_WAITS = "[The program has ended without an answer. Send any line to close the box.]\n"


class Runner:
    """Runs cells in one session, which it starts when the first needs it.

    Args:
        settings: Read when a session starts and when a cell runs.
        box: The input box.
        later: How to be called back.
    """

    def __init__(self, settings: KernelSettings, box: InputBox, later: Later) -> None:
        self._settings = settings
        self._box = box
        self._later = later
        self._starting = threading.Lock()
        self._using = threading.Lock()
        """Held while a cell runs or a question is asked: bash does one thing at a time."""
        self._session: BashSession | None = None
        self._closed = False
        self._cell: Cell | None = None
        self._gallery = Gallery()
        self.serial = 0
        """Of the last cell's command."""
        self._outputs: dict[int, CellOutput] = {}
        self._last_output: CellOutput | None = None

    @property
    def last_output(self) -> CellOutput | None:
        """What the last cell printed."""
        return self._last_output

    @property
    def started(self) -> BashSession | None:
        """The session, once it was started."""
        return self._session

    def session(self) -> BashSession:
        """Return the session; the first call starts it.

        Raises:
            SessionStartFailed: The next call tries again.
            SessionClosed: The kernel ends.
        """
        with self._starting:
            if self._closed:
                raise SessionClosed("the kernel ends; nothing was run", "kernel")
            if self._session is None:
                options = self.session_options()
                self._session = BashSession("kernel", listed=False, on_background_output=self._background, **options)
            return self._session

    def session_options(self) -> dict[str, Any]:
        """Return the arguments of `BashSession`, with what lets `display` find us."""
        options = dict(self._settings.session_options())
        environment = options["env"]
        path = environment.get("PATH", os.environ.get("PATH", ""))
        return {**options, "env": {**environment, **self._gallery.environment(path)}}

    def restart(self) -> None:
        """End the session with all it runs, and start one with the settings of now.

        Raises:
            SessionStartFailed: There is no session then; the next cell tries again.
        """
        with self._starting:
            if self._session is not None:
                self._end(self._session)
            self._session = None
            self.serial = 0
            self._outputs.clear()
        self.session()

    def export(self, variables: Mapping[str, str]) -> None:
        """Export variables into the shell."""
        if variables:
            words = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
            session = self.session()
            with self._using:
                session.prepare(f"export {words}")

    def ask(self, question: Callable[[BashSession], T]) -> T | None:
        """Ask the idle session something; None when a cell runs, or there is no session."""
        if self._session is None or self._closed or self._cell is not None:
            return None
        if not self._using.acquire(timeout=QUESTION_SECONDS):  # for another question, or a cell that has just begun
            return None
        try:
            return question(self._session)
        except ShellKernelError:
            return None
        finally:
            self._using.release()

    def run(self, cell: Cell) -> Result:
        """Run one cell to its end; all of its output was sent when this returns.

        Raises:
            IncompleteCommand, CommandSyntaxError, InvalidCommand: Nothing was run.
            SessionStartFailed, SessionClosed: There is no session; nothing was run.
        """
        settings = self._settings
        cell.output = CellOutput(
            cell.publisher,
            self._later,
            self._gallery,
            columns=settings.columns,
            rows=settings.rows,
            limit=settings.shown,
            prompts=cell.allow_stdin,
        )
        self._cell = cell
        try:
            session = self.session()
            with self._using:
                cell.job = job = session.start(
                    cell.code,
                    timeout=settings.timeout,
                    on_output=cell.output.feed,
                    on_stderr=partial(cell.output.feed, name="stderr"),
                    on_input=partial(self._ask, cell) if cell.allow_stdin else None,
                    on_waiting="keep" if cell.allow_stdin else "interrupt",
                    **self._inside(cell),
                )
                self._remember(job.serial, cell.output)
                if cell.interrupted:  # while its syntax was checked
                    job.interrupt()
                result = job.result()
            cell.answered.wait()
            cell.output.whole = result.output_path or ""
            return result
        finally:
            cell.output.settle()
            self._cell = None

    def _inside(self, cell: Cell) -> dict[str, Any]:
        """Return what is asked of the session beside the cell's end."""
        inside: dict[str, Any] = {}
        if cell.statements or self._settings.statements:
            inside["statements"] = True
        if cell.stop_on_error:
            inside["stop_on_error"] = True
        if cell.trace:
            inside |= {"trace": True, "trace_limit": self._settings.trace_limit}
        return inside

    def interrupt(self) -> None:
        """Interrupt the running cell; further calls do it harder. An idle session is left alone."""
        cell = self._cell
        if cell is not None:
            cell.interrupted = True
            if cell.job is not None:
                cell.job.interrupt()
            self._box.wake()

    def close(self) -> None:
        """End the session and every process in it. A cell that runs ends; may be called twice."""
        self._closed = True
        self._box.wake()
        with self._starting:
            if self._session is not None:
                self._end(self._session)

    def _end(self, session: BashSession) -> None:
        session.close(detached="leave" if self._settings.detached == "leave" else "end")

    def _ask(self, cell: Cell, question: InputRequest) -> str | None:
        """A program waits: have a person answer. In the thread that serves the cell's input."""
        cell.answered.clear()
        try:
            job = cell.job or self.session().running
            if job is None or job.done or cell.interrupted:
                return None
            if question.prompt:
                cell.output.take_back_line()  # the box shows it, and leaves it in the output
            full_screen = cell.output.flush()
            if full_screen:
                cell.publisher.stream(HOW_TO_LEAVE.format(question.program or "The program"), "stderr")
            job.add_done_callback(partial(self._unasked, cell))
            answer = self._box.ask(cell.request, question, lambda: self._given_up(cell, job))
            return keys(answer) if answer and full_screen else answer
        finally:
            cell.answered.set()

    def _given_up(self, cell: Cell, job: Job) -> bool:
        return self._closed or (cell.interrupted and job.done)

    def _unasked(self, cell: Cell, _job: Job) -> None:
        """The program ended while its box is open. The box must stay, so say what it is good for."""
        if not (cell.answered.is_set() or cell.told or cell.interrupted or self._closed):
            cell.told = True
            cell.publisher.stream(NOBODY_WAITS, "stderr")
        self._box.wake()

    def _remember(self, serial: int, output: CellOutput) -> None:
        """Keep a cell's output under its command's serial number, by which output of its jobs is known."""
        self.serial = serial
        self._outputs[serial] = self._last_output = output
        for old in [number for number in self._outputs if number <= serial - REMEMBERED]:
            del self._outputs[old]

    def _background(self, background: BackgroundOutput) -> None:
        """Output of a job in the background: to the cell that started it, else to the last one."""
        output = self._outputs.get(background.started_by, self._last_output)
        if output is not None:
            output.feed(background.text)
