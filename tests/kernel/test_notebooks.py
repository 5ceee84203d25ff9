"""The notebooks that are written for the kernel: executed, their outputs compared with those that are stored.

A cell tagged `varies` prints something else each time (process ids, bash's own wording); of it only the kinds of output
and the names of errors are compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

__all__ = ()

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "notebooks"
SECONDS = 60


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def is_ours(path: Path) -> bool:
    return bool(read(path).metadata["kernelspec"]["name"] == "shellkernel")


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
                found.append((kind, str(dict(output.data))))
    if "varies" in cell.metadata.get("tags", ()):
        return [output[:2] for output in found]
    return found


@pytest.mark.parametrize(
    "path", [path for path in sorted(FOLDER.glob("*.ipynb")) if is_ours(path)], ids=lambda p: p.name
)
@pytest.mark.usefixtures("_bash_under_test")
def test_notebook(path: Path) -> None:
    stored = read(path)
    nbformat.validate(stored)
    executed = read(path)
    nbclient.NotebookClient(executed, timeout=SECONDS, kernel_name="shellkernel").execute()
    for old, new in zip(stored.cells, executed.cells, strict=True):
        if old.cell_type == "code":
            assert comparable(new) == comparable(old), old.source
            assert new.execution_count == old.execution_count
