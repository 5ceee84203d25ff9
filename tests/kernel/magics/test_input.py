"""Programs that wait for input."""

from __future__ import annotations

from tests.kernel.magics.notebook import Notebook


def test_a_program_asks_through_the_input_box(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\nread -p 'Name: ' name; echo \"hi $name\"", answers=["Ada L"])
    assert "Name: " in cell.stdout  # it was shown until the box was
    assert cell.screen.endswith("hi Ada L\n")
    assert "Name" not in cell.screen
    assert notebook.questions[-1] == {"prompt": "Name: ", "password": False}


def test_a_password_is_masked(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\nread -s -p 'Secret: ' s; echo; echo ${#s}", answers=["hunter2"])
    assert "hunter2" not in cell.stdout
    assert cell.stdout.endswith("7\n")
    assert notebook.questions[-1] == {"prompt": "Secret: ", "password": True}


def test_each_wait_asks_again(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\nread a; read b; echo $a-$b", answers=["1", "2"])
    assert cell.stdout.endswith("1-2\n")
    assert "waits for input" in notebook.questions[-1]["prompt"]


def test_the_end_of_the_file_can_be_answered(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\ncat; echo over", answers=["one", "^D"])
    assert cell.screen.endswith("one\nover\n")


def test_a_front_end_without_input_gets_an_error_at_once(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --out r\nread -p 'Name: ' name")
    assert cell.error is not None
    assert cell.error["ename"] == "InputRequired"
    assert notebook.value("r.end_reason") == "awaiting_input"
    assert "Name:" in cell.traceback


def test_no_raise_error_keeps_even_that_quiet(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --out r --no-raise-error\nread name")
    assert cell.status == "ok"
    assert notebook.value("r.end_reason") == "awaiting_input"


def test_no_input_makes_waiting_an_error(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --no-input\nread name", answers=[])
    assert cell.error is not None
    assert cell.error["ename"] == "InputRequired"


def test_input_feeds_line_by_line_and_ends_the_file(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --input 'one two' --input 'x\\ny' --out r\nread a; echo [$a]; cat; echo end")
    assert cell.status == "ok"
    assert cell.stdout == notebook.value("r.output") == "one two\n[one two]\nx\nx\ny\ny\nend\n"


def test_the_answer_box_can_be_interrupted(notebook: Notebook) -> None:
    cell = notebook.start("%%bash_session --out r\nread -p 'Name: ' name", allow_stdin=True)
    notebook.until_asked(cell)
    notebook.interrupt()
    notebook.until(lambda: cell.done)
    assert cell.error is not None
    assert cell.error["ename"] == "KeyboardInterrupt"
    assert notebook.run("%%bash_session\necho alive").stdout == "alive\n"
