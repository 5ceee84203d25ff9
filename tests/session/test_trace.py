"""A cell's trace beside the table: its limits, what it leaves behind, and what it has to keep its hands off."""

from __future__ import annotations

import os

import pytest

from shellkernel import BashSession, Result
from shellkernel.results import TraceRecord
from tests.session.watching import wait_until

__all__ = ()

pytestmark = pytest.mark.bashes

LEFT = 'echo "$- ${PS4@Q} ${BASH_XTRACEFD-unset}"; [[ -e /dev/fd/247 ]] || echo closed'
"""A cell that says whether anything of a trace is left."""
UNTOUCHED = "himBs '+ ' unset\nclosed\n"


def records(result: Result) -> tuple[TraceRecord, ...]:
    """Return what was traced."""
    assert result.trace is not None
    return result.trace.records


def commands(result: Result) -> list[str]:
    """Return the commands as they were expanded."""
    return [record.expanded for record in records(result)]


def test_nothing_is_traced_unless_asked_for(session: BashSession) -> None:
    result = session.run("true", statements=True)
    assert result.trace is None
    assert session.run("true", trace=True).statements is None


def test_commands_are_told_as_written_and_as_expanded(session: BashSession) -> None:
    result = session.run("x='a b'; printf '<%s>' \"$x\" $x 'c\nd' \"$(echo e)\"", trace=True)
    *_, printed = (record for record in records(result) if not record.subshell)
    assert printed.command.startswith("printf '<%s>' \"$x\" $x")
    assert printed.expanded.startswith("printf '<%s>' 'a b' a b ")
    assert printed.exit_code == 0
    assert result.output == "<a b><a><b><c\nd><e>"


def test_lines_depths_functions_and_subshells_are_told(session: BashSession) -> None:
    session.run("outer() {\n  inner\n}\ninner() { (true) ; }")
    result = session.run("\ntrue\nouter", trace=True)
    told = [(each.command, each.line, each.depth, each.function, each.subshell) for each in records(result)]
    assert told[0] == ("true", 2, 0, "", 0)
    assert told[1] == ("outer", 3, 0, "", 0)
    assert [each[2:] for each in told[2:]] == [(1, "outer", 0), (2, "inner", 1)]
    assert records(result)[0].process == session.pid != records(result)[-1].process


def test_times_are_told(session: BashSession) -> None:
    result = session.run("sleep 0.05; true", trace=True)
    sleep, last = records(result)
    assert sleep.duration is not None
    assert 0.05 <= sleep.duration < 5
    assert last.started >= sleep.started + sleep.duration - 0.001
    assert last.started < result.duration


def test_commands_beyond_the_limit_are_counted(session: BashSession) -> None:
    result = session.run("for ((i = 0; i < 100; i++)); do :; done; false", trace=True, trace_limit=10)
    assert result.trace is not None
    assert (len(result.trace.records), result.trace.omitted) == (10, 293)
    result = session.run("true; false", trace=True, trace_limit=0)
    assert result.trace is not None
    assert (result.trace.records, result.trace.omitted) == ((), 2)
    with pytest.raises(ValueError, match="trace_limit"):
        session.run("true", trace=True, trace_limit=-1)


def test_a_loop_without_an_end_is_stopped_by_its_limit(session: BashSession) -> None:
    result = session.run("while :; do :; done", trace=True, timeout=0.5, trace_limit=100)
    assert result.end_reason == "timed_out"
    assert result.trace is not None
    assert len(result.trace.records) == 100
    assert result.trace.omitted > 100
    assert session.run(LEFT).output == UNTOUCHED


@pytest.mark.parametrize(
    "cell",
    ["true", "false | true", "kill -INT $$; sleep 5", "set -u; echo $none; true", "(exit 3)", "return 2>/dev/null"],
)
def test_nothing_is_left_behind(cell: str, session: BashSession) -> None:
    session.run(cell, trace=True)
    session.run("set +u")
    assert session.run(LEFT).output == UNTOUCHED


def test_nothing_is_left_after_an_interrupt(session: BashSession) -> None:
    job = session.start("echo ready; sleep 60; echo no", trace=True)
    wait_until(lambda: "ready" in job.output, "output")
    job.interrupt()
    assert [record.expanded for record in records(job.result(10))] == ["echo ready", "sleep 60"]
    assert session.run(LEFT).output == UNTOUCHED


@pytest.mark.parametrize("cell", ["exit 3", "set -e; false; true", "kill -9 $$", "exec true"])
def test_the_next_shell_inherits_nothing(cell: str, session: BashSession) -> None:
    session.run("PS4='> '; export kept=1")  # exports are saved at once, for a shell that is killed
    result = session.run(cell, trace=True)
    assert result.end_reason == "session_ended"
    assert records(result)
    left = session.run('set +e; echo "$kept $- ${PS4@Q} ${BASH_XTRACEFD-unset}"; [[ -e /dev/fd/247 ]] || echo closed')
    assert left.output == "1 himBs '> ' unset\nclosed\n"
    assert commands(session.run("echo again", trace=True)) == ["echo again"]


@pytest.mark.parametrize("ps4", ["'> '", "''", "'${LINENO}: '"])
def test_the_users_ps4_is_back(ps4: str, session: BashSession) -> None:
    session.run(f"PS4={ps4}")
    before = session.run("set -x; echo a; set +x").output
    session.run("true", trace=True)
    assert session.run("set -x; echo a; set +x").output == before
    session.run("unset PS4")
    session.run("true", trace=True)
    assert session.run("echo ${PS4-unset}").output == "unset\n"


def test_traces_of_the_cell_are_its_own(session: BashSession) -> None:
    cell = "true\nset -x\necho a\nset +x\nfalse"
    result = session.run(cell, trace=True)
    assert result.output == session.run(cell).output == "++ echo a\na\n++ set +x\n"
    assert commands(result) == ["true"]
    assert result.trace is not None
    assert "line 2" in result.trace.note
    result = session.run("set -x; true", trace=True)
    assert (result.output, commands(result)) == ("++ true\n", [])
    result = session.run("echo b", trace=True)
    assert result.output == "++ echo b\nb\n"
    assert result.trace is not None
    assert "nothing is traced" in result.trace.note


def test_descriptors_of_the_cell_are_its_own(session: BashSession) -> None:
    cell = "exec {fd}>/dev/null; echo $fd; exec {fd}>&-; exec 247>&1; echo to >&247; exec 247>&-"
    assert session.run(cell, trace=True).output == session.run(cell).output == "10\nto\n"
    session.run("exec 247>&1")
    result = session.run("echo a", trace=True)
    assert (result.output, commands(result)) == ("a\n", [])
    assert result.trace is not None
    assert "247" in result.trace.note
    assert session.run("exec 5>&2 247>&-; BASH_XTRACEFD=5; echo b", trace=True).output == "b\n"
    assert session.run("true; echo >&5; echo $BASH_XTRACEFD", trace=True).output == "\n5\n"


def test_a_function_that_turns_it_off_is_told_of(session: BashSession) -> None:
    session.run("quiet() { set +x; }; loud() { set -x; : a; set +x; }")
    result = session.run("true; quiet; false", trace=True)
    assert commands(result) == ["true"]
    result = session.run("true; loud", trace=True)
    assert result.output == session.run("loud").output
    assert "+ : a" in result.output
    assert result.trace is not None
    assert "nothing is traced from line 1 on" in result.trace.note
    result = session.run("true; eval 'set'' +x; true'", trace=True)
    assert result.trace is not None
    assert "turned `set -x` on or off" in result.trace.note
    assert session.run(LEFT).output == UNTOUCHED


def test_a_background_job_outlives_the_trace(session: BashSession, tmp_path: object) -> None:
    file = f"{tmp_path}/done"
    session.run(f"for i in 1 2 3; do sleep 0.1; : $i; done && echo done >{file} &", trace=True)
    assert commands(session.run("true", trace=True)) == ["true"]
    session.run("wait")
    with open(file) as done:
        assert done.read() == "done\n"


def test_options_and_separators_of_the_cell_do_no_harm(session: BashSession) -> None:
    result = session.run('set -euf -o pipefail -k\nIFS=\n: a\nset -- x y\n: "$*"\nIFS=,\n: "$*"', trace=True)
    assert (result.output, result.exit_code) == ("", 0)
    assert [record.exit_code for record in records(result)] == [0] * 7
    assert commands(result)[-1] == ": x,y"


def test_declarations_are_told_once_and_digits_may_separate(session: BashSession) -> None:
    result = session.run("export a=1 b='2 3'; readonly c=4; export d; IFS=0123456789; false; true | true", trace=True)
    assert [record.expanded for record in records(result) if not record.subshell] == [
        "export a=1 'b=2 3'",
        "readonly c=4",
        "export d",
        "IFS=0123456789",
        "false",
    ]
    assert [record.exit_code for record in records(result)] == [0, 0, 0, 0, 1, 0, 0]
    assert result.trace is not None
    assert result.trace.note == ""


def test_streams_that_are_apart_stay_clean(bash: str) -> None:
    with BashSession(shell=bash, stderr="split") as session:
        result = session.run("echo out; echo err >&2", trace=True)
        assert (result.output, result.stderr) == ("out\n", "err\n")
        assert commands(result) == ["echo out", "echo err"]


def test_huge_arguments_and_many_processes_are_told_whole(session: BashSession) -> None:
    result = session.run("x=$(printf '%100000s' '' | tr ' ' z); : $x", trace=True)
    assert len(commands(result)[-1]) == 100_002
    result = session.run("for i in 1 2 3 4 5; do (for j in 1 2 3 4 5; do : $i $j; done) & done; wait", trace=True)
    assert len([each for each in records(result) if each.expanded.startswith(": ")]) == 25


def test_it_goes_with_statements_and_stopping(session: BashSession) -> None:
    result = session.run("true\nfalse\necho no", trace=True, stop_on_error=True)
    assert commands(result) == ["true", "false"]
    assert [record.fate for record in records(result)] == ["succeeded", "decided"]
    assert result.statements is not None
    assert [each.exit_code for each in result.statements] == [0, 1, None]
    assert session.run(LEFT).output == UNTOUCHED


def test_a_command_that_goes_on_has_a_trace_so_far(session: BashSession) -> None:
    result = session.run("true; sleep 60", trace=True, timeout=1, on_timeout="keep")
    assert commands(result)[:1] == ["true"]
    assert result.job is not None
    result.job.interrupt()
    result.job.result(10)
    assert session.run(LEFT).output == UNTOUCHED


def test_a_result_with_all_of_it_can_be_kept(session: BashSession) -> None:
    result = session.run("false | true; f() { return 3; }; f", trace=True, statements=True)
    assert Result.from_dict(result.to_dict()) == result
    assert session.history[-1].trace is None


def test_functions_of_a_file_are_traced(session: BashSession, tmp_path: object) -> None:
    file = f"{tmp_path}/lib.sh"
    with open(file, "w") as library:
        library.write("helper() {\n  false || return 4\n}\n")
    session.run(f". {file}")
    result = session.run("helper", trace=True)
    assert [(each.command, each.exit_code) for each in records(result)] == [
        ("helper", 4),
        ("false", 1),
        ("return 4", 4),
    ]
    assert os.path.exists(file)


@pytest.mark.parametrize("options", ["set -u", "set -euo pipefail", "set -u; unset PS4", "set -fk", "set -o posix"])
def test_options_of_the_session_do_not_keep_it_from_being_traced(session: BashSession, options: str) -> None:
    session.run(options)
    result = session.run("false || true\n(exit 3) || true", trace=True)
    assert [(each.command, each.exit_code) for each in records(result)] == [
        ("false", 1),
        ("true", 0),
        ("exit 3", 3),
        ("true", 0),
    ]


def test_trace_that_finds_no_descriptor_shows_nothing_in_the_output(session: BashSession) -> None:
    session.run("ulimit -n 200")
    result = session.run("echo a", trace=True)
    assert result.output == "a\n"
    assert result.trace is not None
    assert "descriptor 247" in result.trace.note
