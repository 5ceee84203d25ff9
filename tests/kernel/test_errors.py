"""How a cell fails: what is shown, what the reply says, and what that does to the cells behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kernel.notebook import Notebook

__all__ = ()


@pytest.fixture(scope="module")
def tolerant(_bash_under_test: None) -> Iterator[Notebook]:
    """A kernel for which a non-zero exit code is an answer."""
    with Notebook("--ShellKernel.on_nonzero=continue", "--ShellKernel.timeout=2") as notebook:
        yield notebook


@pytest.mark.parametrize(
    ("code", "exit_code", "line"),
    [
        ("false", "1", "exit code 1: "),
        ("no_such_command_zz", "127", "exit code 127: command not found"),
        ("bash -c 'kill -TERM $$'", "143", "exit code 143: ended by SIGTERM (15)"),
        ("(exit 3) | (exit 4)", "4", "pipestatus 3 4"),
    ],
)
def test_a_nonzero_exit_code_is_an_error(notebook: Notebook, code: str, exit_code: str, line: str) -> None:
    outcome = notebook.run(code)
    error = outcome.error
    assert (error["ename"], error["evalue"]) == ("ExitCode", exit_code)
    assert line in "\n".join(error["traceback"])
    assert outcome.outputs[-1]["msg_type"] == "error"
    assert outcome.reply["status"] == "error"
    assert {key: outcome.reply[key] for key in error} == error
    assert isinstance(outcome.reply["execution_count"], int)


@pytest.mark.parametrize(
    ("code", "ename", "value"),
    [
        ("echo 'open", "IncompleteCommand", "single quote"),
        ("for i in 1; do echo $i", "IncompleteCommand", "line 2"),
        ("echo fine\n)", "CommandSyntaxError", "line 2"),
        ("echo a\0b", "InvalidCommand", "NUL"),
    ],
)
def test_a_cell_that_can_not_run_says_why(notebook: Notebook, code: str, ename: str, value: str) -> None:
    outcome = notebook.run(code)
    assert outcome.error["ename"] == ename
    assert value in outcome.error["evalue"]
    assert value in "\n".join(outcome.error["traceback"])
    assert outcome.text == ""


def test_run_all_stops_at_the_first_failure(notebook: Notebook) -> None:
    codes = ["echo before", "echo failing; false", *[f"echo after-{number}" for number in range(20)]]
    sent = [notebook.submit(code) for code in codes]
    outcomes = [notebook.finish(msg_id) for msg_id in sent]
    assert [outcome.status for outcome in outcomes] == ["ok", "error", *["aborted"] * 20]
    assert not any(outcome.outputs for outcome in outcomes[2:])
    assert notebook.run("echo again").text == "again\n"


def test_a_cell_tagged_raises_exception_stops_nothing(notebook: Notebook) -> None:
    request = notebook.client.session.msg("execute_request", {"code": "false", "silent": False})
    request["metadata"] = {"tags": ["raises-exception"], "cellId": "one"}
    notebook.client.shell_channel.send(request)
    after = notebook.submit("echo after")
    outcome = notebook.finish(request["header"]["msg_id"])
    assert (outcome.status, outcome.error["evalue"]) == ("error", "1")
    assert notebook.finish(after).text == "after\n"


def test_stop_on_error_false_is_honoured(notebook: Notebook) -> None:
    failing = notebook.submit("false", stop_on_error=False)
    after = notebook.submit("echo after")
    assert notebook.finish(failing).status == "error"
    assert notebook.finish(after).text == "after\n"


def test_a_cell_that_ends_its_shell_is_an_error_and_a_new_shell_takes_over(notebook: Notebook) -> None:
    outcome = notebook.run("kept=yes; exit 3")
    assert (outcome.error["ename"], outcome.error["evalue"]) == ("ExitCode", "3")
    assert len(outcome.error["traceback"]) > 1
    assert notebook.run("echo alive").text == "alive\n"


def test_input_where_nobody_can_answer_fails_at_once_and_says_what_waited(notebook: Notebook) -> None:
    outcome = notebook.run("read -r -p 'name? ' name")
    assert outcome.status == "error"
    assert "name?" in "\n".join(outcome.error["traceback"])


def test_on_nonzero_continue(tolerant: Notebook) -> None:
    failing = tolerant.submit("echo no; false")
    after = tolerant.submit("echo $?")
    outcome = tolerant.finish(failing)
    assert (outcome.status, outcome.of_type("error")) == ("ok", [])
    assert tolerant.finish(after).text == "1\n"


def test_the_exit_code_is_then_the_value_of_the_cell(tolerant: Notebook) -> None:
    outcome = tolerant.run("echo no; (exit 3) | (exit 2)")
    (value,) = outcome.of_type("execute_result")
    assert [message["msg_type"] for message in outcome.outputs] == ["stream", "execute_result"]
    assert value["data"]["text/plain"].split("\n")[0].startswith("exit code 2: ")
    assert "pipestatus 3 2" in value["data"]["text/plain"]
    assert "\x1b" not in value["data"]["text/plain"]
    assert value["execution_count"] == outcome.reply["execution_count"]
    assert tolerant.run("true").outputs == []


def test_a_shell_that_ends_is_an_error_even_then(tolerant: Notebook) -> None:
    assert tolerant.run("exit 3").error["evalue"] == "3"


def test_a_timeout_is_an_error_even_then(tolerant: Notebook) -> None:
    outcome = tolerant.run("echo partial; sleep 30")
    assert (outcome.status, outcome.shown[0]) == ("error", "partial")
    assert "timed out" in "\n".join(outcome.error["traceback"])


@pytest.mark.usefixtures("_bash_under_test")
def test_a_shell_that_is_not_there_is_told_by_each_cell() -> None:
    with Notebook("--ShellKernel.shell=/no/such/bash") as notebook:
        for _ in range(2):
            assert notebook.run("echo hi").error["ename"] == "SessionStartFailed"
