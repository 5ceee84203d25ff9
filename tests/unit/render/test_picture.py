"""Statements and trace as HTML and as plain text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shellkernel.render import mimebundle
from shellkernel.render.explain import explain
from shellkernel.results import Result
from tests.unit.render.results_for_tests import make_record, make_result, make_statement, make_trace
from tests.unit.render.test_html import read

COMMAND = "cd /tmp\nls nope | sort\necho <never>"


def recorded(**changes: Any) -> Result:
    values: dict[str, Any] = {
        "command": COMMAND,
        "exit_code": 2,
        "pipestatus": (2, 0),
        "options": "himBs|",
        "statements": (
            make_statement("cd /tmp", 1),
            make_statement("ls nope | sort", 2, 2, pipestatus=(2, 0), started=0.001, duration=0.02),
            make_statement("echo <never>", 3, None),
        ),
        "trace": make_trace(
            make_record("cd /tmp", 1),
            make_record("ls $x", 2, 2, expanded="ls nope", subshell=1),
            make_record("sort", 2, subshell=1),
            make_record("false", 5, 1, function="f", depth=1, fate="swallowed", reason="a later command ran"),
        ),
    }
    return make_result(**{**values, **changes})


def test_the_plain_form() -> None:
    assert mimebundle(recorded())["text/plain"].split("\n") == [
        "exit code 2 · pipestatus 2 0 · 1.2 s",
        "✓ 0 │ 1  cd /tmp         1.0 ms",
        "✗ 2 │ 2  ls nope | sort  20 ms ▇▇▇▇▇▇▇▇",
        "    │      ls nope ✗2 | sort ✓0",
        "·   │ 3  echo <never>",
        "✓   0  line 1   cd /tmp",
        "✗   2  line 2     ls $x   → ls nope   ← decided the exit code",
        "✓   0  line 2     sort",
        "!   1  line 5     f: false   ← swallowed: a later command ran",
    ]


def test_the_face_has_all_of_it() -> None:
    reader = read(recorded())
    words = " ".join(reader.text.split())
    for part in (
        "✗ 2",
        "ls nope ✗ 2",
        "sort ✓ 0",
        "→ ls nope",
        "← decided the exit code",
        "← swallowed: a later command",
    ):
        assert part in words
    assert "that of ls $x (line 2, in a subshell)" in words  # why
    assert "echo <never>" in words
    assert ("title", "not reached") in reader.attributes


def test_the_face_fits_any_theme_and_has_no_script() -> None:
    reader = read(recorded())
    styles = " ".join(value for name, value in reader.attributes if name == "style")
    assert "#" not in styles
    assert "rgb(" not in styles
    assert "white" not in styles.replace("white-space", "")
    assert not any(name.startswith("on") for name, _ in reader.attributes)
    assert reader.tags <= {
        *("div", "span", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"),
    }


def test_what_came_from_outside_is_escaped() -> None:
    evil = '"><script>alert(1)</script>'
    record = make_record(evil, 1, 1, expanded=evil, function=evil, reason=evil, fate="swallowed")
    result = recorded(command=evil, statements=(make_statement(evil, 1, 1),), trace=make_trace(record, note=evil))
    assert "<script" not in mimebundle(result)["text/html"]


def test_a_huge_trace_makes_a_bounded_face_that_says_what_is_left_out() -> None:
    records = [make_record("true" if n % 1000 else "false", 1, int(n % 1000 == 0)) for n in range(10_000)]
    bundle = mimebundle(recorded(trace=make_trace(*records, omitted=90_000)))
    assert len(bundle["text/html"]) < 500_000
    assert "commands …" in bundle["text/plain"]
    for text in bundle.values():
        assert "90,000 commands beyond the limit" in text
        assert text.count("false") >= 10


@pytest.mark.slow
def test_a_long_cell_makes_a_bounded_face() -> None:
    statements = [make_statement("true", n + 1) for n in range(5_000)]
    bundle = mimebundle(recorded(command="true\n" * 5_000, statements=tuple(statements), trace=None))
    assert len(bundle["text/html"]) < 500_000
    assert "4,740 lines" in bundle["text/html"]


def test_nothing_recorded_and_all_well_is_one_line() -> None:
    bundle = mimebundle(make_result())
    assert "\n" not in bundle["text/plain"]
    assert "<table" not in bundle["text/html"]
    assert "<details" not in bundle["text/html"]


def test_no_statement_and_no_record_is_no_error() -> None:
    bundle = mimebundle(recorded(command="# only\n", statements=(), trace=make_trace(), exit_code=0, pipestatus=(0,)))
    assert "# only" in bundle["text/html"]


def test_a_failure_without_records_says_why_on_a_click() -> None:
    text = read(make_result(exit_code=127, output="bash: x: command not found")).text
    assert "bash gives 127 for a command that it did not find" in text


def test_a_pipeline_s_elements_are_joined_as_they_were_written() -> None:
    statement = make_statement("a |& b | c", 1, 0, pipestatus=(1, 0, 0))
    bundle = mimebundle(recorded(command="a |& b | c", statements=(statement,), trace=None))
    assert bundle["text/plain"].endswith("a ✗1 |& b ✓0 | c ✓0")


def test_a_very_long_line_is_cut() -> None:
    line = f"echo {'x' * 100_000}"
    bundle = mimebundle(recorded(command=line, statements=(make_statement(line),), trace=None))
    assert all(len(text) < 10_000 for text in bundle.values())


CODES = st.one_of(st.none(), st.sampled_from([0, 1, 124, 126, 127, 130, 141, 143, 255]))
TEXTS = st.text(alphabet="a|&;\n<>`'\"$(){} é", max_size=30)
STATEMENTS = st.builds(
    make_statement,
    TEXTS,
    st.integers(1, 9),
    CODES,
    reached=st.booleans(),
    pipestatus=st.lists(st.integers(0, 255), max_size=4).map(tuple),
    duration=st.one_of(st.none(), st.just(0.0), st.floats(0, 1e5)),
)
RECORDS = st.builds(
    make_record,
    TEXTS,
    st.integers(0, 9),
    CODES,
    depth=st.integers(0, 3),
    fate=st.sampled_from(["", "succeeded", "decided", "swallowed", "failed"]),
    reason=TEXTS,
    duration=st.one_of(st.none(), st.floats(0, 1e5)),
)


@pytest.mark.slow
@given(
    command=TEXTS,
    code=CODES,
    statements=st.one_of(st.none(), st.lists(STATEMENTS, max_size=4).map(tuple)),
    records=st.lists(RECORDS, max_size=4),
    options=st.sampled_from(["", "himBs", "ehimuBs|"]),
)
def test_any_result_has_a_face(command: str, code: int | None, statements: Any, records: Any, options: str) -> None:
    trace = make_trace(*records) if records else None
    result = make_result(command=command, exit_code=code, statements=statements, trace=trace, options=options)
    read(result)
    assert mimebundle(result)["text/plain"].startswith(("exit code", "no exit code"))
    assert explain(result)


def test_how_a_command_ran_is_shown_where_something_was_expanded() -> None:
    records = (
        make_record('echo "a  b" >f', expanded="echo 'a  b'"),
        make_record("x=$y", expanded="x=5"),
        make_record("echo *", expanded="echo a b"),
        make_record("echo $'it\\'s'", expanded="echo 'it'\\''s'"),
    )
    lines = mimebundle(recorded(statements=None, trace=make_trace(*records)))["text/plain"].split("\n")[1:]
    assert ["→" in line for line in lines] == [False, True, True, True]
