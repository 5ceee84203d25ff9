"""What stands in the margin of a cell's lines."""

from __future__ import annotations

from shellkernel.render.margin import Row, gaps, margin
from shellkernel.results import Result
from tests.unit.render.results_for_tests import make_record, make_result, make_statement, make_trace

LOOP = "for i in 1 2\ndo\n  test $i = 2\n  echo $i\ndone"


def drawn(result: Result) -> list[tuple[int, str | None, str]]:
    return [(row.number, row.tone, row.label) for row in margin(result)]


def test_each_line_has_its_statement_s_code_or_is_off() -> None:
    statements = (
        make_statement("a", 2),
        make_statement("b", 2, 3),
        make_statement("c\\\n d", 4, 1),
        make_statement("e", 6, None),
    )
    result = make_result(command="\na; b\n# no\nc\\\n d\ne\n", statements=statements)
    assert drawn(result) == [(2, "bad", "0 3"), (3, None, ""), (4, "bad", "1"), (5, "bad", ""), (6, "off", "·")]


def test_a_statement_that_did_not_end_is_neither_green_nor_red() -> None:
    cut = make_statement("sleep 9", 1, None, reached=True)
    assert drawn(make_result(command="sleep 9", statements=(cut,))) == [(1, "unsure", "?")]


def test_the_trace_tells_of_the_lines_inside_of_a_statement() -> None:
    trace = make_trace(
        make_record("test $i = 2", 3, 1, fate="swallowed"),
        make_record("echo $i", 4),
        make_record("test $i = 2", 3),
        make_record("echo $i", 4),
    )
    result = make_result(command=f"{LOOP}\n", statements=(make_statement(LOOP, 1),), trace=trace)
    assert drawn(result) == [
        (1, "good", "0"),
        (2, "good", ""),
        (3, "unsure", "1 0"),
        (4, "good", "0 0"),
        (5, "good", ""),
    ]


def test_a_line_inside_of_a_statement_that_did_not_run_is_off_if_the_trace_has_all() -> None:
    source = "if false; then\n  echo no\nelse\n  f() {\n    echo later\n  }\nfi"
    record = make_record("false", 1, 1, fate="swallowed")
    result = make_result(command=source, statements=(make_statement(source),), trace=make_trace(record))
    assert [tone for _, tone, _ in drawn(result)] == ["good", "off", *["good"] * 5]
    cut = make_result(command=source, statements=(make_statement(source),), trace=make_trace(record, omitted=1))
    assert "off" not in [tone for _, tone, _ in drawn(cut)]


def test_the_lines_of_a_function_that_the_cell_defines_have_codes_too() -> None:
    source = "f() {\n  ls nope >x\n  echo ok\n}"
    trace = make_trace(
        make_record("ls nope > x", 2, 2, depth=1, function="f", fate="swallowed"),
        make_record("echo other", 3, 1, depth=1, function="f"),
    )
    statements = (make_statement(source, 2), make_statement("f", 6))
    result = make_result(command=f"\n{source}\nf", statements=statements, trace=trace)
    assert drawn(result)[1:3] == [(3, "unsure", "2"), (4, "good", "")]


def test_a_command_whose_code_was_not_seen_is_neither_green_nor_red() -> None:
    source = "(\n  exec ls\n)"
    record = make_record("exec ls", 2, None, subshell=1)
    result = make_result(command=source, statements=(make_statement(source),), trace=make_trace(record))
    assert drawn(result)[1] == (2, "unseen", "?")


def test_the_head_of_a_loop_has_no_exit_code_to_be_seen() -> None:
    source = "{\n  for i in 1\n  do a; done\n}"
    trace = make_trace(make_record("for i in 1", 2, None), make_record("a", 3))
    result = make_result(command=source, statements=(make_statement(source),), trace=trace)
    assert drawn(result)[1:3] == [(2, "unseen", ""), (3, "good", "0")]


def test_many_equal_codes_are_counted() -> None:
    assert Row(number=1, text="", codes=[1, 1, 1, 1]).label == "1 x4"
    assert Row(number=1, text="", codes=[1, 0, 1, 1]).label == "1 0 1…"


def test_a_pipeline_has_its_elements_below_its_last_line() -> None:
    statement = make_statement("a <<E |\nx\nE\nb", 1, 2, pipestatus=(1, 2))
    rows = margin(make_result(command="a <<E |\nx\nE\nb", statements=(statement,)))
    assert [(each.text, each.code) for each in rows[-1].pipelines[0]] == [("a <<E", 1), ("b", 2)]


def test_the_elements_have_no_names_where_it_is_not_certain_which_pipeline_it_was() -> None:
    statement = make_statement("a | b || c | d", 1, 2, pipestatus=(1, 2))
    (row,) = margin(make_result(command="a | b || c | d", statements=(statement,)))
    assert [(each.text, each.code) for each in row.pipelines[0]] == [("", 1), ("", 2)]


def test_the_pipestatus_of_the_statement_before_is_not_drawn() -> None:
    statement = make_statement("if false; then :; fi", 1, 0, pipestatus=(1, 0))
    (row,) = margin(make_result(command="if false; then :; fi", statements=(statement,)))
    assert row.pipelines == []


def test_of_a_long_table_its_ends_and_what_failed_are_shown() -> None:
    assert gaps([False] * 100) == list(range(100))
    failed = [number in (500, 700) for number in range(10_000)]
    shown = gaps(failed)
    assert {0, 199, 500, 700, 9_940, 9_999} <= set(shown)
    assert len(shown) == 262
    assert len(gaps([True] * 10_000)) == 360
