"""How the session of a cell is started and set up: directory, environment, rc file, traits."""

from __future__ import annotations

import pytest

from tests.kernel.magics.notebook import Notebook


def test_a_session_that_can_not_start_is_a_short_error(notebook: Notebook) -> None:
    (notebook.folder / "bad rc").write_text("echo no license; exit 3\n")
    cell = notebook.run("%%bash_session unstartable --rcfile 'bad rc'\necho run > ran")
    assert cell.error is not None
    assert cell.error["ename"] == "SessionStartFailed"
    assert cell.traceback.startswith("SessionStartFailed: ")
    assert "no license" in cell.traceback
    assert not (notebook.folder / "ran").exists()
    assert "unstartable" not in notebook.run("%bash_session").result


def test_the_traits_are_the_defaults(notebook: Notebook) -> None:
    settings = {"default_session": "'mine'", "timeout": "0.3", "stderr": "'split'", "columns": "99", "rows": "33"}
    magics = "get_ipython().magics_manager.registry['BashSessionMagics']"
    before = notebook.value(f"{{name: getattr({magics}, name) for name in {[*settings]}}}")
    try:
        for name, value in settings.items():
            notebook.run(f"%config BashSessionMagics.{name} = {value}")
        notebook.run("%%bash_session --out r\nstty size; echo err >&2; sleep 60")
        assert notebook.value("(r.session, r.lines[0], r.stderr.split(), r.end_reason)") == (
            "mine",
            "33 99",
            ["err"],
            "timed_out",
        )
    finally:
        for name in settings:
            notebook.run(f"%config BashSessionMagics.{name} = {before[name]!r}")


def test_a_living_session_can_not_be_split(notebook: Notebook) -> None:
    notebook.run("%%bash_session merged\n:")
    cell = notebook.run("%%bash_session merged --err e\necho not run > ran")
    assert "UsageError: --stderr split: session 'merged' was started with merge; add --new" in cell.stderr
    assert not (notebook.folder / "ran").exists()
    assert notebook.run("%%bash_session merged --new --err e\necho err >&2").stderr == "err\n"


def test_a_session_starts_in_the_folder_of_the_notebook(notebook: Notebook) -> None:
    assert notebook.run("%%bash_session here\npwd -P").stdout.strip() == str(notebook.folder.resolve())


def test_cwd_changes_the_directory_first(notebook: Notebook) -> None:
    (notebook.folder / "a b" / "c").mkdir(parents=True)
    cell = notebook.run("%%bash_session dir --cwd 'a b'\nbasename \"$PWD\"")
    assert cell.stdout == "a b\n"
    assert notebook.run('%%bash_session dir --cwd c\nbasename "$PWD"').stdout == "c\n"


def test_env_is_exported_in_new_and_living_sessions(notebook: Notebook) -> None:
    show = "python3 -c 'import os; print(os.environ[\"A_B\"])'"
    assert notebook.run(f"%%bash_session env --env A_B='x  $y'\n{show}").stdout == "x  $y\n"
    assert notebook.run(f"%%bash_session env --env A_B=2 --env C=3\n{show}; echo $C").stdout == "2\n3\n"


def test_rcfile_is_read_when_asked(notebook: Notebook) -> None:
    (notebook.folder / "my rc").write_text("greet() { echo hello from rc; }\n")
    assert notebook.run("%%bash_session rc --rcfile 'my rc'\ngreet").stdout == "hello from rc\n"
    assert "not found" in notebook.run("%%bash_session norc\ngreet").stdout
    refused = notebook.run("%%bash_session norc --rcfile 'my rc'\ngreet")
    assert "add --new" in refused.stderr
    script = "from pathlib import Path\n(Path.home() / '.bashrc').write_text('mine() { echo of the user; }')"
    notebook.run(script)
    try:
        assert notebook.run("%%bash_session userrc --rcfile user\nmine").stdout == "of the user\n"
    finally:
        notebook.run("(Path.home() / '.bashrc').unlink()")


@pytest.mark.parametrize("option", ["--new", "--restart"])
def test_a_fresh_session_forgets(notebook: Notebook, option: str) -> None:
    notebook.run("%%bash_session fresh\nx=1")
    assert notebook.run(f"%%bash_session fresh {option}\necho [$x]").stdout == "[]\n"


def test_the_exit_code_before_is_seen_by_the_next_cell(notebook: Notebook) -> None:
    notebook.run("%%bash_session before\n(exit 9)")
    assert notebook.run("%%bash_session before --cwd . --env Q=1\necho $?").stdout == "9\n"


def test_set_up_leaves_no_trace(notebook: Notebook) -> None:
    notebook.run("v = 1")
    notebook.run("%%bash_session trace\nset -x; trap 'echo ERR' ERR; trap 'echo DEBUG' DEBUG")
    notebook.run("%%bash_session trace\n: word | (exit 9) | :")
    cell = notebook.run("%%bash_session trace --var v --cwd . --env Q=1 --quiet --out r\necho ${PIPESTATUS[@]} $v $Q")
    assert cell.status == "ok"
    assert notebook.value("r.output.splitlines()[-1]") == "0 9 0 1 1"
    assert "declare" not in notebook.value("r.output")
    rows = notebook.run("%bash_session history trace").result.splitlines()
    assert len(rows) == 1 + 3


def test_set_up_that_fails_does_not_end_a_strict_session(notebook: Notebook) -> None:
    notebook.run("fixed = 2")
    notebook.run("%%bash_session strict --get pid\nset -eu; readonly fixed=1; pid=$$")
    assert "readonly" in notebook.run("%%bash_session strict --var fixed\necho run").stderr
    assert notebook.run("%%bash_session strict\necho $$").stdout.strip() == notebook.value("pid")
