"""The Result of a cell: its two faces in the notebook, and its use in code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tests.kernel.magics.notebook import Notebook

TEXT = re.compile(r"<[^>]*>")


def shown(html: str) -> str:
    """Return what a face says, without its markup."""
    return " ".join(TEXT.sub(" ", html).split())


@pytest.fixture(autouse=True)
def fresh(notebook: Notebook) -> Iterator[None]:
    """Let each test begin in a session of its own."""
    yield
    notebook.run("import shellkernel; shellkernel.sessions.close_all()")


def test_the_face_has_exit_code_meaning_duration_and_directory(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session face\ncd /tmp; no_such_command_zz")
    assert re.fullmatch(
        r"✗ exit code 127 command not found [\d.]+ m?s face /tmp why Exit code 127: .*", shown(cell.html)
    )
    assert 'title="command not found"' in cell.html
    assert re.fullmatch(r"exit code 127 · [\d.]+ m?s", cell.result)


def test_the_face_has_the_exit_code_of_each_element(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\n(exit 3) | true | (exit 141)")
    assert "pipestatus 3 0 141" in shown(cell.html)
    assert 'title="ended by SIGPIPE' in cell.html
    assert "pipestatus 3 0 141" in cell.result


def test_the_face_tells_how_a_command_ended(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --timeout 0.2\nsleep 60")
    assert "timed out" in shown(cell.html)
    cell = notebook.run("%%bash_session\nexit 4")
    assert "a new shell took over" in shown(cell.html)


def test_the_face_says_where_a_large_output_is(notebook: Notebook) -> None:
    notebook.run("%%bash_session --quiet --out r\nseq 300000")
    cell = notebook.run("r")
    path = notebook.value("r.output_path")
    assert f"bytes of the output are left out; all of it is in {path}" in shown(cell.html)
    assert path in cell.result
    assert notebook.value("(r.omitted > 0, open(r.output_path).read().split()[-1])") == (True, "300000")


def test_what_a_command_says_is_escaped(notebook: Notebook) -> None:
    (notebook.folder / "<b>&").mkdir()
    assert "&lt;b&gt;&amp;" in notebook.run("%%bash_session\ncd '<b>&'").html


def test_it_pickles_compares_and_becomes_a_dict(notebook: Notebook) -> None:
    notebook.run("%%bash_session --out r --err e\nprintf 'a\\nb\\n'; echo bad >&2; false")
    notebook.run("import json, pickle\nfrom shellkernel import Result")
    assert notebook.value("(r.lines, r.output, r.stderr, r.exit_code, r.ok)") == (
        ["a", "b"],
        "a\nb\n",
        "bad\n",
        1,
        False,
    )
    assert notebook.value("(pickle.loads(pickle.dumps(r)) == r, r == 1, r == _bash)") == (True, False, True)
    assert notebook.value("Result.from_dict(json.loads(json.dumps(r.to_dict()))) == r") is True


def test_its_dict_is_a_row_of_a_table(notebook: Notebook) -> None:
    """pandas takes a list of flat dicts; here it is not installed, nor needed."""
    notebook.run("%%bash_session --out r\nfalse")
    row = json.loads(notebook.value("__import__('json').dumps(r.to_dict())"))
    assert {"command", "output", "exit_code", "end_reason", "cwd", "started", "duration"} <= set(row)
    assert not any(isinstance(value, dict) for value in row.values())
    assert notebook.value("'pandas' in __import__('sys').modules") is False
