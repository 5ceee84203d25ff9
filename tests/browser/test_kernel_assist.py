"""The Bash kernel in JupyterLab: input boxes, completion, inspection, pictures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shellkernel.media.png import png
from tests.browser.lab import Lab
from tests.browser.notebook import NotebookPage

__all__ = ()

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., NotebookPage]


def test_a_program_that_waits_gets_an_input_box(bash_notebook: Open) -> None:
    notebook = bash_notebook('read -r -p "Your name? " name; echo "hello, $name"')
    notebook.start(0)
    assert not notebook.is_masked(0)
    assert notebook.prompt(0) == "Your name?"
    notebook.answer(0, "Ada")
    notebook.until_over(0)
    assert notebook.lines(0) == ["Your name?  Ada", "hello, Ada"]


def test_a_password_is_masked_and_not_saved(bash_notebook: Open) -> None:
    notebook = bash_notebook('read -rs -p "Password: " word; echo; echo "${#word} characters"')
    notebook.start(0)
    assert notebook.is_masked(0)
    assert notebook.prompt(0) == "Password:"
    notebook.answer(0, "Xyzzy-1977")
    notebook.until_over(0)
    assert notebook.lines(0)[-1] == "10 characters"
    saved = notebook.save()
    assert "10 characters" in saved
    assert "Xyzzy" not in saved


def test_an_interrupt_takes_the_question_back(bash_notebook: Open) -> None:
    notebook = bash_notebook('read -r -p "Go on? " reply; echo "not reached"', "echo alive")
    notebook.start(0)
    notebook.input_box(0)
    notebook.interrupt()
    notebook.until_over(0)
    assert "not reached" not in notebook.text(0)
    assert notebook.run(1).strip() == "alive"


def test_a_dialogue_goes_on_until_the_end_of_the_input(bash_notebook: Open) -> None:
    notebook = bash_notebook("cat; select x in red blue; do echo $x; break; done")
    notebook.start(0)
    for line in ("one", "two", "^D", "2"):
        notebook.answer(0, line)
    notebook.until_over(0)
    lines = [line.strip() for line in notebook.lines(0)]
    assert lines[:5] == ["one", "one", "two", "two", "^D"]  # the box's, and cat's
    assert lines[-1] == "blue"


def test_tab_completes(bash_notebook: Open) -> None:
    notebook = bash_notebook("greet_ada() { :; }; greet_bea() { :; }; unusual_name() { :; }", "greet_", "unusual_n")
    notebook.run(0)
    notebook.editor(1).click()
    notebook.page.keyboard.press("End")
    notebook.page.keyboard.press("Tab")
    offered = notebook.page.locator(".jp-Completer .jp-Completer-match")
    offered.first.wait_for()
    assert offered.all_inner_texts() == ["greet_ada", "greet_bea"]
    notebook.page.keyboard.press("ArrowDown")
    notebook.page.keyboard.press("Enter")
    notebook.editor(1).filter(has_text="greet_bea").wait_for()
    notebook.editor(2).click()
    notebook.page.keyboard.press("End")
    notebook.page.keyboard.press("Tab")
    offered.filter(has_text="unusual_name").wait_for()
    notebook.page.keyboard.press("Enter")
    notebook.editor(2).filter(has_text="unusual_name").wait_for()


def test_shift_tab_shows_help(bash_notebook: Open) -> None:
    notebook = bash_notebook("cd /")
    notebook.editor(0).click()
    notebook.page.keyboard.press("Home")
    notebook.page.keyboard.press("ArrowRight")
    notebook.page.keyboard.press("Shift+Tab")
    tooltip = notebook.page.locator(".jp-Tooltip-content").filter(has_text="Change the shell working directory")
    tooltip.wait_for()


def test_a_picture_is_shown_between_the_text(bash_notebook: Open, lab: Lab) -> None:
    (lab.root / "dot.png").write_bytes(png(3, 2, bytes(range(18))))
    notebook = bash_notebook("echo above; display dot.png; echo below")
    notebook.run(0)
    kinds = [notebook.kind(0, number) for number in range(notebook.outputs(0).count())]
    assert kinds == ["application/vnd.jupyter.stdout", "image/png", "application/vnd.jupyter.stdout"]
    picture = notebook.outputs(0).locator("img")
    size = picture.evaluate(
        "async image => { await image.decode(); return [image.naturalWidth, image.naturalHeight]; }"
    )
    assert size == [3, 2]
    assert notebook.lines(0) == ["above", "below"]
