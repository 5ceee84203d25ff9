"""A living bash that runs one command after the other: this project's, and the alternatives'.

Each yields `run(command) -> output`. Before it is measured it has to answer `echo hi` rightly.
"""

from __future__ import annotations

import asyncio
import importlib
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import ModuleType

from benchmarks.model import NotHere
from benchmarks.race import Action, timed
from shellkernel import BashSession

__all__ = ("Run", "bash_c", "echo", "ipython_bash", "ours", "replwrap", "swe_rex")

Run = Callable[[str], str]


def echo(session: Callable[[], AbstractContextManager[Run]]) -> Callable[[], AbstractContextManager[Action]]:
    """Return a contestant's `open`: `echo hi`, there and back."""

    @contextmanager
    def opened() -> Iterator[Action]:
        with session() as run:
            if (answer := run("echo hi")).strip() != "hi":
                raise NotHere(f"it answered `echo hi` with {answer!r}")
            yield timed(lambda: run("echo hi"))

    return opened


def _guarded(run: Run) -> Run:
    """Return the alternative's `run`, with NotHere for its errors (SWE-ReX: "Timeout while getting PS1", 0.1 s)."""

    def guarded(command: str) -> str:
        try:
            return run(command)
        except Exception as error:  # foreign code
            raise NotHere(f"it failed: {type(error).__name__}: {str(error).partition(chr(10))[0]}") from error

    return guarded


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NotHere(f"not installed ({error}); it comes with the extra `bench`") from error


@contextmanager
def ours() -> Iterator[Run]:
    """`BashSession`, as it is by default."""
    with BashSession() as session:
        yield lambda command: session.run(command).output


@contextmanager
def replwrap() -> Iterator[Run]:
    """pexpect's REPLWrapper."""
    wrapper = _module("pexpect.replwrap").bash()
    try:
        yield _guarded(wrapper.run_command)
    finally:
        wrapper.child.close(force=True)


@contextmanager
def swe_rex() -> Iterator[Run]:
    """SWE-ReX's LocalRuntime."""
    runtime = _module("swerex.runtime.local").LocalRuntime()
    words = _module("swerex.runtime.abstract")
    with asyncio.Runner() as runner:
        runner.run(runtime.create_session(words.CreateBashSessionRequest()))
        try:
            yield _guarded(
                lambda command: str(runner.run(runtime.run_in_session(words.BashAction(command=command))).output)
            )
        finally:
            runner.run(runtime.close())


@contextmanager
def ipython_bash() -> Iterator[Run]:
    """IPython's `%%bash`: a new bash for each cell."""
    shell = _module("IPython.core.interactiveshell").InteractiveShell()

    def run(command: str) -> str:
        shell.run_cell_magic("bash", "--out output", command)
        return str(shell.user_ns["output"])

    yield run


@contextmanager
def bash_c() -> Iterator[Run]:
    """`subprocess.run(["bash", "-c", …])`: a new bash for each command."""
    yield lambda command: subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False).stdout
