"""Statements and trace as HTML: the cell with exit codes in its margin, and a table of the commands that ran."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from shellkernel.render.explain import place
from shellkernel.render.lines import duration_text
from shellkernel.render.margin import Element, Row, gaps, is_head, margin
from shellkernel.render.meaning import describe_exit_code
from shellkernel.render.paint import BAR, CODE, QUIET, RULE, STRIPES, TINTS, Tone
from shellkernel.render.structure import one_line, same_words
from shellkernel.results import Result, TraceRecord

__all__ = ("picture", "table", "trace_tone")

_TABLE = f"border-collapse:collapse;table-layout:auto;margin:.4em 0;width:auto;max-width:100%;{CODE}"
_CELL = "padding:0 .6em;border:none;text-align:left;vertical-align:top;white-space:pre"
_NUMBER = f"{_CELL};text-align:right;{QUIET};user-select:none"
_WRAP = f"{_CELL};white-space:pre-wrap;overflow-wrap:anywhere"
_BAR_WIDTH = 90
"""Pixels of the longest bar."""
_LONGEST_COMMAND = 400
"""Characters of a command that the trace's table shows."""


def picture(result: Result) -> str:
    """Return the cell's source with what its margin says, and below it the trace; "" where neither was recorded."""
    parts = [_source(result)] if result.statements is not None else []
    if result.trace is not None:
        parts.append(_trace(result))
    return "".join(parts)


def table(head: Sequence[str], rows: Iterable[str], *, label: str) -> str:
    """Return a table that keeps its look among a front end's own styles.

    Args:
        head: The titles of its columns.
        rows: Its rows as HTML.
        label: What it is, for a screen reader.
    """
    titles = "".join(f'<th style="{_CELL};{QUIET};font-weight:normal">{escape(title)}</th>' for title in head)
    return (
        f'<table style="{_TABLE}" aria-label="{escape(label)}"><thead style="border:none"><tr style="background:none">'
        f"{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _source(result: Result) -> str:
    rows = margin(result)
    longest = max((row.started + row.duration for row in rows if row.duration is not None), default=0.0)
    shown = _shown(rows, lambda row: row.tone == "bad", lambda row: _line(row, longest), columns=4)
    return table(("", "exit", "statement", "time"), shown, label="the cell, with exit codes")


def _shown(
    rows: Sequence[Row], failed: Callable[[Row], bool], draw: Callable[[Row], str], *, columns: int
) -> list[str]:
    return _with_gaps([failed(row) for row in rows], lambda number: draw(rows[number]), columns, "lines")


def _with_gaps(failed: Sequence[bool], draw: Callable[[int], str], columns: int, what: str) -> list[str]:
    drawn, expected = [], 0
    for number in gaps(failed):
        if number > expected:
            drawn.append(
                f'<tr style="background:none"><td colspan="{columns}" style="{_CELL};{QUIET}">'
                f"… {number - expected:,} {what} …</td></tr>"
            )
        drawn.append(draw(number))
        expected = number + 1
    return drawn


def _line(row: Row, longest: float) -> str:
    tone: Tone = row.tone or "off"
    colour = f"border-left:3px solid {STRIPES[tone] if row.tone else 'transparent'}"
    tint = f"background:{TINTS[tone]}" if row.label and row.label != "·" else ""
    title = f' title="{escape(row.title or _TITLES.get(tone, ""))}"' if row.tone else ""
    faint = ";opacity:.6" if row.tone == "off" else ""
    return (
        f'<tr style="background:none"><td style="{_NUMBER}">{row.number}</td>'
        f'<td style="{_CELL};text-align:right;{colour};{tint}"{title}>{escape(_marked(row))}</td>'
        f'<td style="{_WRAP}{faint}">{escape(row.text) or " "}{"".join(map(_elements, row.pipelines))}</td>'
        f'<td style="{_CELL}">{_bar(row, longest)}</td></tr>'
    )


_TITLES: dict[Tone, str] = {
    "off": "not reached",
    "unseen": "it ran; its exit code was not seen",
    "unsure": "a failure that the exit code does not show, or cut short",
}


def _marked(row: Row) -> str:
    mark = {"good": "✓", "bad": "✗", "unsure": "!"}.get(row.tone or "", "")
    return f"{mark} {row.label}" if mark and row.label else row.label


def _elements(pipeline: Sequence[Element]) -> str:
    """Return a pipeline's elements, each with its code, joined as they were written."""
    joints = ["", *(f' <span style="{QUIET}">{each.joined}</span> ' for each in pipeline[1:])]
    drawn = "".join(joint + _element(each) for joint, each in zip(joints, pipeline, strict=True))
    return f'<div style="padding:.15em 0 .3em 1.5em">{drawn}</div>'


def _element(element: Element) -> str:
    tone: Tone = "bad" if element.code else "good"
    style = f"padding:0 .4em;border-radius:.4em;border-bottom:2px solid {STRIPES[tone]};background:{TINTS[tone]}"
    text = f"{escape(one_line(element.text, 48))} " if element.text else ""
    mark = "✗" if element.code else "✓"
    return (
        f'<span style="{style}" title="{escape(describe_exit_code(element.code))}">{text}{mark} {element.code}</span>'
    )


def _bar(row: Row, longest: float) -> str:
    if row.duration is None:
        return ""
    return _timing(row.started, row.duration, longest)


def _timing(started: float, duration: float, longest: float) -> str:
    """Return a bar that begins and ends where the command did, and its duration."""
    scale = _BAR_WIDTH / max(longest, 1e-9)
    left, width = round(started * scale), max(2, round(duration * scale))
    left = min(left, _BAR_WIDTH - 2)
    width = min(width, _BAR_WIDTH - left)
    box = f"display:inline-block;width:{_BAR_WIDTH}px;border-left:1px solid {RULE};line-height:1"
    bar = f"display:inline-block;height:.6em;width:{width}px;margin-left:{left}px;background:{BAR}"
    return f'<span style="{box}"><span style="{bar}"></span></span> {escape(duration_text(duration))}'


def _trace(result: Result) -> str:
    trace = result.trace
    assert trace is not None
    longest = max((record.started + (record.duration or 0.0) for record in trace.records), default=0.0)
    rows = _with_gaps(
        [bool(record.exit_code) for record in trace.records],
        lambda number: _record(trace.records[number], longest),
        4,
        "commands",
    )
    drawn = table(("exit", "line", "command → as it ran", "time"), rows, label="the commands that ran, in order")
    notes = [trace.note] if trace.note else []
    if trace.omitted:
        notes.append(f"{trace.omitted:,} commands beyond the limit are not recorded")
    below = "".join(f'<div style="{QUIET}">{escape(note)}</div>' for note in notes)
    return f'<div style="max-height:32em;overflow:auto">{drawn}</div>{below}'


def trace_tone(record: TraceRecord) -> Tone:
    """Return how a record stands out: red for what decided, or may have; amber for what was swallowed."""
    if record.exit_code is None:
        return "unseen"
    if not record.exit_code:
        return "good"
    return "unsure" if record.fate == "swallowed" else "bad"


def _record(record: TraceRecord, longest: float) -> str:
    tone = trace_tone(record)
    code = "" if is_head(record) else "?" if record.exit_code is None else str(record.exit_code)
    mark = {"good": "✓ ", "bad": "✗ ", "unsure": "! "}.get(tone, "")
    tint = f"background:{TINTS[tone]}" if record.exit_code else ""
    indent = "  " * (record.depth + record.subshell)
    where = "".join([f"{record.function}: " if record.function else "", "( ) " if record.subshell else ""])
    strong = ";font-weight:bold" if record.fate == "decided" else ""
    title = "no exit code was seen" if record.exit_code is None else describe_exit_code(record.exit_code)
    timing = "" if record.duration is None else _timing(record.started, record.duration, longest)
    return (
        f'<tr style="{tint or "background:none"}">'
        f'<td style="{_CELL};text-align:right;border-left:3px solid {STRIPES[tone]}{strong}" title="{escape(title)}">'
        f"{mark}{code}</td>"
        f'<td style="{_NUMBER}" title="{escape(place(record))}">{record.line}</td>'
        f'<td style="{_WRAP}{strong}">{indent}<span style="{QUIET}">{escape(where)}</span>'
        f"{escape(one_line(record.command, _LONGEST_COMMAND))}{_expanded(record)}{_fate(record)}</td>"
        f'<td style="{_CELL}">{timing}</td></tr>'
    )


def _expanded(record: TraceRecord) -> str:
    if same_words(record.command, record.expanded):
        return ""
    return f' <span style="{QUIET};font-weight:normal">→ {escape(one_line(record.expanded, _LONGEST_COMMAND))}</span>'


def _fate(record: TraceRecord) -> str:
    words = {"decided": "decided the exit code", "swallowed": "swallowed", "failed": "failed"}.get(record.fate, "")
    if not words:
        return ""
    text = f"{words}: {record.reason}" if record.reason else words
    return f' <span style="{QUIET};font-weight:normal;font-style:italic">← {escape(text)}</span>'
