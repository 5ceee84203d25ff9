"""Fixtures of the kernel tests: the bash under test as the kernel's setting, and one kernel for each module."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gate import Gate
from tests.kernel.notebook import Notebook

__all__ = ()


@pytest.fixture(scope="session", autouse=True)
def _bash_under_test(isolated_environment: Path, bash: str) -> None:
    """Write the setting file that every kernel of these tests reads."""
    folder = Path(os.environ["JUPYTER_CONFIG_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shellkernel_config.py").write_text(f"c.ShellKernel.shell = {bash!r}\n", encoding="utf-8")


@pytest.fixture(scope="module")
def notebook(_bash_under_test: None) -> Iterator[Notebook]:
    """One running kernel for all tests of a module."""
    with Notebook() as notebook:
        yield notebook


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    """What a cell can wait for, until the test lets it go on."""
    return Gate(tmp_path / "gate")
