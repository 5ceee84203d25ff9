"""`%%bash_session` in the foreground: output, the Result, and each option."""

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


def test_a_session_that_can_not_start_is_a_short_error(notebook: Notebook) -> None:
    (notebook.folder / "bad rc").write_text("echo no license; exit 3\n")
    cell = notebook.run("%%bash_session unstartable --rcfile 'bad rc'\necho run > ran")
    assert cell.error is not None
    assert cell.error["ename"] == "SessionStartFailed"
    assert "no license" in cell.traceback
    assert "shellkernel/" not in cell.traceback
    assert not (notebook.folder / "ran").exists()
    assert "unstartable" not in notebook.run("%bash_session").result


def test_run_all_stops_at_a_checked_failure(notebook: Notebook) -> None:
    first = notebook.start("%%bash_session --check\n(exit 7)")
    second = notebook.start("print('not run')")
    notebook.until(lambda: first.done and second.done)
    assert first.status == "error"
    assert second.status == "aborted"


def test_quiet_shows_nothing(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --quiet --out r\necho hidden")
    assert (cell.stdout, cell.results) == ("", [])
    assert notebook.value("r.output") == "hidden\n"


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
    notebook.run("%%bash_session --idle-timeout 0.5 --out r\nfor i in 1 2 3; do sleep 0.2; echo $i; done; sleep 60")
    assert notebook.value("(r.end_reason, r.output.split())") == ("timed_out", ["1", "2", "3"])


def test_err_keeps_the_streams_apart(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session splitted --out r --err e\necho good; echo bad >&2")
    assert (cell.stdout, cell.stderr) == ("good\n", "bad\n")
    assert notebook.value("(r.output, r.stderr, e)") == ("good\n", "bad\n", "bad\n")


def test_stderr_split_shows_both_streams(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session apart --stderr split --out r\necho good; echo bad >&2")
    assert (cell.stdout, cell.stderr) == ("good\n", "bad\n")
    assert notebook.value("(r.output, r.stderr)") == ("good\n", "bad\n")


def test_the_traits_are_the_defaults(notebook: Notebook) -> None:
    settings = {"default_session": "'mine'", "timeout": "0.3", "stderr": "'split'", "columns": "99", "rows": "33"}
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
        for name, value in {**dict.fromkeys(settings), "default_session": "'default'", "stderr": "'merge'"}.items():
            notebook.run(f"%config BashSessionMagics.{name} = {value}")


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


def test_colours_are_kept(notebook: Notebook) -> None:
    assert "\x1b[31mred\x1b[" in notebook.run("%%bash_session\nprintf '\\e[31mred\\e[0m\\n'").stdout


def test_a_progress_bar_is_redrawn_in_place(notebook: Notebook) -> None:
    cell = notebook.run(
        "%%bash_session --out r\nfor i in 1 2 3; do printf '\\r%d of 3' $i; read -t 0.1 <> <(:); done; echo"
    )
    assert notebook.value("r.output") == "3 of 3\n"
    assert cell.stdout.startswith("1 of 3\r2 of 3")
    assert cell.clears == 0


def test_lines_above_are_redrawn_too(notebook: Notebook) -> None:
    script = "printf 'a 1\\nb 1'; read -t 0.3 <> <(:); printf '\\e[1A\\ra 2\\nb 2\\n'"
    cell = notebook.run(f"%%bash_session --out r\n{script}")
    assert notebook.value("r.output") == "a 2\nb 2\n"
    assert cell.screen == "a 2\nb 2\n"
    assert cell.clears == 1


def test_both_streams_stay_when_one_is_redrawn(notebook: Notebook) -> None:
    script = "echo out; printf 'a 1\nb 1' >&2; read -t 0.3 <> <(:); printf '\\e[1A\ra 2\nb 2\n' >&2"
    cell = notebook.run(f"%%bash_session redrawn --err e\n{script}")
    assert notebook.value("e") == "a 2\nb 2\n"
    assert cell.stdout == "out\n"
    assert cell.stderr.startswith("a 2\nb ")
    assert cell.clears == 1


def test_output_can_be_captured(notebook: Notebook) -> None:
    notebook.run(
        "from IPython.utils.capture import capture_output\n"
        "with capture_output() as captured:\n"
        "    r = get_ipython().run_cell_magic('bash_session', '', 'echo caught')\n"
    )
    assert notebook.value("(captured.stdout, r.output)") == ("caught\n", "caught\n")


def test_output_arrives_while_the_command_runs(notebook: Notebook) -> None:
    (notebook.folder / "go").unlink(missing_ok=True)
    cell = notebook.start("%%bash_session live --cwd .\nprintf .; until [ -e go ]; do read -t 0.02 <> <(:); done")
    notebook.until(lambda: cell.stdout == ".")
    assert not cell.done
    (notebook.folder / "go").touch()
    notebook.until(lambda: cell.done)


def test_many_lines_are_few_messages(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\nseq 200000")
    assert cell.stdout.endswith("199999\n200000\n")
    assert len(cell.stdout.splitlines()) == 200_000
    assert len(cell.streams) < 100


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
