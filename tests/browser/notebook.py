"""A notebook in a page of JupyterLab: run cells, press buttons, read what a person sees.

Nothing here sleeps: every wait is for something in the page, with a deadline. A cell is named by its number
among the code cells, from 0.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.browser.lab import Lab

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

__all__ = ("NotebookPage",)

# The toolbar says that the kernel is idle before there is one, and a cell that is run then is not run at all.
# These two do not lie: the status bar, and what the server knows of this notebook's kernel.
_IDLE = """path => {
    const bar = document.querySelector('#jp-main-statusbar');
    if (!bar || !/\\| Idle/.test(bar.innerText)) return false;
    const request = new XMLHttpRequest();  // a promise would count as true at once
    request.open('GET', '/api/sessions', false);
    request.send();
    const of_path = JSON.parse(request.responseText).filter(session => session.path === path);
    return of_path.some(({kernel}) => kernel.execution_state === 'idle' && kernel.connections > 0);
}"""

_POLLING_MS = 50.0


class NotebookPage:
    """One notebook, open and with its kernel idle.

    Args:
        page: A new page of the browser.
        lab: The server.
        path: The notebook's file, from the server's root.
    """

    def __init__(self, page: Page, lab: Lab, path: str) -> None:
        self.page = page
        self.lab = lab
        self.path = path
        page.goto(lab.page(path))
        self.code_cells.first.wait_for()
        self.until_idle()

    @property
    def code_cells(self) -> Locator:
        """All of them."""
        return self.page.locator(".jp-Notebook .jp-CodeCell")

    def cell(self, number: int) -> Locator:
        """A code cell: editor, prompt and outputs."""
        return self.code_cells.nth(number)

    def editor(self, number: int) -> Locator:
        """The text of a cell."""
        return self.cell(number).locator(".jp-InputArea-editor .cm-content")

    def outputs(self, number: int) -> Locator:
        """All outputs of a cell; each is a `.jp-OutputArea-output`."""
        return self.cell(number).locator(".jp-OutputArea-output")

    def text(self, number: int) -> str:
        """What the outputs of a cell say now, without the number of a result."""
        return "\n".join(self.outputs(number).all_inner_texts())

    def lines(self, number: int) -> list[str]:
        """The lines of a cell's outputs that are not blank, without blanks at their ends."""
        return [line.rstrip() for line in self.text(number).splitlines() if line.strip()]

    def number(self, number: int) -> int | None:
        """The execution count of a cell: None when it did not run, or runs."""
        count = re.search(r"\d+", self.cell(number).locator(".jp-InputPrompt").inner_text())
        return int(count[0]) if count else None

    def kind(self, number: int, output: int = -1) -> str | None:
        """The MIME type that the front end chose for an output of a cell."""
        kind: str | None = self.outputs(number).nth(output).get_attribute("data-mime-type")
        return kind

    def start(self, number: int) -> None:
        """Run a cell with Shift-Enter, and do not wait for it."""
        self.editor(number).click()
        self.page.keyboard.press("Shift+Enter")

    def run(self, number: int) -> str:
        """Run a cell, and return what its outputs say when it is over."""
        self.start(number)
        self.until_over(number)
        return self.text(number)

    def run_all(self) -> None:
        """Choose "Run All Cells" in the menu, and do not wait."""
        self.page.locator("#jp-MainMenu").get_by_text("Run", exact=True).click()
        self.page.locator(".lm-Menu").get_by_text("Run All Cells", exact=True).click()

    def interrupt(self) -> None:
        """Press the toolbar's button."""
        self._press("interrupt")

    def restart(self) -> None:
        """Press the toolbar's button, say yes, and wait until the kernel is idle again."""
        self._press("restart")
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self.page.locator("#jp-main-statusbar").filter(has_not_text="| Idle").wait_for()
        self.until_idle()

    def save(self) -> str:
        """Save the notebook, and return what is in its file."""
        with self.page.expect_response(
            lambda answer: answer.request.method == "PUT" and "/api/contents/" in answer.url
        ):
            self.page.keyboard.press("Control+s")
        return (self.lab.root / self.path).read_text(encoding="utf-8")

    def saved_outputs(self, number: int) -> list[dict[str, Any]]:
        """Save the notebook, and return a cell's outputs as they are in its file."""
        cells = json.loads(self.save())["cells"]
        outputs: list[dict[str, Any]] = [cell for cell in cells if cell["cell_type"] == "code"][number]["outputs"]
        return outputs

    def until_idle(self) -> None:
        """Wait until the kernel is there and runs nothing."""
        self.page.wait_for_function(_IDLE, arg=self.path, polling=_POLLING_MS)

    def until_over(self, number: int) -> None:
        """Wait until a cell that was started has come to its end: it has a number."""
        self.cell(number).locator(".jp-InputPrompt").filter(has_text=re.compile(r"\[\d+\]:")).wait_for()

    def until_says(self, number: int, text: str | re.Pattern[str]) -> None:
        """Wait until the outputs of a cell hold a text, blanks and line ends being all the same."""
        self.cell(number).locator(".jp-Cell-outputArea").filter(has_text=text).wait_for()

    def input_box(self, number: int) -> Locator:
        """The open input box of a cell, the new one where one was just answered; waits for it."""
        box = self.cell(number).locator("input.jp-Stdin-input").last
        box.wait_for()
        return box

    def is_masked(self, number: int) -> bool:
        """Tell whether the input box of a cell hides what is typed; waits for it."""
        return bool(self.input_box(number).evaluate("box => box.type === 'password'"))

    def prompt(self, number: int) -> str:
        """The words before the open input box of a cell; waits for it."""
        self.input_box(number)
        return str(self.cell(number).locator(".jp-Stdin-prompt").inner_text()).strip()

    def answer(self, number: int, text: str) -> None:
        """Answer the input box of a cell, and wait until it is gone."""
        box = self.input_box(number).element_handle()
        box.fill(text)
        box.press("Enter")
        box.wait_for_element_state("hidden")

    def _press(self, item: str) -> None:
        self.page.locator(f".jp-NotebookPanel-toolbar [data-jp-item-name={item}] jp-button").click()
