"""Jupyter kernels, driven by one client: this project's, the alternatives', and the Python kernel.

A kernel is started from its argument list, so that none has to be installed as a kernelspec.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import Any

import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

from benchmarks.model import NotHere
from benchmarks.race import Action

__all__ = (
    "BASH_KERNEL",
    "CALYSTO_BASH",
    "PYTHON",
    "SHELLKERNEL",
    "Answer",
    "Kernel",
    "KernelKind",
    "answering",
    "running",
    "started",
)

START_SECONDS = 60.0
WARM_UP = "echo hi"
"""A bash kernel's first cell."""
TAIL = 500
"""Characters of the output that are looked at."""
CELL_SECONDS = 180.0
"""How long one cell may take: the slowest alternative needs 33 s for the largest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelKind:
    """How a kernel is started."""

    name: str
    module: str
    """What `python -m` runs."""
    options: tuple[str, ...] = ()
    settings: str = ""
    """Its configuration file's text; Jupyter gives a kernel no options."""


SHELLKERNEL = KernelKind(
    name="shellkernel",
    module="shellkernel",
    settings='c.ShellKernel.history_file = ":memory:"\nc.ShellKernel.rcfile = ""\n',
)
PYTHON = KernelKind(name="Python kernel", module="ipykernel_launcher", options=("--HistoryManager.enabled=False",))
BASH_KERNEL = KernelKind(name="bash_kernel", module="bash_kernel")
CALYSTO_BASH = KernelKind(name="calysto_bash", module="calysto_bash")


@dataclass(slots=True)
class Answer:
    """What one cell came to."""

    seconds: float = 0.0
    """From the request to the reply and `idle`."""
    first_output: float = float("nan")
    """From the request to the first output."""
    text: str = ""
    """The end of its output."""
    messages: int = 0
    """On iopub, with the status."""


class Kernel:
    """A kernel that runs, and its one client. The client is ready when this is: it misses no message."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client

    def run(self, code: str) -> Answer:
        """Run a cell; return when its reply and `idle` are here."""
        answer = Answer()
        start = time.perf_counter()
        request = self.client.execute(code, allow_stdin=False)
        while not self._take(answer, self._message(), request, start):
            pass
        while self.client.get_shell_msg(timeout=CELL_SECONDS)["parent_header"].get("msg_id") != request:
            pass
        answer.seconds = time.perf_counter() - start
        return answer

    def complete(self, code: str) -> tuple[float, list[str]]:
        """Ask for completions at the end; return the seconds and the matches."""
        start = time.perf_counter()
        content = self.client.complete(code, len(code), reply=True, timeout=CELL_SECONDS)["content"]
        return time.perf_counter() - start, content["matches"]

    def _message(self) -> dict[str, Any]:
        try:
            message: dict[str, Any] = self.client.get_iopub_msg(timeout=CELL_SECONDS)
        except Empty:
            raise NotHere(f"a cell printed nothing for {CELL_SECONDS:g} s") from None
        return message

    def _take(self, answer: Answer, message: dict[str, Any], request: str, start: float) -> bool:
        """Count one message; return whether it is the last."""
        if message["parent_header"].get("msg_id") != request:
            return False
        answer.messages += 1
        content = message["content"]
        if message["msg_type"] == "stream":
            if not answer.text:
                answer.first_output = time.perf_counter() - start
            answer.text = (answer.text + content["text"])[-TAIL:]
        return bool(message["msg_type"] == "status" and content["execution_state"] == "idle")


@contextmanager
def started(kind: KernelKind) -> Iterator[BlockingKernelClient]:
    """Start a kernel and connect to it; its first answer may still be a while away."""
    if importlib.util.find_spec(kind.module) is None:
        raise NotHere("not installed; it comes with the extra `bench`")
    with tempfile.TemporaryDirectory() as folder, zmq.Context() as context:
        context.setsockopt(
            zmq.RECONNECT_IVL, 5
        )  # milliseconds; 100, the default, would be the grain of what is measured
        _write_kernelspec(Path(folder) / "measured", kind)
        manager = KernelManager(
            kernel_name="measured",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[folder], ensure_native_kernel=False),
            context=context,
        )
        manager.start_kernel(stderr=subprocess.DEVNULL)
        client: BlockingKernelClient = manager.blocking_client()
        try:
            client.start_channels(hb=False)
            yield client
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
            manager.cleanup_resources()


@contextmanager
def running(kind: KernelKind) -> Iterator[Kernel]:
    """Start a kernel and wait until it answers."""
    with started(kind) as client:
        try:
            client.wait_for_ready(timeout=START_SECONDS)
        except RuntimeError as error:
            raise NotHere(f"its kernel did not start: {error}") from error
        yield Kernel(client)


def answering(
    kind: KernelKind, code: str, value: Callable[[Answer], float], expected: str = "", *, fresh: bool = False
) -> Callable[[], AbstractContextManager[Action]]:
    """Return a contestant's `open`: a cell in that kernel.

    Args:
        kind: The kernel.
        code: The cell.
        value: What of the answer counts.
        expected: What must stand near the end of its output.
        fresh: Run each in a kernel of its own, as its second cell. Ours sends no more than a server lets through
            (`shellkernel.kernel.pace`): a large output would wait for the one before it.
    """

    def ask(kernel: Kernel) -> float:
        answer = kernel.run(code)
        if expected not in answer.text:
            raise NotHere(f"its output ends in {answer.text[-80:]!r}, without {expected!r}")
        return value(answer)

    def ask_afresh() -> float:
        with running(kind) as kernel:
            kernel.run(WARM_UP)
            return ask(kernel)

    @contextmanager
    def opened() -> Iterator[Action]:
        if fresh:
            yield ask_afresh
        else:
            with running(kind) as kernel:
                yield lambda: ask(kernel)

    return opened


def _write_kernelspec(folder: Path, kind: KernelKind) -> None:
    folder.mkdir()
    spec = {
        "argv": [sys.executable, "-m", kind.module, "-f", "{connection_file}", *kind.options],
        "display_name": kind.name,
        "language": "bash",
        "env": {"JUPYTER_CONFIG_DIR": str(folder)},
    }
    (folder / f"{kind.module}_config.py").write_text(kind.settings)
    (folder / "kernel.json").write_text(json.dumps(spec))
