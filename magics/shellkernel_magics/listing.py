"""The live sessions, as a table in plain text and in HTML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from shellkernel import BashSession
from shellkernel.render import NO_MATH, duration_text, summary
from shellkernel_magics.background import first_line

__all__ = ("Table", "history_table", "session_details", "session_table")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text, shown aligned in a terminal and as a table in a notebook."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str = ""
    """What is shown instead of no rows."""

    def __repr__(self) -> str:
        if not self.rows:
            return self.empty
        lines = [self.header, *self.rows] if any(self.header) else [*self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.header))]
        padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
        return "\n".join(line.rstrip() for line in padded)

    def _repr_html_(self) -> str:
        if not self.rows:
            return f"<div>{escape(self.empty)}</div>"
        style = 'style="text-align:left"'
        head = "".join(f'<th scope="col" {style}>{escape(cell)}</th>' for cell in self.header)
        body = "".join(
            "<tr>" + "".join(f"<td {style}>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self.rows
        )
        head = f"<thead><tr>{head}</tr></thead>" if any(self.header) else ""
        return f"<table class='{NO_MATH}'>{head}<tbody>{body}</tbody></table>"


def session_table(sessions: Iterable[BashSession]) -> Table:
    """Return one row for each session: what it is doing, where, and how its last command ended."""
    header = ("name", "state", "running", "directory", "last exit code", "pid")
    rows = tuple(
        (session.name, session.state, _running(session), session.cwd, _last_code(session), str(session.pid))
        for session in sessions
    )
    return Table(header, rows, "No bash session is running; %%bash_session NAME starts one.")


def session_details(session: BashSession) -> Table:
    """Return everything about one session."""
    last = session.last
    rows = [
        ("name", session.name),
        ("state", session.state),
        ("running", _running(session)),
        ("directory", session.cwd),
        ("last command", first_line(last.command) if last else ""),
        ("last result", summary(last) if last else ""),
        ("pid", str(session.pid)),
        ("terminal", f"{session.columns} columns, {session.rows} rows"),
        ("streams", {"merge": "merged", "split": "split"}[session.stderr]),
        ("rc file", "none" if session.rcfile is None else str(session.rcfile)),
    ]
    return Table(("", ""), tuple(rows))


def history_table(session: BashSession) -> Table:
    """Return one row for each of the last commands, of cells and of `session.run`, oldest first."""
    header = ("#", "started", "result", "command")
    rows = tuple(
        (str(number), f"{ran.started.astimezone():%H:%M:%S}", summary(ran), first_line(ran.command))
        for number, ran in enumerate(session.history, 1)
    )
    return Table(header, rows, f"Nothing has run in session {session.name!r} yet.")


def _running(session: BashSession) -> str:
    job = session.running
    return f"{first_line(job.command)} ({duration_text(job.elapsed)})" if job is not None else ""


def _last_code(session: BashSession) -> str:
    last = session.last
    return "" if last is None or last.exit_code is None else str(last.exit_code)
