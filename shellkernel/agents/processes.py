"""Programs outside of any session: started, waited for in asyncio, and ended with all of their group."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

__all__ = ("Finished", "in_thread", "run_process")

GRACE = 1.0
"""Seconds for the output of a group that was killed to come to its end: a process that left it may hold it open."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that ended."""

    stdout: bytes
    stderr: bytes
    """Empty where the two are one."""
    exit_code: int
    """-n for signal n, as `subprocess` has it."""


async def run_process(
    command: str | Sequence[str],
    *,
    shell: bool,
    timeout: float | None,
    env: Mapping[str, str] | None,
    cwd: str | None,
    merge: bool,
) -> Finished:
    """Run a program, with nothing to read, in a process group of its own.

    Args:
        command, shell, env, cwd: As `subprocess.run` takes them.
        timeout: Seconds; None waits for ever.
        merge: Whether stderr goes where stdout goes.

    Raises:
        subprocess.TimeoutExpired: The group was killed; has the output until then.
        OSError: It could not be started.
    """
    process = subprocess.Popen(
        command,
        shell=shell,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merge else subprocess.PIPE,
        start_new_session=True,
    )
    try:
        return await in_thread(lambda: _finish(process, timeout))
    except asyncio.CancelledError:
        _kill_group(process)
        raise


async def in_thread(function: Callable[[], Value]) -> Value:
    """Call it in a thread of its own, and wait in asyncio; a pool would let long calls hold up short ones."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Value] = loop.create_future()

    def settle(value: Value | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)  # type: ignore[arg-type]  # it is one where there is no error

    def work() -> None:
        value, error = None, None
        try:
            value = function()
        except BaseException as raised:  # noqa: BLE001  # it is raised in the loop
            error = raised
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(settle, value, error)

    thread = threading.Thread(target=work, name="shellkernel call", daemon=True)
    thread.start()
    try:
        return await future
    finally:
        if future.done() and not future.cancelled():
            thread.join()  # it has nothing left to do


def _finish(process: subprocess.Popen[bytes], timeout: float | None) -> Finished:
    with process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as late:
            _kill_group(process)
            with suppress(subprocess.TimeoutExpired):
                late.output, late.stderr = process.communicate(timeout=GRACE)
            raise
    return Finished(stdout, stderr or b"", process.returncode)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
