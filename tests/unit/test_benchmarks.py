"""The benchmarks can be asked for, and judge what they measured. Nothing is measured here."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING

import pytest

import benchmarks
from benchmarks.__main__ import options
from benchmarks.lines import BENCHMARKS
from benchmarks.model import Figure, NotHere, Outcome, Target, judge
from benchmarks.race import Action, Contestant, race
from benchmarks.report import as_json, markdown

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ()

NAMES = [module.name for module in walk_packages(benchmarks.__path__, "benchmarks.")]


@pytest.mark.parametrize("name", NAMES)
def test_every_module_imports_without_the_alternatives(name: str) -> None:
    assert isinstance(import_module(name).__all__, tuple)


def test_every_name_is_given_once() -> None:
    names = [benchmark.name for benchmark in BENCHMARKS]
    assert len(set(names)) == len(names)


def test_every_target_has_one_limit() -> None:
    for benchmark in BENCHMARKS:
        for target in benchmark.targets:
            assert (target.at_most is None) != (target.at_least is None), target.text


def test_options_are_read() -> None:
    chosen = options(["--quick", "--only", "import", "--only", "round-trip", "--json", "out.json"])
    assert chosen.quick
    assert [benchmark.name for benchmark in chosen.only] == ["import", "round-trip"]
    assert chosen.json == Path("out.json")
    assert options([]).only is None


def test_unknown_name_is_an_error_that_lists_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        options(["--only", "speed"])
    said = capsys.readouterr().err
    assert "there is no benchmark 'speed'" in said
    assert all(benchmark.name in said for benchmark in BENCHMARKS)


@contextmanager
def _counting() -> Iterator[Action]:
    values = iter(range(100))
    yield lambda: float(next(values))


@contextmanager
def _missing() -> Iterator[Action]:
    def action() -> float:
        raise NotHere("not installed")

    yield action


@contextmanager
def _failing_later() -> Iterator[Action]:
    values = iter([0.0, 1.0])

    def action() -> float:
        for value in values:
            return value
        raise NotHere("it stopped")

    yield action


def test_race_leaves_the_first_action_out_and_names_who_is_missing() -> None:
    outcome = race(
        [
            Contestant(name="one", open=_counting, calls=2),
            Contestant(name="two", open=_missing),
            Contestant(name="three", open=_failing_later),
        ],
        rounds=2,
    )
    assert outcome.figures == (Figure("one", ((1.0, 2.0), (3.0, 4.0))), Figure("three", ((1.0,),)))
    assert outcome.missing == {"two": "not installed", "three": "it stopped (in round 2 of 2)"}


def test_ratio_is_the_median_of_the_rounds_ratios() -> None:
    outcome = Outcome((Figure("ours", ((1.0,), (20.0,), (3.0,))), Figure("floor", ((1.0,), (10.0,), (1.0,)))))
    verdict = judge(outcome, Target(text="≤ 1.5 times", of="ours", relative_to="floor", at_most=1.5))
    assert verdict.value == 2.0
    assert verdict.met is False
    assert verdict.miss == pytest.approx(1 / 3)


def test_target_without_its_figure_is_not_measured() -> None:
    verdict = judge(Outcome(()), Target(text="≤ 1 s", of="ours", at_most=1.0))
    assert verdict.value is None
    assert verdict.met is None


def test_percentile_is_a_value_that_was_measured() -> None:
    figure = Figure("ours", (tuple(float(number) for number in range(1, 21)),))
    assert figure.p95 == 19.0
    assert figure.median == 10.5


def test_report_says_what_was_met_and_what_is_missing() -> None:
    benchmark = BENCHMARKS[0]
    target = benchmark.targets[0]
    figures = (Figure(target.of, ((0.002,),)), Figure(target.relative_to or "", ((0.001,),)))
    results = [(benchmark, Outcome(figures, {"SWE-ReX LocalRuntime": "not installed"}))]
    report = markdown({"bash": "5.2"}, results)
    assert f"| {benchmark.title} | {target.text} | 2 times | not met, by 33% |" in report
    assert "not measured" in report
    assert "SWE-ReX LocalRuntime: not installed" in report
    assert as_json({}, results)["benchmarks"][benchmark.name]["targets"][0]["met"] is False
