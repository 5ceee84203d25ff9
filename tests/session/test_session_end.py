"""A cell that ends its own shell: what the result says, and what the shell that takes over has."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from shellkernel import BashSession
from shellkernel.session.options import Inside
from tests.session.watching import DEADLINE, Heard, is_over

__all__ = ()

pytestmark = pytest.mark.bashes

STATE = r"""
plain='a  b'; export exported="it's"; declare -i number=4; declare -r constant=9; empty=; unset gone
array=(x 'y z' [7]=$'new\nline'); declare -A map=([k]=v ['a b']='c d' [']']='"'); declare -x -a both=(1 2)
weird=$'tab\t, quote \', back\\slash, é✓, \x01, !'; declare -l lower=ABC
f() { echo "f $1"; }; g() { cat <<END
here $1
END
}
alias ll='ls -l' say='echo "said"'
shopt -s nullglob extglob; set -o pipefail -f; umask 027; ulimit -S -n 200
trap 'echo usr1' USR1; cd /usr; OLDPWD=/tmp
"""
PROBE = r"""
declare -p plain exported number constant empty array map both weird lower 2>&1; echo "${gone-unset}"
declare -f f g; alias; shopt nullglob extglob; set -o | grep -E 'pipefail|noglob'; umask; ulimit -n; trap -p USR1; pwd
number+=1; echo $number; lower=XYZ; echo $lower; (constant=1) 2>&1 | grep -c readonly; bash -c 'echo $exported'
"""


@pytest.mark.parametrize(
    ("cell", "code", "words"),
    [
        ("exit 3", 3, "exit code 3"),
        ("exit", 0, "exit code 0"),
        ("f() { exit 4; }; f", 4, "exit code 4"),
        ("set -e\necho before\nfalse\necho after", 1, "set -e"),
        ("set -e\n(exit 7)\necho after", 7, "set -e"),
        ("set -euo pipefail\nfalse | true\necho after", 1, "set -e"),
        ("exec true", 0, "exit code 0"),
        ("exec bash -c 'exit 5'", 5, "exit code 5"),
        ("kill -9 $$; echo after", 137, "SIGKILL"),
        ("kill -HUP $$; sleep 60; echo after", None, ""),
        ("trap 'exit 6' USR1; kill -USR1 $$; sleep 60; echo after", 6, "exit code 6"),
    ],
)
def test_result_says_how_the_shell_ended_and_the_next_cell_works(
    session: BashSession, cell: str, code: int | None, words: str
) -> None:
    session.run("true")
    pid = session.pid
    result = session.run(f"echo seen\n{cell}", timeout=DEADLINE)
    assert result.end_reason == "session_ended"
    if code is not None:
        assert result.exit_code == code
    assert words in result.note
    assert result.output.startswith("seen\n")
    assert "after" not in result.output
    assert session.pid != pid
    assert is_over(pid)
    assert session.run("echo next").output == "next\n"


def test_all_state_comes_back_after_exit(session: BashSession) -> None:
    session.run(STATE, check=True)
    wanted = session.run(PROBE).output
    assert session.run("exit 3").end_reason == "session_ended"
    assert session.run("echo $?").output == "3\n"
    assert session.run("number=4; lower=ABC").ok
    assert session.run(PROBE).output == wanted


def test_state_comes_back_after_set_e_and_is_not_stuck_in_it(session: BashSession) -> None:
    result = session.run("set -e; x=1; echo one; false; x=2; echo two")
    assert (result.end_reason, result.exit_code, result.output) == ("session_ended", 1, "one\n")
    assert session.run("echo $x").output == "1\n"
    assert session.run("set +e; false; echo on").output == "on\n"


def test_first_cell_of_a_session_may_end_it_and_keep_its_state(session: BashSession) -> None:
    assert session.run("x=1; exit 3").exit_code == 3
    assert session.run("echo $x").output == "1\n"


def test_one_end_after_another_keeps_the_state(session: BashSession) -> None:
    session.run("n=0")
    for number in range(5):
        assert session.run(f"((n += 1)); exit {number}").exit_code == number
    assert session.run("echo $n").output == "5\n"


def test_directory_and_exports_of_the_last_cell_come_back_after_a_kill(session: BashSession) -> None:
    session.run("cd /usr; export E=exported")
    assert session.run("kill -9 $$").exit_code == 137
    assert session.run("pwd; echo $E").output == "/usr\nexported\n"


def test_kill_from_outside_between_two_cells_is_told_with_the_next(session: BashSession) -> None:
    session.run("cd /usr; export E=exported")
    pid = session.pid
    os.kill(pid, signal.SIGKILL)
    assert is_over(pid)
    result = session.run("pwd")
    assert result.output == "/usr\n"
    assert result.end_reason in ("completed", "session_ended")
    assert session.run("echo next").output == "next\n"


def test_what_was_lost_is_said(session: BashSession) -> None:
    session.run("sleep 600 & exec 7</dev/null")
    result = session.run("exit 3")
    assert "lost" in result.note
    assert "sleep" in result.note


@pytest.mark.parametrize(
    "cell",
    ["trap 'echo trapped $?' EXIT", "trap 'echo trapped $?; false' EXIT", "trap 'rm -f \"$file\"; echo trapped $?' 0"],
)
def test_users_exit_trap_runs_once(session: BashSession, cell: str, tmp_path: Path) -> None:
    session.run(f"file={tmp_path}/file; touch $file")
    assert session.run(cell).output == ""
    assert session.run("echo no trap here").output == "no trap here\n"
    result = session.run("(exit 4); exit")
    assert result.output.count("trapped") == 1
    assert "trapped 4" in result.output or cell.endswith("0")
    assert session.run("trap -p EXIT").output == ""
    assert "trapped" not in session.run("exit").output


def test_users_exit_trap_is_what_trap_shows(session: BashSession) -> None:
    session.run("trap 'echo bye' EXIT")
    assert session.run("trap -p EXIT; trap").output == "trap -- 'echo bye' EXIT\n" * 2
    assert session.run("trap - EXIT; trap -p EXIT").output == ""
    assert "bye" not in session.run("exit 0").output


def test_exit_trap_runs_when_the_session_is_closed(bash: str, tmp_path: Path) -> None:
    with BashSession(shell=bash) as session:
        session.run(f"trap 'echo closed >{tmp_path}/file' EXIT")
    assert (tmp_path / "file").read_text() == "closed\n"


def test_without_restore_the_next_shell_is_fresh(bash: str, tmp_path: Path) -> None:
    with BashSession(shell=bash, restore=False, cwd=tmp_path) as session:
        session.run("x=1; cd /usr; f() { :; }")
        assert session.run("exit 3").exit_code == 3
        assert session.run("echo ${x-gone}; type -t f").output == "gone\n"


def test_end_in_a_subshell_is_no_end(session: BashSession) -> None:
    pid = session.pid
    result = session.run("(exit 3); (set -e; false; echo no); bash -c 'exit 4'")
    assert (result.end_reason, result.exit_code) == ("completed", 4)
    assert session.pid == pid


def test_running_command_ends_with_its_shell(session: BashSession) -> None:
    heard = Heard()
    job = session.start("echo ready; sleep 600", on_output=heard)
    heard.wait_for("ready")
    os.kill(session.pid, signal.SIGKILL)
    result = job.result(DEADLINE)
    assert (result.end_reason, result.exit_code) == ("session_ended", 137)
    assert session.run("echo next").output == "next\n"


def test_directory_that_is_gone_does_not_stop_the_next_shell(session: BashSession, tmp_path: Path) -> None:
    session.run(f"mkdir {tmp_path}/gone; cd {tmp_path}/gone; rmdir {tmp_path}/gone")
    session.run("exit 3")
    assert session.run("echo next").output == "next\n"


def test_restart_is_fresh(session: BashSession, tmp_path: Path) -> None:
    session.run("x=1; cd /usr")
    pid = session.pid
    session.restart()
    assert session.pid != pid
    assert is_over(pid)
    assert session.run("echo ${x-gone}; pwd").output == f"gone\n{Path.cwd()}\n"


def test_restart_ends_what_runs(session: BashSession) -> None:
    job = session.start("sleep 600")
    session.restart()
    assert job.result(DEADLINE).end_reason == "session_ended"
    assert session.run("echo next").output == "next\n"


def test_closed_session_can_be_restarted(bash: str) -> None:
    session = BashSession("again", shell=bash)
    session.close()
    session.restart()
    try:
        assert session.run("echo next").output == "next\n"
    finally:
        session.close()


def test_open_descriptors_that_are_lost_are_named(session: BashSession) -> None:
    session.run("exec 3>/dev/null 7</dev/null")
    assert "lost: the open descriptors 3, 7" in session.run("exit 3").note
    assert "lost" not in session.run("exit 3").note


def test_directory_that_is_gone_is_in_no_variable_of_the_new_shell(session: BashSession, tmp_path: Path) -> None:
    session.run(f"cd {tmp_path}; mkdir gone; cd gone; rmdir ../gone")
    session.run("exit 2")
    result = session.run('[[ $PWD == "$(pwd)" ]] && echo "$PWD"')
    assert result.output == f"{result.cwd}\n"


@pytest.mark.parametrize(
    "cell",
    [
        "trap 'echo err' ERR; set -e; x=2; false",
        "trap : USR1; x=2; exit 1",
        "echo trap; x=2; exit 1",
        "# a trap\nx=2; exit 1",
        "eval 'x=2; exit 1'",
        "x=2; source ./exit.sh",
        ". ./two.sh; exit 1",
    ],
)
def test_state_of_a_cell_that_sets_traps_and_ends_its_shell_comes_back(
    session: BashSession, cell: str, tmp_path: Path
) -> None:
    (tmp_path / "exit.sh").write_text("exit 1\n")
    (tmp_path / "two.sh").write_text("x=2\n")
    session.run(f"cd {tmp_path}; x=1 kept=1")
    result = session.run(cell)
    assert (result.end_reason, result.exit_code) == ("session_ended", 1)
    assert "with its variables" in result.note
    assert session.run("echo $x $kept").output == "2 1\n"


@pytest.mark.parametrize(
    "cell", ["trap 'echo bye' EXIT; exit 1", "trap -p; trap 'echo bye' 0; exit 1", "x=2; trap - EXIT; eval 'exit 1'"]
)
def test_state_of_earlier_cells_comes_back_where_a_cell_has_the_exit_trap_for_itself(
    session: BashSession, cell: str
) -> None:
    session.run("x=1")
    result = session.run(cell)
    assert (result.end_reason, result.exit_code) == ("session_ended", 1)
    assert result.output.count("bye") == cell.count("bye")
    assert session.run("echo $x").output == "1\n"


def test_users_exit_trap_stays_the_users_among_cells_that_may_set_another(session: BashSession) -> None:
    session.run("trap 'echo bye' EXIT")
    for cell in ("eval :", "echo trap", "trap : USR1", "(trap -p EXIT); eval :"):
        session.run(cell)
    assert session.run("trap -p EXIT").output == "trap -- 'echo bye' EXIT\n"
    assert session.run("eval 'exit 3'").output.count("bye") == 1
    assert session.run("trap -p EXIT").output == ""


@pytest.mark.parametrize("define", ["f() { trap 'echo bye' EXIT; }", "function f { trap 'echo bye' EXIT\n}"])
def test_exit_trap_that_a_function_sets_is_the_users_own(session: BashSession, define: str) -> None:
    session.run(define)
    session.run("f")
    result = session.run("x=2; exit 3")
    assert result.output.count("bye") == 1
    assert session.run("echo $x").output == "2\n"


def test_function_that_sets_an_exit_trap_and_ends_its_shell_leaves_the_state_of_before(session: BashSession) -> None:
    session.run("f() { trap 'echo bye' EXIT; exit 5; }")
    session.run("x=1")
    result = session.run("f")
    assert (result.exit_code, result.output) == (5, "exit\nbye\n")
    assert session.run("echo $x; type -t f").output == "1\nfunction\n"


@pytest.mark.parametrize("cell", ["false", "exit 3", "(exit 9)", "false | true"])
def test_users_exit_trap_runs_under_set_e(session: BashSession, cell: str) -> None:
    session.run("trap 'echo bye $?' EXIT; x=1")
    session.run("set -eo pipefail")
    result = session.run(cell)
    assert result.end_reason == "session_ended"
    assert result.output.endswith(f"bye {result.exit_code}\n")
    assert session.run("echo $x").output == "1\n"


ADD = """{ local old; eval "old=($(trap -p EXIT))"; trap -- "%s" EXIT; }"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (ADD % "${old[2]:+${old[2]};}$1", "one\ntwo\n"),
        (ADD % "${old[2]:+${old[2]} ; }$1", "one\ntwo\n"),
        (ADD % "${old[2]:+${old[2]}\n}$1", "one\ntwo\n"),
        (ADD % "${old[2]:+${old[2]} && }$1", "one\ntwo\n"),
        (ADD % "$1${old[2]:+;${old[2]}}", "two\none\n"),
        (ADD % "$1${old[2]:+\n${old[2]}}", "two\none\n"),
    ],
)
@pytest.mark.parametrize("sourced", [True, False])
def test_function_that_adds_to_the_exit_trap(
    session: BashSession, body: str, wanted: str, tmp_path: Path, *, sourced: bool
) -> None:
    (tmp_path / "add.sh").write_text(f"add() {body}\n")
    session.run(f"source {tmp_path}/add.sh" if sourced else f"add() {body}")
    session.run("add 'echo one'")
    session.run("add 'echo two'")
    assert "__shellkernel" not in session.run("trap -p EXIT").output
    session.run("x=1")
    assert session.run("exit 3").output == f"exit\n{wanted}"
    assert session.run("echo $x").output == "1\n"


def test_exit_trap_of_a_sourced_function_is_found_when_bash_is_idle(session: BashSession, tmp_path: Path) -> None:
    (tmp_path / "lib.sh").write_text("setup() { trap 'echo bye' EXIT; }\n")
    session.run(f"source {tmp_path}/lib.sh")
    session.run("setup")
    session._engine.typist.snapshot()  # what is done after 0.05 s
    session.run("x=1")
    result = session.run("x=2; exit 3")
    assert result.output == "exit\nbye\n"
    assert session.run("echo $x").output == "2\n"


@pytest.mark.parametrize("inside", [{"statements": True}, {"trace": True}])
def test_looking_inside_hides_nothing_from_what_is_said_of_traps(
    session: BashSession, inside: Inside, tmp_path: Path
) -> None:
    (tmp_path / "trap.sh").write_text("trap 'echo bye' EXIT; y=5\n")
    assert session.run("true; trap; trap -p EXIT", **inside).output == ""
    session.run("x=1")
    session.run(f". {tmp_path}/trap.sh", **inside)
    session.run("x=2")
    session.run("exit 3")
    assert session.run("echo $x $y").output == "2 5\n"


def test_standard_input_that_is_lost_is_named(session: BashSession) -> None:
    session.run("exec </dev/null")
    assert "lost: the open descriptors 0" in session.run("exit 3").note
