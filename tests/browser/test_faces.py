"""The picture of a cell's exit codes in JupyterLab: what runs, and what is only shown, in a notebook nobody trusts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from shellkernel.render import mimebundle
from tests.browser.lab import Lab, notebook_document
from tests.browser.notebook import NotebookPage
from tests.unit.render.results_for_tests import make_result, make_statement

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator

__all__ = ()

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RED, GREEN = "rgba(248, 81, 73, 0.25)", "rgba(46, 160, 67, 0.25)"

STYLE = "(element, name) => getComputedStyle(element)[name]"


def codes(notebook: NotebookPage, cell: int) -> list[str]:
    """Return the margin of a cell's picture."""
    texts: list[str] = notebook.outputs(cell).locator("tbody tr td:nth-child(2)").all_inner_texts()
    return texts


def margin(notebook: NotebookPage, cell: int, line: int) -> Locator:
    return notebook.outputs(cell).locator("tbody tr td:nth-child(2)").nth(line)


def test_a_cell_that_ran_has_its_codes_in_the_margin(bash_notebook: Callable[..., NotebookPage]) -> None:
    notebook = bash_notebook("%%statements --stop-on-error\ntrue\nfalse | (exit 3)\necho never")
    notebook.run(0)
    assert codes(notebook, 0) == ["✓ 0", "✗ 3", "·"]
    assert margin(notebook, 0, 0).evaluate(STYLE, "backgroundColor") == GREEN
    assert margin(notebook, 0, 1).evaluate(STYLE, "backgroundColor") == RED
    assert "false ✗ 1" in notebook.text(0)
    words = "that of the last statement that ran"
    assert words not in notebook.text(0)
    notebook.outputs(0).locator("summary").click()
    assert words in notebook.text(0)


def test_a_dry_run_draws_a_tree(bash_notebook: Callable[..., NotebookPage]) -> None:
    notebook = bash_notebook("%%dry_run\necho never | cat >f")
    notebook.run(0)
    assert notebook.lines(0)[0] == "2 │ pipeline of 2"
    assert "echo never" in notebook.text(0)


def test_a_stored_picture_keeps_its_look_where_it_is_not_trusted(lab: Lab, context: BrowserContext) -> None:
    statements = (make_statement("sleep 1", 1, duration=1.0), make_statement("false", 2, 1, started=1.0))
    bundle = mimebundle(make_result(command="sleep 1\nfalse", exit_code=1, statements=statements))
    document: dict[str, Any] = notebook_document("shellkernel", ["# not run here"])
    document["cells"][0]["outputs"] = [{"output_type": "display_data", "data": bundle, "metadata": {}}]
    (lab.root / "stored.ipynb").write_text(json.dumps(document), encoding="utf-8")
    page = context.new_page()
    try:
        notebook = NotebookPage(page, lab, "stored.ipynb")
        assert codes(notebook, 0) == ["✓ 0", "✗ 1"]
        assert margin(notebook, 0, 1).evaluate(STYLE, "backgroundColor") == RED
        assert margin(notebook, 0, 1).evaluate(STYLE, "borderLeftWidth") == "3px"
        bar = notebook.outputs(0).locator("tbody tr td:nth-child(4) span span").first
        box = bar.bounding_box()
        assert box is not None
        assert box["width"] == pytest.approx(90, abs=2)
        source = notebook.outputs(0).locator("tbody tr td:nth-child(3)").first
        assert "mono" in source.evaluate(STYLE, "fontFamily")
        body = notebook.outputs(0).first.evaluate(STYLE, "color")  # its surroundings' colour: the theme's
        assert source.evaluate(STYLE, "color") == body
    finally:
        page.close()
        lab.end_kernel_of("stored.ipynb")
