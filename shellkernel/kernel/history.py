"""The cells that ran, kept in a database of ours: never in ~/.bash_history.

Each start of a kernel is a session with a number of its own; the lines of a session are its execution
counts. Several kernels may write to the same file. A file that can not be used costs the history of earlier
kernels and nothing else: then it is kept in memory.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir

__all__ = ("History", "Item", "default_history_file")

Item = tuple[int, int, str]
"""Session, line, code."""

MEMORY = ":memory:"
BUSY_SECONDS = 2.0
"""Seconds to wait for another kernel that writes."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (session INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cells (session INTEGER NOT NULL, line INTEGER NOT NULL, code TEXT NOT NULL,
    PRIMARY KEY (session, line));
"""

logger = logging.getLogger(__name__)


def default_history_file() -> str:
    """Return where the history is kept when no setting says otherwise."""
    return str(Path(jupyter_data_dir()) / "shellkernel" / "history.sqlite")


class History:
    """Add cells, find them again. May be used from any thread.

    Args:
        path: The file, which is made with its folder when it is needed, or ":memory:".
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._closed = False
        self.session = 0
        """This kernel's number; 0 before the first cell."""

    def add(self, line: int, code: str) -> None:
        """Keep one cell."""
        with self._lock:
            database = self._open()
            if not self.session:
                self.session = _new_session(database)
            code = code.encode("utf-8", "replace").decode()  # a lone surrogate can not be stored
            self._write(database, (self.session, line, code))

    def tail(self, count: int) -> list[Item]:
        """Return the last cells of all kernels, oldest first."""
        return self._select("ORDER BY session DESC, line DESC LIMIT ?", count)[::-1]

    def range(self, session: int, start: int, stop: int | None) -> list[Item]:
        """Return the lines `start` to before `stop` of a session: 0 is this kernel, -1 the one before."""
        number = session if session > 0 else (self.session or self._next_session()) + session
        return self._select(
            "WHERE session = ? AND line >= ? AND line < ? ORDER BY line",
            number,
            start,
            2**62 if stop is None else stop,
        )

    def _next_session(self) -> int:
        """Return the number that this kernel would get: it has run nothing yet."""
        with self._lock:
            ((last,),) = self._open().execute("SELECT MAX(session) FROM sessions").fetchall()
        return int(last or 0) + 1

    def search(self, pattern: str, count: int | None, *, unique: bool) -> list[Item]:
        """Return the last cells that match a glob, oldest first.

        Args:
            pattern: As in a file name: `*`, `?` and `[…]`.
            count: How many at most; None is all.
            unique: Return equal cells once, the last of them.
        """
        once = " AND rowid IN (SELECT MAX(rowid) FROM cells GROUP BY code)" if unique else ""
        limit = -1 if count is None else count
        found = self._select(f"WHERE code GLOB ?{once} ORDER BY session DESC, line DESC LIMIT ?", pattern, limit)
        return found[::-1]

    def close(self) -> None:
        """Close the file; nothing is added or found afterwards. May be called twice."""
        with self._lock:
            self._closed = True
            if self._database is not None:
                self._database.close()
                self._database = None

    def _select(self, clause: str, *values: object) -> list[Item]:
        with self._lock:
            rows = self._open().execute(f"SELECT session, line, code FROM cells {clause}", values).fetchall()
        return [(int(session), int(line), str(code)) for session, line, code in rows]

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            self._database = _connect(MEMORY if self._closed else self._path)
        return self._database

    def _write(self, database: sqlite3.Connection, item: Item) -> None:
        try:
            with database:
                database.execute("INSERT OR REPLACE INTO cells VALUES (?, ?, ?)", item)
        except sqlite3.Error as error:
            logger.warning("a cell was not kept in the history: %s", error)


def _connect(path: str) -> sqlite3.Connection:
    database: sqlite3.Connection | None = None
    try:
        if path != MEMORY:
            Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
        database.executescript(_SCHEMA)
    except (OSError, sqlite3.Error) as error:
        if database is not None:  # it was no database, or is locked
            database.close()
        if path == MEMORY:
            raise
        logger.warning("the history is kept in memory only: %s: %s", path, error)
        return _connect(MEMORY)
    return database


def _new_session(database: sqlite3.Connection) -> int:
    with (
        database,
        closing(database.execute("INSERT INTO sessions (started) VALUES (datetime('now'))")) as cursor,
    ):
        return int(cursor.lastrowid or 1)
