"""`notebooks/agent.ipynb` does what it shows, in papermill and nbconvert, and nothing in it depends on a machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

__all__ = ()

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "agent.ipynb"
SECONDS = 60


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def code_cells(path: Path) -> list[Any]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def shown(cell: Any) -> str:
    """What a cell shows, in one piece (papermill stores a stream as it came), without durations."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return re.sub(r"took [\d.]+ m?s", "took TIME", "".join(texts))


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("papermill", "--no-progress-bar", str(NOTEBOOK), "out.ipynb"),
        ("nbconvert", "--execute", "--to=notebook", "--output-dir=.", "--output=out", str(NOTEBOOK)),
    ],
    ids=lambda command: command[0],
)
def test_it_runs_whole_and_shows_what_is_stored(command: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    for before, after in zip(code_cells(NOTEBOOK), code_cells(tmp_path / "out.ipynb"), strict=True):
        assert shown(after) == shown(before), before.source


def test_what_is_stored_is_whole_and_of_no_machine() -> None:
    nbformat.validate(read(NOTEBOOK))
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert not re.search(r"/tmp|/home|/root|/usr|/Users", text)
    outputs = [output for cell in code_cells(NOTEBOOK) for output in cell.outputs]
    assert outputs
    assert not [output for output in outputs if output.output_type == "error"]
    assert all(cell.execution_count for cell in code_cells(NOTEBOOK))
