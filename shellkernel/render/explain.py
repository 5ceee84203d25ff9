"""How an exit code came about, in words: `Result.explain`.

One sentence or two to a line, from what happened last to what is worth knowing besides. What was recorded is a fact
(statements, trace, pipestatus, options); what a number means is bash's rule or a convention, and is told as such; what
was not recorded is not guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from shellkernel.render.explain_code import code_sentences, signal_of
from shellkernel.render.lines import end_text
from shellkernel.render.structure import elements, one_line, only_statement
from shellkernel.results import Result, Statement, TraceRecord

__all__ = ("explain", "place")

_LISTED = 8
"""Failures that are named; of more, the number is told."""

_EXEMPT = ("condition", "left of", "!", "pipe")
"""Words in a record's reason that name an exception of `set -e` (bash manual, The Set Builtin)."""


def explain(result: Result) -> str:
    """Return how the exit code came about, in plain lines without one at the end."""
    lines = [_head(result), *code_sentences(result), *_pipeline(result), *_swallowed(result), *_errexit(result)]
    return "\n".join([*lines, *_rest(result)])


def place(record: TraceRecord) -> str:
    """Return where a command stands: "line 3", "line 2 of function f, in a subshell"."""
    parts = [f"line {record.line} of function {record.function}" if record.function else f"line {record.line}"]
    if record.subshell:
        parts.append("in a subshell" if record.subshell == 1 else f"in a subshell {record.subshell} deep")
    return ", ".join(parts)


def _head(result: Result) -> str:
    ended = end_text(result)
    ended = f"{ended[0].upper()}{ended[1:]}" if ended else ""
    if result.note and ended:
        ended += f": {result.note}"
    if result.exit_code is None:
        goes_on = "; it goes on" if result.job is not None else ""
        return f"No exit code has arrived{goes_on}." + (f" {ended}." if ended else "")
    origin = _origin(result)
    text = f"Exit code {result.exit_code}: {origin}." if origin else f"Exit code {result.exit_code}."
    return f"{ended}. {text}" if ended else text


def _origin(result: Result) -> str:
    """Say whose exit code it is."""
    decided = [record for record in _records(result) if record.fate == "decided"]
    if decided:
        record = decided[-1]
        return f"that of {_quoted(record.command)} ({place(record)})"
    if result.statements is not None:
        return _of_statement(result)
    if result.end_reason != "completed":
        return ""
    if (only := only_statement(result.command)) is not None:
        if only.after == "&":
            return "that of starting a command in the background, which is 0"
        kind = only.kind if only.kind in ("command", "pipeline") else "statement"
        return f"that of its one {kind}, {_quoted(only.text)}"
    recorded = "" if result.trace is not None else "; which that was is recorded with statements=True or trace=True"
    return f"that of the last command that ran{recorded}"


def _of_statement(result: Result) -> str:
    ran = [statement for statement in result.statements or () if statement.reached]
    if not ran:
        return "no statement was reached"
    last = ran[-1]
    name = f"{_quoted(last.source)} ({_lines(last)})"
    if last.exit_code is None:
        return f"{name} did not come to its end"
    if last.exit_code != result.exit_code:
        return f"its last statement, {name}, had {last.exit_code}"
    return f"that of the last statement that ran, {name}"


def _lines(statement: Statement) -> str:
    if statement.first_line == statement.last_line:
        return f"line {statement.first_line}"
    return f"lines {statement.first_line} to {statement.last_line}"


def _pipeline(result: Result) -> list[str]:
    """Say what the last pipeline's elements gave, and which of them counts."""
    codes = result.pipestatus
    if len(codes) < 2:
        return []
    lines = [f"The elements of the last pipeline gave {' '.join(map(str, codes))}."]
    failed = [number for number, code in enumerate(codes) if code]
    names = _element_names(result)
    if failed:
        lines[0] += f" {_sentence([_element(number, codes, names) for number in failed[:_LISTED]])}."
    if 141 in codes[:-1]:
        lines.append(
            "141 in a pipe is 128 + 13, SIGPIPE by convention: who reads the pipe ended first, as `head` does; "
            "mostly no error."
        )
    if result.options and (failed or result.exit_code):
        lines.append(_pipefail(result, codes, failed))
    return lines


def _pipefail(result: Result, codes: Sequence[int], failed: Sequence[int]) -> str:
    on = "|" in result.options
    expected = (codes[failed[-1]] if failed else 0) if on else codes[-1]
    rule = "the last element that failed" if on else "the last element"
    text = f"`pipefail` is {'on' if on else 'off'}: a pipeline's exit code is that of {rule}"
    if expected != result.exit_code:
        return f"{text}, {expected} here; a `!` before it, or what came behind it, made it {result.exit_code}."
    unseen = [
        number for number in failed if codes[number] != expected or number != (failed[-1] if on else len(codes) - 1)
    ]
    if unseen:
        who = "element" if len(unseen) == 1 else "elements"
        text += f"; {who} {_sentence([str(number + 1) for number in unseen])} did not count"
    return f"{text}."


def _element_names(result: Result) -> tuple[str, ...]:
    """Return the elements of the pipeline as written, where it is certain which one it is."""
    ran = [statement for statement in result.statements or () if statement.exit_code is not None]
    source = ran[-1].source if ran else result.command if result.statements is None else ""
    return tuple(node.text for node in elements(source, len(result.pipestatus)))


def _element(number: int, codes: Sequence[int], names: Sequence[str]) -> str:
    name = f", {_quoted(names[number])}," if names else ""
    signalled = signal_of(codes[number])
    code = f"{codes[number]} (128 + {codes[number] - 128}, {signalled})" if signalled else str(codes[number])
    return f"element {number + 1}{name} failed with {code}"


def _swallowed(result: Result) -> list[str]:
    """Name the failures of which the exit code says nothing."""
    found = [
        f"  {place(record)}: {_quoted(record.command)} gave {record.exit_code}"
        + (f" ({record.reason})" if record.reason else "")
        for record in _records(result)
        if record.fate in ("swallowed", "failed")
    ]
    if result.trace is None:
        ran = [statement for statement in result.statements or () if statement.exit_code is not None]
        found = [
            f"  {_lines(statement)}: {_quoted(statement.source)} gave {statement.exit_code}"
            for statement in ran[:-1]
            if statement.exit_code
        ]
    return _listed("Failures that the exit code does not show:", found)


def _errexit(result: Result) -> list[str]:
    """Name the exceptions of `set -e` that applied, where it is on and the shell still there."""
    if "e" not in result.options or result.end_reason == "session_ended":
        return []
    exempt = [
        f"  {place(record)}: {_quoted(record.command)}, {record.reason}"
        for record in _records(result)
        if record.exit_code and any(word in record.reason for word in _EXEMPT)
    ]
    on = "`set -e` is on at the cell's end"
    if exempt:
        return _listed(f"{on}. It ends the shell at a failure, but not at these:", exempt)
    if result.exit_code and result.end_reason == "completed":
        rules = "conditions, the left side of && and ||, `!`, all elements of a pipeline but the last"
        return [f"{on}, and did not end the shell: it makes exceptions ({rules})."]
    return []


def _rest(result: Result) -> list[str]:
    lines = []
    missed = [statement for statement in result.statements or () if not statement.reached]
    if missed:
        many = f"{len(missed)} statements were" if len(missed) > 1 else "One statement was"
        lines.append(f"{many} not reached, from line {missed[0].first_line} on: {_quoted(missed[0].source)}.")
    if result.trace is not None and result.trace.omitted:
        lines.append(f"{result.trace.omitted:,} commands beyond the trace's limit are not known here.")
    if result.trace is not None and result.trace.note:
        lines.append(f"The trace: {result.trace.note}.")
    if result.note and result.end_reason == "completed":
        lines.append(f"{result.note[0].upper()}{result.note[1:]}.")
    return lines


def _records(result: Result) -> Sequence[TraceRecord]:
    return result.trace.records if result.trace is not None else ()


def _listed(head: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    more = len(items) - _LISTED
    return [head, *items[:_LISTED], *([f"  and {more:,} more"] if more > 0 else [])]


def _sentence(parts: Sequence[str]) -> str:
    text = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    return f"{text[0].upper()}{text[1:]}"


def _quoted(text: str) -> str:
    return f"`{one_line(text)}`"
