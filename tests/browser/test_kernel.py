"""The Bash kernel in JupyterLab: running, failing, interrupting, restarting."""

from __future__ import annotations

import os
import select
from collections.abc import Callable

import pytest

from tests.browser.lab import SECONDS
from tests.browser.notebook import NotebookPage
from tests.gate import Gate

__all__ = ()

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., NotebookPage]


def test_output_appears_while_the_cell_runs(bash_notebook: Open, gate: Gate) -> None:
    notebook = bash_notebook(f"printf .; {gate.wait}; echo ' the end'")
    notebook.start(0)
    notebook.until_says(0, ".")
    assert notebook.lines(0) == ["."]
    gate.open()
    notebook.until_over(0)
    assert notebook.lines(0) == [". the end"]
    assert notebook.kind(0) == "application/vnd.jupyter.stdout"


def test_a_progress_bar_is_drawn_in_its_place(bash_notebook: Open, gate: Gate) -> None:
    body = f"printf '\\e[32m#####     \\e[0m  50%%'; {gate.wait}; printf '\\r\\e[K##########  100%%\\n'; echo done"
    notebook = bash_notebook(f"echo begin; {body}")
    notebook.start(0)
    notebook.until_says(0, "50%")
    assert notebook.lines(0) == ["begin", "#####       50%"]
    gate.open()
    notebook.until_over(0)
    assert notebook.lines(0) == ["begin", "##########  100%", "done"]


def test_a_failure_is_an_error_and_stops_run_all(bash_notebook: Open) -> None:
    notebook = bash_notebook("echo first", "echo before; (exit 3)", "echo not run")
    notebook.run_all()
    notebook.until_over(1)
    notebook.until_idle()
    assert notebook.lines(0) == ["first"]
    before, *error = notebook.lines(1)
    assert before == "before"
    assert "exit code 3" in " ".join(error)
    assert notebook.outputs(2).count() == 0
    assert notebook.number(2) is None
    assert notebook.saved_outputs(1)[-1]["ename"] == "ExitCode"


def test_the_interrupt_button_ends_the_cell_and_keeps_the_shell(bash_notebook: Open) -> None:
    notebook = bash_notebook("kept=yes; echo started; sleep 1000; echo not reached", 'echo "kept: $kept"')
    notebook.start(0)
    notebook.until_says(0, "started")
    notebook.interrupt()
    notebook.until_over(0)
    assert "130" in notebook.text(0)
    assert "not reached" not in notebook.text(0)
    assert notebook.run(1).strip() == "kept: yes"


def test_a_restart_leaves_no_state_and_no_process(bash_notebook: Open) -> None:
    notebook = bash_notebook('kept=yes; sleep 1000 & echo "pid $!"', 'echo "kept: ${kept-no}"')
    process = os.pidfd_open(int(notebook.run(0).split()[-1]))
    try:
        notebook.restart()
        over, _, _ = select.select([process], [], [], SECONDS)
        assert over
    finally:
        os.close(process)
    assert notebook.run(1).strip() == "kept: no"


def test_a_background_job_prints_in_the_cell_that_started_it(bash_notebook: Open, gate: Gate) -> None:
    notebook = bash_notebook(f"{{ {gate.wait}; echo late; }} &\necho started", "echo second")
    notebook.run(0)
    notebook.run(1)
    gate.open()
    notebook.until_says(0, "late")
    assert notebook.lines(0)[-2:] == ["started", "late"]
    assert notebook.lines(1) == ["second"]


def test_after_the_page_was_loaded_again_the_last_output_can_be_shown(bash_notebook: Open) -> None:
    notebook = bash_notebook("echo '<b>bold</b>' | displayHTML; echo once", "%last")
    notebook.run(0)
    notebook.page.reload()
    notebook.code_cells.first.wait_for()
    notebook.until_idle()
    notebook.run(1)
    assert notebook.lines(1) == ["bold", "once"]


def test_clear_clears_the_cell(bash_notebook: Open) -> None:
    notebook = bash_notebook("echo gone; sleep 0.2; clear; echo here")
    notebook.run(0)
    assert notebook.lines(0) == ["here"]


def test_lines_above_are_drawn_in_their_places(bash_notebook: Open, gate: Gate) -> None:
    bars = "printf 'a  10%%\\nb   5%%\\n'"
    redrawn = "printf '\\e[2A\\e[2Ka 100%%\\n\\e[2Kb  50%%\\n'"
    notebook = bash_notebook(f"{bars}; {gate.wait}; {redrawn}; echo done")
    notebook.start(0)
    notebook.until_says(0, "b   5%")
    gate.open()
    notebook.until_over(0)
    assert notebook.lines(0) == ["a 100%", "b  50%", "done"]


def test_with_on_nonzero_continue_the_exit_code_is_the_value_and_run_all_goes_on(bash_notebook: Open) -> None:
    notebook = bash_notebook("%on_nonzero continue\nfalse | true | (exit 3)", "echo next $?")
    notebook.run_all()
    notebook.until_over(1)
    notebook.until_idle()
    assert "exit code 3" in notebook.text(0)
    assert "pipestatus 1 0 3" in notebook.text(0)
    assert notebook.lines(1) == ["next 3"]
