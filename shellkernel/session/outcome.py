"""Words and results: what a command's end, or a shell's, comes to."""

from __future__ import annotations

import os
import signal
import time

from shellkernel.errors import SessionStartFailed
from shellkernel.results import EndReason, Result
from shellkernel.session.job import Job
from shellkernel.session.shell import ShellSettings
from shellkernel.text import plain

__all__ = ("build_result", "death_note", "exit_code_of", "start_failure")


def build_result(
    job: Job,
    *,
    exit_code: int | None,
    pipestatus: tuple[int, ...],
    end_reason: EndReason,
    cwd: str,
    size: tuple[int, int],
    note: str = "",
) -> Result:
    """Freeze what is known of a command at its end."""
    notes = [part for part in (job.note, note, job.recording.error) if part]
    return Result(
        command=job.command,
        session=job.session,
        output=job.recording.text(*size),
        raw=job.recording.raw(),
        stderr=job.stderr_recording.text(*size) if job.stderr_recording else None,
        exit_code=exit_code,
        pipestatus=pipestatus,
        end_reason=end_reason,
        cwd=cwd,
        started=job.started,
        duration=time.monotonic() - job.started_at,
        omitted=job.recording.omitted,
        output_path=str(job.recording.path) if job.recording.path and job.recording.omitted else None,
        note="; ".join(notes),
    )


def exit_code_of(status: int) -> int:
    """Return the shell's number for a wait status: 128+n for a signal (POSIX 2.8.2)."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def death_note(status: int, options: str) -> str:
    """Say in words how a shell ended.

    Args:
        status: Its wait status.
        options: bash's `$-` as last known.
    """
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        how = f"bash was ended by {name} ({-code})"
    elif "e" in options and code:
        how = f"`set -e` was on: bash ended at the first failure, with exit code {code}"
    else:
        how = f"bash ended with exit code {code}"
    return f"{how}; a new shell took over"


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
