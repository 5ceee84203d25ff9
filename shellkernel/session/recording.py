"""One command's output: its first and last part in memory, all of it in a file when it is large."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from shellkernel.text import plain

__all__ = ("KEEP_HEAD", "KEEP_TAIL", "Recording")

KEEP_HEAD = 1_000_000
"""Bytes kept of the beginning of a command's output: more than a person reads, little beside a Python process."""

KEEP_TAIL = 256_000
"""Bytes kept of its end, where errors stand."""


class Recording:
    """Append bytes; read what is kept. Memory is bounded by `head + tail`, give or take one read.

    Args:
        head, tail: Bytes kept of the beginning and the end.
        make_file: Called once, when the output outgrows the head; returns the path of a new file for all of it. The
            file is the session's, which removes it with its folder.
    """

    def __init__(self, head: int, tail: int, make_file: Callable[[], Path]) -> None:
        self._head_limit = head
        self._tail_limit = tail
        self._make_file = make_file
        self._head: list[bytes] = []
        self._head_size = 0
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._fd = -1
        self.size = 0
        self._lines = 0
        self.path: Path | None = None
        self.error = ""
        """Why the file does not hold all of it: the disk is full, for one."""

    def append(self, data: bytes) -> None:
        """Add to the end."""
        self.size += len(data)
        self._lines += data.count(b"\n")
        room = self._head_limit - self._head_size
        if room > 0:
            part = data[:room]
            self._head.append(part)
            self._head_size += len(part)
            data = data[room:]
        if data:
            self._spool(data)
            self._tail.append(data)
            self._tail_size += len(data)
            while self._tail and self._tail_size - len(self._tail[0]) >= self._tail_limit:
                self._tail_size -= len(self._tail.popleft())

    def close(self) -> None:
        """Close the file; nothing is appended afterwards. May be called twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    @property
    def omitted(self) -> int:
        """Bytes between the kept parts."""
        return self.size - self._head_size - len(self._tail_bytes())

    def raw(self) -> bytes:
        """Return the kept bytes."""
        return b"".join(self._head) + self._tail_bytes()

    def last(self, size: int) -> bytes:
        """Return the last bytes, `size` at most."""
        kept: list[bytes] = []
        missing = size
        for chunk in reversed(self._tail or self._head):
            kept.append(chunk[-missing:])
            missing -= len(kept[-1])
            if not missing:
                break
        return b"".join(reversed(kept))

    def read(self, offset: int, size: int) -> bytes:
        """Return a page of the whole output; it may be shorter than `size`.

        From the file where there is one; where that does not hold all of it, what is kept, and nothing for the rest.
        """
        if self.path is not None and not self.error:
            with suppress(OSError), self.path.open("rb") as file:
                file.seek(offset)
                return file.read(size)
        head, tail = b"".join(self._head), self._tail_bytes()
        if offset < len(head):
            return head[offset : offset + size]
        start = offset - (self.size - len(tail))
        return tail[start : start + size] if start >= 0 else b""

    def text(self, columns: int, rows: int) -> str:
        """Return what a person would have read of it, with a line where something is left out."""
        tail = self._tail_bytes()
        omitted = self.size - self._head_size - len(tail)
        if not omitted:
            return _plain(b"".join(self._head) + tail, columns, rows)
        start = b"".join(self._head)
        lines = self._lines - start.count(b"\n") - tail.count(b"\n")
        head = _plain(start, columns, rows)
        left_out = f"[… {omitted:,} bytes, {lines:,} lines left out; {self._where()} …]"
        return f"{head}\n{left_out}\n{_plain(tail, columns, rows)}"

    def _where(self) -> str:
        if self.error:
            return f"they are lost: {self.error}"
        return f"all of the output: {self.path}"

    def _tail_bytes(self) -> bytes:
        tail = b"".join(self._tail)
        return tail[-self._tail_limit :] if self._tail_limit else b""

    def _spool(self, data: bytes) -> None:
        if self.error:
            return
        try:
            if self._fd < 0:
                self.path = self._make_file()
                self._fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
                data = b"".join(self._head) + data
            view = memoryview(data)
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            self.error = f"{self.path} could not be written ({error.strerror})"


def _plain(data: bytes, columns: int, rows: int) -> str:
    return plain(data.decode("utf-8", "replace"), columns, rows=rows)
