"""`%%bash_session` in the foreground: the session, the Result, errors and limits."""

from __future__ import annotations

import pytest

from tests.kernel.magics.notebook import Notebook


def test_output_streams_and_the_result_follows(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\necho hello; (exit 3) | true; echo tail")
    assert cell.stdout == "hello\ntail\n"
    assert cell.result.startswith("exit code 0 · ")
    assert "✓ exit code 0" in cell.html
    assert cell.error is None


def test_a_session_lasts_from_cell_to_cell(notebook: Notebook) -> None:
    notebook.run("%%bash_session\ncd /\nx=5\nf() { echo f$x; }\nalias g='echo g'")
    assert notebook.run("%%bash_session\nf; g; pwd").stdout == "f5\ng\n/\n"


def test_sessions_with_names_are_apart(notebook: Notebook) -> None:
    notebook.run("%%bash_session one\nx=1")
    notebook.run("%%bash_session two\nx=2")
    assert notebook.run("%%bash_session one\necho $x").stdout == "1\n"
    assert notebook.run("%%bash_session two\necho $x").stdout == "2\n"


def test_the_registry_and_the_magics_are_the_same_session(notebook: Notebook) -> None:
    notebook.run("%%bash_session shared\ny=from-the-cell")
    notebook.run("from shellkernel import sessions\nr = sessions['shared'].run('echo $y')")
    assert notebook.value("r.output") == "from-the-cell\n"


def test_a_result_can_be_used_in_code(notebook: Notebook) -> None:
    notebook.run("%%bash_session --out r\nprintf '{\"a\": [1, 2]}'; true | (exit 4)")
    assert notebook.value("(r.exit_code, r.ok, r.pipestatus, r.json()['a'])") == (4, False, (0, 4), [1, 2])
    assert notebook.value("r is _bash and r is _") is True
    assert notebook.value("__import__('pickle').loads(__import__('pickle').dumps(r)) == r") is True


def test_a_failure_is_an_answer_not_an_error(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\nfalse")
    assert cell.status == "ok"
    assert cell.result.startswith("exit code 1 · ")


def test_check_raises_briefly_and_keeps_the_result(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --check --out r\necho before; no_such_command_zz")
    assert cell.status == "error"
    assert cell.error is not None
    assert cell.error["ename"] == "CommandFailed"
    assert cell.traceback.splitlines() == ["CommandFailed", "exit code 127: command not found"]
    assert cell.results == []
    assert notebook.value("(r.exit_code, _bash is r)") == (127, True)


def test_the_trait_makes_checking_the_default(notebook: Notebook) -> None:
    notebook.run("%config BashSessionMagics.raise_error = True")
    try:
        assert notebook.run("%%bash_session\nfalse").status == "error"
        assert notebook.run("%%bash_session --no-raise-error\nfalse").status == "ok"
    finally:
        notebook.run("%config BashSessionMagics.raise_error = False")


def test_the_end_of_a_session_raises_with_check(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session ended --check --out r\nexit 3")
    assert cell.error is not None
    assert cell.error["ename"] == "SessionEnded"
    assert notebook.value("(r.end_reason, r.exit_code)") == ("session_ended", 3)


def test_run_all_stops_at_a_checked_failure(notebook: Notebook) -> None:
    first = notebook.start("%%bash_session --check\n(exit 7)")
    second = notebook.start("print('not run')")
    notebook.until(lambda: first.done and second.done)
    assert first.status == "error"
    assert second.status == "aborted"


def test_a_timeout_interrupts(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --timeout 0.3 --out r\necho start; sleep 60")
    assert cell.status == "ok"
    assert notebook.value("(r.end_reason, r.output.strip())") == ("timed_out", "start")
    assert "timed out" in cell.result


def test_a_timeout_raises_with_check(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --timeout 0.3 --check\nsleep 60")
    assert cell.error is not None
    assert cell.error["ename"] == "CommandTimedOut"
    assert "timed out after" in cell.traceback


def test_an_idle_timeout_interrupts_only_silence(notebook: Notebook) -> None:
    notebook.run("%%bash_session --idle-timeout 1.5 --out r\nfor i in 1 2 3; do sleep 0.2; echo $i; done; sleep 60")
    assert notebook.value("(r.end_reason, r.output.split())") == ("timed_out", ["1", "2", "3"])


def test_neither_line_nor_body_is_interpolated(notebook: Notebook) -> None:
    notebook.run("HOME = y = 'python'")
    cell = notebook.run("%%bash_session raw --env A='$HOME{y}'\necho \"$A\" {y} '$y'")
    assert cell.stdout == "$HOME{y} {y} $y\n"


def test_any_bash_body_is_fine(notebook: Notebook) -> None:
    body = "case x in x) echo one;; esac\ncat <<EOF\n$((1 + 1))\nEOF\necho last;"
    assert notebook.run(f"%%bash_session\n{body}").stdout == "one\n2\nlast\n"


def test_line_numbers_are_those_of_the_cell(notebook: Notebook) -> None:
    notebook.run("v = 1")
    assert notebook.run("%%bash_session --var v --env Q=1\necho $LINENO\necho $LINENO").stdout == "1\n2\n"


def test_a_session_that_ends_is_told(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session ending --out r\necho bye; exit 3")
    assert cell.stdout.startswith("bye\n")
    assert notebook.value("r.end_reason") == "session_ended"
    assert "the session ended" in cell.result
    assert notebook.run("%%bash_session ending\necho again").stdout == "again\n"


@pytest.mark.parametrize(
    ("body", "name", "told"),
    [
        ("if true", "IncompleteCommand", "line"),
        ("echo 'open", "IncompleteCommand", "quote"),
        ("fi", "CommandSyntaxError", "line 1"),
        ("echo \0", "InvalidCommand", "NUL"),
    ],
)
def test_a_body_that_can_not_run_is_a_short_error(notebook: Notebook, body: str, name: str, told: str) -> None:
    notebook.run("v = 'set'")
    notebook.run("%%bash_session whole\nv=unset")
    cell = notebook.run(f"%%bash_session whole --var v\n{body}\n")
    assert cell.error is not None
    assert cell.error["ename"] == name
    assert told in cell.traceback
    assert len(cell.traceback.splitlines()) == 1
    assert notebook.run("%%bash_session whole\necho $v").stdout == "unset\n"
