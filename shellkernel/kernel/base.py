"""What ipykernel's `Kernel` needs for a language that runs in another process. No bash here.

ipykernel's base class serves kernels that block in `do_execute`. Ours awaits, so:

- **Signals.** ipykernel installs Python's SIGINT handler around each request; a KeyboardInterrupt in an
  event loop that awaits ends the kernel (ipykernel 7.4, seen). The hooks are off, and SIGINT calls
  `interrupt`, as does the request on the control channel (`interrupt_mode: message`). SIGTERM ends the
  kernel in order.
- **Requests beside a running cell.** Completion, inspection and the like are answered while a cell runs;
  ipykernel lets them wait. Only one request that runs code is served at a time.
- **Aborting.** After an error all requests that are queued are aborted, not only the first: ipykernel
  without subshells stops aborting in the next turn of the loop.
- **The first cell.** A client may send it before its outputs' channel is connected (ZeroMQ looks again only each
  0.1 s); jupyter console then waits for ever for a status that it missed. So the first cell waits for a listener.
- **No subshells, no debugger.** A second cell could not run in the same bash, and pydevd debugs no bash;
  ipykernel would announce both, and import debugpy.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ipykernel.kernelbase import Kernel
from tornado.platform.asyncio import BaseAsyncIOLoop

from shellkernel.kernel.messages import Content, Request

__all__ = ("AsyncKernel",)

BESIDE = frozenset(
    (
        "comm_info_request complete_request connect_request history_request inspect_request "
        "is_complete_request kernel_info_request"
    ).split()
)
"""Requests that are answered while a cell runs."""

LISTENER_SECONDS = 2.0
"""Seconds that the first cell waits for a front end that listens to its outputs."""


class AsyncKernel(Kernel):
    """A kernel whose `do_execute` awaits. Subclasses give the `do_…` methods, `interrupt` and `end`."""

    _running: Request | None = None
    listened: threading.Event | None = None
    """Set when a front end listens to outputs. The first cell waits for that, but not long."""

    def interrupt(self) -> None:
        """Interrupt what runs, and return at once. Called in the main thread or the control thread."""
        raise NotImplementedError

    def end(self) -> None:
        """End what the kernel started; may be called twice, in any thread."""
        raise NotImplementedError

    @property
    def kernel_info(self) -> Content:
        """The content of `kernel_info_reply`."""
        return {
            "protocol_version": "5.3",
            "implementation": self.implementation,
            "implementation_version": self.implementation_version,
            "language_info": self.language_info,
            "banner": self.banner,
            "help_links": self.help_links,
            "supported_features": [],
        }

    def start(self) -> None:
        """Begin to serve requests."""
        self.shell_handlers |= {"comm_open": self._refuse_comm, "comm_msg": _ignore, "comm_close": _ignore}
        super().start()  # type: ignore[no-untyped-call]
        assert isinstance(self.io_loop, BaseAsyncIOLoop)
        self._loop = self.io_loop.asyncio_loop
        with suppress(ValueError, RuntimeError):  # in a thread that is not the main one there are no signals
            self._loop.add_signal_handler(signal.SIGINT, self.interrupt)
            self._loop.add_signal_handler(signal.SIGTERM, self._terminate)

    def pre_handler_hook(self) -> None:
        """Leave SIGINT alone; see the module."""

    def post_handler_hook(self) -> None:
        """Leave SIGINT alone; see the module."""

    def iopub(self, msg_type: str, content: Content, parent: Content) -> None:
        """Send one message to all front ends; may be called from any thread."""
        if self.session is not None:
            ident = self._topic(msg_type)  # type: ignore[no-untyped-call]
            self.session.send(self.iopub_socket, msg_type, content, parent=parent, ident=ident)

    def later(self, seconds: float, callback: Callable[[], object]) -> None:
        """Call back in the main thread after some seconds; may be called from any thread."""
        with suppress(RuntimeError):  # the loop is closed: the kernel ends
            self._loop.call_soon_threadsafe(self._loop.call_later, seconds, callback)

    async def execute_request(self, stream: Any, ident: Sequence[bytes], parent: Content) -> None:
        """Run a cell. Its errors do not stop the next ones when it is tagged `raises-exception`."""
        if self.listened is not None:
            listened, self.listened = self.listened, None
            await asyncio.get_running_loop().run_in_executor(None, listened.wait, LISTENER_SECONDS)
        self._running = request = Request(ident=ident, message=parent)
        if "raises-exception" in request.tags:
            request.content["stop_on_error"] = False
        try:
            await super().execute_request(stream, ident, parent)  # type: ignore[no-untyped-call]
        finally:
            self._running = None

    async def interrupt_request(self, stream: Any, ident: Sequence[bytes], parent: Content) -> None:
        """Interrupt what runs; in the control thread."""
        self.interrupt()
        if self.session is not None:
            self.session.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=list(ident))

    async def shell_main(self, subshell_id: str | None, msg: list[Any]) -> None:
        """Take one message of the shell channel."""
        if self._main_asyncio_lock.locked() and self._peek(msg) in BESIDE:
            await self._answer_beside(msg)
        else:
            await super().shell_main(subshell_id, msg)

    def _peek(self, msg: list[Any]) -> str:
        """Return a message's type; leaves the message as it is."""
        if self.session is None:
            return ""
        try:
            _, frames = self.session.feed_identities(msg, copy=False)
            header: Content = self.session.deserialize(frames, content=False, copy=False)["header"]
        except (ValueError, TypeError, KeyError):  # not ours to report: the base class does
            return ""
        return str(header["msg_type"])

    async def _answer_beside(self, msg: list[Any]) -> None:
        """Serve a request while a cell runs, then tell the front ends that the cell still does."""
        assert self.session is not None
        ident, frames = self.session.feed_identities(msg, copy=False)
        request = self.session.deserialize(frames, copy=False)
        self._status("busy", request)
        try:
            await self.shell_handlers[request["msg_type"]](self.shell_stream, ident, request)
        except Exception:  # the edge: one bad request must not end the kernel
            self.log.exception("request %s failed", request["msg_type"])
        self._status("idle", request)
        if self._running is not None:  # the last state that a front end was told is what it shows
            self._status("busy", self._running.message)

    def _status(self, state: str, parent: Content) -> None:
        self.iopub("status", {"execution_state": state}, parent)

    def _abort_queues(self, subshell_id: str | None = None) -> None:  # noqa: ARG002  # there is none
        """Abort the requests that wait now, and those that come within `stop_on_error_timeout`."""
        self._aborting = True
        if self.shell_stream is not None:
            self.shell_stream.flush()  # those still in the socket are taken, and stand behind the lock
        task = asyncio.get_running_loop().create_task(self._stop_aborting())
        self._abort_task = task  # the loop itself keeps no reference to a task

    async def _stop_aborting(self) -> None:
        await asyncio.sleep(self.stop_on_error_timeout)
        async with self._main_asyncio_lock:  # fair: everybody who waited before has been aborted
            self._aborting = False

    def _refuse_comm(self, _stream: Any, _ident: Sequence[bytes], parent: Content) -> None:
        """A front end looks for widgets of an earlier kernel: there are none (the protocol's way to say so)."""
        self.iopub("comm_close", {"comm_id": parent["content"]["comm_id"], "data": {}}, parent)

    def _terminate(self) -> None:
        """SIGTERM: end what was started, then the loop, which ends the process in order."""

        def end() -> None:
            self.end()
            self._loop.call_soon_threadsafe(self.io_loop.stop)

        self._loop.run_in_executor(None, end)


def _ignore(_stream: Any, _ident: Sequence[bytes], _parent: Content) -> None:
    """A message to a comm that was refused."""
