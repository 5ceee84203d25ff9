"""The pipe through which bash tells of each command that it runs.

bash opens it when a cell begins, and closes it when that ends (`shell/statements.bash`). Background jobs of the cell go
on writing: the reading end stays open as long as one of them lives, since a writer without a reader is killed
(SIGPIPE); what they write then is dropped.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from shellkernel.trace.records import Record, read_record

__all__ = ("TraceChannel",)

READ_SIZE = 65_536
"""Bytes of one read: what a pipe holds on Linux."""
RECORD_LIMIT = 1_000_000
"""Bytes kept of one record: a command with all its expanded words."""


class TraceChannel:
    """Reads what bash tells. Only the session's reader thread feeds it; others may ask for what there is.

    Args:
        path: Where the pipe is made.
        nonce: What begins each record.
        limit: Records that are kept at most; the rest is counted.

    Raises:
        OSError: The pipe could not be made.
    """

    def __init__(self, path: Path, nonce: bytes, limit: int) -> None:
        self.path = path
        self.nonce = nonce
        self.records: list[Record] = []
        """In the order in which they came; ours, too: they tell what the one before came to."""
        self.omitted = 0
        self.garbled = 0
        """Records that could not be read."""
        self._limit = limit
        self._kept = 0
        self._start = re.compile(rb"(?:(?<=\n)|\A)\x1e+%s\x1f" % nonce)
        self._pending = b""
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
                self.feed(data)

    def feed(self, data: bytes) -> None:
        """Take in what bash wrote. A record is over when the next one begins."""
        data = self._pending + data
        starts = [match.start() for match in self._start.finditer(data)]
        for start, end in pairwise(starts):
            self._take(data[start:end])
        self._pending = data[starts[-1] :] if starts else data
        if len(self._pending) > RECORD_LIMIT:
            self._pending = self._pending[:RECORD_LIMIT]

    def end(self) -> None:
        """The cell is over: the last record is, too, and what comes now is dropped. May be called twice."""
        if not self._linked:
            return
        self.read()
        self._linked = False
        self._take(self._pending)
        self._pending = b""
        os.close(self._writer)
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Close the pipe. Call it once, after `end`."""
        os.close(self.fd)

    def _take(self, data: bytes) -> None:
        if not data:
            return
        if self._kept >= self._limit and b"__shellkernel_" not in data:
            self.omitted += 1
            return
        record = read_record(data)
        if record is None:
            self.garbled += 1
        else:
            self._kept += not record.is_ours
            self.records.append(record)
