"""Fixtures of the browser tests: one JupyterLab for all, a browser for each module, a page for each notebook."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.chromium import browser, missing
from tests.browser.lab import SECONDS, Lab, notebook_document
from tests.browser.notebook import NotebookPage
from tests.gate import Gate

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

__all__ = ()

REQUIRED = "SHELLKERNEL_TEST_BROWSER"
"""An environment variable: with it, a machine that can not run these tests fails them."""

PAGES = pytest.StashKey[list[NotebookPage]]()


@pytest.fixture(scope="session")
def lab(isolated_environment: Path, tmp_path_factory: pytest.TempPathFactory, bash: str) -> Iterator[Lab]:
    """The server. Its kernels are those of the environment that runs the tests."""
    if lacks := missing():
        words = f"a real JupyterLab in a browser needs {' and '.join(lacks)}"
        if os.environ.get(REQUIRED):
            pytest.fail(f"{words} ({REQUIRED} is set)")
        pytest.skip(words)
    from jupyter_client.kernelspec import KernelSpecManager

    folder = KernelSpecManager().get_kernel_spec("shellkernel").resource_dir
    assert Path(folder).is_relative_to(sys.prefix), f"the kernel is not this environment's: {folder}"
    folder_of_lab = tmp_path_factory.mktemp("lab")
    (folder_of_lab / "jupyter_config").mkdir()
    setting = f"c.ShellKernel.shell = {bash!r}\n"
    (folder_of_lab / "jupyter_config/shellkernel_config.py").write_text(setting, encoding="utf-8")
    with Lab(folder_of_lab) as running:
        yield running


@pytest.fixture(scope="module")
def context(lab: Lab) -> Iterator[BrowserContext]:
    """A browser. It is the module's: while it is open, nothing else in this process may use asyncio."""
    with browser() as started:
        context = started.new_context(viewport={"width": 1100, "height": 800})
        context.set_default_timeout(SECONDS * 1_000)
        yield context


@pytest.fixture
def open_notebook(
    lab: Lab, context: BrowserContext, request: pytest.FixtureRequest
) -> Iterator[Callable[..., NotebookPage]]:
    """Open a new notebook: `open_notebook(kernel, source of a cell, …)`. Its kernel ends with the test."""
    pages: list[NotebookPage] = request.node.stash.setdefault(PAGES, [])
    opened: list[tuple[Page, str]] = []

    def open_(kernel: str, *cells: str) -> NotebookPage:
        path = f"{request.node.name}-{len(opened)}.ipynb"
        (lab.root / path).write_text(json.dumps(notebook_document(kernel, list(cells))), encoding="utf-8")
        page = context.new_page()
        opened.append((page, path))
        notebook = NotebookPage(page, lab, path)
        pages.append(notebook)
        return notebook

    yield open_
    for page, path in opened:
        page.close()
        lab.end_kernel_of(path)


@pytest.fixture
def bash_notebook(open_notebook: Callable[..., NotebookPage]) -> Callable[..., NotebookPage]:
    """Open a new notebook with the Bash kernel: `bash_notebook(source of a cell, …)`."""
    return lambda *cells: open_notebook("shellkernel", *cells)


@pytest.fixture
def python_notebook(open_notebook: Callable[..., NotebookPage]) -> Callable[..., NotebookPage]:
    """Open a new notebook with IPython's kernel and the magics loaded: `python_notebook(source of a cell, …)`.

    The given cells are counted from 0: the cell that loads the magics is the last one.
    """

    def open_(*cells: str) -> NotebookPage:
        notebook = open_notebook("python3", *cells, "%load_ext shellkernel")
        notebook.run(len(cells))
        return notebook

    return open_


@pytest.fixture
def gate(lab: Lab, request: pytest.FixtureRequest) -> Gate:
    """What a cell can wait for, until the test lets it go on."""
    return Gate(lab.root / f"{request.node.name}.gate")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell with a failure what the pages showed."""
    report = yield
    if report.when == "call" and report.failed:
        pages: list[NotebookPage] = item.stash.get(PAGES, [])
        for number, notebook in enumerate(pages):
            said = notebook.page.locator("body").inner_text()
            report.sections.append((f"page {number}", said))
    return report
