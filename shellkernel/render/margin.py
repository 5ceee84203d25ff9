"""A cell's source line by line, each with what its margin says: exit codes, whether it was reached, how long it took.

From the statements, and inside of those with several lines from the trace, where there is one: its records at top level
stand in lines of the cell, and those in functions that the cell defines where the same command stands there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from shellkernel.render.meaning import describe_exit_code
from shellkernel.render.paint import Tone
from shellkernel.render.structure import elements, has_commands, in_functions, without_blanks
from shellkernel.results import Result, Statement, TraceRecord

__all__ = ("Element", "Row", "gaps", "is_head", "margin")

_CODES = 3
"""Exit codes in one line's margin; a pointer over it shows what more of them there are."""
_HEAD = re.compile(r"(?:for|case|select)\s|\(\(")
_WIDEST = 500
"""Characters of a line that are shown."""
_FIRST, _LAST, _FAILED = 200, 60, 100
"""Rows of a long table that are shown: its first, its last, and those between that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element of a statement's pipeline."""

    text: str
    """As written; "" where it is not certain which pipeline it was."""
    code: int
    joined: str = "|"
    """What stands before it, but before the first: `|` or `|&`."""


@dataclass(slots=True, kw_only=True)
class Row:
    """One line of the cell."""

    number: int
    """From 1."""
    text: str
    tone: Tone | None = None
    """None where nothing stands that could run: a comment, a blank line."""
    codes: list[int] = field(default_factory=list)
    """In the order in which they came; empty in a statement's further lines."""
    cut: bool = False
    """Whether it did not come to its end."""
    title: str = ""
    started: float = 0.0
    """Seconds from the cell's begin."""
    duration: float | None = None
    """Seconds that its statements took; None where none begins here."""
    pipelines: list[tuple[Element, ...]] = field(default_factory=list)
    """Of the statements that end here."""

    @property
    def label(self) -> str:
        """The exit codes as they stand in the margin."""
        if len(self.codes) > _CODES and len(set(self.codes)) == 1:
            return f"{self.codes[0]} x{len(self.codes)}"
        shown = [str(code) for code in self.codes[:_CODES]]
        codes = " ".join([*shown, "?"] if self.cut else shown) + ("…" if len(self.codes) > _CODES else "")
        return codes or ("·" if self.tone == "off" else "")


def margin(result: Result) -> list[Row]:
    """Return the lines of a cell whose statements were recorded; blank ones at both ends are left out."""
    lines = [line if len(line) <= _WIDEST else f"{line[:_WIDEST]}…" for line in result.command.split("\n")]
    rows = [Row(number=number, text=text) for number, text in enumerate(lines, 1)]
    traced = _by_line(result)
    whole = result.trace is not None and not result.trace.omitted and not result.trace.note
    for statement in result.statements or ():
        _mark(rows, statement)
        if statement.reached and statement.last_line > statement.first_line and traced:
            _mark_inside(rows, statement, traced, whole=whole)
    return _trimmed(rows)


def _mark(rows: list[Row], statement: Statement) -> None:
    lines = rows[statement.first_line - 1 : statement.last_line]
    if not lines:
        return
    first = lines[0]
    tone: Tone = "off" if not statement.reached else "bad" if statement.exit_code else "good"
    if statement.reached and statement.exit_code is None:
        tone = "unsure"
        first.cut = True
    for row in lines:
        row.tone = _worse(row.tone, tone)
    if statement.exit_code is not None:
        first.codes.append(statement.exit_code)
        first.title = "; ".join(filter(None, [first.title, describe_exit_code(statement.exit_code)]))
    if statement.duration is not None:
        first.started = first.started if first.duration is not None else statement.started
        first.duration = (first.duration or 0.0) + statement.duration
    if pipeline := _pipeline(statement):
        lines[-1].pipelines.append(pipeline)


def _worse(one: Tone | None, other: Tone) -> Tone:
    order: list[Tone | None] = [None, "off", "unseen", "good", "unsure", "bad"]
    return max(one or other, other, key=order.index)


def _pipeline(statement: Statement) -> tuple[Element, ...]:
    codes = statement.pipestatus
    if len(codes) < 2:
        return ()
    nodes = elements(statement.source, len(codes))
    if nodes:
        pairs = zip(nodes, codes, strict=True)
        return tuple(Element(text=node.text, code=code, joined=node.before or "|") for node, code in pairs)
    if has_commands(statement.source, pipeline=len(codes)):
        return tuple(Element(text="", code=code) for code in codes)
    return ()  # a compound command leaves the pipestatus of the statement before


def _by_line(result: Result) -> dict[int, list[TraceRecord]]:
    """Return the records by the line of the cell that they stand in, as far as it is certain."""
    found: dict[int, list[TraceRecord]] = defaultdict(list)
    if result.trace is not None:
        inner = in_functions(result.command)
        for record in result.trace.records:
            place = record.function, record.line, without_blanks(record.command)
            line = record.line if record.depth == 0 else inner.get(place, 0)
            found[line].append(record)
    return found


def _mark_inside(rows: list[Row], statement: Statement, traced: dict[int, list[TraceRecord]], *, whole: bool) -> None:
    """Give the lines inside of a statement what the trace tells of them.

    Args:
        whole: Whether the trace has all commands, so that a line of which it has none was not reached.
    """
    runs = has_commands(statement.source, first_line=statement.first_line) if whole else frozenset()
    for row in rows[statement.first_line : statement.last_line]:
        records = traced.get(row.number, [])
        if records:
            fates = {record.fate for record in records}
            failed = any(record.exit_code for record in records)
            row.codes = [record.exit_code for record in records if record.exit_code is not None]
            row.tone = "bad" if fates & {"decided", "failed"} else "unsure" if failed else "good"
            if not row.codes:
                row.tone, row.cut = "unseen", not all(map(is_head, records))
            row.duration = sum(record.duration or 0.0 for record in records)
            row.started = records[0].started
        elif row.number in runs:
            row.tone = "off"


def is_head(record: TraceRecord) -> bool:
    """Tell whether it is the head of a `for`, `case` or `select`, which has no exit code of its own."""
    return record.exit_code is None and _HEAD.match(record.command) is not None


def _trimmed(rows: list[Row]) -> list[Row]:
    filled = [number for number, row in enumerate(rows) if row.text.strip()]
    return rows[filled[0] : filled[-1] + 1] if filled else []


def gaps(failed: Sequence[bool]) -> list[int]:
    """Return which rows of a long table are shown.

    Args:
        failed: For each row, whether it is one to be looked for.

    Returns:
        Indexes, ascending; all of them where there are few.
    """
    count = len(failed)
    if count <= _FIRST + _LAST:
        return list(range(count))
    middle = [number for number in range(_FIRST, count - _LAST) if failed[number]][:_FAILED]
    return [*range(_FIRST), *middle, *range(count - _LAST, count)]
