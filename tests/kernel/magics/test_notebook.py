"""`notebooks/sessions.ipynb` does what it shows."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

import shellkernel
import shellkernel_magics
from tests.kernel.transport import execute

PATHS = os.pathsep.join(str(Path(module.__path__[0]).parent) for module in (shellkernel, shellkernel_magics))
NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "sessions.ipynb"


def shown(cell: Any) -> list[str]:
    """Return what a cell shows, without what differs from run to run: durations, folders and process ids."""
    texts = []
    for output in cell.outputs:
        data = output.get("data", {})
        text = output.get("text") or "\n".join(output.get("traceback", ())) or data.get("text/plain", "")
        text = re.sub(r"\d+(\.\d+)? (ms|s)\b", "TIME", text)
        text = re.sub(r" +(/\S*)? +(\d+ +)?\d+$", " DIRECTORY CODE PID", text, flags=re.MULTILINE)
        texts.append(f"{output.output_type}: {text}")
    return texts


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


@pytest.mark.slow
def test_the_notebook_shows_what_its_cells_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", PATHS)
    stored, fresh = (read(NOTEBOOK) for _ in range(2))
    execute(fresh, timeout=60, kernel_name="python3", coalesce_streams=True, resources={"metadata": {"path": tmp_path}})
    for before, after in zip(stored.cells, fresh.cells, strict=True):
        if before.cell_type == "code":
            assert shown(after) == shown(before), before.source
