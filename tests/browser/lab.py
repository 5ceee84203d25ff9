"""A JupyterLab server of its own: folders, port and token of its own, stopped by its process id."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.request import Request, urlopen

__all__ = ("LANGUAGES", "SECONDS", "Lab", "notebook_document")

SECONDS = 25.0
"""How long the server, a page or a cell may take at most; on a busy machine too."""

STOP_SECONDS = 20.0
"""How long the server may take to end its kernels and itself, before it is killed."""

LANGUAGES = {"shellkernel": "bash", "python3": "python"}
"""The kernels that are tested, with their languages."""

_LISTENS = "is running at"

_FOLDERS = (
    "HOME",
    "IPYTHONDIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
)

_SETTINGS: dict[str, dict[str, object]] = {
    "apputils-extension/notification": {"checkForUpdates": False, "doNotDisturbMode": True, "fetchNews": "false"},
    "apputils-extension/themes": {"theme": "JupyterLab Light", "adaptive-theme": False},
    "notebook-extension/tracker": {"windowingMode": "none", "autoStartDefaultKernel": True},
    "docmanager-extension/plugin": {"autosave": False},
}
"""No questions and no news, every cell in the page, nothing saved unless a test saves it."""


class Lab:
    """A running JupyterLab; a context manager that stops it.

    Args:
        folder: A new, empty folder for all its files.
        settings: Laid over ours: the name of a plugin of JupyterLab's own, and its settings.
    """

    def __init__(self, folder: Path, settings: Mapping[str, dict[str, object]] | None = None) -> None:
        self.root = folder / "root"
        """The folder of the notebooks, and their kernels' directory."""
        self.root.mkdir()
        self.token = secrets.token_hex(16)
        self.port = _free_port()
        self._log = folder / "lab.log"
        self._listens = threading.Event()
        _write_settings(folder / "settings", {**_SETTINGS, **(settings or {})})
        self._process = subprocess.Popen(
            self._command(),
            env={**os.environ, **_environment(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, name="jupyterlab-log", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        try:
            self._wait_until_it_listens()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where it is, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """All it has said so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def page(self, notebook: str) -> str:
        """The address of a notebook alone, without side bars, and without what an earlier page left."""
        return f"{self.url}/doc/tree/{notebook}?reset&token={self.token}"

    def get(self, path: str) -> Any:
        """What the server answers to GET /api/PATH."""
        return self._ask("GET", path)

    def post(self, path: str, body: object) -> Any:
        """What the server answers to POST /api/PATH."""
        return self._ask("POST", path, json.dumps(body).encode())

    def delete(self, path: str) -> None:
        """DELETE /api/PATH."""
        self._ask("DELETE", path)

    def end_kernel_of(self, notebook: str) -> None:
        """End the kernel of a notebook, if it has one."""
        for session in self.get("sessions"):
            if session["path"] == notebook:
                self.delete(f"sessions/{session['id']}")

    def stop(self) -> None:
        """End the server and its kernels: SIGTERM, on which it shuts them down; SIGKILL to its group. Repeatable."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self._reader.join(STOP_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _command(self) -> list[str]:
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1"]
        command += [f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0"]
        command += [f"--ServerApp.root_dir={self.root}", f"--IdentityProvider.token={self.token}"]
        return [*command, "--allow-root"] if os.geteuid() == 0 else command

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._log.open("w", encoding="utf-8") as log:
            for line in self._process.stdout:
                log.write(line)
                log.flush()
                if _LISTENS in line:
                    self._listens.set()
        self._listens.set()  # it is over, whether it ever listened or not

    def _wait_until_it_listens(self) -> None:
        in_time = self._listens.wait(SECONDS)
        if self._process.poll() is not None or not in_time:
            raise RuntimeError(f"JupyterLab did not start:\n{self.log[-3_000:]}")
        while not self._accepts():  # it says so a moment before it is true
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.05)
                raise RuntimeError(f"JupyterLab has ended:\n{self.log[-3_000:]}")

    def _accepts(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), SECONDS).close()
        except ConnectionRefusedError:
            return False
        return True

    def _ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        headers = {"Authorization": f"token {self.token}"}
        request = Request(f"{self.url}/api/{path}", data=body, method=method, headers=headers)
        with urlopen(request, timeout=SECONDS) as answer:
            text = answer.read()
        return json.loads(text) if text else None


def notebook_document(kernel: str, cells: list[str]) -> dict[str, object]:
    """Return a notebook of code cells, as it is in a file.

    Args:
        kernel: The name of its kernel.
        cells: Their sources.
    """
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": kernel, "display_name": kernel, "language": LANGUAGES[kernel]}},
        "cells": [
            {
                "id": f"cell-{number}",
                "cell_type": "code",
                "source": source,
                "metadata": {},
                "outputs": [],
                "execution_count": None,
            }
            for number, source in enumerate(cells)
        ],
    }


def _environment(folder: Path) -> dict[str, str]:
    environment = {}
    for name in _FOLDERS:
        own = folder / name.lower().removeprefix("jupyterlab_").removesuffix("_dir")
        own.mkdir(exist_ok=True)
        environment[name] = str(own)
    return environment


def _write_settings(folder: Path, settings: Mapping[str, dict[str, object]]) -> None:
    for name, values in settings.items():
        file = folder / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
