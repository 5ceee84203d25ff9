"""Results as the render tests need them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from shellkernel.results import Result

__all__ = ("make_result",)

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
