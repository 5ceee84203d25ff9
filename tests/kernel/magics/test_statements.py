"""`--statements`, `--trace`, `--stop-on-error` and `--dry-run`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kernel.magics.notebook import Notebook


@pytest.fixture(autouse=True)
def fresh(notebook: Notebook) -> Iterator[None]:
    """Let each test begin in a session of its own."""
    yield
    notebook.run("import shellkernel; shellkernel.sessions.close_all()")


def test_statements_are_drawn_and_in_the_result(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --statements --out r\necho one; false | true\n# no\n(exit 3)")
    assert cell.stdout == "one\n"
    lines = cell.result.split("\n")
    assert lines[1].startswith("✓ 0 0 │ 1  echo one; false | true")
    assert lines[2].endswith("false ✗1 | true ✓0")
    assert "<table" in cell.html
    assert notebook.value("[(s.source, s.exit_code) for s in r.statements]") == [
        ("echo one", 0),
        ("false | true", 0),
        ("(exit 3)", 3),
    ]
    assert notebook.value("r.explain()").startswith("Exit code 3: that of the last statement that ran, `(exit 3)`")


def test_stop_on_error_runs_nothing_more(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --stop-on-error\necho a\nfalse\necho never")
    assert cell.stdout == "a\n"
    assert "stopped after statement 2" in cell.result
    assert cell.result.endswith("echo never")


def test_the_trait_makes_it_the_default(notebook: Notebook) -> None:
    notebook.run("%config BashSessionMagics.statements = True")
    try:
        assert "│ 1  true" in notebook.run("%%bash_session\ntrue").result
    finally:
        notebook.run("%config BashSessionMagics.statements = False")


def test_it_is_drawn_for_a_command_in_the_background_too(notebook: Notebook) -> None:
    notebook.run("%%bash_session --bg --statements --proc job\necho hi; false")
    assert notebook.value("[s.exit_code for s in job.result().statements]") == [0, 1]


def test_a_dry_run_starts_and_runs_nothing(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session quiet --dry-run --out s\necho never | cat\n")
    assert cell.result == "1 │ pipeline of 2\n1 │ ├─ command  echo never\n1 │ └─ |  command  cat"
    assert "pipeline of 2" in cell.html
    assert notebook.value("'quiet' in shellkernel.sessions") is False
    assert notebook.value("s.to_dict()['children'][0]['kind']") == "pipeline"


def test_a_dry_run_of_what_bash_can_not_parse_is_an_error(notebook: Notebook) -> None:
    assert "IncompleteCommand" in notebook.run("%%bash_session --dry-run\nif true; then").traceback


def test_a_trace_is_drawn_with_its_statements(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --trace --out r\nx=5\nif false; then :; fi\necho $x")
    assert "echo $x   → echo 5" in cell.result
    assert "← swallowed" in cell.result
    assert notebook.value("([t.command for t in r.trace.records][-1], len(r.statements))") == ("echo $x", 3)
