"""Waiting for a job in asyncio, without blocking the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shellkernel.results import Result
    from shellkernel.session.job import Job

__all__ = ("wait_for",)


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
