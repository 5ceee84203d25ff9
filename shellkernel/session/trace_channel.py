"""The pipe through which bash tells of each command that it runs.

bash opens it when a cell begins, and closes it when that ends (`shell/statements.bash`). Background jobs of the cell go
on writing: the reading end stays open as long as one of them lives, since a writer without a reader is killed
(SIGPIPE); what they write then is dropped.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from shellkernel.trace.records import Records

__all__ = ("TraceChannel",)

READ_SIZE = 65_536
"""Bytes of one read: what a pipe holds on Linux."""


class TraceChannel:
    """Reads what bash tells. Only the session's reader thread feeds it; others may ask for what there is.

    Args:
        path: Where the pipe is made.
        nonce: What begins each record.
        limit: Records that are kept at most.

    Raises:
        OSError: The pipe could not be made.
    """

    def __init__(self, path: Path, nonce: bytes, limit: int) -> None:
        self.path = path
        self.nonce = nonce
        self.records = Records(nonce, limit)
        os.mkfifo(path, 0o600)
        self.fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            # With a writer of our own it is not at its end before bash opens it.
            self._writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            os.close(self.fd)
            raise
        self._linked = True

    def read(self) -> bool:
        """Take in what there is; return False when nobody writes any more."""
        while True:
            try:
                data = os.read(self.fd, READ_SIZE)
            except BlockingIOError:
                return True
            if not data:
                return False
            if self._linked:
                self.records.feed(data)

    def end(self) -> None:
        """The cell is over: the last record is, too, and what comes now is dropped. May be called twice."""
        if not self._linked:
            return
        self.read()
        self._linked = False
        self.records.end()
        os.close(self._writer)
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Close the pipe. Call it once, after `end`."""
        os.close(self.fd)
