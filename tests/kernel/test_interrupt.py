"""The interrupt button: the bash command ends, the kernel and the shell's state stay."""

from __future__ import annotations

import os
import signal

import pytest

from tests.kernel.notebook import Notebook

__all__ = ()


def test_a_running_command_is_interrupted(notebook: Notebook) -> None:
    notebook.run("kept=yes")
    with notebook.busy("echo begin; sleep 60; echo not-here", until="begin\n") as outcome:
        notebook.interrupt()
    assert (outcome.error["ename"], outcome.error["evalue"]) == ("ExitCode", "130")
    assert outcome.status == "error"
    assert outcome.text.rstrip() == "begin"
    assert notebook.run("echo $kept").text == "yes\n"


def test_a_busy_loop_is_interrupted(notebook: Notebook) -> None:
    with notebook.busy("echo begin; while :; do :; done", until="begin\n") as outcome:
        notebook.interrupt()
    assert outcome.error["evalue"] == "130"


def test_a_program_that_ignores_interrupts_is_ended(notebook: Notebook) -> None:
    code = """bash -c 'trap "" INT; echo begin; sleep 60'"""
    with notebook.busy(code, until="begin\n") as outcome:
        notebook.interrupt()
        notebook.interrupt()
    assert outcome.status == "error"
    assert notebook.run("echo alive").text == "alive\n"


def test_the_cells_behind_an_interrupted_one_are_aborted(notebook: Notebook) -> None:
    with notebook.busy("echo begin; sleep 60", until="begin\n"):
        behind = notebook.submit("echo not-here")
        notebook.interrupt()
    assert notebook.finish(behind).status == "aborted"


def test_an_idle_kernel_is_left_alone(notebook: Notebook) -> None:
    notebook.interrupt()
    assert notebook.run("echo alive").text == "alive\n"


@pytest.mark.parametrize("busy", [True, False])
def test_sigint_to_the_kernel_does_the_same(notebook: Notebook, busy: bool) -> None:
    pid = notebook.manager.provisioner.process.pid  # type: ignore[union-attr]  # a local kernel has one
    if busy:
        with notebook.busy("echo begin; sleep 60", until="begin\n") as outcome:
            os.killpg(pid, signal.SIGINT)
        assert outcome.error["evalue"] == "130"
    else:
        os.killpg(pid, signal.SIGINT)
    assert notebook.run("echo alive").text == "alive\n"
