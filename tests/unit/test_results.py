"""Results as values: the same after JSON and pickle, statements and trace included."""

from __future__ import annotations

import json
import pickle

from shellkernel.results import Result
from tests.unit.render.results_for_tests import make_record, make_result, make_statement, make_trace

__all__ = ()

RECORDED = make_result(
    command="a\nb",
    raw=b"\xff\x00",
    exit_code=1,
    pipestatus=(0, 1),
    options="himBs|",
    statements=(make_statement("a", 1, 3, pipestatus=(1, 3)), make_statement("b", 2, None)),
    trace=make_trace(make_record("a", 1, 3), make_record("b", 2, None), omitted=7, note="blind"),
)


def test_json_keeps_all_of_it() -> None:
    assert Result.from_dict(json.loads(json.dumps(RECORDED.to_dict()))) == RECORDED


def test_pickle_keeps_all_of_it() -> None:
    assert pickle.loads(pickle.dumps(RECORDED)) == RECORDED


def test_a_result_from_before_there_were_options_is_read() -> None:
    values = RECORDED.to_dict()
    del values["options"]
    assert Result.from_dict(values).options == ""
