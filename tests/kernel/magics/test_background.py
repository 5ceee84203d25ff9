"""`--bg`: a Job at once, its live display, and its end."""

from __future__ import annotations

import re

from tests.kernel.magics.notebook import WIDGET, Notebook

WAIT_FOR_GO = "until [ -e go ]; do read -t 0.02 <> <(:); done"


FAKE_WIDGETS = """
import importlib.machinery, sys, types

class Button:
    def __init__(self, **looks):
        Button.last, self.closed = self, False
    def on_click(self, callback):
        self.press = lambda: callback(self)
    def close(self):
        self.closed = True
    def _repr_mimebundle_(self):
        return {"text/plain": "Button", "application/vnd.jupyter.widget-view+json": {}}

fake = types.ModuleType("ipywidgets")
fake.__spec__, fake.Button = importlib.machinery.ModuleSpec("ipywidgets", None), Button
sys.modules["ipywidgets"] = fake
"""
"""ipywidgets is no dependency; the real one is pressed in the tests with a browser."""


def go(notebook: Notebook) -> None:
    """Let the command go on that waits for the file."""
    (notebook.folder / "go").touch()


def test_a_job_comes_back_at_once_and_its_display_follows(notebook: Notebook) -> None:
    (notebook.folder / "go").unlink(missing_ok=True)
    cell = notebook.run(f"%%bash_session bg1 --bg --proc job --out r\necho begun; {WAIT_FOR_GO}; echo over; (exit 4)")
    assert cell.status == "ok"
    assert cell.result.startswith("<Job ")
    assert notebook.value("(job.done, 'r' in globals())") == (False, False)
    notebook.until(lambda: "begun" in cell.display())
    assert re.match(r"\[bg1\] running · [\d.]+ m?s · echo begun; ", cell.display())
    assert notebook.value("(job.wait(0.01), job.output)") == (False, "begun\n")
    shown = len(cell.displays)
    go(notebook)
    notebook.until(lambda: "exit code 4" in cell.display())
    assert cell.display().endswith("begun\nover")
    assert len(cell.displays) == shown  # in place
    assert "✗ exit code 4" in cell.display("text/html")
    assert notebook.value("(r.exit_code, r.output, job.result() is r)") == (4, "begun\nover\n", True)


def test_updates_are_few(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session bg2 --bg --proc job\nfor i in {1..2000}; do echo $i; done; echo last")
    notebook.until(lambda: "exit code 0" in cell.display())
    assert cell.display().endswith("2000\nlast")
    assert cell.updates <= 6


def test_the_display_stays_with_the_cell_that_started_it(notebook: Notebook) -> None:
    (notebook.folder / "go").unlink(missing_ok=True)
    first = notebook.run(f"%%bash_session bg3 --bg\n{WAIT_FOR_GO}; echo late")
    second = notebook.run("print('second')")
    go(notebook)
    notebook.until(lambda: "late" in first.display())
    assert second.stdout == "second\n"
    assert second.displays == {}


def test_the_session_is_busy_meanwhile_and_says_with_what(notebook: Notebook) -> None:
    (notebook.folder / "go").unlink(missing_ok=True)
    notebook.run(f"%%bash_session bg4 --bg --proc job\n{WAIT_FOR_GO}")
    notebook.run("v = 1")
    for line in ("bg4", "bg4 --var v"):
        cell = notebook.run(f"%%bash_session {line}\necho hi")
        assert cell.error is not None
        assert cell.error["ename"] == "SessionBusy"
        assert "until [ -e go ]" in cell.traceback
        assert len(cell.traceback.splitlines()) == 1
    go(notebook)
    assert notebook.value("job.wait(20)") is True
    assert notebook.run("%%bash_session bg4\necho [$v]").stdout == "[]\n"


def test_several_sessions_run_side_by_side(notebook: Notebook) -> None:
    (notebook.folder / "go").unlink(missing_ok=True)
    for name in ("side1", "side2"):
        notebook.run(f"%%bash_session {name} --bg --proc {name}\n{WAIT_FOR_GO}; echo {name}")
    assert notebook.run("%%bash_session side3\necho third").stdout == "third\n"
    assert notebook.value("(side1.done, side2.done)") == (False, False)
    go(notebook)
    assert notebook.value("(side1.result(20).output, side2.result(20).output)") == ("side1\n", "side2\n")


def test_a_job_takes_input(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session bg5 --bg --proc job\nread -p 'Go on? ' answer; echo got $answer")
    notebook.until(lambda: "awaiting input" in cell.display())
    notebook.run("job.send('yes\\n')")
    assert notebook.value("job.result(20).output").endswith("got yes\n")


def test_input_option_feeds_a_job(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session bg6 --bg --proc job --input 'yes\\nno' --input z\nread a; echo [$a]; cat")
    assert cell.status == "ok"
    assert notebook.value("job.result(20).output") == "yes\n[yes]\nno\nno\nz\nz\n"
    notebook.until(lambda: "exit code 0" in cell.display())
    assert cell.display().endswith("yes\n[yes]\nno\nno\nz\nz")


def test_input_of_a_job_ends_with_the_file(notebook: Notebook) -> None:
    notebook.run("%%bash_session bg6 --bg --quiet --proc job --input 'one'\nread a; read b || echo end")
    assert notebook.value("job.result(20).output") == "one\nend\n"


def test_the_elapsed_time_goes_on_in_silence(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session bg13 --bg --proc job\nsleep 60")
    first = cell.display()
    notebook.until(lambda: cell.updates >= 1 and cell.display() != first)
    assert cell.display().startswith("[bg13] running · ")
    notebook.run("job.kill()")
    notebook.until(lambda: "exit code 137" in cell.display())


def test_no_input_ends_a_job_that_waits(notebook: Notebook) -> None:
    notebook.run("%%bash_session bg7 --bg --proc job --no-input\nread answer")
    assert notebook.value("job.result(20).end_reason") == "awaiting_input"


def test_a_timeout_ends_a_job(notebook: Notebook) -> None:
    notebook.run("%%bash_session bg8 --bg --proc job --timeout 0.2\nsleep 60")
    assert notebook.value("job.result(20).end_reason") == "timed_out"


def test_quiet_shows_no_display(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session bg9 --bg --quiet --out r --proc job\necho x")
    assert cell.displays == {}
    assert notebook.value("(job.result(20).output, job.wait(1))") == ("x\n", True)


def test_err_of_a_job_is_set_when_it_is_over(notebook: Notebook) -> None:
    notebook.run("%%bash_session bg10 --bg --proc job --err e\necho out; echo err >&2")
    notebook.run("job.result(20)")
    assert notebook.value("e") == "err\n"


def test_a_button_interrupts_and_is_taken_away(notebook: Notebook) -> None:
    notebook.run(FAKE_WIDGETS)
    try:
        cell = notebook.run("%%bash_session bg11 --bg --proc job\nsleep 60")
        assert [WIDGET in bundle for bundle in cell.displays.values()] == [False, True]
        notebook.run("Button.last.press()")
        assert notebook.value("job.result(20).end_reason") == "interrupted"
        notebook.until(lambda: {"text/plain": ""} in cell.displays.values())
        assert notebook.value("Button.last.closed") is True
    finally:
        notebook.run("del sys.modules['ipywidgets']")


def test_the_button_can_be_switched_off(notebook: Notebook) -> None:
    notebook.run("%config BashSessionMagics.interrupt_button = False")
    cell = notebook.run("%%bash_session bg12 --bg --proc job\n:")
    assert len(cell.displays) == 1
