"""Results as the render tests need them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from shellkernel.results import Result, Statement, Trace, TraceRecord

__all__ = ("make_record", "make_result", "make_statement", "make_trace")

_BASE = Result(
    command="make",
    session="build",
    output="",
    raw=b"",
    exit_code=0,
    pipestatus=(0,),
    end_reason="completed",
    cwd="/tmp",
    started=datetime(2026, 1, 2, tzinfo=UTC),
    duration=1.23,
)


def make_result(**changes: Any) -> Result:
    """Return a good result with some fields changed."""
    return replace(_BASE, **changes)


def make_statement(source: str, line: int = 1, code: int | None = 0, **changes: Any) -> Statement:
    """Return a statement that ran, or, with None, was not reached."""
    values: dict[str, Any] = {
        "source": source,
        "first_line": line,
        "last_line": line + source.count("\n"),
        "reached": code is not None,
        "exit_code": code,
        "pipestatus": () if code is None else (code,),
        "duration": None if code is None else 0.001,
    }
    return Statement(**{**values, **changes})


def make_record(command: str, line: int = 1, code: int | None = 0, **changes: Any) -> TraceRecord:
    """Return the record of a command at top level."""
    values: dict[str, Any] = {
        "line": line,
        "depth": 0,
        "function": "",
        "subshell": 0,
        "process": 100,
        "command": command,
        "expanded": command,
        "exit_code": code,
        "started": 0.0,
        "duration": 0.001,
        "fate": "" if code is None else "decided" if code else "succeeded",
    }
    return TraceRecord(**{**values, **changes})


def make_trace(*records: TraceRecord, **changes: Any) -> Trace:
    """Return a trace."""
    return Trace(records=records, **changes)
