"""One Python kernel for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kernel.magics.notebook import Notebook

__all__ = ()


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    """A notebook whose kernel runs in an empty folder."""
    notebook = Notebook(tmp_path_factory.mktemp("notebook"))
    yield notebook
    notebook.close()
