"""What a cell leaves behind is there in the next, as at a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from shellkernel import BashSession

__all__ = ()

pytestmark = pytest.mark.bashes


def outputs(session: BashSession, *cells: str) -> list[str]:
    """Run cells and return what each printed."""
    return [session.run(cell, timeout=20).output for cell in cells]


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        pytest.param(["x='a  b'", 'echo "$x"'], "a  b\n", id="variable"),
        pytest.param(["declare -i n=2; n+=3", "echo $n"], "5\n", id="integer"),
        pytest.param(["a=(1 'two 3' [7]=x)", 'echo "${!a[@]}" "${a[1]}"'], "0 1 7 two 3\n", id="array"),
        pytest.param(["declare -A m=([k]=v)", "declare -p m"], 'declare -A m=([k]="v" )\n', id="associative array"),
        pytest.param(["export E=1", "bash -c 'echo $E'"], "1\n", id="exported variable"),
        pytest.param(["x=1; unset x", "echo ${x-unset}"], "unset\n", id="unset variable"),
        pytest.param(['f() { echo "f $1"; return 4; }', "f a; echo $?"], "f a\n4\n", id="function"),
        pytest.param(["alias ll='echo LL'", "ll x"], "LL x\n", id="alias"),
        pytest.param(["alias two='echo 2'\ntwo"], "2\n", id="alias in the same cell"),
        pytest.param(["set -o pipefail", "false | true; echo $?"], "1\n", id="option"),
        pytest.param(["shopt -s nullglob", "echo no-such-*"], "\n", id="shell option"),
        pytest.param(["trap 'echo got' USR1", "kill -USR1 $$; :"], "got\n", id="trap"),
        pytest.param(["trap 'echo err $?' ERR", "(exit 3)", "trap - ERR", "false"], "", id="ERR trap taken back"),
        pytest.param(["set -- a 'b c'", 'echo "$# $2"'], "2 b c\n", id="positional parameters"),
        pytest.param(["umask 027", "umask"], "0027\n", id="umask"),
        pytest.param(["ulimit -S -n 100", "ulimit -n"], "100\n", id="ulimit"),
        pytest.param(["exec 5<<<'from five'", "cat <&5"], "from five\n", id="descriptor"),
        pytest.param(["OPTIND=1; getopts ab o -a", "echo $o $OPTIND"], "a 2\n", id="getopts"),
        pytest.param(["cd /usr; cd /", "cd -; echo $OLDPWD"], "/usr\n/\n", id="OLDPWD"),
        pytest.param(["pushd /usr >/dev/null", "dirs"], "/usr", id="directory stack"),
        pytest.param(["hash -r; true; ls >/dev/null", "hash -t ls | grep -c ls"], "1\n", id="hash table"),
    ],
)
def test_state_is_kept_between_cells(session: BashSession, cells: list[str], wanted: str) -> None:
    if wanted and not wanted.endswith("\n"):
        assert outputs(session, *cells)[-1].startswith(wanted)
    else:
        assert outputs(session, *cells)[-1] == wanted


@pytest.mark.parametrize("code", [0, 1, 2, 7, 126, 127, 255])
def test_exit_code_is_there_at_the_start_of_the_next_cell(session: BashSession, code: int) -> None:
    assert session.run(f"(exit {code})").exit_code == code
    assert session.run("echo $?").output == f"{code}\n"


@pytest.mark.parametrize("cell", ["# nothing but a comment", "", "\n\n", " \t"])
def test_cell_that_runs_nothing_keeps_the_exit_code(session: BashSession, cell: str) -> None:
    session.run("(exit 7)")
    assert session.run(cell).output == ""
    assert session.run("echo $?").output == "7\n"


@pytest.mark.parametrize(
    ("pipeline", "wanted"),
    [
        ("true", (0,)),
        ("(exit 3) | true", (3, 0)),
        ("false | true | (exit 4) | true", (1, 0, 4, 0)),
        ("true | (exit 5)", (0, 5)),
        ("! false | true", (1, 0)),
        ("set -o pipefail; (exit 9) | true", (9, 0)),
        (" | ".join(["true"] * 7 + ["false"]), (0,) * 7 + (1,)),
    ],
)
def test_pipestatus_is_in_the_result_and_in_the_next_cell(
    session: BashSession, pipeline: str, wanted: tuple[int, ...]
) -> None:
    result = session.run(pipeline)
    assert result.pipestatus == wanted
    assert session.run('echo "$? ${PIPESTATUS[@]}"').output == f"{result.exit_code} {' '.join(map(str, wanted))}\n"


@pytest.mark.bashes
@pytest.mark.parametrize("blank", ["", "# a comment", "\n  \n# more\n"])
def test_cell_that_runs_nothing_leaves_the_last_pipeline_alone(session: BashSession, blank: str) -> None:
    session.run("(exit 3) | (exit 4)")
    session.run(blank)
    assert session.run('echo "$? ${PIPESTATUS[@]}"').output == "4 3 4\n"


def test_pipestatus_of_the_next_cell_neither_fires_traps_nor_ends_the_shell(session: BashSession) -> None:
    assert outputs(session, "trap 'echo ERR' ERR; set -o pipefail", "(exit 3) | true || :") == ["", ""]
    session.run("! { true | false; } | true; set -e")
    assert session.run('echo "${PIPESTATUS[@]}"').end_reason == "completed"
    assert session.run("echo $-").output.startswith("e")


def test_last_argument_is_there_at_the_start_of_the_next_cell(session: BashSession) -> None:
    assert outputs(session, "echo a 'b c'", 'echo "$_"', "true", 'echo "$_" x', 'echo "$_"') == [
        *("a b c\n", "b c\n", "", "true x\n", "x\n"),
    ]


def test_line_number_counts_from_the_cells_first_line(session: BashSession) -> None:
    cell = "echo $LINENO\n\necho $LINENO \\\n  $LINENO\nf() {\n  echo $LINENO\n}\nf\n"
    wanted = session.run(cell).output
    assert wanted.splitlines()[:2] == ["1", "3 3"]
    assert session.run(cell).output == wanted


def test_directory_is_followed(session: BashSession, tmp_path: Path) -> None:
    folder = tmp_path / "with blank\tand é\nand newline"
    folder.mkdir()
    result = session.run(f"cd '{folder}'")
    assert result.cwd == session.cwd == str(folder)
    assert session.run("(cd /)").cwd == str(folder)


def test_directory_that_is_gone_is_no_obstacle(session: BashSession, tmp_path: Path) -> None:
    session.run(f"mkdir {tmp_path}/gone; cd {tmp_path}/gone; rmdir $PWD")
    assert session.run("echo still here").output == "still here\n"


def test_history_lists_the_cells_and_nothing_of_ours(session: BashSession) -> None:
    outputs(session, "echo one", "echo two\necho three", "x=(1\n2)")
    listed = session.run("history").output
    assert listed.split() == "1 echo one 2 echo two echo three 3 x=(1 2) 4 history".split()
    assert "shellkernel" not in listed


def test_history_expansion_is_off_until_it_is_asked_for(session: BashSession) -> None:
    assert outputs(session, "echo 'one!' \"two!three\" !!", "set -H", 'echo "a!b" hi!')[0::2] == [
        *("one! two!three !!\n", "a!b hi!\n"),
    ]


def test_nothing_of_ours_is_seen_where_a_user_looks(session: BashSession) -> None:
    assert outputs(
        session, "declare -F | grep -c -v __shellkernel_", "echo ${FUNCNAME[@]-none} $#", "trap -p", "alias"
    ) == [
        *("0\n", "none 0\n", "", ""),
    ]
    assert session.run("env | grep SHELLKERNEL | cut -d= -f1 | sort").output == "SHELLKERNEL\nSHELLKERNEL_SESSION\n"
