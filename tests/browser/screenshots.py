"""Make the README's pictures: the notebooks as a person sees them in JupyterLab, and an open input box.

Run it from a checkout: `python -m tests.browser.screenshots` writes `docs/*.png`. It needs the extras `lab` and
`browser`, Chromium, and Pillow, which makes the files small where it is installed.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.chromium import browser
from tests.browser.lab import Lab, notebook_document
from tests.browser.notebook import NotebookPage

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ("main",)

ROOT = Path(__file__).parents[2]
WIDTH = 960
"""Of the browser's window, in CSS pixels; the pictures have twice as many."""

HEIGHT = 2_000
"""Of the window; more than any picture."""

COLOURS = 96
"""Of a picture, with Pillow."""

MARGIN = 12

TOUR = (2, 3, 6, 7, 8)
SESSIONS = (1, 2, 3, 4, 5, 8, 9, 10)
EXIT_CODES = (1, 3, 9)
"""The code cells that are shown, as JupyterLab numbers them in the whole notebook; the first of the last prepares."""

DARK = (1, 11)
"""Those that are shown in the dark theme."""

DARK_THEME: dict[str, dict[str, object]] = {
    "apputils-extension/themes": {"theme": "JupyterLab Dark", "adaptive-theme": False}
}

STYLE = """
    .jp-Notebook-footer, .jp-cell-toolbar { display: none !important }
    .jp-Notebook .jp-Cell { border-color: transparent !important; box-shadow: none !important }
    .jp-Notebook .jp-Collapser { visibility: hidden }
"""
"""What a still picture has no use for."""

DESELECT = """() => {
    document.activeElement.blur();
    const names = ['jp-mod-active', 'jp-mod-activeCell', 'jp-mod-selected'];
    document.querySelectorAll('.jp-Cell').forEach(cell => cell.classList.remove(...names));
}"""


def main() -> None:
    """Write every picture."""
    docs = ROOT / "docs"
    docs.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Lab(Path(folder)) as lab, browser() as started:
        context = started.new_context(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=2)
        context.set_default_timeout(60_000)

        notebook = _open(context.new_page(), lab, "tour.ipynb", _read("tour", TOUR))
        _run_all(notebook)
        _shoot(notebook, docs / "tour.png", toolbar=True)

        notebook = _open(context.new_page(), lab, "sessions.ipynb", _read("sessions", SESSIONS))
        _run_all(notebook)
        _shoot(notebook, docs / "sessions.png", toolbar=True)

        _exit_codes(context.new_page(), lab, EXIT_CODES, docs / "exit_codes.png")

        code = 'read -r -p "Your name? " name\necho "hello, $name"'
        notebook = _open(context.new_page(), lab, "input.ipynb", notebook_document("shellkernel", [code]))
        notebook.editor(0).click()
        notebook.page.keyboard.press("Control+Enter")  # as Shift-Enter, but makes no new cell below
        notebook.input_box(0).press_sequentially("Ada Lovelace")
        _shoot(notebook, docs / "input.png", deselect=False)

    with tempfile.TemporaryDirectory() as folder, Lab(Path(folder), DARK_THEME) as lab, browser() as started:
        context = started.new_context(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=2)
        context.set_default_timeout(60_000)
        _exit_codes(context.new_page(), lab, DARK, docs / "exit_codes_dark.png")


def _exit_codes(page: Page, lab: Lab, shown: Collection[int], file: Path) -> None:
    """Write the picture of some cells of the lesson on exit codes, the last one with its reasons open."""
    notebook = _open(page, lab, "exit_codes.ipynb", _read("exit_codes", shown))
    _run_all(notebook)
    page.locator("summary").last.click()
    notebook.cell(0).evaluate("cell => { cell.style.display = 'none' }")
    _shoot(notebook, file)


def _read(name: str, shown: Collection[int]) -> dict[str, Any]:
    """Read a notebook; keep these of its code cells, without their outputs, and no text."""
    document: dict[str, Any] = json.loads((ROOT / f"notebooks/{name}.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    document["cells"] = [
        {**cell, "outputs": [], "execution_count": None} for number, cell in enumerate(code, 1) if number in shown
    ]
    return document


def _open(page: Page, lab: Lab, name: str, document: dict[str, Any]) -> NotebookPage:
    (lab.root / name).write_text(json.dumps(document), encoding="utf-8")
    notebook = NotebookPage(page, lab, name)
    page.add_style_tag(content=STYLE)
    return notebook


def _run_all(notebook: NotebookPage) -> None:
    notebook.run_all()
    for number in range(notebook.code_cells.count()):
        notebook.until_over(number)
    notebook.until_idle()


def _shoot(notebook: NotebookPage, file: Path, *, toolbar: bool = False, deselect: bool = True) -> None:
    """Write the picture of a notebook's cells, below its toolbar if that is wanted."""
    page = notebook.page
    if deselect:
        page.evaluate(DESELECT)
    page.mouse.move(0, HEIGHT - 1)
    top = page.locator(
        ".jp-NotebookPanel-toolbar" if toolbar else ".jp-Notebook .jp-Cell:visible >> nth=0"
    ).bounding_box()
    cell = page.locator(".jp-Notebook .jp-Cell").last.bounding_box()
    assert top is not None
    assert cell is not None
    y = top["y"] - (0 if toolbar else MARGIN)
    height = cell["y"] + cell["height"] + MARGIN - y
    clip: Any = {"x": top["x"], "y": y, "width": top["width"], "height": height}
    page.screenshot(path=file, clip=clip, animations="disabled")
    _shrink(file)


def _shrink(file: Path) -> None:
    """Give a picture a palette."""
    if importlib.util.find_spec("PIL") is None:
        return
    image = importlib.import_module("PIL.Image")
    with image.open(file) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=image.Dither.NONE)
    small.save(file, optimize=True)


if __name__ == "__main__":
    main()
