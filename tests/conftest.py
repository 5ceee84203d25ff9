"""Fixtures for every folder of tests: the bash under test, a session on it, and none of the user's files."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.leaks import Snapshot

if TYPE_CHECKING:
    from shellkernel import BashSession

__all__ = ()

TESTS = Path(__file__).parent

# A person's settings that would change what bash, Jupyter or IPython do.
FOREIGN = (
    "BASH_ENV",
    "ENV",
    "INPUTRC",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "SHELLOPTS",
    "BASHOPTS",
    "JUPYTER_PATH",
)

# Signals that a parent may ignore (nohup(1); `&` in a script), which everything that is started here would inherit.
SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM)


# A test passes always or is broken: examples are the same in every run, until somebody asks for others.
settings.register_profile("same", derandomize=True)
settings.register_profile("random", derandomize=False)
settings.load_profile(os.environ.get("SHELLKERNEL_EXAMPLES", "same"))


def pytest_configure() -> None:
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture(scope="session", autouse=True)
def isolated_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Point everything that keeps files at new folders; yields the new home.

    Also puts the folder of this Python first in PATH, so that `python3` in a cell is the one that runs the
    tests: some version managers find theirs by HOME.
    """
    home = tmp_path_factory.mktemp("home")
    temporary = tmp_path_factory.mktemp("tmp")
    with pytest.MonkeyPatch.context() as patch:
        for name in [*os.environ]:
            if name in FOREIGN or name.startswith("XDG_"):
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("HISTFILE", str(home / ".bash_history"))
        patch.setenv("IPYTHONDIR", str(home / "ipython"))
        patch.setenv("JUPYTER_CONFIG_DIR", str(home / "jupyter/config"))
        patch.setenv("JUPYTER_DATA_DIR", str(home / "jupyter/data"))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(home / "jupyter/runtime"))
        patch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", None)  # it was found before TMPDIR was set
        yield home


@pytest.fixture(autouse=True)
def _leaves_nothing(request: pytest.FixtureRequest, isolated_environment: Path) -> Iterator[None]:
    """Fail a test of units, sessions or agents that leaves something behind.

    An autouse fixture is set up before the others of its scope, so it looks again when they are all torn
    down. What module- and session-wide fixtures hold is there before and after.
    """
    if request.path.relative_to(TESTS).parts[0] not in ("unit", "session", "agents"):
        yield
        return
    before = Snapshot.take()
    yield
    left = Snapshot.take().beyond(before)
    if left:
        pytest.fail("left behind: " + "; ".join(left))


@pytest.fixture(scope="session")
def bash() -> str:
    """The bash under test: SHELLKERNEL_TEST_BASH, or the machine's."""
    return os.environ.get("SHELLKERNEL_TEST_BASH") or shutil.which("bash") or "bash"


@pytest.fixture
def session(bash: str) -> Iterator[BashSession]:
    """A session of its own for one test, closed at the end."""
    from shellkernel import BashSession

    with BashSession(shell=bash) as session:
        yield session
