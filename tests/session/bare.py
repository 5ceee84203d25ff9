"""A bare interactive bash on a pseudoterminal, without any of our own bash code; for facts about bash and terminals."""

from __future__ import annotations

import os
import select
import time
from typing import Self

from shellkernel.terminal.pty import Terminal, read_available
from tests.session.watching import DEADLINE

__all__ = ("BareBash",)

PROMPT = "<prompt>"


class BareBash:
    """Type lines, and read what comes until the next prompt. Close it, or use it as a context manager."""

    def __init__(self, bash: str) -> None:
        environment = {**os.environ, "PS1": PROMPT, "PS2": "", "TERM": "xterm-256color", "HISTFILE": "/dev/null"}
        self.terminal = Terminal(
            [bash, "--norc", "--noprofile", "--noediting", "-i"], environment, columns=120, rows=40
        )
        self.read_until(PROMPT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def type(self, line: str) -> str:
        """Type one line and return what bash prints until its next prompt, without the echo."""
        self.terminal.write(line.encode() + b"\n")
        printed = self.read_until(PROMPT)
        return printed.removesuffix(PROMPT).removeprefix(f"{line}\n")

    def read_until(self, end: str) -> str:
        """Read until what came ends in `end`."""
        data = b""
        deadline = time.monotonic() + DEADLINE
        waiter = select.poll()
        waiter.register(self.terminal.fd, select.POLLIN)
        while not data.endswith(end.encode()):
            assert time.monotonic() < deadline, f"no {end!r} in {data!r}"
            waiter.poll(1_000)
            more = read_available(self.terminal.fd)
            assert more is not None, f"the terminal ended after {data!r}"
            data += more
        # bash puts its own attributes back after a program that was killed: with ONLCR then.
        return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")

    def close(self) -> None:
        """End it."""
        os.kill(self.terminal.pid, 9)
        self.terminal.wait()
        self.terminal.close()
