"""Messages that belong to one request, sent from any thread.

ipykernel finds a message's parent by the thread it is sent from, which gives output of a reader thread to
whatever cell ran last. Here the request is kept and named in each message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from shellkernel.errors import ShellKernelError
from shellkernel.kernel.pace import Pace
from shellkernel.render import traceback_lines
from shellkernel.results import Result
from shellkernel.text import plain

__all__ = ("Content", "IOPub", "Publisher", "Request", "error_of_exception", "error_of_result", "value_of_result")

Content = dict[str, Any]
"""A message's content: JSON values only."""


class IOPub(Protocol):
    """The way to the front ends: sends one message to all of them; may be called from any thread."""

    def __call__(self, msg_type: str, content: Content, parent: Content) -> None:
        """Send it as a consequence of the message `parent`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One message of a front end: what an answer has to name."""

    ident: Sequence[bytes]
    """The routing prefix of who sent it."""
    message: Content
    """The whole message: header, metadata, content."""

    @property
    def content(self) -> Content:
        """The message's content."""
        content: Content = self.message["content"]
        return content

    @property
    def tags(self) -> frozenset[str]:
        """The tags of the notebook cell it came from."""
        tags = (self.message.get("metadata") or {}).get("tags") or ()
        return frozenset(tag for tag in tags if isinstance(tag, str))


class Publisher:
    """Sends what one request brings about.

    Args:
        iopub: The way to the front ends.
        request: The request.
        pace: The kernel's.
        silent: Send nothing; the front end asked for that.
    """

    def __init__(self, iopub: IOPub, request: Request, pace: Pace, *, silent: bool = False) -> None:
        self._iopub = iopub
        self._pace = pace
        self._parent = request.message
        self._silent = silent

    def stream(self, text: str, name: str = "stdout") -> None:
        """Append text to the cell's stream `stdout` or `stderr`; waits where the server would drop it."""
        if not self._silent:
            self._pace.wait(text)
        self._publish("stream", {"name": name, "text": text})

    def clear(self, *, wait: bool) -> None:
        """Remove the cell's output, at once or when the next one comes."""
        self._publish("clear_output", {"wait": wait})

    def error(self, content: Content) -> None:
        """Show an error: `ename`, `evalue`, `traceback`."""
        self._publish("error", content)

    def display(self, data: Mapping[str, object], metadata: Mapping[str, object], display_id: str = "") -> None:
        """Show a MIME bundle; with an id it can be replaced later."""
        content: Content = {"data": dict(data), "metadata": dict(metadata)}
        content["transient"] = {"display_id": display_id} if display_id else {}
        self._publish("display_data", content)

    def update_display(self, data: Mapping[str, object], metadata: Mapping[str, object], display_id: str) -> None:
        """Replace the bundle that was shown with this id."""
        transient = {"display_id": display_id}
        self._publish("update_display_data", {"data": dict(data), "metadata": dict(metadata), "transient": transient})

    def result(self, execution_count: int, data: Mapping[str, object]) -> None:
        """Show a MIME bundle as the value of the cell."""
        self._publish("execute_result", {"execution_count": execution_count, "data": dict(data), "metadata": {}})

    def _publish(self, msg_type: str, content: Content) -> None:
        if not self._silent:
            self._iopub(msg_type, content, self._parent)


def error_of_result(result: Result) -> Content:
    """Return an error's content for a result that is not ok: the exit code, and what it means.

    `evalue` is the exit code as text, or the end reason when no exit code arrived.
    """
    value = result.end_reason if result.exit_code is None else str(result.exit_code)
    return {"ename": "ExitCode", "evalue": value, "traceback": traceback_lines(result)}


def value_of_result(result: Result) -> str:
    """Return the same lines without colours: the value of a cell whose exit code is an answer."""
    return plain("\n".join(traceback_lines(result)))


def error_of_exception(error: Exception) -> Content:
    """Return an error's content for one of our own errors; its name is the class's."""
    name = type(error).__name__
    lines = [f"\x1b[31m{name}: {error}\x1b[0m"]
    output = getattr(error, "output", "")
    if isinstance(error, ShellKernelError) and isinstance(output, str) and output.strip():
        lines += ["It printed:", *output.rstrip().split("\n")]
    return {"ename": name, "evalue": str(error), "traceback": lines}
