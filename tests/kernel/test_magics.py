"""The kernel's magics: which lines are taken, and what each does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shellkernel.kernel.magics import MAGICS, MagicCall, UsageError, assignments, split_magics, usage
from tests.gate import Gate
from tests.kernel.notebook import Notebook, processes_of_session

__all__ = ()


@pytest.fixture
def own(_bash_under_test: None) -> Iterator[Notebook]:
    """A kernel whose settings one test may change."""
    with Notebook() as notebook:
        yield notebook


@pytest.mark.parametrize(
    ("cell", "calls", "rest"),
    [
        ("%restart", [MagicCall("restart")], ""),
        ("%timeout 5\necho hi", [MagicCall("timeout", "5")], "\necho hi"),
        (
            "\n%timeout  5 \n\n%stderr split\necho",
            [MagicCall("timeout", "5"), MagicCall("stderr", "split")],
            "\n\n\n\necho",
        ),
        ("%env_file a b.env", [MagicCall("env_file", "a b.env")], ""),
        ("%timeout 5\r\necho hi", [MagicCall("timeout", "5")], "\necho hi"),
        ("# look first\n %%dry_run\nrm x", [MagicCall("%dry_run")], "\n\nrm x"),
    ],
)
def test_magic_lines_are_taken_off_and_line_numbers_kept(cell: str, calls: list[MagicCall], rest: str) -> None:
    assert split_magics(cell) == (calls, rest)


@pytest.mark.parametrize("cell", ["%1", "%1 &", "%?sleep", "echo hi\n%restart", "%timeouts 5", "%unknown", ""])
def test_all_else_is_bash(cell: str) -> None:
    assert split_magics(cell) == ([], cell)


@pytest.mark.parametrize("head", ["%%dry-run", "%dry_run", "%%Dry_Run", "%%dryrun", "# first\n%%bash", "%%dry_run now"])
def test_a_misspelt_magic_runs_nothing(notebook: Notebook, tmp_path: Path, head: str) -> None:
    (tmp_path / "keep").touch()
    outcome = notebook.run(f"{head}\nrm {tmp_path}/keep")
    assert outcome.error["ename"] == "UsageError"
    assert (tmp_path / "keep").exists()


def test_the_list_names_them_all() -> None:
    assert [line.split()[0] for line in usage().splitlines()] == [f"%{name}" for name in MAGICS]


def test_an_env_file(tmp_path: Path) -> None:
    file = tmp_path / "x.env"
    file.write_text("# c\n\nA=1\nexport B='two words' # c\nC=\"x=$y\"\nD=\n", encoding="utf-8")
    assert assignments(str(file)) == {"A": "1", "B": "two words", "C": "x=$y", "D": ""}


@pytest.mark.parametrize("text", ["A=1\necho no\n", "A='open\n", "1A=2\n"])
def test_a_wrong_env_file_exports_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.env").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"line \d"):
        assignments(str(tmp_path / "x.env"))


def test_env_file_exports_into_the_shell(notebook: Notebook, tmp_path: Path) -> None:
    (tmp_path / "x y.env").write_text("COLOUR='dark blue'\n", encoding="utf-8")
    assert notebook.run(f"%env_file {tmp_path}/x y.env\nbash -c 'echo $COLOUR'").text == "dark blue\n"
    assert notebook.run("%env_file /no/such").error["ename"] == "UsageError"


def test_settings_are_told_and_set(own: Notebook) -> None:
    outcome = own.run("%on_nonzero")
    assert outcome.of_type("execute_result")[0]["data"] == {"text/plain": "error"}
    assert own.run("%on_nonzero continue\nfalse").status == "ok"
    assert own.run("%on_nonzero sometimes").error["ename"] == "UsageError"
    assert own.run("%timeout 0.2\nsleep 30").status == "error"
    assert own.run("%timeout none").status == "ok"


def test_restart_ends_all_and_starts_fresh(own: Notebook) -> None:
    session = int(own.run("x=5; sleep 300 & echo $$").text.split()[-1])
    outcome = own.run("%stderr split\n%restart\necho ${x-fresh} $LINENO; echo err >&2")
    assert (outcome.stream("stdout"), outcome.stream("stderr")) == ("fresh 3\n", "err\n")
    assert processes_of_session(session) == []


def test_last_shows_the_last_output_again(notebook: Notebook) -> None:
    notebook.run(r"printf 'some \e[31mred\e[0m\n'; exit_me() { return 3; }")
    for _ in range(2):
        assert notebook.run("%last").text == "some \x1b[31mred\x1b[0m\n"


def test_help_goes_to_the_pager(notebook: Notebook) -> None:
    (payload,) = notebook.run("%help").reply["payload"]
    assert (payload["source"], payload["start"]) == ("page", 0)
    assert "%timeout" in payload["data"]["text/plain"]


def test_lsmagic(notebook: Notebook) -> None:
    (result,) = notebook.run("%lsmagic").of_type("execute_result")
    assert result["data"]["text/plain"] == usage()


@pytest.mark.parametrize(
    "line",
    [
        "%timeout soon",
        "%timeout -1",
        "%timeout 0",
        "%timeout nan",
        "%timeout inf",
        "%on_nonzero sometimes",
        "%stderr both",
        "%env_file",
        "%env_file /no/such/file",
        "%restart now",
        "%last 2",
        "%help no_such_zq",
        "%lsmagic all",
    ],
)
def test_a_wrong_argument_is_an_error_and_nothing_runs(notebook: Notebook, line: str) -> None:
    outcome = notebook.run(f"{line}\necho not-here")
    assert (outcome.error["ename"], outcome.text) == ("UsageError", "")
    assert line.partition(" ")[0] in outcome.error["evalue"]


def test_a_job_is_no_magic(notebook: Notebook, gate: Gate) -> None:
    notebook.run(f"{gate.wait} &")
    with notebook.busy("%1", until="\n") as outcome:
        gate.open()
    assert outcome.text.startswith("read -r <")
    assert notebook.run("%1").error["evalue"] == "1"  # bash's own: no such job
    assert notebook.run("%restarted").error["ename"] == "ExitCode"


def test_the_timeout_is_told(own: Notebook) -> None:
    def told() -> str:
        (result,) = own.run("%timeout").of_type("execute_result")
        return str(result["data"]["text/plain"])

    assert told() == "none"
    for seconds in ("1.5", "1", "300"):
        own.run(f"%timeout {seconds}")
        assert told() == seconds


def test_stderr_is_told_and_split_again_merged(own: Notebook) -> None:
    assert own.run("%stderr").of_type("execute_result")[0]["data"]["text/plain"] == "merge"
    outcome = own.run("%stderr split\n%restart\necho out; echo err >&2; test -t 2")
    assert (outcome.status, outcome.stream("stdout"), outcome.stream("stderr")) == ("ok", "out\n", "err\n")
    assert own.run("%stderr merge\n%restart\necho out; echo err >&2").stream("stdout") == "out\nerr\n"


def test_last_shows_pictures_and_failed_cells_too(notebook: Notebook) -> None:
    notebook.run("echo one; echo '<b>x</b>' | displayHTML; echo two; false")
    outcome = notebook.run("%last")
    assert [message["msg_type"] for message in outcome.outputs] == ["stream", "display_data", "stream"]
    assert (outcome.text, outcome.status) == ("one\ntwo\n", "ok")


def test_last_of_a_fresh_kernel_is_nothing(own: Notebook) -> None:
    assert own.run("%last").outputs == []
