"""How the kernels of tests are reached: through files.

Jupyter finds free TCP ports by trying, some 0.3 s before the kernel takes them; two processes that start kernels may
find the same one, and the second kernel then ends with "Address already in use". What users get, TCP, is used where a
program starts the kernel itself: papermill, jupyter console, the kernel test suite, JupyterLab.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from typing import Any, TypedDict

import nbclient
from traitlets.config import Config

__all__ = ("FileSockets", "execute", "file_sockets")

_numbers = itertools.count(1)


class FileSockets(TypedDict):
    """Settings of jupyter_client's KernelManager, which removes the files."""

    transport: str
    ip: str


def file_sockets() -> FileSockets:
    """Return the settings for one kernel."""
    return {"transport": "ipc", "ip": os.path.join(tempfile.gettempdir(), f"kernel-{os.getpid()}-{next(_numbers)}")}


def execute(notebook: Any, **options: Any) -> None:
    """Have nbclient execute a notebook, with these options of its `NotebookClient`."""
    config = Config({"KernelManager": dict(file_sockets())})
    nbclient.NotebookClient(notebook, config=config, **options).execute()
