"""`Result.explain`: what was recorded as a fact, what a number means as bash's rule or a convention, and no guess."""

from __future__ import annotations

from typing import Any

import pytest

from shellkernel.render.explain import explain
from tests.unit.render.results_for_tests import make_record, make_result, make_statement, make_trace


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"command": "true"}, "Exit code 0: that of its one command, `true`."),
        (
            {"command": "a\nb", "exit_code": 3},
            "Exit code 3: that of the last command that ran; which that was is recorded",
        ),
        ({"command": "a &"}, "that of starting a command in the background"),
        ({"command": "a", "exit_code": 1}, "By convention: failed, or the answer is no."),
        (
            {"exit_code": 127, "output": "bash: x: command not found\n"},
            "that it did not find; the output has the line `bash: x: command not found`.",
        ),
        ({"exit_code": 127}, "a program can also choose the number itself"),
        (
            {"exit_code": 126, "output": "bash: /etc: Is a directory"},
            "could not run; the output has the line `bash: /etc",
        ),
        ({"exit_code": 143}, "143 is 128 + 15: bash gives it for a command that SIGTERM ended. A program can also"),
        ({"exit_code": 143, "output": "Terminated\n"}, "the output has bash's word for that, `Terminated`."),
        (
            {"exit_code": 139, "output": "Segmentation fault (core dumped)"},
            "bash's word for that, `Segmentation fault`",
        ),
        (
            {"exit_code": 130, "end_reason": "timed_out", "note": "its timeout of 2 s was over"},
            "Timed out: its timeout of 2 s was over. Exit code 130.\n130 is 128 + 2: bash gives it for",
        ),
        ({"exit_code": 130, "end_reason": "interrupted"}, "and SIGINT is what it was interrupted with."),
        ({"exit_code": None, "end_reason": "timed_out"}, "No exit code has arrived. Timed out."),
        ({"command": "timeout 1 x", "exit_code": 124}, "timeout(1) ran (the cell is that command): it gives 124"),
        ({"command": "f() { timeout 1 x; }; f", "exit_code": 124}, "124 as timeout(1) uses it"),
        ({"command": "echo timeout 1 x", "exit_code": 124}, "Whether one has given it here was not seen."),
        (
            {"exit_code": 1, "output": "bash: x: unbound variable"},
            "The output has the line `bash: x: unbound variable`",
        ),
        ({"exit_code": 2, "output": "bash: eval: line 2: syntax error: unexpected end"}, "could not parse"),
        (
            {"note": "bash ended with exit code 3", "exit_code": 3, "end_reason": "session_ended"},
            "The session ended: bash",
        ),
        ({"exit_code": 0, "note": "something besides"}, "\nSomething besides."),
        ({"exit_code": 200}, "Exit code 200: that of its one command, `make`."),
    ],
)
def test_the_words(changes: dict[str, Any], expected: str) -> None:
    assert expected in explain(make_result(**changes))


def test_a_code_without_a_convention_is_given_none() -> None:
    assert explain(make_result(exit_code=200)).count("\n") == 0


@pytest.mark.parametrize(
    ("options", "codes", "code", "expected"),
    [
        (
            "himBs",
            (1, 3, 0),
            0,
            "`pipefail` is off: a pipeline's exit code is that of the last element; elements 1 and 2 did",
        ),
        (
            "himBs|",
            (1, 3, 0),
            3,
            "`pipefail` is on: a pipeline's exit code is that of the last element that failed; element 1",
        ),
        ("himBs|", (0, 3, 0), 3, "the last element that failed.\n"),
        ("himBs", (0, 1), 0, "the last element, 1 here; a `!` before it, or what came behind it, made it 0."),
        ("himBs", (141, 0), 0, "141 in a pipe is 128 + 13, SIGPIPE by convention"),
        ("himBs", (0, 0), 0, "The elements of the last pipeline gave 0 0.\n"),
    ],
)
def test_pipelines(options: str, codes: tuple[int, ...], code: int, expected: str) -> None:
    result = make_result(command="x", options=options, pipestatus=codes, exit_code=code)
    assert expected in explain(result) + "\n"


def test_without_the_options_nothing_is_said_of_pipefail() -> None:
    assert "pipefail" not in explain(make_result(pipestatus=(1, 0)))


def test_an_element_is_named_where_it_is_certain_which_pipeline_it_was() -> None:
    assert "Element 1, `a <<E`, failed" not in explain(make_result(pipestatus=(1, 0), command="a | b; x"))
    assert "Element 1, `a -x`, failed with 1." in explain(make_result(pipestatus=(1, 0), command="c || ! a -x | b"))
    assert "Element 1 failed with 1." in explain(make_result(pipestatus=(1, 0), command="a | b || c | d"))
    assert "Element 1 failed with 1." in explain(make_result(pipestatus=(1, 0), command="a | b; c"))
    assert "Element 1 failed with 1." in explain(make_result(pipestatus=(1, 0), command="{ c | d; } || a | b"))


def test_statements_say_which_one_it_was_and_what_failed_before() -> None:
    statements = (
        make_statement("a", 1, 4),
        make_statement("b\nc", 2, 1),
        make_statement("d", 4, None),
        make_statement("e"),
    )
    text = explain(make_result(exit_code=1, command="a\nb\nc\nd", statements=statements[:3]))
    assert text.startswith("Exit code 1: that of the last statement that ran, `b …` (lines 2 to 3).\n")
    assert "Failures that the exit code does not show:\n  line 1: `a` gave 4\n" in text
    assert "One statement was not reached, from line 4 on: `d`." in text


def test_a_statement_that_did_not_end_is_named() -> None:
    cut = make_statement("sleep 60", 2, None, reached=True)
    text = explain(make_result(exit_code=130, end_reason="interrupted", statements=(make_statement("a"), cut)))
    assert text.startswith("Interrupted. Exit code 130: `sleep 60` (line 2) did not come to its end.")


def test_a_trace_says_which_command_and_what_was_swallowed() -> None:
    trace = make_trace(
        make_record("grep x f", 1, 1, fate="swallowed", reason="condition of if"),
        make_record("false", 3, 1, fate="swallowed", reason="a later command ran", function="f", depth=1),
        make_record("ls nope", 4, 2, subshell=1),
        omitted=5,
        note="blind from line 9 on",
    )
    text = explain(make_result(exit_code=2, command="…", trace=trace, options="ehimBs"))
    assert text.split("\n") == [
        "Exit code 2: that of `ls nope` (line 4, in a subshell).",
        "By convention: failed; often wrong usage.",
        "Failures that the exit code does not show:",
        "  line 1: `grep x f` gave 1 (condition of if)",
        "  line 3 of function f: `false` gave 1 (a later command ran)",
        "`set -e` is on at the cell's end. It ends the shell at a failure, but not at these:",
        "  line 1: `grep x f`, condition of if",
        "5 commands beyond the trace's limit are not known here.",
        "The trace: blind from line 9 on.",
    ]


def test_a_timeout_seen_in_the_trace_is_a_fact() -> None:
    trace = make_trace(make_record("timeout $n x", 7, 124, expanded="/usr/bin/timeout 1 x"))
    assert "timeout(1) ran (line 7): it gives 124" in explain(make_result(exit_code=124, command="f", trace=trace))
    trace = make_trace(make_record("timeout 1 x", 7, 0), make_record("y", 8, 124))
    assert "was not seen" in explain(make_result(exit_code=124, command="f", trace=trace))


def test_set_e_that_let_a_failure_pass_is_told_as_its_rule() -> None:
    text = explain(make_result(exit_code=1, command="f", options="ehimBs"))
    assert text.endswith("all elements of a pipeline but the last).")
    assert "set -e" not in explain(make_result(exit_code=1, options="himBs"))


def test_a_long_list_of_failures_is_cut() -> None:
    records = [make_record("false", n, 1, fate="swallowed", reason="r") for n in range(20)]
    text = explain(make_result(trace=make_trace(*records)))
    assert text.count("`false` gave 1") == 8
    assert "  and 12 more" in text


def test_words_of_another_statement_bear_nothing_out() -> None:
    killed = make_statement("bash -c 'kill $$'", 1, 143, output="Terminated\n")
    number = make_statement("(exit 143)", 2, 143)
    result = make_result(exit_code=143, output="Terminated\n", statements=(killed, number))
    assert "`Terminated`" not in explain(result)
    assert "`Terminated`" in explain(make_result(exit_code=143, output="Terminated\n", statements=(killed,)))
