"""A cell that waits until its test lets it go on: no guess at how long anything takes."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote

__all__ = ("Gate",)


class Gate:
    """A named pipe.

    Args:
        path: Of a new file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        os.mkfifo(path)

    @property
    def wait(self) -> str:
        """The bash command that waits. It reads no terminal."""
        return f"read -r < {quote(str(self._path))}"

    def open(self) -> None:
        """Let the wait come to its end; waits for it to begin. Once: a second wait may still meet the first writer."""
        self._path.write_text("\n")
