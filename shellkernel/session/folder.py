"""A session's private folder for output that is too large to keep in memory."""

from __future__ import annotations

from pathlib import Path

__all__ = ("PrivateFolder",)


class PrivateFolder:
    """A folder that only this user can read (mode 0700), made when first asked for and removed by `remove`."""

    def __init__(self) -> None:
        self._path: Path | None = None

    def file(self, name: str) -> Path:
        """Return the path of a file in it; the folder exists afterwards.

        Raises:
            OSError: It could not be made.
        """
        if self._path is None:
            import tempfile  # 4 ms: for who starts a session

            self._path = Path(tempfile.mkdtemp(prefix="shellkernel-"))
        return self._path / name

    def remove(self) -> None:
        """Remove it with all that is in it. May be called twice."""
        if self._path is not None:
            import shutil

            shutil.rmtree(self._path, ignore_errors=True)
            self._path = None
