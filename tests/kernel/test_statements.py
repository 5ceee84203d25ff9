"""Exit codes inside of a cell: %%statements, %statements, %%trace, and %%dry_run, in a real kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from shellkernel.kernel.magics import MagicCall, split_magics
from tests.kernel.notebook import Notebook, Outcome

__all__ = ()


@pytest.fixture
def own(_bash_under_test: None) -> Iterator[Notebook]:
    """A kernel whose settings one test may change."""
    with Notebook() as notebook:
        yield notebook


def drawn(outcome: Outcome) -> list[str]:
    """Return the lines of the one picture, as plain text."""
    (content,) = outcome.of_type("display_data")
    assert "<table" in content["data"]["text/html"]
    return list(content["data"]["text/plain"].split("\n"))


def codes(lines: list[str]) -> list[str]:
    """Return what stands before the source of each line in the picture."""
    return [" ".join(line.partition("│")[0].split()) for line in lines[1:] if "│" in line]


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("%%statements", MagicCall("%statements")),
        ("%%trace --stop-on-error", MagicCall("%trace", "--stop-on-error")),
        ("%%dry_run", MagicCall("%dry_run")),
        ("%statements on", MagicCall("statements", "on")),
    ],
)
def test_the_lines_are_taken(line: str, call: MagicCall) -> None:
    assert split_magics(f"{line}\necho") == ([call], "\necho")


def test_the_picture_follows_the_output(notebook: Notebook) -> None:
    outcome = notebook.run("%%statements\necho one; false\n# a comment\nls /etc/passwd | cat")
    assert (outcome.status, outcome.text) == ("ok", "one\n/etc/passwd\n")
    assert [message["msg_type"] for message in outcome.outputs][-1] == "display_data"
    lines = drawn(outcome)
    assert codes(lines) == ["✗ 0 1", "", "✓ 0", ""]
    assert lines[-1].endswith("ls /etc/passwd ✓0 | cat ✓0")
    assert notebook.run("echo two").of_type("display_data") == []


def test_the_picture_stands_before_the_error(notebook: Notebook) -> None:
    outcome = notebook.run("%%statements --stop-on-error\necho a\nfalse\necho never")
    assert (outcome.status, outcome.text) == ("error", "a\n")
    assert [message["msg_type"] for message in outcome.outputs][-2:] == ["display_data", "error"]
    lines = drawn(outcome)
    assert codes(lines) == ["✓ 0", "✗ 1", "·"]
    assert "stopped after statement 2" in lines[0]


def test_lines_are_those_of_the_cell(notebook: Notebook) -> None:
    lines = drawn(notebook.run("\n%%statements\n\ntrue"))
    assert lines[1].startswith("✓ 0 │ 4  true")


def test_the_switch_is_told_and_set(own: Notebook) -> None:
    def told() -> Any:
        return own.run("%statements").of_type("execute_result")[0]["data"]["text/plain"]

    assert told() == "off"
    own.run("%statements on")
    assert told() == "on"
    assert codes(drawn(own.run("true; true"))) == ["✓ 0 0"]
    own.run("%statements off\n%on_nonzero continue")
    assert own.run("true").of_type("display_data") == []
    outcome = own.run("%%statements\nfalse")
    assert (outcome.status, outcome.of_type("execute_result")) == ("ok", [])  # the picture has the exit code


def test_a_dry_run_shows_the_structure_and_runs_nothing(notebook: Notebook) -> None:
    outcome = notebook.run("%%dry_run\necho never | cat >/dev/null &")
    (content,) = outcome.of_type("display_data")
    assert content["data"]["text/plain"].split("\n") == [
        "2 │ pipeline of 2  & in the background",
        "2 │ ├─ command  echo never",
        "2 │ └─ |  command  cat",
        "2 │    └─ redirection  >/dev/null   (standard output to a file)",
    ]
    assert outcome.text == ""


def test_a_dry_run_of_what_bash_can_not_parse_is_an_error(notebook: Notebook) -> None:
    assert notebook.run("%%dry_run\nif true; then").error["ename"] == "IncompleteCommand"
    assert notebook.run("%%dry_run\n) x").error["ename"] == "CommandSyntaxError"


@pytest.mark.parametrize("line", ["%%statements now", "%%trace 5", "%%dry_run --stop-on-error", "%statements maybe"])
def test_a_wrong_argument_is_an_error_and_nothing_runs(notebook: Notebook, line: str) -> None:
    outcome = notebook.run(f"{line}\necho not-here")
    assert (outcome.error["ename"], outcome.text) == ("UsageError", "")


def test_a_trace_has_the_commands_too(notebook: Notebook) -> None:
    lines = drawn(notebook.run("%%trace\nf() { false; true; }\nx=5\nif f; then echo $x; fi"))
    text = "\n".join(lines)
    assert "f: false   ← swallowed" in text
    assert "echo $x   → echo 5" in text
