"""Everything that can be wrong with a magic's line: a usage error that names it, and nothing run."""

from __future__ import annotations

import pytest

from tests.kernel.magics.notebook import Cell, Notebook


def usage_error(cell: Cell) -> str:
    """Return the text of the cell's UsageError, which IPython prints without a traceback."""
    assert cell.status == "error", cell
    assert cell.error is None or cell.error["ename"] == "UsageError"
    assert cell.stderr.startswith("UsageError: "), cell
    return cell.stderr.strip()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--frobnicate", "unknown: --frobnicate"),
        ("--time 3", "unknown: --time"),
        ("one two", "unknown: two"),
        ("-x", "unknown: -x"),
        ("bad/name", "bad session name 'bad/name'"),
        ("--out", "--out: expected one argument"),
        ("--out 1x", "--out: '1x' is not a Python variable name"),
        ("--out class", "--out: 'class' is not a Python variable name"),
        ("--proc p", "--proc needs --bg"),
        ("--timeout soon", "--timeout: 'soon' is not a number of seconds above 0"),
        ("--timeout -1", "--timeout: '-1' is not a number"),
        ("--timeout 0", "--timeout: '0' is not a number"),
        ("--idle-timeout nan", "--idle-timeout: 'nan' is not a number"),
        ("--stderr both", "--stderr: invalid choice: 'both' (choose from 'merge', 'split')"),
        ("--stderr merge --err e", "--err needs --stderr split"),
        ("--check --no-raise-error", "--no-raise-error: not allowed with argument --check"),
        ("--bg --check", "--check needs a command that is over"),
        ("--bg --get x", "--get needs a command that is over"),
        ("--input a --no-input", "--input and --no-input contradict"),
        ("--cwd /no/such/folder", "--cwd: no such directory: /no/such/folder"),
        ("--rcfile /no/such/file", "--rcfile: no such file: /no/such/file"),
        ("--var", "--var: expected at least one argument"),
        ("--var 1x", "--var: '1x' is not a shell variable name"),
        ("--var 'a b'", "--var: 'a b' is not a shell variable name"),
        ("--var no_such_variable", "--var: no Python variable named 'no_such_variable'"),
        ("--var nothing", "--var: 'nothing': a shell variable can not hold a Python NoneType"),
        ("--var nested", "--var: 'nested': a shell variable can not hold a Python list"),
        ("--var nul", "--var: 'nul': a shell variable can not hold a NUL character"),
        ("--var empty_key", "--var: 'empty_key': a key of an associative array can not be empty"),
        ("--get x-y", "--get: 'x-y' is not a shell variable name"),
        ("--env X", "--env: expected NAME=VALUE, not 'X'"),
        ("--env 1=2", "--env: '1' is not a shell variable name"),
        ("--dry-run --bg", "--dry-run runs nothing"),
        ("--dry-run --trace", "--dry-run runs nothing"),
        ("--dry-run --cwd /", "--dry-run runs nothing"),
        ("--dry-run --input ''", "--dry-run runs nothing"),
        ("--cwd 'open", "No closing quotation"),
    ],
)
def test_a_bad_line_runs_nothing(notebook: Notebook, line: str, told: str) -> None:
    notebook.run("nothing = None; nested = [[1]]; nul = 'a\\0b'; empty_key = {'': 1}")
    sessions = notebook.run("%bash_session").result
    cell = notebook.run(f"%%bash_session {line}\necho run > ran")
    assert told in usage_error(cell)
    assert not (notebook.folder / "ran").exists()
    assert notebook.run("%bash_session").result == sessions


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("%bash_session explode x", "'explode' is not one of show, history, restart, close"),
        ("%bash_session show", "%bash_session show: expected one session name"),
        ("%bash_session close a b", "%bash_session close: expected one session name"),
        ("%bash_session close nobody", "no session named 'nobody'"),
        ("%bash_session history bad/name", "bad session name 'bad/name'"),
        ("%interrupt nobody", "no session named 'nobody'"),
        ("%interrupt", "%interrupt: nothing is running"),
        ("%interrupt --hard", "%interrupt: unknown option --hard"),
        ("%interrupt a b", "%interrupt: one session, not a b"),
    ],
)
def test_a_bad_line_magic_names_what_is_wrong(notebook: Notebook, line: str, told: str) -> None:
    assert told in usage_error(notebook.run(line))


def test_a_missing_shell_variable_is_told_after_the_command(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --get here gone --out r\nhere=1")
    assert "--get: session 'default' has no variable gone" in usage_error(cell)
    assert notebook.value("(here, r.ok)") == ("1", True)


def test_a_variable_that_can_not_be_set_stops_the_cell(notebook: Notebook) -> None:
    notebook.run("%%bash_session locked\nreadonly fixed=1")
    notebook.run("fixed = 2")
    cell = notebook.run("%%bash_session locked --var fixed\necho run > ran")
    assert "fixed: cannot unset: readonly variable" in usage_error(cell)
    assert not (notebook.folder / "ran").exists()


def test_an_empty_cell_is_refused_by_ipython_itself(notebook: Notebook) -> None:
    assert "cell body is empty" in usage_error(notebook.run("%%bash_session\n"))
