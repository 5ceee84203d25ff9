"""A Result as a person reads it: a line, HTML, an error's lines; and live output on its way there. Pure."""

from __future__ import annotations

from shellkernel.render.html import mimebundle
from shellkernel.render.lines import duration_text, summary, traceback_lines
from shellkernel.render.meaning import describe_exit_code
from shellkernel.render.paint import NO_MATH, badge
from shellkernel.render.stream import LiveText, Operation, Redraw, Write

__all__ = (
    "NO_MATH",
    "LiveText",
    "Operation",
    "Redraw",
    "Write",
    "badge",
    "describe_exit_code",
    "duration_text",
    "mimebundle",
    "summary",
    "traceback_lines",
)
