"""The notebooks that are written for the kernel: executed, their outputs compared with those that are stored.

They and `sessions.ipynb` run whole under papermill as well. It counts every error output as its own failure, also
of cells tagged `raises-exception`; so they have none.

A cell tagged `varies` prints something else each time (process ids, lists that grow); of it only the kinds of output
are compared.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.kernel.transport import execute

__all__ = ()

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "notebooks"
SECONDS = 60


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def is_ours(path: Path) -> bool:
    return bool(read(path).metadata["kernelspec"]["name"] == "shellkernel")


def overwritten(text: str) -> str:
    """Apply `\\r` as a front end does, however many messages a line that is drawn again took."""
    lines = []
    for line in text.split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part) :]
        lines.append(shown)
    return "\n".join(lines)


def comparable(cell: Any) -> list[tuple[str, ...]]:
    """A cell's outputs as what must be equal; consecutive pieces of one stream are one."""
    found: list[tuple[str, ...]] = []
    for output in cell.outputs:
        match output.output_type:
            case "stream":
                text = output.text
                if found and found[-1][:2] == ("stream", output.name):
                    text = found.pop()[2] + text
                found.append(("stream", output.name, text))
            case "error":
                found.append(("error", output.ename, output.evalue, *output.traceback))
            case kind:
                found.append((kind, str(sorted(output.data.items()))))
    if "varies" in cell.metadata.get("tags", ()):
        return [output[: 2 if output[0] in ("stream", "error") else 1] for output in found]
    return [(*output[:2], overwritten(output[2])) if output[0] == "stream" else output for output in found]


@pytest.mark.parametrize(
    "path", [path for path in sorted(FOLDER.glob("*.ipynb")) if is_ours(path)], ids=lambda p: p.name
)
@pytest.mark.usefixtures("_bash_under_test")
def test_notebook(path: Path) -> None:
    stored = read(path)
    nbformat.validate(stored)
    executed = read(path)
    execute(executed, timeout=SECONDS, kernel_name="shellkernel")
    for old, new in zip(stored.cells, executed.cells, strict=True):
        if old.cell_type == "code":
            assert comparable(new) == comparable(old), old.source
            assert new.execution_count == old.execution_count


@pytest.mark.parametrize("name", ["tour.ipynb", "sessions.ipynb"])
@pytest.mark.usefixtures("_bash_under_test")
def test_papermill_runs_it_whole(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "papermill", "--no-progress-bar", str(FOLDER / name), str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    stored, executed = (
        [cell for cell in read(path).cells if cell.cell_type == "code"] for path in (FOLDER / name, tmp_path / name)
    )
    assert [cell.source for cell in executed] == [cell.source for cell in stored]
    assert all(cell.execution_count for cell in executed)


@pytest.mark.parametrize("name", ["tour.ipynb", "sessions.ipynb"])
def test_no_error_is_stored(name: str) -> None:
    outputs = [output for cell in read(FOLDER / name).cells for output in cell.get("outputs", ())]
    assert outputs
    assert not [output for output in outputs if output.output_type == "error"]
