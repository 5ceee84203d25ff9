"""`%%bash_session` in a Python notebook in JupyterLab."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import pytest

from tests.browser.notebook import NotebookPage
from tests.gate import Gate

__all__ = ()

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., NotebookPage]


def test_output_and_progress_appear_while_the_cell_runs(python_notebook: Open, gate: Gate) -> None:
    body = f"echo begin; printf '#####       50%%'; {gate.wait}; printf '\\r\\e[K##########  100%%\\n'"
    notebook = python_notebook(f"%%bash_session\n{body}")
    notebook.start(0)
    notebook.until_says(0, "50%")
    assert notebook.lines(0) == ["begin", "#####       50%"]
    gate.open()
    notebook.until_over(0)
    assert notebook.lines(0)[:2] == ["begin", "##########  100%"]
    assert "50%" not in notebook.text(0)


def test_the_result_has_a_face(python_notebook: Open) -> None:
    notebook = python_notebook("%%bash_session build --cwd / --out r\nfalse | (exit 3) | true", "(r.ok, r.pipestatus)")
    notebook.run(0)
    assert notebook.kind(0) == "text/html"
    face = notebook.outputs(0).last.get_by_role("group").first
    assert "exit code 0" in str(face.get_attribute("aria-label"))
    words = face.inner_text().split()
    assert " ".join(words[:8]).startswith("✓ exit code 0 pipestatus 1 3 0")
    assert {"build", "/"} <= set(words)
    assert notebook.run(1).strip() == "(True, (1, 3, 0))"


def test_the_interrupt_button_ends_the_command_and_keeps_the_result(python_notebook: Open) -> None:
    notebook = python_notebook(
        "%%bash_session --out r\nkept=yes; echo started; sleep 1000; echo not reached",
        "(r.end_reason, r.exit_code, r.output)",
        "%%bash_session\necho kept: $kept",
    )
    notebook.start(0)
    notebook.until_says(0, "started")
    notebook.interrupt()
    notebook.until_over(0)
    assert "KeyboardInterrupt" in notebook.text(0)
    assert "not reached" not in notebook.text(0)
    assert notebook.run(1).startswith("('interrupted', 130, 'started")
    assert notebook.run(2).startswith("kept: yes")


def test_a_program_that_waits_gets_an_input_box(python_notebook: Open) -> None:
    notebook = python_notebook(
        '%%bash_session\nread -r -p "Your name? " name; echo "hello, $name"',
        '%%bash_session\nread -rs -p "Password: " word; echo; echo "${#word} characters"',
    )
    notebook.start(0)
    assert notebook.prompt(0) == "Your name?"
    notebook.answer(0, "Ada")
    notebook.until_over(0)
    assert "hello, Ada" in notebook.lines(0)
    notebook.start(1)
    assert notebook.is_masked(1)
    notebook.answer(1, "Xyzzy-1977")
    notebook.until_over(1)
    assert "10 characters" in notebook.lines(1)
    assert "Xyzzy" not in notebook.save()


def test_a_background_command_is_shown_live(python_notebook: Open, gate: Gate) -> None:
    notebook = python_notebook(
        f"%%bash_session side --bg --proc job\necho one; {gate.wait}; echo two", "print('meanwhile')", "job.done"
    )
    notebook.run(0)
    display = notebook.outputs(0).first
    notebook.until_says(0, "one")
    assert "running" in display.inner_text()
    assert notebook.run(1).strip() == "meanwhile"
    gate.open()
    notebook.until_says(0, "exit code 0")
    assert display.inner_text().splitlines()[-2:] == ["one", "two"]
    assert "running" not in display.inner_text()
    assert notebook.lines(1) == ["meanwhile"]
    assert notebook.run(2).strip() == "True"


@pytest.mark.skipif(importlib.util.find_spec("ipywidgets") is None, reason="ipywidgets is not installed")
def test_a_background_command_has_a_button_that_interrupts(python_notebook: Open) -> None:
    notebook = python_notebook("%%bash_session side --bg\necho started; sleep 1000; echo not reached")
    notebook.run(0)
    notebook.until_says(0, "started")
    button = notebook.cell(0).locator("button", has_text="Interrupt")
    button.click()
    notebook.until_says(0, "interrupted")
    button.wait_for(state="detached")
    assert "130" in notebook.text(0)
