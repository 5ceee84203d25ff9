"""The browser: the machine's own Chromium, driven by playwright. Nothing is downloaded."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ("browser", "chromium", "missing")

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("playwright", "jupyterlab")
FLAGS = (
    "--no-sandbox",  # it has none as root in a container, and loads nothing but our own page
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str | None:
    """Return the path of a Chromium on PATH, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def missing() -> list[str]:
    """Name what a test in a browser needs and this machine does not have."""
    names = [f"the Python package {name}" for name in PACKAGES if importlib.util.find_spec(name) is None]
    return names if chromium() else [*names, "chromium on PATH"]


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a headless Chromium with a profile of its own, and end it.

    While it is open, this thread has a running event loop (playwright's synchronous interface needs one), so
    `asyncio.run` is not possible in it.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), headless=True, args=list(FLAGS))
        try:
            yield started
        finally:
            started.close()
