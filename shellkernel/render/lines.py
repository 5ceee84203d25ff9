"""A Result as plain lines: the summary, and the lines of an error."""

from __future__ import annotations

from shellkernel.render.meaning import describe_exit_code
from shellkernel.results import Result

__all__ = ("duration_text", "end_text", "exit_text", "meaning", "summary", "traceback_lines")

_RED, _RESET = "\x1b[31m", "\x1b[0m"

_ENDS = {
    "completed": "",
    "timed_out": "timed out",
    "interrupted": "interrupted",
    "awaiting_input": "waited for input",
    "session_ended": "the session ended",
}


def duration_text(seconds: float) -> str:
    """Return a duration as a person reads it: "0.4 ms", "12 ms", "1.2 s", "2 min 03 s", "1 h 02 min"."""
    if seconds < 0.0095:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def exit_text(result: Result) -> str:
    """Return "exit code 3", or "no exit code" when none arrived."""
    return "no exit code" if result.exit_code is None else f"exit code {result.exit_code}"


def end_text(result: Result) -> str:
    """Return how it ended where it did not complete: "timed out", "the session ended"; else ""."""
    return _ENDS[result.end_reason]


def summary(result: Result) -> str:
    """Return one line: "exit code 3 · pipestatus 0 3 · 1.2 s".

    The end reason comes first where the command did not complete, the pipestatus only for a real pipeline.
    """
    parts = [end_text(result), exit_text(result)]
    if len(result.pipestatus) > 1:
        parts.append(f"pipestatus {_codes(result.pipestatus)}")
    parts.append(duration_text(result.duration))
    return " · ".join(part for part in parts if part)


def traceback_lines(result: Result) -> list[str]:
    """Return what an error output shows for a result that is not ok: at least one line, ANSI colours in it.

    The exit code with its meaning; how the command ended, where the code does not say it; the pipestatus,
    where it tells more than the exit code; the note; and where the rest of a long output is.
    """
    return [f"{_RED}{_headline(result)}{_RESET}", *_details(result)]


def _headline(result: Result) -> str:
    end = end_text(result)
    if result.exit_code is None:
        return f"{end or 'ended'}, no exit code"
    text = f"exit code {result.exit_code}: {meaning(result)}"
    redundant = result.end_reason == "interrupted" and result.exit_code == 130
    return f"{text} · {end} after {duration_text(result.duration)}" if end and not redundant else text


def meaning(result: Result) -> str:
    """Return what the exit code says, as a fact where the output bears it out."""
    end = result.output[-4096:] + (result.stderr or "")[-4096:]
    if result.exit_code == 127 and "command not found" in end:
        return "command not found"  # bash itself said so
    return describe_exit_code(result.exit_code or 0)


def _details(result: Result) -> list[str]:
    lines = []
    if len(result.pipestatus) > 1:
        lines.append(f"pipestatus {_codes(result.pipestatus)}{_blamed(result)}")
    if result.note:
        lines.append(result.note)
    if result.omitted:
        where = f"; all of it is in {result.output_path}" if result.output_path else ""
        lines.append(f"{result.omitted:,} bytes of the output are left out{where}")
    return lines


def _blamed(result: Result) -> str:
    """Say which elements failed, where that is not just the last one."""
    failed = [(place, code) for place, code in enumerate(result.pipestatus, 1) if code]
    if not failed or failed == [(len(result.pipestatus), result.exit_code)]:
        return ""
    told = [f"element {place} {describe_exit_code(code)}" for place, code in failed[:3]]
    return f" ({'; '.join(told)})"


def _codes(codes: tuple[int, ...]) -> str:
    return " ".join(str(code) for code in codes)
