"""A command in the background, in the cell that started it: state, time and the tail of its output, in place.

A thread of the view's own updates the display, at most twice a second; front ends find it by its display id.
The elapsed time alone is told the more seldom the longer a command runs. In a plain terminal nothing can be
updated: there the start and the end print a line each.

The thread runs in an empty context (contextvars): its updates belong to the cell that runs when they are sent,
not to the one that started the job. Front ends do not mind, and nbclient, which takes the messages of the running
cell only, then has the last state in the notebook that it executes.
"""

from __future__ import annotations

import contextvars
import importlib.util
import sys
import threading
import uuid
from html import escape
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from shellkernel import BashSession, Job
from shellkernel.render import NO_MATH, badge, duration_text, mimebundle, summary
from shellkernel_magics.live import in_notebook
from shellkernel_magics.tail import Tail

__all__ = ("JobView", "first_line", "job_bundle")

UPDATE_INTERVAL = 0.5
"""Seconds between two updates of one display, at least."""
TAIL_LINES = 12
"""Lines of output in the display."""

_PRE = "margin:.3em 0 0;padding:.3em .6em;border-left:3px solid currentColor;opacity:.85;white-space:pre-wrap"


class JobView:
    """The live display of one job; it ends with the job.

    Pass `feed` as the job's `on_output`, then call `follow(job)` in the cell.
    """

    def __init__(self, shell: InteractiveShell, session: BashSession, *, button: bool) -> None:
        """Show nothing yet.

        Args:
            shell: The IPython shell of the cell.
            session: Where the job will run.
            button: Whether to offer a button that interrupts, where ipywidgets is installed.
        """
        self._shell = shell
        self._notebook = in_notebook(shell)
        self._button_wanted = button and self._notebook and importlib.util.find_spec("ipywidgets") is not None
        self._tail = Tail(session.columns, session.rows)
        self._changed = threading.Event()
        self._display_id = uuid.uuid4().hex

    def feed(self, text: str) -> None:
        """Take output, in any thread."""
        self._tail.feed(text)
        self._changed.set()

    def follow(self, job: Job) -> None:
        """Show the job, and go on showing it until it is over. Returns at once."""
        if not self._notebook:
            print(f"[{job.session}] runs in the background: {first_line(job.command)}")  # noqa: T201
        else:
            _publish(self._shell, job_bundle(job, self._tail.lines(TAIL_LINES)), self._display_id)
        self._button = _Button(self._shell, job) if self._button_wanted else None
        job.add_done_callback(lambda _: self._changed.set())
        follow = contextvars.Context().run
        threading.Thread(target=follow, args=(self._run, job), name="shellkernel-job", daemon=True).start()

    def _run(self, job: Job) -> None:
        while not job.done:
            self._changed.wait(self._patience(job))
            self._changed.clear()
            if self._notebook and not job.done:
                self._update(job)
                job.wait(UPDATE_INTERVAL)
        if self._notebook:
            self._update(job)
            if self._button is not None:
                self._button.close()
        else:
            sys.stdout.write(f"[{job.session}] {summary(job.result())}: {first_line(job.command)}\n")
            sys.stdout.flush()

    def _patience(self, job: Job) -> float | None:
        """Seconds after which the time alone is worth an update."""
        return max(1.0, job.elapsed / 60) if self._notebook else None

    def _update(self, job: Job) -> None:
        bundle = job_bundle(job, self._tail.lines(TAIL_LINES))
        _publish(self._shell, bundle, self._display_id, update=True)


def _publish(shell: InteractiveShell, bundle: dict[str, Any], display_id: str, *, update: bool = False) -> None:
    shell.display_pub.publish(bundle, transient={"display_id": display_id}, update=update)


class _Button:
    """A button that interrupts the job; each further press is stronger, as with the kernel's own."""

    def __init__(self, shell: InteractiveShell, job: Job) -> None:
        ipywidgets = importlib.import_module("ipywidgets")
        self._shell, self._display_id = shell, uuid.uuid4().hex
        self._widget = ipywidgets.Button(description="Interrupt", icon="stop", tooltip="Interrupt this command")
        self._widget.on_click(lambda _: job.interrupt())
        _publish(shell, self._widget._repr_mimebundle_(), self._display_id)

    def close(self) -> None:
        """Take the button away."""
        _publish(self._shell, {"text/plain": ""}, self._display_id, update=True)
        self._widget.close()


def first_line(command: str) -> str:
    """Return the first line that is not blank, with a mark when there are more."""
    lines = [line for line in command.split("\n") if line.strip()] or [""]
    return f"{lines[0].strip()} …" if len(lines) > 1 else lines[0].strip()


def job_bundle(job: Job, tail: list[str]) -> dict[str, str]:
    """Return the display of a job: `text/plain` and `text/html`.

    Args:
        job: Running or over.
        tail: The last lines of its output.
    """
    command = first_line(job.command)
    if job.done:
        told = mimebundle(job.result())
        plain, _, picture = told["text/plain"].partition("\n")
        face = told["text/html"]
    else:
        picture = ""
        elapsed = duration_text(job.elapsed)
        plain = f"{job.state} · {elapsed}"
        waiting = job.waiting
        asked = f"{waiting.program} waits: {waiting.prompt}" if waiting else ""
        parts = (escape(part) for part in (elapsed, job.session, asked))
        face = f"<div>{badge(job.state, 'unsure')} {' '.join(f'<span>{part}</span>' for part in parts)}</div>"
    text = "\n".join(tail)
    written = "".join(f"\n{part}" for part in (text, picture) if part)
    below = f'<pre style="{_PRE}">{escape(text)}</pre>' if text else ""
    html = (
        f'<div role="group" class="{NO_MATH}" aria-label="Job {job.serial} of {escape(job.session)}: {escape(plain)}">'
    )
    html += f'{face}<div><code style="background:none;color:inherit">{escape(command)}</code></div>{below}</div>'
    return {
        "text/plain": f"[{job.session}] {plain} · {command}{written}",
        "text/html": html,
    }
