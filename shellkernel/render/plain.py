"""Statements and trace as plain text: for a console, a log, an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shellkernel.render.lines import duration_text
from shellkernel.render.margin import Element, Row, gaps, is_head, margin
from shellkernel.render.structure import one_line, same_words
from shellkernel.results import Result, TraceRecord

__all__ = ("plain_picture",)

_MARKS = {"good": "✓", "bad": "✗", "unsure": "!", "unseen": " ", "off": "·"}
_BAR = 8
"""Characters of the longest bar."""


def plain_picture(result: Result) -> str:
    """Return the cell's lines with their exit codes, and the trace; "" where neither was recorded."""
    parts = []
    if result.statements is not None:
        parts += _source(result)
    if result.trace is not None:
        parts += _trace(result)
    return "\n".join(parts)


def _source(result: Result) -> list[str]:
    rows = margin(result)
    width = max((len(row.label) for row in rows), default=1)
    digits = len(str(rows[-1].number)) if rows else 1
    text = min(max((len(row.text) for row in rows), default=0), 60)
    longest = max((row.duration or 0.0 for row in rows), default=0.0)

    def draw(number: int) -> list[str]:
        row = rows[number]
        mark = _MARKS.get(row.tone or "", " ")
        label = "" if row.label == "·" else row.label
        line = f"{mark} {label:>{width}} │ {row.number:>{digits}}  {row.text}"
        if row.duration is not None:
            line = f"{line:<{text + width + digits + 7}}  {duration_text(row.duration)} {_bar(row, longest)}"
        inner = [f"  {'':>{width}} │ {'':>{digits}}    {_elements(pipeline)}" for pipeline in row.pipelines]
        return [line.rstrip(), *inner]

    return _with_gaps([row.tone == "bad" for row in rows], draw, "lines")


def _with_gaps(failed: Sequence[bool], draw: Callable[[int], list[str]], what: str) -> list[str]:
    drawn: list[str] = []
    expected = 0
    for number in gaps(failed):
        if number > expected:
            drawn.append(f"    … {number - expected:,} {what} …")
        drawn += draw(number)
        expected = number + 1
    return drawn


def _bar(row: Row, longest: float) -> str:
    return "▇" * round(_BAR * row.duration / longest) if row.duration and longest else ""


def _elements(pipeline: Sequence[Element]) -> str:
    parts = []
    for each in pipeline:
        text = f"{one_line(each.text, 40)} " if each.text else ""
        parts += [each.joined, f"{text}{'✗' if each.code else '✓'}{each.code}"]
    return " ".join(parts[1:])


def _trace(result: Result) -> list[str]:
    trace = result.trace
    assert trace is not None
    lines = _with_gaps(
        [bool(record.exit_code) for record in trace.records], lambda n: [_record(trace.records[n])], "commands"
    )
    if trace.omitted:
        lines.append(f"{trace.omitted:,} commands beyond the limit are not recorded")
    if trace.note:
        lines.append(trace.note)
    return lines


def _record(record: TraceRecord) -> str:
    code = "" if is_head(record) else "?" if record.exit_code is None else str(record.exit_code)
    tone = "unseen" if record.exit_code is None else "good" if not record.exit_code else "bad"
    mark = "!" if record.fate == "swallowed" else _MARKS[tone]
    indent = "  " * (record.depth + record.subshell)
    where = f"{record.function}: " if record.function else ""
    line = f"{mark} {code:>3}  line {record.line:<3} {indent}{where}{one_line(record.command, 100)}"
    if not same_words(record.command, record.expanded):
        line += f"   → {one_line(record.expanded, 100)}"
    words = {"decided": "decided the exit code", "swallowed": "swallowed", "failed": "failed"}.get(record.fate, "")
    return f"{line}   ← {words}{f': {record.reason}' if record.reason else ''}" if words else line
