"""Waiting for a job in asyncio, without blocking the loop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shellkernel.results import Result
    from shellkernel.session.job import Job

__all__ = ("start_in_thread", "wait_for")


async def wait_for(job: Job) -> Result:
    """Return the job's result; `asyncio.CancelledError` interrupts the command and is raised when it is over."""
    import asyncio  # half of what importing shellkernel would cost

    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    job.add_settle_callback(lambda: loop.call_soon_threadsafe(over.set))
    cancelled: asyncio.CancelledError | None = None
    serving = asyncio.ensure_future(asyncio.to_thread(job.serve_input)) if job.options.on_input else None
    while not over.is_set():
        try:
            await over.wait()
        except asyncio.CancelledError as error:
            cancelled = error
            job.interrupt()
    if serving is not None:
        await serving
    if cancelled is not None:
        raise cancelled
    return job.settle()


async def start_in_thread(start: Callable[[], Job]) -> Result:
    """Start a job, which may take its time, in a thread, and return its result; cancelled as `wait_for` is."""
    import asyncio

    starting = asyncio.ensure_future(asyncio.to_thread(start))
    cancelled: asyncio.CancelledError | None = None
    while not starting.done():
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError as error:
            cancelled = error
    job = starting.result()
    if cancelled is None:
        return await wait_for(job)
    job.interrupt()
    with suppress(asyncio.CancelledError):
        await wait_for(job)
    raise cancelled
