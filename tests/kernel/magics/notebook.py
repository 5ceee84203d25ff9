"""A Python notebook without a front end: cells go to a real IPython kernel, what it sends is collected.

Nothing sleeps: every wait is for a message, with one deadline.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

import shellkernel
import shellkernel_magics
from tests.kernel.transport import file_sockets

__all__ = ("WIDGET", "Cell", "Notebook")

PATIENCE = 40.0
"""Seconds that any one wait may take before the test fails."""

WIDGET = "application/vnd.jupyter.widget-view+json"

Bundle = dict[str, Any]


@dataclass
class Cell:
    """What one cell has shown so far."""

    message_id: str
    code: str
    stdout: str = ""
    stderr: str = ""
    results: list[Bundle] = field(default_factory=list)
    displays: dict[str, Bundle] = field(default_factory=dict)
    """By display id, in its latest state; displays without one under ""."""
    updates: int = 0
    clears: int = 0
    error: Bundle | None = None
    reply: Bundle | None = None
    idle: bool = False
    streams: list[tuple[str, float]] = field(default_factory=list)
    """Each stream message's text, and when it came."""

    def take(self, kind: str, content: Bundle) -> None:
        """Show one message of the iopub channel."""
        match kind:
            case "stream":
                setattr(self, content["name"], getattr(self, content["name"]) + content["text"])
                self.streams.append((content["text"], monotonic()))
            case "execute_result":
                self.results.append(content["data"])
            case "display_data":
                self.displays[content["transient"].get("display_id", "")] = content["data"]
            case "update_display_data":
                self.displays[content["transient"]["display_id"]] = content["data"]
                self.updates += 1
            case "clear_output":
                self.clears += 1
                self.stdout = self.stderr = ""
            case "error":
                self.error = content
            case "status" if content["execution_state"] == "idle":
                self.idle = True

    @property
    def done(self) -> bool:
        return self.idle and self.reply is not None

    @property
    def screen(self) -> str:
        """What the streams look like: `\r` goes back to the line's start, and what follows overwrites."""
        lines = []
        for line in self.stdout.split("\n"):
            shown = ""
            for piece in line.split("\r"):
                shown = piece + shown[len(piece) :]
            lines.append(shown.rstrip(" "))
        return "\n".join(lines)

    @property
    def result(self) -> str:
        """The plain text of the one result."""
        assert len(self.results) == 1, self
        return str(self.results[0]["text/plain"])

    @property
    def html(self) -> str:
        return str(self.results[0]["text/html"])

    @property
    def traceback(self) -> str:
        """What the error shows, without colours."""
        assert self.error is not None, self
        return re.sub(r"\x1b\[[\d;]*m", "", "\n".join(self.error["traceback"]))

    @property
    def status(self) -> str:
        assert self.reply is not None
        return str(self.reply["status"])

    def display(self, kind: str = "text/plain") -> str:
        """The current text of all displays, but for widgets."""
        bundles = [bundle for bundle in self.displays.values() if WIDGET not in bundle]
        return "\n".join(str(bundle[kind]) for bundle in bundles if bundle.get(kind))


class Notebook:
    """One kernel with the extension loaded, and the cells that ran in it."""

    def __init__(self, folder: Path, *, setup: str = "%load_ext shellkernel") -> None:
        self.folder = folder
        paths = [str(Path(module.__path__[0]).parent) for module in (shellkernel, shellkernel_magics)]
        self.manager = KernelManager(kernel_name="python3", **file_sockets())
        self.manager.start_kernel(env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, cwd=str(folder))
        client = self.manager.client()
        assert isinstance(client, BlockingKernelClient)
        self.client = client
        self.cells: dict[str, Cell] = {}
        self.questions: list[Bundle] = []
        self.client.start_channels()
        try:
            self.client.wait_for_ready(timeout=PATIENCE)
            loaded = self.run(setup)
            assert loaded.error is None, loaded
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the kernel, if it lives. May be called twice."""
        self.client.stop_channels()
        if self.manager.has_kernel:
            self.manager.shutdown_kernel()

    def start(self, code: str, *, allow_stdin: bool = False, subshell: str | None = None) -> Cell:
        """Send a cell and return at once; `subshell` is what `create_subshell` gave."""
        content = {"code": code, "silent": False, "allow_stdin": allow_stdin, "stop_on_error": True}
        message = self.client.session.msg("execute_request", content)
        if subshell is not None:
            message["header"]["subshell_id"] = subshell
        self.client.shell_channel.send(message)
        message_id = str(message["header"]["msg_id"])
        self.cells[message_id] = Cell(message_id, code)
        return self.cells[message_id]

    def create_subshell(self) -> str:
        """Return the id of a new subshell, whose cells run beside those of the main shell (JEP 91)."""
        self.client.control_channel.send(self.client.session.msg("create_subshell_request", {}))
        while True:
            answer = self.client.control_channel.get_msg(timeout=PATIENCE)
            if answer["header"]["msg_type"] == "create_subshell_reply":
                return str(answer["content"]["subshell_id"])

    def run(self, code: str, *, answers: Sequence[str] | None = None) -> Cell:
        """Run a cell to its end; `answers` are typed into its input boxes (None: it may show none)."""
        cell = self.start(code, allow_stdin=answers is not None)
        for answer in answers or ():
            self.until_asked(cell)
            self.client.input(answer)
        self.until(lambda: cell.done)
        return cell

    def until_asked(self, cell: Cell) -> None:
        """Wait until a running cell shows an input box."""
        asked = len(self.questions)
        self.until(lambda: cell.done or len(self.questions) > asked)
        assert len(self.questions) > asked, f"it asked nothing: {cell}"

    def value(self, expression: str) -> Any:
        """Evaluate a Python expression in the kernel; its value must have a literal repr."""
        message_id = self.client.execute("", silent=True, user_expressions={"value": f"repr({expression})"})
        cell = self.cells[message_id] = Cell(message_id, expression)
        self.until(lambda: cell.reply is not None)
        assert cell.reply is not None
        answer = cell.reply["user_expressions"]["value"]
        assert answer["status"] == "ok", answer
        import ast

        return ast.literal_eval(ast.literal_eval(answer["data"]["text/plain"]))

    def complete(self, code: str, position: int | None = None) -> list[str]:
        """Return what Tab offers at a position (the end)."""
        message_id = self.client.complete(code, position)
        cell = self.cells[message_id] = Cell(message_id, code)
        self.until(lambda: cell.reply is not None)
        assert cell.reply is not None
        return list(cell.reply["matches"])

    def interrupt(self) -> None:
        """Press the kernel's interrupt button."""
        self.manager.interrupt_kernel()

    def until(self, condition: Callable[[], bool]) -> None:
        """Take messages until the condition holds.

        Raises:
            TimeoutError: It did not come to hold.
        """
        deadline = monotonic() + PATIENCE
        poller = zmq.Poller()
        channels = (self.client.iopub_channel, self.client.shell_channel, self.client.stdin_channel)
        for channel in channels:
            poller.register(channel.socket, zmq.POLLIN)
        while not condition():
            ready = dict(poller.poll(max(0, int((deadline - monotonic()) * 1000))))
            if not ready:
                raise TimeoutError(f"waited in vain; cells: {list(self.cells.values())[-2:]}")
            for channel in channels:
                if channel.socket in ready:
                    self._take(channel.get_msg(timeout=0))

    def _cell_of_display(self, display_id: str) -> Cell | None:
        return next((cell for cell in self.cells.values() if display_id in cell.displays), None)

    def _take(self, message: Bundle) -> None:
        kind, content = message["header"]["msg_type"], message["content"]
        if kind == "input_request":
            self.questions.append(content)
            return
        cell = self.cells.get(message["parent_header"].get("msg_id", ""))
        if kind == "update_display_data":  # front ends go by the display, not by the parent
            cell = self._cell_of_display(content["transient"]["display_id"])
        if cell is None:
            return
        if kind.endswith("_reply"):
            cell.reply = content
        else:
            cell.take(kind, content)
