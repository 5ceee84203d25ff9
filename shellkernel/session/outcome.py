"""Words and results: what a command's end, or a shell's, comes to."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from shellkernel.errors import (
    CommandFailed,
    CommandInterrupted,
    CommandTimedOut,
    InputRequired,
    SessionEnded,
    SessionStartFailed,
)
from shellkernel.results import EndReason, Result, Trace
from shellkernel.session.job import Job, first_line
from shellkernel.session.shell import ShellSettings
from shellkernel.text import plain

__all__ = ("build_result", "death_note", "error_of", "exit_code_of", "start_failure")


def build_result(
    job: Job,
    *,
    exit_code: int | None,
    pipestatus: tuple[int, ...],
    end_reason: EndReason,
    cwd: str,
    size: tuple[int, int],
    note: str = "",
    options: str = "",
    running: Job | None = None,
) -> Result:
    """Freeze what is known of a command at its end."""
    log = job.statements
    stopped = log.stop_note if log is not None else ""
    notes = [part for part in (job.note, stopped, note, job.recording.error) if part]
    return Result(
        command=job.command,
        session=job.session,
        output=job.recording.text(*size),
        raw=job.recording.raw(),
        stderr=job.stderr_recording.text(*size) if job.stderr_recording else None,
        exit_code=exit_code,
        pipestatus=pipestatus,
        options=options,
        end_reason=end_reason,
        cwd=cwd,
        started=job.started,
        duration=time.monotonic() - job.started_at,
        omitted=job.recording.omitted,
        output_path=_output_path(job),
        note="; ".join(notes),
        statements=log.statements(job.recording, *size) if log is not None and job.options.tells_statements else None,
        trace=_trace(job, exit_code, options, end_reason, ended=running is None),
        job=running,
    )


def _trace(job: Job, exit_code: int | None, options: str, end_reason: EndReason, *, ended: bool) -> Trace | None:
    if job.tracer is None:
        return None
    if ended:
        job.tracer.end()
    return job.tracer.trace(exit_code, options, end_reason)


def _output_path(job: Job) -> str | None:
    """Return the file that has all of the output, where that is needed and true."""
    recording = job.recording
    return str(recording.path) if recording.path and recording.omitted and not recording.error else None


def exit_code_of(status: int) -> int:
    """Return the shell's number for a wait status: 128+n for a signal (POSIX 2.8.2)."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def death_note(status: int, state: Path | None, output: bytes, jobs: Sequence[str]) -> str:
    """Say in words how a shell ended, and what the new one has of it.

    Args:
        status: Its wait status.
        state: Where it wrote its state (`integration.bash`); None where nothing is kept.
        output: The end of its last command's output.
        jobs: What still ran in the background.
    """
    left = _take_sign(state)
    lost = [f"{', '.join(jobs)}, which ran in the background"] if jobs else []
    descriptors = _descriptors(state) if left else []
    if descriptors:
        lost.append(f"the open descriptors {', '.join(descriptors)}")
    how = f"{_how_it_ended(status, state, output, left=left)}; {_what_is_kept(state, left=left)}"
    return f"{how}; lost: {'; '.join(lost)}" if lost else how


def _how_it_ended(status: int, state: Path | None, output: bytes, *, left: bool) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return f"bash was ended by {_signal_name(-code)} ({-code})"
    if state is not None and not left:
        return (
            f"bash ended with exit code {code} and left no state, "
            "as after `exec`, or with an EXIT trap that was set in place of ours"
        )
    # An interactive bash prints "exit" when the builtin ends it.
    if code and _errexit(state) and not output.endswith(b"exit\n"):
        return f"`set -e` was on: bash ended at the first failure, with exit code {code}"
    return f"bash ended with exit code {code}"


def _what_is_kept(state: Path | None, *, left: bool) -> str:
    if left:
        return "a new shell took over, with its variables, functions, options and directory"
    if state is not None and state.exists():
        return "a new shell took over, with what the last one had when it was idle"
    return "a new shell took over, afresh"


def _descriptors(state: Path | None) -> list[str]:
    """Return the descriptors that a cell had opened (`exec 3>file`) and bash had open on its way out."""
    if state is None:
        return []
    try:
        return _beside(state, ".descriptors").read_text().split()
    except OSError:
        return []


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal"


def _errexit(state: Path | None) -> bool:
    try:
        return state is not None and "set -o errexit" in _beside(state, ".options").read_text()
    except OSError:
        return False


def _take_sign(state: Path | None) -> bool:
    """Tell whether bash left its state on its way out, and remove the sign."""
    if state is None:
        return False
    try:
        _beside(state, ".left").unlink()
    except OSError:
        return False
    return True


def _beside(state: Path, suffix: str) -> Path:
    return state.with_name(state.name + suffix)


def start_failure(session: str, settings: ShellSettings, output: bytes, status: int | None) -> SessionStartFailed:
    """Say why a shell did not reach its first prompt."""
    text = plain(output.decode("utf-8", "replace")).strip()
    tail = text[-2_000:]
    if status is None:
        what = f"bash did not reach its first prompt within {settings.start_timeout:g} s"
    else:
        code = os.waitstatus_to_exitcode(status)
        what = f"bash ended before its first prompt, with {f'exit code {code}' if code >= 0 else f'signal {-code}'}"
    where = f" while it read {settings.rcfile}" if settings.rcfile else ""
    said = f"; its last output: {tail!r}" if tail else "; it printed nothing"
    return SessionStartFailed(
        f"session {session!r}: {what}{where}{said}. Start it without an rc file (rcfile=None), or mend the file",
        session,
        tail,
    )


_ERRORS: dict[
    EndReason, tuple[type[CommandFailed | CommandTimedOut | CommandInterrupted | InputRequired | SessionEnded], str]
] = {
    "completed": (CommandFailed, "failed"),
    "timed_out": (CommandTimedOut, "timed out"),
    "interrupted": (CommandInterrupted, "was interrupted"),
    "awaiting_input": (InputRequired, "waited for input"),
    "session_ended": (SessionEnded, "ended its shell"),
}


def error_of(result: Result) -> CommandFailed | CommandTimedOut | CommandInterrupted | InputRequired | SessionEnded:
    """Return what `check=True` raises for a result that is not ok."""
    kind, what = _ERRORS[result.end_reason]
    line = first_line(result.command)
    note = f"; {result.note}" if result.note else ""
    return kind(f"session {result.session!r}: {line!r} {what} with exit code {result.exit_code}{note}", result)
