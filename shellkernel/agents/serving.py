"""SWE-ReX's HTTP server in front of our runtime, for `RemoteRuntime` clients.

    python -m shellkernel.agents.serving --port 8000 --auth-token SECRET

Whoever has the token runs commands with this process's rights. SWE-ReX's server has one runtime for each process.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import swerex.server
    import uvicorn
    from swerex.runtime.abstract import AbstractRuntime
except ImportError as error:
    raise ImportError(f"{__name__} needs SWE-ReX: pip install 'shellkernel[agents]' ({error})") from error

from shellkernel.agents.swerex import ShellKernelRuntime

__all__ = ("main", "served")

START_SECONDS = 20.0
"""Seconds in which the server must be up."""


@contextmanager
def served(runtime: AbstractRuntime, *, auth_token: str, host: str = "127.0.0.1", port: int = 0) -> Iterator[int]:
    """Serve a runtime from a thread; the value is the port. At the end the server stops; the runtime is the caller's.

    Args:
        auth_token: What clients must send; not empty.
        host, port: Where to listen; port 0 takes a free one.

    Raises:
        ValueError: The token is empty.
        OSError: The port is taken.
        RuntimeError: Another runtime is served by this process; or the server did not come up.
    """
    if not auth_token:
        raise ValueError("the token is empty: anybody could run commands")
    with socket.create_server((host, port)) as listener, _in_their_server(runtime, auth_token):
        server = _Server(uvicorn.Config(swerex.server.app, log_level="error", lifespan="off"))
        thread = threading.Thread(
            target=lambda: server.run(sockets=[listener]), name="shellkernel serving", daemon=True
        )
        thread.start()
        try:
            if not server.up.wait(START_SECONDS):
                raise RuntimeError("SWE-ReX's server did not come up")
            yield int(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()


class _Server(uvicorn.Server):
    """Says when it is up."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


_serving = threading.Lock()


@contextmanager
def _in_their_server(runtime: AbstractRuntime, auth_token: str) -> Iterator[None]:
    """Put a runtime in the place of their server's own."""
    if not _serving.acquire(blocking=False):
        raise RuntimeError("another runtime is served by this process already")
    theirs = swerex.server.runtime, swerex.server.AUTH_TOKEN
    try:
        swerex.server.runtime = runtime  # type: ignore[assignment]  # it takes any runtime
        swerex.server.AUTH_TOKEN = auth_token
        yield
    finally:
        swerex.server.runtime, swerex.server.AUTH_TOKEN = theirs
        _serving.release()


def main() -> None:
    """Serve until SIGINT or SIGTERM, and end all sessions then."""
    parser = argparse.ArgumentParser(prog="python -m shellkernel.agents.serving", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (%(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="the port (%(default)s)")
    parser.add_argument("--auth-token", required=True, help="what clients must send")
    arguments = parser.parse_args()
    if not arguments.auth_token:
        parser.error("the token is empty: anybody could run commands")
    # uvicorn stops at the signal, and then sends it to us once more: without a handler that would be the end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    runtime = ShellKernelRuntime()
    try:
        with _in_their_server(runtime, arguments.auth_token):
            uvicorn.run(swerex.server.app, host=arguments.host, port=arguments.port)
    finally:
        asyncio.run(runtime.close())


if __name__ == "__main__":
    main()
