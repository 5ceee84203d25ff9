"""The lesson on exit codes: executed, its pictures compared with those that are stored, times aside."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.kernel.transport import execute

__all__ = ()

pytestmark = pytest.mark.slow

LESSON = Path(__file__).parents[2] / "notebooks" / "exit_codes.ipynb"
SECONDS = 60
TIME = re.compile(r" +[\d.]+ (?:ms|s)( ▇*)?$| · [\d.]+ (?:ms|s)")


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def pictures(notebook: Any) -> list[list[str]]:
    """Return what each picture says, without times; the commands of a trace sorted, since some run at one time."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    shown = [output.data["text/plain"] for output in outputs if output.output_type == "display_data"]
    found = [[TIME.sub("", line) for line in text.split("\n")] for text in shown]
    return [sorted(lines, key=lambda line: ("│" not in line, line * ("│" not in line))) for lines in found]


@pytest.mark.usefixtures("_bash_under_test")
def test_the_pictures_are_those_that_are_stored() -> None:
    executed = read(LESSON)
    execute(executed, timeout=SECONDS, kernel_name="shellkernel")
    stored = pictures(read(LESSON))
    assert len(stored) > 10
    assert pictures(executed) == stored


@pytest.mark.usefixtures("_bash_under_test")
def test_papermill_runs_it_whole(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "papermill", "--no-progress-bar", str(LESSON), str(tmp_path / "lesson.ipynb")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stderr


def test_no_error_and_no_home_is_stored() -> None:
    text = LESSON.read_text(encoding="utf-8")
    outputs = [output for cell in read(LESSON).cells for output in cell.get("outputs", ())]
    assert outputs
    assert not [output for output in outputs if output.output_type == "error"]
    assert "/home/" not in text
    assert "/root" not in text
