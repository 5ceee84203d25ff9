"""Making a command end: the rungs of the ladder, and what is left of its process groups afterwards."""

from __future__ import annotations

import os
import re
import signal
import termios
import time
from contextlib import suppress

from shellkernel.sentinel.bytes import INTERRUPT
from shellkernel.session.job import Job
from shellkernel.session.shell import Shell
from shellkernel.terminal import foreground
from shellkernel.terminal.reaper import adopt_orphans, reap_group, reap_session, release_orphans

__all__ = (
    "LAST_RUNG",
    "abandon_shell",
    "climb",
    "continue_shell",
    "end_shell",
    "finish_sweep",
    "interrupt_again",
    "jobs_left",
    "kill_rest",
    "sweep",
)

LAST_RUNG = 4
"""Index of the rung on which the shell itself is killed."""
YOUNG = 0.05
"""Seconds after which bash has forked all of a pipeline."""
_FORKS_MORE = re.compile(r"\||[<>]\(")  # a pipeline, or a process substitution
LOOK_PAUSE = 0.01
"""Seconds between two looks at who is left of a session."""
AGE_STEP = 0.02
"""Seconds by which a process' age is wrong at most, and a little more: the kernel counts in steps of 0.01 s."""
KILL_SECONDS = 0.5
"""Seconds that the processes of a command whose shell was killed are waited for, once they are killed, too."""


def climb(shell: Shell, job: Job, now: float) -> None:
    """Go one rung up and act on it; `Ladder` draws the rungs."""
    if not job.adopts_orphans:
        job.adopts_orphans = True
        adopt_orphans()
    job.rung = min(job.rung + 1, LAST_RUNG)
    seconds = job.options.ladder.seconds
    job.rung_until = now + seconds[job.rung] if job.rung < LAST_RUNG else None
    group = shell.terminal.foreground_group()
    own = group == shell.pid
    if group and not own:
        job.signalled_groups.add(group)
    if job.rung == 0:
        _interrupt_first(shell, job, group)
    elif job.rung == 1:
        _signal(group, signal.SIGINT)
    elif job.rung == LAST_RUNG:
        if not own:
            _signal(group, signal.SIGKILL)
        _signal(shell.pid, signal.SIGKILL)
    elif own:  # bash ignores SIGTERM, and SIGKILL would end the session; under `set +m` programs are in its group
        _signal_all(_without_group(shell), signal.SIGTERM if job.rung == 2 else signal.SIGKILL)
    else:
        _signal_all({shell.pid}, signal.SIGINT)  # bash goes on with the list where its command did not die of SIGINT
        _signal(group, signal.SIGTERM if job.rung == 2 else signal.SIGKILL)
    if job.rung < 3:
        for each in {group, shell.pid}:
            _signal(each, signal.SIGCONT)  # who is stopped sees no signal but SIGKILL before it goes on


def continue_shell(shell: Shell) -> None:
    """Let a shell go on that is stopped."""
    _signal(shell.pid, signal.SIGCONT)


def interrupt_again(shell: Shell, job: Job) -> None:
    """Interrupt a foreground group that came after the interrupt: bash was between fork and exec, and it was lost."""
    group = shell.terminal.foreground_group()
    if group == shell.pid and (behind := _left_behind(shell)) not in (0, *job.signalled_groups):
        job.signalled_groups.add(behind)
        _signal(behind, signal.SIGINT)
    elif group and group not in (shell.pid, *job.signalled_groups):
        job.signalled_groups.add(group)
        _interrupt(shell, group)


def _left_behind(shell: Shell) -> int:
    """Return the group of what bash waits for though it never came to the foreground; 0 where there is none.

    bash 5.3 leaves a program there in 3 of 100 interrupts that come while it is forked. It is the last that bash has
    forked: it waits.
    """
    born = [child for child in foreground.children(shell.pid) if child not in shell.outputs.jobs]
    group = foreground.group_of(born[-1]) if born else 0
    return group if group != shell.pid and foreground.waits_for_child(shell.pid) else 0


def _without_group(shell: Shell) -> set[int]:
    """Return what runs for the command while bash itself is in the foreground: who is in its group, and its children.

    One of them may never have come to the foreground (`_left_behind`). The jobs that were there before the command are
    left alone.
    """
    found = {member.pid for member in foreground.group_members(shell.pid)} | {*foreground.children(shell.pid)}
    return found - _of_earlier_jobs(shell) - {shell.pid}


def _of_earlier_jobs(shell: Shell) -> set[int]:
    return {process.pid for job in shell.outputs.jobs for process in foreground.descendants(job)}


def _interrupt_first(shell: Shell, job: Job, group: int) -> None:
    """Interrupt the foreground group; bash too while it may still fork a pipeline, whose last element decides."""
    if group != shell.pid and _FORKS_MORE.search(job.command) and foreground.age(group) < YOUNG:
        _signal_all({shell.pid}, signal.SIGINT)
    _interrupt(shell, group)


def _interrupt(shell: Shell, group: int) -> None:
    """Interrupt as a keyboard would, but for the output: the line discipline's own SIGINT drops what was not read yet.

    A program that takes the keys itself (`ssh`, an editor) gets the key.
    """
    if shell.terminal.local_flags() & termios.ISIG or not shell.terminal.write_byte(INTERRUPT):
        _signal(group, signal.SIGINT)


def _signal(group: int, number: signal.Signals) -> None:
    if group > 1:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def sweep(job: Job, number: signal.Signals) -> bool:
    """Signal what lives in the groups that the ladder signalled; return whether nothing does (and all is reaped)."""
    for group in tuple(job.signalled_groups):
        if foreground.group_members(group):
            _signal(group, number)
        else:
            job.signalled_groups.discard(group)
            reap_group(group)
    if job.signalled_groups:
        return False
    finish_sweep(job)
    return True


def kill_rest(shell: Shell, job: Job) -> None:
    """Kill what a command has left whose shell the ladder killed; what was there before the command gets SIGHUP.

    bash may have forked a program and not given it the terminal yet; SIGHUP is lost on it before it has exec'ed, since
    it still has bash's handler (bash 5.3: 1 of 1,500 that were killed at once stayed).
    """
    deadline = time.monotonic() + KILL_SECONDS
    while (left := _born_of(shell, job)) and time.monotonic() < deadline:
        _signal_all(left, signal.SIGKILL)
        time.sleep(LOOK_PAUSE)  # no more than the kernel's time to end them
    reap_session(shell.pid)


def _born_of(shell: Shell, job: Job) -> set[int]:
    """Return the living processes that a command has started, itself or through others, in its shell's session."""
    others = _members(shell) - _of_earlier_jobs(shell) - {shell.pid}
    return {process for process in others if foreground.age(process) <= job.elapsed + AGE_STEP}


def finish_sweep(job: Job) -> None:
    """Reap what the ladder ended, and leave orphans to PID 1 again. Nothing happens where the ladder was not used."""
    if job.adopts_orphans:
        job.adopts_orphans = False
        release_orphans()


def end_shell(shell: Shell, seconds: float) -> None:
    """End a shell, every process of its session, and its terminals; reap it. May be called twice.

    SIGHUP and the terminal's end first; SIGKILL after half of `seconds`.
    """
    if shell.closed:
        return
    deadline = time.monotonic() + seconds / 2
    adopt_orphans()
    left = abandon_shell(shell)
    while left and time.monotonic() < deadline:
        shell.wait_for_end(min(deadline - time.monotonic(), LOOK_PAUSE))
        left = _members(shell)
    _signal_all(left, signal.SIGKILL)
    if shell.terminal.reap() is None:
        _signal_all({shell.pid}, signal.SIGKILL)
        shell.terminal.wait()
    while (left := _members(shell)) and time.monotonic() < deadline + seconds / 2:
        _signal_all(left, signal.SIGKILL)  # again: one may have been forked after the last look
        time.sleep(LOOK_PAUSE)  # no more than the kernel's time to end them
    reap_session(shell.pid)
    release_orphans()
    shell.close()


def abandon_shell(shell: Shell) -> set[int]:
    """Hang up: SIGHUP to every process of the shell's session, and its terminals are closed; return who was there."""
    members = _members(shell)
    # bash itself gets the kernel's SIGHUP, for the terminal; a second one would end it in the middle of its EXIT trap.
    _signal_all(members - {shell.pid}, signal.SIGHUP)
    _signal_all(members, signal.SIGCONT)
    shell.hang_up()
    return members


def jobs_left(shell: Shell) -> list[str]:
    """Return, of a shell that is over, what still runs in its session: "name (process id)"."""
    return [
        f"{member.name} ({member.pid})" for member in foreground.session_members(shell.pid) if member.pid != shell.pid
    ]


def _members(shell: Shell) -> set[int]:
    members = {member.pid for member in foreground.session_members(shell.pid)}
    if shell.terminal.reap() is None:
        members.add(shell.pid)  # where there is no /proc
    return members


def _signal_all(processes: set[int], number: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)
