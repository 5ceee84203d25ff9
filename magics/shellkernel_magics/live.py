"""A command's output in the cell that started it, while it runs.

Output arrives in the session's reader thread, and what was held back is due when no output arrives, so a
thread of our own waits for that. Both print in the context of the cell (contextvars): IPython's kernel
finds there which cell a message belongs to; without it, output goes to whichever cell ran last.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import Literal, TextIO

from IPython.core.interactiveshell import InteractiveShell
from IPython.display import clear_output

from shellkernel.render.stream import LiveText, Operation, Redraw
from shellkernel.text import Renderer

__all__ = ("LiveOutput", "in_notebook")


def in_notebook(shell: InteractiveShell) -> bool:
    """Tell whether the shell is a kernel: it can clear a cell's output and update a display in place."""
    return getattr(shell, "kernel", None) is not None


class LiveOutput:
    """Shows the two streams of one command. Its methods may be called from any thread.

    Create it in the cell; pass `stdout` and `stderr` to the session; `close` it when the command is over.
    """

    def __init__(self, shell: InteractiveShell, columns: int, rows: int) -> None:
        """Start with nothing shown.

        Args:
            shell: The IPython shell of the cell.
            columns: The width of the session's terminal.
            rows: Its height.
        """
        rewrite: Literal["pad", "ansi"] = "pad" if in_notebook(shell) else "ansi"
        self._context = contextvars.copy_context()
        self._changed = threading.Condition()
        self._out = _Stream(LiveText(Renderer(columns, rows), rewrite=rewrite), sys.stdout)
        self._err = _Stream(LiveText(Renderer(columns, rows), rewrite=rewrite), sys.stderr)
        self._closed = False
        self._waiter: threading.Thread | None = None

    def stdout(self, text: str) -> None:
        """Take output, as the session's `on_output`."""
        self._send(self._out, lambda live: live.feed(text, monotonic()))

    def stderr(self, text: str) -> None:
        """Take output of the separate stream, as the session's `on_stderr`."""
        self._send(self._err, lambda live: live.feed(text, monotonic()))

    def flush(self) -> None:
        """Show all that is held back."""
        for stream in (self._out, self._err):
            self._send(stream, lambda live: live.flush(monotonic()))

    def close(self) -> None:
        """Show all that is held back, and nothing from now on. Calling it again does nothing."""
        for stream in (self._out, self._err):
            self._send(stream, lambda live: live.finish(monotonic()))
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._waiter is not None:
            self._waiter.join()

    def _send(self, stream: _Stream, step: Callable[[LiveText], list[Operation]]) -> None:
        with self._changed:
            if self._closed:
                return
            operations = step(stream.live)
            if operations:
                # A context can be entered by one thread at a time; the lock sees to that.
                self._context.run(self._show, stream, operations)
            if stream.live.deadline is not None:
                self._wait_for_deadlines()

    def _show(self, stream: _Stream, operations: list[Operation]) -> None:
        for operation in operations:
            if isinstance(operation, Redraw):
                clear_output(wait=True)  # type: ignore[no-untyped-call]
                other = self._err if stream is self._out else self._out
                other.write(other.live.shown)
            stream.write(operation.text)

    def _wait_for_deadlines(self) -> None:
        if self._waiter is None:
            self._waiter = threading.Thread(target=self._tick, name="shellkernel-live", daemon=True)
            self._waiter.start()
        self._changed.notify()

    def _tick(self) -> None:
        with self._changed:
            while not self._closed:
                deadlines = [
                    (stream.live.deadline, stream)
                    for stream in (self._out, self._err)
                    if stream.live.deadline is not None
                ]
                if not deadlines:
                    self._changed.wait()
                    continue
                deadline, stream = min(deadlines, key=lambda pair: pair[0])
                if (left := deadline - monotonic()) > 0:
                    self._changed.wait(left)
                elif operations := stream.live.tick(monotonic()):
                    self._context.run(self._show, stream, operations)


class _Stream:
    def __init__(self, live: LiveText, file: TextIO) -> None:
        self.live = live
        self._file = file

    def write(self, text: str) -> None:
        if text:
            self._file.write(text)
            self._file.flush()
