"""A cell that puts a file on bash's standard input: the cells after it have it there, and bash has the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from shellkernel import BashSession
from tests.session.watching import DEADLINE

__all__ = ()

pytestmark = pytest.mark.bashes


def test_file_is_read_from_cell_to_cell(session: BashSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("one\necho two\nexit 3\n")
    pid = session.pid
    assert session.run(f"exec <{tmp_path}/file").ok
    assert [session.run('read -r line; echo "<$line>"').output for _ in range(3)] == [
        "<one>\n",
        "<echo two>\n",
        "<exit 3>\n",
    ]
    assert session.run("read -r line || echo over").output == "over\n"
    assert session.run("exec </dev/tty; [[ -t 0 ]] && echo terminal").output == "terminal\n"
    assert session.run("ls /dev/fd | wc -l").output == session.run("ls /dev/fd | wc -l").output
    assert session.pid == pid


@pytest.mark.parametrize("cell", ["exec </dev/null", "exec <&-", "exec 0</dev/null 3<&0", "exec < <(echo data)"])
@pytest.mark.parametrize("statements", [True, False])
def test_shell_lives_on(session: BashSession, cell: str, *, statements: bool) -> None:
    pid = session.pid
    assert session.run(cell, statements=statements).end_reason == "completed"
    result = session.run("echo next", statements=statements)
    assert (result.output, result.exit_code, result.end_reason, result.note) == ("next\n", 0, "completed", "")
    assert session.pid == pid
    assert session.vars["BASH"]
    assert session.run("cat <<<text; true </dev/tty").output == "text\n"


def test_input_that_is_closed_stays_so_for_the_cells(session: BashSession) -> None:
    session.run("exec <&-")
    for _ in range(2):
        assert session.run("[[ -e /dev/fd/0 ]] || echo closed").output == "closed\n"


def test_cell_that_is_cut_short_leaves_it_to_the_next(session: BashSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("one\n")
    pid = session.pid
    assert session.run(f"exec <{tmp_path}/file; sleep 600", timeout=0.3).end_reason == "timed_out"
    assert session.run("read -r line; echo $line", timeout=DEADLINE).output == "one\n"
    assert session.pid == pid


def test_rc_file_may_have_put_it_there(bash: str, tmp_path: Path) -> None:
    (tmp_path / "rc").write_text("exec </dev/null\n")
    with BashSession(shell=bash, rcfile=tmp_path / "rc") as session:
        assert session.run("read -r line || echo over").output == "over\n"


def test_state_is_kept_where_such_a_shell_ends(session: BashSession) -> None:
    session.run("exec </dev/null")
    assert session.run("x=1; exit 3").exit_code == 3
    assert session.run("echo $x; [[ -t 0 ]] && echo terminal").output == "1\nterminal\n"


def test_option_to_end_after_a_command_is_not_taken_over(session: BashSession) -> None:
    """`set -t`: bash ends once the line that set it is over."""
    session.run("x=1")
    session.run("set -t")
    assert session.run("echo $x; :").output == "1\n"
    assert session.run("echo $x").output == "1\n"
