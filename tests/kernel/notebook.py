"""A front end for tests: starts the installed kernel, sends cells, keeps what comes back.

Nothing here sleeps: every wait is a wait for a message, with a deadline.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty
from time import monotonic
from types import TracebackType
from typing import Any, Self

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.transport import file_sockets

__all__ = ("SECONDS", "Message", "Notebook", "Outcome", "processes_of_session")

SECONDS = 20.0
"""How long a message may take at most; on a busy machine too."""

Message = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What one cell came to: its messages on iopub without the status, and its reply."""

    msg_id: str
    outputs: list[Message] = field(default_factory=list)
    reply: Message = field(default_factory=dict)

    def of_type(self, msg_type: str) -> list[Message]:
        """The contents of its messages of one type."""
        return [message["content"] for message in self.outputs if message["msg_type"] == msg_type]

    def stream(self, name: str = "stdout") -> str:
        """The text of one stream."""
        return "".join(content["text"] for content in self.of_type("stream") if content["name"] == name)

    @property
    def text(self) -> str:
        """The text of both streams, as far as it was not cleared."""
        text = ""
        for message in self.outputs:
            if message["msg_type"] == "clear_output":
                text = ""
            elif message["msg_type"] == "stream":
                text += message["content"]["text"]
        return text

    @property
    def shown(self) -> list[str]:
        """The lines of `text` as a front end shows them: `\\r` goes back and overwrites."""
        lines = []
        for line in self.text.split("\n"):
            shown = ""
            for part in line.split("\r"):
                shown = part + shown[len(part) :]
            lines.append(shown.rstrip(" "))
        return lines

    @property
    def status(self) -> str:
        """`ok`, `error` or `aborted`."""
        return str(self.reply["status"])

    @property
    def error(self) -> Message:
        """The one error it showed."""
        (error,) = self.of_type("error")
        return error

    @property
    def exit_code(self) -> int | None:
        """0, the exit code that its error names, or None."""
        if self.status == "ok":
            return 0
        value = self.error["evalue"]
        return int(value) if value.isdigit() else None


class Notebook:
    """A kernel and a client of it; a context manager that shuts it down.

    Args:
        arguments: Of the kernel's command line, such as "--ShellKernel.columns=80".
        env: Laid over the environment.
    """

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.manager = KernelManager(kernel_name="shellkernel", **file_sockets())
        if not any("history_file" in argument for argument in arguments):
            arguments = ("--ShellKernel.history_file=:memory:", *arguments)
        self.manager.start_kernel(extra_arguments=[*arguments], env={**os.environ, **(env or {})})
        self.client: BlockingKernelClient = self.manager.blocking_client()
        self.client.start_channels()
        try:
            self.client.wait_for_ready(timeout=SECONDS)
        except BaseException:
            self.close()
            raise
        self.stray: list[Message] = []
        """Messages on iopub that belong to no cell that was waited for."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Shut the kernel down."""
        self.client.stop_channels()
        self.manager.shutdown_kernel()
        self.manager.cleanup_resources()

    def submit(self, code: str, **options: Any) -> str:
        """Send a cell and return its message id. By default input is not allowed."""
        options.setdefault("allow_stdin", False)
        return str(self.client.execute(code, **options))

    def run(self, code: str, *, seconds: float = SECONDS, **options: Any) -> Outcome:
        """Run a cell to its end."""
        return self.finish(self.submit(code, **options), seconds=seconds)

    def finish(self, msg_id: str, *, seconds: float = SECONDS) -> Outcome:
        """Wait for the end of a cell that was sent: its reply, and that the kernel is idle."""
        outcome = Outcome(msg_id=msg_id)
        self.watch(outcome, _is_idle, seconds=seconds)
        outcome.reply = self.reply(msg_id, seconds=seconds)
        return outcome

    def watch(self, outcome: Outcome, until: Callable[[Message], bool], *, seconds: float = SECONDS) -> Message:
        """Take a cell's messages until one fits, and return that."""
        for message in self._iopub(monotonic() + seconds):
            if message["parent_header"].get("msg_id") != outcome.msg_id:
                self.stray.append(message)
                continue
            if message["msg_type"] not in ("status", "execute_input"):
                outcome.outputs.append(message)
            if until(message):
                return message
        raise AssertionError(f"no such message within {seconds} s; there were {outcome.outputs}")

    def reply(self, msg_id: str, *, seconds: float = SECONDS) -> Message:
        """Return the content of the reply to a request on the shell channel."""
        deadline = monotonic() + seconds
        while (left := deadline - monotonic()) > 0:
            try:
                message = self.client.get_shell_msg(timeout=left)
            except Empty:
                break
            if message["parent_header"].get("msg_id") == msg_id:
                content: Message = message["content"]
                return content
        raise AssertionError(f"no reply within {seconds} s")

    def question(self, *, seconds: float = SECONDS) -> Message:
        """Wait for an input box; return its content."""
        try:
            content: Message = self.client.get_stdin_msg(timeout=seconds)["content"]
        except Empty:
            raise AssertionError(f"no input box within {seconds} s") from None
        return content

    def interrupt(self) -> None:
        """Do what the interrupt button does, and wait until the kernel has done it."""
        client = self.client
        message = client.session.msg("interrupt_request", {})
        client.control_channel.send(message)
        deadline = monotonic() + SECONDS
        while (left := deadline - monotonic()) > 0:
            if client.get_control_msg(timeout=left)["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return
        raise AssertionError(f"no reply to the interrupt within {SECONDS} s")

    @contextmanager
    def busy(self, code: str, until: str, **options: Any) -> Iterator[Outcome]:
        """Start a cell, and enter the block when its output ends in `until`; afterwards wait for its end."""
        outcome = Outcome(msg_id=self.submit(code, **options))
        self.watch(outcome, lambda _message: outcome.text.endswith(until))
        yield outcome
        self.watch(outcome, _is_idle)
        outcome.reply = self.reply(outcome.msg_id)

    def _iopub(self, deadline: float) -> Iterator[Message]:
        while (left := deadline - monotonic()) > 0:
            try:
                yield self.client.get_iopub_msg(timeout=left)
            except Empty:
                return


def _is_idle(message: Message) -> bool:
    return bool(message["msg_type"] == "status" and message["content"]["execution_state"] == "idle")


def processes_of_session(session: int) -> list[int]:
    """Return the living processes of a process session (the kernel's bash leads one)."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(name))
    return found
