"""The interrupt button and `%interrupt`."""

from __future__ import annotations

import re

import pytest

from tests.kernel.magics.notebook import Cell, Notebook


def start_until(notebook: Notebook, code: str, text: str) -> Cell:
    """Start a cell and wait until its output holds `text`."""
    cell = notebook.start(code)
    notebook.until(lambda: text in cell.stdout)
    return cell


def test_the_button_interrupts_bash_and_keeps_the_partial_result(notebook: Notebook) -> None:
    cell = start_until(notebook, "%%bash_session --out r\nkept=1; echo started; sleep 60; echo not this", "started")
    notebook.interrupt()
    notebook.until(lambda: cell.done)
    assert cell.error is not None
    assert cell.error["ename"] == "KeyboardInterrupt"
    assert cell.traceback.startswith("KeyboardInterrupt: ")
    assert len(cell.traceback.splitlines()) == 1
    assert notebook.value("(r.end_reason, r.exit_code, r.output.strip(), _bash is r)") == (
        "interrupted",
        130,
        "started",
        True,
    )
    assert notebook.run("%%bash_session\necho $kept").stdout == "1\n"


def test_the_button_stops_the_queue(notebook: Notebook) -> None:
    first = start_until(notebook, "%%bash_session\necho go; sleep 60", "go")
    second = notebook.start("print('not run')")
    notebook.interrupt()
    notebook.until(lambda: first.done and second.done)
    assert second.status == "aborted"


def test_a_program_that_handles_the_interrupt_comes_to_its_own_end(notebook: Notebook) -> None:
    body = "bash -c 'trap \"echo caught; exit 5\" INT; echo ready; while :; do sleep 0.05; done'"
    cell = start_until(notebook, f"%%bash_session --out r\n{body}", "ready")
    notebook.interrupt()
    notebook.until(lambda: cell.done)
    assert "caught" in cell.stdout
    assert notebook.value("r.exit_code") == 5


def test_a_second_press_is_stronger(notebook: Notebook) -> None:
    body = "bash -c 'trap \"echo no\" INT; echo ready; while :; do sleep 0.05; done'"
    cell = start_until(notebook, f"%%bash_session stubborn --out r\n{body}", "ready")
    notebook.interrupt()
    notebook.until(lambda: "no" in cell.stdout)
    notebook.interrupt()
    notebook.until(lambda: cell.done)
    assert cell.error is not None
    assert cell.error["ename"] == "KeyboardInterrupt"
    assert notebook.run("%%bash_session stubborn\necho alive").stdout == "alive\n"


def test_python_variables_are_untouched(notebook: Notebook) -> None:
    notebook.run("x = [1]")
    cell = start_until(notebook, "%%bash_session\necho go; sleep 60", "go")
    notebook.interrupt()
    notebook.until(lambda: cell.done)
    assert notebook.value("x") == [1]


def test_interrupt_magic_ends_a_background_command(notebook: Notebook) -> None:
    notebook.run("%%bash_session back --bg --proc job\nsleep 60")
    assert notebook.run("%interrupt back").error is None
    assert notebook.value("(job.result(20).end_reason, job.result().exit_code)") == ("interrupted", 130)


def test_interrupt_without_a_name_takes_the_only_one(notebook: Notebook) -> None:
    notebook.run("%%bash_session only --bg --proc job\nsleep 60")
    notebook.run("%interrupt")
    assert notebook.value("job.result(20).end_reason") == "interrupted"


def test_interrupt_asks_which_of_several(notebook: Notebook) -> None:
    notebook.run("%%bash_session left --bg --proc a\nsleep 60")
    notebook.run("%%bash_session right --bg --proc b\nsleep 60")
    assert "which one of left, right?" in notebook.run("%interrupt").stderr
    notebook.run("%interrupt left")
    notebook.run("%interrupt right")
    assert notebook.value("(a.result(20).exit_code, b.result(20).exit_code)") == (130, 130)


def test_kill_does_not_ask(notebook: Notebook) -> None:
    body = "trap '' INT TERM; echo ready; while :; do sleep 0.05; done"
    notebook.run(f'%%bash_session deaf --bg --proc job\nbash -c "{body}"')
    notebook.run("%interrupt deaf --kill")
    assert notebook.value("job.result(20).exit_code") == 137


def test_interrupting_an_idle_session_says_so(notebook: Notebook) -> None:
    notebook.run("%%bash_session idle\n:")
    cell = notebook.run("%interrupt idle")
    assert cell.status == "ok"
    assert cell.stdout == "session 'idle' is idle\n"


@pytest.mark.parametrize(("line", "code"), [("%interrupt busy", 130), ("%interrupt busy --kill", 137)])
def test_a_subshell_can_interrupt_a_cell(notebook: Notebook, line: str, code: int) -> None:
    cell = start_until(notebook, "%%bash_session busy --out r\necho go; sleep 60", "go")
    notebook.start(line, subshell=notebook.create_subshell())
    notebook.until(lambda: cell.done)
    assert cell.status == "ok"
    assert notebook.value("(r.end_reason, r.exit_code)") == ("interrupted", code)


def test_a_subshell_can_kill_a_background_command(notebook: Notebook) -> None:
    notebook.run("%%bash_session busy --bg --proc job\nsleep 60")
    waiting = notebook.start("r = job.result()")
    notebook.start("%interrupt busy --kill", subshell=notebook.create_subshell())
    notebook.until(lambda: waiting.done)
    assert notebook.value("r.exit_code") == 137


def test_a_second_cell_in_a_subshell_is_told_what_runs(notebook: Notebook) -> None:
    cell = start_until(notebook, "%%bash_session busy\necho go; sleep 60", "go")
    other = notebook.start("%%bash_session busy\necho no", subshell=notebook.create_subshell())
    notebook.until(lambda: other.done)
    assert re.search(r"SessionBusy: session 'busy' is busy for [\d.]+ s with 'echo go; sleep 60'", other.traceback)
    notebook.interrupt()
    notebook.until(lambda: cell.done)


def test_an_interrupted_cell_that_checks_raises_what_it_should(notebook: Notebook) -> None:
    cell = start_until(notebook, "%%bash_session busy --check --out r\necho go; sleep 60", "go")
    notebook.start("%interrupt busy", subshell=notebook.create_subshell())
    notebook.until(lambda: cell.done)
    assert cell.error is not None
    assert cell.error["ename"] == "CommandInterrupted"
    assert notebook.value("r.exit_code") == 130


def test_a_subshell_can_interrupt_what_a_cell_awaits(notebook: Notebook) -> None:
    """The button can not: ipykernel lets no interrupt through to a coroutine (ipython/ipykernel, issue 881)."""
    notebook.run("from shellkernel import sessions\ns = sessions.get_or_start('awaited')")
    cell = start_until(notebook, "r = await s.run_async('echo go; sleep 60', on_output=print)", "go")
    notebook.start("%interrupt awaited", subshell=notebook.create_subshell())
    notebook.until(lambda: cell.done)
    assert cell.status == "ok"
    assert notebook.value("(r.end_reason, r.exit_code, s.state)") == ("interrupted", 130, "idle")
