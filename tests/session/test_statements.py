"""A cell's statements, each with what it came to; and a cell that stops where one fails."""

from __future__ import annotations

import signal
import threading

import pytest

from shellkernel import BashSession, IncompleteCommand, Result
from tests.session.watching import wait_until

__all__ = ()

pytestmark = pytest.mark.bashes


def in_short(result: Result) -> list[tuple[str, int | None, str]]:
    """Return the statements that were reached: text, exit code, output."""
    assert result.statements is not None
    return [(each.source, each.exit_code, each.output) for each in result.statements if each.reached]


def not_reached(result: Result) -> list[str]:
    """Return the text of the statements that were not."""
    assert result.statements is not None
    return [each.source for each in result.statements if not each.reached]


def test_nothing_is_told_unless_asked_for(session: BashSession) -> None:
    assert session.run("true; false").statements is None


def test_times_and_lines_are_told(session: BashSession) -> None:
    result = session.run("echo a; sleep 0.05\n\nif true; then\necho b\nfi\n", statements=True)
    assert result.statements is not None
    first, sleep, last = result.statements
    assert [(each.first_line, each.last_line) for each in result.statements] == [(1, 1), (1, 1), (3, 5)]
    assert sleep.duration is not None
    assert 0.05 <= sleep.duration < 5
    assert first.started == 0.0 <= first.started < sleep.started < last.started < result.duration


def test_a_blank_cell_has_no_statements(session: BashSession) -> None:
    assert session.run("# nothing\n", statements=True).statements == ()


def test_output_is_cut_where_each_statement_ends(session: BashSession) -> None:
    result = session.run("printf a; printf 'b\\nc'\nprintf '\\e[31mred\\e[0m'; true", statements=True)
    assert [output for _, _, output in in_short(result)] == ["a", "b\nc", "red", ""]
    assert result.output == "ab\ncred"


def test_large_output_is_cut_too(session: BashSession) -> None:
    result = session.run("echo first; seq 400000; seq 30000; echo last", statements=True)
    first, large, small, last = in_short(result)
    assert (first[2], last[2]) == ("first\n", "last\n")
    assert small[2] == "".join(f"{n}\n" for n in range(1, 30001)).removeprefix("") or "left out" in small[2]
    assert large[2].startswith("1\n2\n")
    assert large[2].endswith("399999\n400000\n")
    assert "bytes of this statement's output left out" in large[2]


def test_a_long_cell_is_loaded_with_its_marks(session: BashSession) -> None:
    cell = "\n".join(f"x{n}='{'y' * 50}'; echo {n}" for n in range(300))
    result = session.run(cell, statements=True)
    assert result.statements is not None
    assert len(result.statements) == 600
    assert [each.output for each in result.statements[1::2]] == [f"{n}\n" for n in range(300)]


def test_the_next_statement_finds_exit_code_last_argument_and_pipestatus(session: BashSession) -> None:
    cell = (
        'echo a b; echo "$_"; (exit 3); echo "$?"; '
        'false | true; echo "${PIPESTATUS[*]}"; ! false; echo "$? $PIPESTATUS"'
    )
    assert session.run(cell, statements=True).output == session.run(cell).output == "a b\nb\n3\n1 0\n0 1\n"


def test_a_function_of_an_earlier_cell_finds_pipestatus(session: BashSession) -> None:
    session.run('codes() { echo "${PIPESTATUS[@]}"; }')
    result = session.run("true | false | (exit 5); codes; (exit 6) | true | false; codes", statements=True)
    assert result.output == "0 1 5\n6 0 1\n"
    assert result.statements is not None
    assert [each.pipestatus for each in result.statements] == [(0, 1, 5), (0,), (6, 0, 1), (0,)]


def test_line_numbers_aliases_and_history_are_those_of_the_cell(session: BashSession) -> None:
    result = session.run("echo $LINENO; echo $LINENO\nalias say='echo said'\nsay $LINENO; history", statements=True)
    lines = result.output.splitlines()
    assert lines[:3] == ["1", "1", "said 3"]
    assert lines[3].split(maxsplit=1)[1] == "echo $LINENO; echo $LINENO"
    assert "\x01" not in result.raw.decode()


@pytest.mark.parametrize("character", ["\x01", "\x02"])
def test_control_characters_of_the_cell_stay(session: BashSession, character: str) -> None:
    result = session.run(f"x='{character}'; printf %q \"$x\"", statements=True)
    assert in_short(result)[1][2] == f"$'\\00{ord(character)}'"


def test_a_cell_with_every_control_character_is_one_statement(session: BashSession) -> None:
    every = "".join(map(chr, [*range(1, 9), 11, 12, *range(14, 27), *range(28, 32)]))
    result = session.run(f"x='{every}'; echo ${{#x}}; false", statements=True)
    assert result.statements is not None
    (only,) = result.statements
    assert (only.exit_code, only.output, only.reached) == (1, f"{len(every)}\n", True)


def test_traces_and_traps_of_the_user_are_the_same(session: BashSession) -> None:
    cell = (
        "set -x; echo a\nfalse || echo b; { set +x; } 2>/dev/null\nset -v\necho c; echo d\nset +v\n"
        "trap 'echo ERR $?' ERR; false; true; trap - ERR"
    )
    result = session.run(cell, statements=True)
    assert "ERR 1\n" in result.output
    assert "echo c; echo d\nc\nd\n" in result.output
    assert result.output == session.run(cell).output


def test_debug_traps_of_the_cell_see_the_cell_alone(session: BashSession) -> None:
    cell = "n=0; trap 'n=$((n+1))' DEBUG; true; true; trap - DEBUG; echo $n"
    plain, told = session.run(cell), session.run(cell, statements=True)
    assert told.output == plain.output
    assert [source for source, _, _ in in_short(told)] == ["n=0", cell.partition("; ")[2]]


def test_an_alias_that_changes_the_structure_joins_what_follows(session: BashSession) -> None:
    session.run("alias begin='{' end='}' ll='ls -l' two='echo 1; echo 2'")
    result = session.run("true; two\nbegin\nfalse\nend; echo $?", statements=True)
    assert [source for source, _, _ in in_short(result)] == ["true", "two", "begin\nfalse\nend; echo $?"]
    assert result.output == "1\n2\n1\n"
    result = session.run("alias start='{' stop='}'; false\nstart\nfalse; stop; true", statements=True)
    assert [source for source, _, _ in in_short(result)] == [
        "alias start='{' stop='}'",
        "false",
        "start\nfalse; stop; true",
    ]


def test_a_statement_that_ends_the_shell_is_reached_and_has_no_exit_code(session: BashSession) -> None:
    result = session.run("echo a; exit 7; echo b", statements=True)
    assert result.end_reason == "session_ended"
    assert in_short(result) == [("echo a", 0, "a\n"), ("exit 7", None, "exit\n")]
    assert not_reached(result) == ["echo b"]
    result = session.run("set -e; true; false; true", statements=True)
    assert (result.end_reason, result.exit_code) == ("session_ended", 1)
    assert in_short(result) == [("set -e", 0, ""), ("true", 0, ""), ("false", None, "")]
    assert session.run("set +e; echo $-", statements=True).statements is not None, "the next shell can do it too"


def test_a_limit_and_an_interrupt_leave_the_rest_not_reached(session: BashSession) -> None:
    result = session.run("echo a; sleep 60; echo b", statements=True, timeout=1)
    assert result.end_reason == "timed_out"
    assert in_short(result) == [("echo a", 0, "a\n"), ("sleep 60", None, "\n")]
    assert not_reached(result) == ["echo b"]
    job = session.start("echo ready; sleep 60; echo b", statements=True)
    wait_until(lambda: "ready" in job.output, "output")
    job.interrupt()
    result = job.result(10)
    assert result.exit_code == 128 + signal.SIGINT
    assert [(source, code) for source, code, _ in in_short(result)] == [("echo ready", 0), ("sleep 60", None)]


def test_an_expansion_error_leaves_out_the_rest_of_its_line(session: BashSession) -> None:
    cell = "set -u; echo a; echo $unset_one; echo b\n\necho c; : ${none?}; echo d"
    result = session.run(cell, statements=True)
    plain = session.run(cell)
    assert (result.output, result.exit_code) == (plain.output, plain.exit_code)
    assert [(source, code) for source, code, _ in in_short(result)] == [
        ("set -u", 0),
        ("echo a", 0),
        ("echo $unset_one", 1),
        ("echo c", 0),
        (": ${none?}", 1),
    ]
    assert not_reached(result) == ["echo b", "echo d"]


def test_background_jobs_and_moved_output_keep_the_cuts(session: BashSession) -> None:
    session.run("sleep 60 & job=$!")
    result = session.run("echo a; echo b\nfalse & wait $!; echo c; kill $job", statements=True)
    assert [output for _, _, output in in_short(result)][:2] == ["a\n", "b\n"]
    assert [code for _, code, _ in in_short(result)] == [0, 0, 0, 1, 0, 0]
    assert result.statements is not None
    assert result.statements[2].source == "false &"


def test_streams_that_are_apart_are_cut_by_output(bash: str) -> None:
    with BashSession(shell=bash, stderr="split") as session:
        result = session.run("echo a; echo e >&2; echo b", statements=True)
        assert [output for _, _, output in in_short(result)] == ["a\n", "", "b\n"]
        assert result.stderr == "e\n"


def test_marks_are_not_forged_by_what_a_cell_can_read(session: BashSession) -> None:
    cell = "set; declare -f; cat /proc/$$/cmdline; printf '\\e]7711;0;S;1;1;1;0\\e\\\\'; false"
    job = session.start(cell, statements=True)
    result = job.result(20)
    assert [code for _, code, _ in in_short(result)] == [0, 0, 0, 0, 1]
    assert job.nonce.decode() not in result.output


def test_in_a_thread_and_async_and_kept(session: BashSession) -> None:
    job = session.start("echo a; sleep 60", statements=True)
    wait_until(lambda: "a" in job.output, "output")
    kept: list[Result] = []
    threading.Thread(target=lambda: kept.append(job.result())).start()
    job.interrupt()
    wait_until(lambda: bool(kept), "a result")
    assert in_short(kept[0])[0] == ("echo a", 0, "a\n")
    result = session.run("echo a; sleep 60", statements=True, timeout=1, on_timeout="keep")
    assert in_short(result) == [("echo a", 0, "a\n"), ("sleep 60", None, "")]
    assert result.job is not None
    result.job.interrupt()
    result.job.result(10)


def test_syntax_errors_are_refused_as_ever(session: BashSession) -> None:
    with pytest.raises(IncompleteCommand):
        session.run("echo a; if true; then echo b", statements=True)


# Stop on error.


@pytest.mark.parametrize(
    ("cell", "code", "reached", "line"),
    [
        ("echo a; false; echo b\necho c", 1, ["echo a", "false"], 1),
        ("echo a\n(exit 3)\n\nif true; then\n  echo b\nfi; f() { :; }\nf", 3, ["echo a", "(exit 3)"], 2),
        ("true\nfalse || true\n! true\necho b", 1, ["true", "false || true", "! true"], 3),
        ("true; true && false; cat <<A; echo x\nb\nA", 1, ["true", "true && false"], 1),
        ("f() { false; return 4; }; f; echo b", 4, ["f() { false; return 4; }", "f"], 1),
    ],
)
def test_stops_after_the_first_statement_that_fails(
    cell: str, code: int, reached: list[str], line: int, session: BashSession
) -> None:
    result = session.run(cell, stop_on_error=True)
    assert (result.exit_code, result.end_reason) == (code, "completed")
    assert [source for source, _, _ in in_short(result)] == reached
    assert not_reached(result)
    assert result.note.startswith(f"stopped after statement {len(reached)} of ")
    assert f"(line {line}), which failed with exit code {code}" in result.note
    assert "b\n" not in result.output
    after = session.run('echo "$? ${PIPESTATUS[*]} $-"; f 2>/dev/null; trap')
    assert after.output.splitlines()[0].startswith(f"{code} {result.pipestatus[0]} ")


@pytest.mark.parametrize("cell", ["true; false || true\necho b", "true; false", "false", "# nothing"])
def test_nothing_is_stopped_where_nothing_is_left_or_fails(cell: str, session: BashSession) -> None:
    session.run("false")
    result = session.run(cell, stop_on_error=True)
    assert (result.note, result.exit_code) == ("", session.run(cell).exit_code)
    assert not not_reached(result)


def test_stopping_fires_no_trap_and_undoes_its_redirections(session: BashSession) -> None:
    session.run("trap 'echo ERR' ERR; trap 'echo EXIT' EXIT")
    result = session.run("true; (exit 4) || (exit 5) || false; echo b\necho c\n", stop_on_error=True)
    assert (result.output, result.exit_code) == ("ERR\n", 1)
    assert session.run("echo out; echo err >&2").output == "out\nerr\n"


def test_stopping_leaves_errexit_as_it_was(session: BashSession) -> None:
    result = session.run("set -e; false && true\necho b; false && true\necho $-", stop_on_error=True)
    assert (result.exit_code, result.end_reason, result.output) == (1, "completed", "")
    assert session.run("[[ $- == *e* ]]; echo on").output == "on\n"
    assert session.run("set +e; echo off").output == "off\n"


def test_a_cell_that_was_stopped_costs_the_next_one_nothing(session: BashSession) -> None:
    session.run("false; echo b", stop_on_error=True)
    result = session.run("false; echo b", statements=True)
    assert in_short(result) == [("false", 1, ""), ("echo b", 0, "b\n")]
    assert session.run("echo on").output == "on\n"


def test_stopping_is_quiet_under_traces(session: BashSession) -> None:
    result = session.run("set -xv\nfalse; echo b\necho c", stop_on_error=True)
    assert result.exit_code == 1
    assert "__shellkernel" not in result.output
    assert "echo b\n" not in result.output.replace("false; echo b\n", "")


def test_clock_that_a_cell_has_made_something_else_is_no_error(session: BashSession) -> None:
    session.run("unset EPOCHREALTIME; EPOCHREALTIME=abc")
    result = session.run("echo hi\n(exit 3)", statements=True)
    assert [each.exit_code for each in result.statements or ()] == [0, 3]
