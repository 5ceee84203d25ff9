"""The Jupyter side: requests in, messages out. What bash does is `shellkernel.session`'s."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

from traitlets import Unicode

from shellkernel.errors import CommandSyntaxError, IncompleteCommand, ShellKernelError
from shellkernel.kernel.assistant import Assistant
from shellkernel.kernel.base import AsyncKernel
from shellkernel.kernel.cell import Cell
from shellkernel.kernel.commands import Commands
from shellkernel.kernel.history import History, default_history_file
from shellkernel.kernel.input import InputBox
from shellkernel.kernel.magics import UsageError, check_head, split_magics
from shellkernel.kernel.messages import Content, Publisher, error_of_exception, error_of_result, value_of_result
from shellkernel.kernel.pace import Pace
from shellkernel.kernel.runner import Runner
from shellkernel.kernel.settings import KernelSettings
from shellkernel.render import mimebundle
from shellkernel.results import Result
from shellkernel.sentinel.typing import normalise
from shellkernel.syntax import check_syntax, is_blank

__all__ = ("ShellKernel",)

T = TypeVar("T")

_VERSION = re.compile(r"version (\d+\.\d+\.\d+)")


class ShellKernel(KernelSettings, AsyncKernel):
    """A Jupyter kernel for bash: every cell runs in one living shell."""

    implementation = "shellkernel"
    implementation_version = version("shellkernel")
    help_links = [  # noqa: RUF012  # ipykernel's own form
        {"text": "Bash Reference Manual", "url": "https://www.gnu.org/software/bash/manual/bash.html"},
        {"text": "POSIX Shell Command Language", "url": "https://pubs.opengroup.org/onlinepubs/9799919799/"},
    ]
    history_file = Unicode(
        default_history_file(),
        help='Where the cells that ran are kept (never in ~/.bash_history); ":memory:" is nowhere.',
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        assert self.session is not None
        self._box = InputBox(self.session, self.stdin_socket)
        self._pace = Pace()
        self._runner = Runner(self, self._box, self._later_elsewhere)
        self._assistant = Assistant(self, self._runner)
        self._commands = Commands(self, self._runner, self._help_on)
        self._history = History(self.history_file)
        self._worker = ThreadPoolExecutor(1, "shellkernel cell")  # one cell at a time
        self._helpers = ThreadPoolExecutor(4, "shellkernel helper")  # completion and the like, also beside a cell
        self._timers = ThreadPoolExecutor(1, "shellkernel output")  # sending may have to wait
        self._bash_version = ""

    @property
    def banner(self) -> str:  # type: ignore[override]  # ipykernel's is a plain attribute
        """What a console shows at its start."""
        return f"shellkernel {self.implementation_version}: bash {self._language_version()}"

    @property
    def language_info(self) -> Content:  # type: ignore[override]
        """What front ends need to know about bash."""
        return {
            "name": "bash",
            "version": self._language_version(),
            "mimetype": "text/x-sh",
            "file_extension": ".sh",
            "codemirror_mode": "shell",
            "pygments_lexer": "bash",
        }

    def start(self) -> None:
        """Begin to serve requests; bash starts meanwhile."""
        super().start()
        self._worker.submit(self._runner.session)  # an error is found, and shown, by the first cell

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: Mapping[str, str] | None = None,
        allow_stdin: bool = False,
        *,
        cell_meta: Mapping[str, Any] | None = None,  # noqa: ARG002  # the request has it
        cell_id: str | None = None,  # noqa: ARG002
    ) -> Content:
        """Run a cell; return the content of `execute_reply`."""
        request = self._running
        assert request is not None
        publisher = Publisher(self.iopub, request, self._pace, silent=silent)
        if store_history and not silent and code.strip():
            self._history.add(self.execution_count, code)
        cell = Cell(code=code, request=request, publisher=publisher, allow_stdin=allow_stdin)
        payload: list[Content] = []
        error = await self._in_worker(self._serve, cell, payload)
        reply: Content = {"execution_count": self.execution_count}
        if error is not None:
            publisher.error(error)
            return {**reply, **error, "status": "error", "user_expressions": {}}
        values = await self._in_worker(self._values, user_expressions or {})
        return {**reply, "status": "ok", "payload": payload, "user_expressions": values}

    async def do_is_complete(self, code: str) -> Content:
        """Tell a console whether Enter runs the cell or begins a next line."""
        try:
            await self._help(partial(check_syntax, split_magics(code)[1], shell=self.shell))
        except IncompleteCommand:
            return {"status": "incomplete", "indent": ""}
        except CommandSyntaxError:
            return {"status": "invalid"}
        except OSError:  # there is no such shell
            return {"status": "unknown"}
        return {"status": "complete"}

    async def do_complete(self, code: str, cursor_pos: int) -> Content:
        """Return what may stand at the cursor; cursors count characters."""
        return await self._help(self._assistant.complete, code, cursor_pos)

    async def do_inspect(
        self,
        code: str,
        cursor_pos: int,
        detail_level: int = 0,  # noqa: ARG002  # there is one level
        omit_sections: Collection[str] = (),  # noqa: ARG002
    ) -> Content:
        """Return what the word at the cursor means."""
        text = await self._help(self._assistant.inspect, code, cursor_pos)
        data = {"text/plain": text} if text else {}
        return {"status": "ok", "found": bool(text), "data": data, "metadata": {}}

    async def do_history(
        self,
        hist_access_type: str,
        output: bool,
        raw: bool,  # noqa: ARG002  # there is one form of a cell
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,
    ) -> Content:
        """Return cells that ran, as `(session, line, code)`."""
        match hist_access_type:
            case "tail":
                found = self._history.tail(n or 10)
            case "range":
                found = self._history.range(session or 0, start or 0, stop)
            case "search":
                found = self._history.search(pattern or "*", n, unique=bool(unique))
            case _:
                found = []
        history = [(number, line, (code, None) if output else code) for number, line, code in found]
        return {"status": "ok", "history": history}

    async def do_shutdown(self, restart: bool) -> Content:
        """End the session and every process in it; in the control thread."""
        await self._help(self.end)
        return {"status": "ok", "restart": restart}

    def interrupt(self) -> None:
        """Interrupt the running cell."""
        self._runner.interrupt()

    def end(self) -> None:
        """End the session."""
        self._pace.end()
        self._runner.close()
        self._assistant.close()
        self._history.close()

    def _serve(self, cell: Cell, payload: list[Content]) -> Content | None:
        """Do what a cell says, in the worker thread; return the error that it is to show."""
        try:
            return self._serve_lines(cell, payload)
        except (ShellKernelError, UsageError) as error:
            return error_of_exception(error)
        except Exception as error:  # the edge: a bug must not leave the cell without an answer
            self.log.exception("a cell failed")
            return error_of_exception(error)

    def _serve_lines(self, cell: Cell, payload: list[Content]) -> Content | None:
        calls, code = split_magics(cell.code)
        check_head(code)
        for call in calls:
            answer = self._commands.call(call, cell)
            if answer.value:
                cell.publisher.result(self.execution_count, {"text/plain": answer.value})
            if answer.page:
                payload.append({"source": "page", "data": {"text/plain": answer.page}, "start": 0})
        if is_blank(code):  # bash would run nothing, and the exit code be the last cell's
            return None
        cell.code = code
        if cell.dry_run:
            self._show_structure(cell)
            return None
        result = self._runner.run(cell)
        self._helpers.submit(self._assistant.cell_ended)
        if _is_recorded(result):
            cell.publisher.display(mimebundle(result), {})
        return None if result.ok else self._not_ok(result, cell)

    def _show_structure(self, cell: Cell) -> None:
        """Show what a cell consists of; nothing runs.

        Raises:
            IncompleteCommand, CommandSyntaxError, InvalidCommand: bash could not run it.
        """
        from shellkernel.render.outline import outline_bundle  # few ask for it, and a kernel shall start soon
        from shellkernel.syntax.tree import read_tree

        code = normalise(cell.code)
        check_syntax(code, shell=self.shell)
        cell.publisher.display(outline_bundle(read_tree(code)), {})

    def _not_ok(self, result: Result, cell: Cell) -> Content | None:
        """Return the error, or show the exit code as the cell's value where it is an answer like any other."""
        if result.end_reason == "completed" and self.on_nonzero == "continue":
            if not _is_recorded(result):  # the picture says it
                cell.publisher.result(self.execution_count, {"text/plain": value_of_result(result)})
            return None
        return error_of_result(result)

    def _values(self, expressions: Mapping[str, str]) -> Content:
        """User expressions: names of variables. Nothing is evaluated."""
        return {name: self._value(text) for name, text in expressions.items()}

    def _value(self, expression: str) -> Content:
        try:
            value = self._runner.session().vars[expression.strip().removeprefix("$").strip("{}")]
        except (LookupError, ShellKernelError) as error:
            return {"status": "error", **error_of_exception(error)}
        return {"status": "ok", "data": {"text/plain": str(value)}, "metadata": {}}

    def _later_elsewhere(self, seconds: float, callback: Callable[[], None]) -> None:
        """Call back in a thread of its own: the event loop must not wait for the pace."""
        self.later(seconds, partial(self._timers.submit, callback))

    def _help_on(self, name: str) -> str:
        return self._assistant.inspect(name, len(name))

    async def _in_worker(self, function: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, function, *arguments)

    async def _help(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run something beside a cell."""
        return await asyncio.get_running_loop().run_in_executor(self._helpers, function, *arguments)

    def _language_version(self) -> str:
        if not self._bash_version:
            try:
                said = subprocess.run(
                    [self.shell, "--version"], capture_output=True, text=True, timeout=10, check=False
                )
            except (OSError, subprocess.SubprocessError):
                return "unknown"
            found = _VERSION.search(said.stdout)
            self._bash_version = found[1] if found else "unknown"
        return self._bash_version


def _is_recorded(result: Result) -> bool:
    """Whether it has statements or a trace, to be drawn."""
    return result.statements is not None or result.trace is not None
