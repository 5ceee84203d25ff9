"""A Result in plain lines."""

from __future__ import annotations

import re

import pytest

from shellkernel.render import duration_text, summary, traceback_lines
from shellkernel.results import Result
from tests.unit.render.results_for_tests import make_result


def plain_lines(result: Result) -> list[str]:
    return [re.sub(r"\x1b\[\d*m", "", line) for line in traceback_lines(result)]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.0 ms"),
        (0.00043, "0.4 ms"),
        (0.012, "12 ms"),
        (0.9996, "1.0 s"),
        (1.23, "1.2 s"),
        (59.96, "1 min 00 s"),
        (123.4, "2 min 03 s"),
        (3599.7, "1 h 00 min"),
        (3725, "1 h 02 min"),
    ],
)
def test_durations_read_as_a_person_says_them(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_summary_of_a_good_command_is_short() -> None:
    assert summary(make_result()) == "exit code 0 · 1.2 s"


def test_summary_tells_the_pipestatus_of_a_pipeline() -> None:
    assert summary(make_result(exit_code=3, pipestatus=(0, 3))) == "exit code 3 · pipestatus 0 3 · 1.2 s"


def test_summary_begins_with_an_unusual_end() -> None:
    assert summary(make_result(end_reason="timed_out", exit_code=130)) == "timed out · exit code 130 · 1.2 s"
    ended = make_result(end_reason="session_ended", exit_code=None, pipestatus=())
    assert summary(ended) == "the session ended · no exit code · 1.2 s"


def test_an_error_always_has_a_readable_line() -> None:
    assert plain_lines(make_result(exit_code=3, pipestatus=(3,))) == ["exit code 3: failed"]
    assert plain_lines(make_result(exit_code=143)) == ["exit code 143: ended by SIGTERM (15)"]


def test_not_found_is_a_fact_only_where_bash_said_so() -> None:
    said = make_result(exit_code=127, output="bash: nope: command not found\n")
    assert plain_lines(said) == ["exit code 127: command not found"]
    assert plain_lines(make_result(exit_code=127)) == [
        "exit code 127: command not found (unless a program chose this code itself)"
    ]
    split = make_result(exit_code=127, stderr="bash: nope: command not found\n")
    assert plain_lines(split) == ["exit code 127: command not found"]


def test_an_error_names_the_element_that_failed() -> None:
    lines = plain_lines(make_result(exit_code=1, pipestatus=(141, 0, 1)))
    assert lines[1].startswith("pipestatus 141 0 1 (element 1 ended by SIGPIPE (13)")
    assert plain_lines(make_result(exit_code=3, pipestatus=(0, 3)))[1] == "pipestatus 0 3"


def test_an_error_tells_how_it_ended() -> None:
    assert plain_lines(make_result(exit_code=130, end_reason="timed_out")) == [
        "exit code 130: interrupted (SIGINT) · timed out after 1.2 s"
    ]
    assert plain_lines(make_result(exit_code=130, end_reason="interrupted")) == ["exit code 130: interrupted (SIGINT)"]
    ended = make_result(exit_code=None, end_reason="session_ended", note="`exit 3` ended bash")
    assert plain_lines(ended) == ["the session ended, no exit code", "`exit 3` ended bash"]


def test_an_error_says_where_the_rest_of_the_output_is() -> None:
    lines = plain_lines(make_result(exit_code=1, omitted=12345, output_path="/tmp/all"))
    assert lines[-1] == "12,345 bytes of the output are left out; all of it is in /tmp/all"
