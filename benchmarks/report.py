"""The table in Markdown, and the same as JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.model import Benchmark, Figure, Outcome, Target, Verdict, judge

__all__ = ("as_json", "markdown", "quantity", "summary")

Results = Sequence[tuple[Benchmark, Outcome]]


def markdown(machine: Mapping[str, str], results: Results) -> str:
    """Return the whole report."""
    where = "; ".join(f"{name}: {value}" for name, value in machine.items())
    parts = [
        f"Measured in one run. {where}.",
        "| what | target | reached | |\n| --- | --- | --- | --- |\n" + "\n".join(_target_rows(results)),
        "| what | who | median | 95th percentile | n |\n| --- | --- | ---: | ---: | ---: |\n"
        + "\n".join(_figure_rows(results)),
    ]
    if absent := list(_absent(results)):
        parts.append("Not measured:\n\n" + "\n".join(absent))
    return "\n\n".join(parts) + "\n"


def summary(benchmark: Benchmark, outcome: Outcome) -> str:
    """Return a few lines for a person who waits."""
    lines = [f"{benchmark.name}: {benchmark.title}"]
    lines += [f"    {figure.name:36} {_median(figure):>12} {_p95(figure):>12}" for figure in outcome.figures]
    lines += [f"    {name:36} {reason}" for name, reason in outcome.missing.items()]
    for target in benchmark.targets:
        verdict = judge(outcome, target)
        lines.append(f"    {target.text:36} {_reached(outcome, verdict)}: {_word(verdict)}")
    return "\n".join(lines)


def as_json(machine: Mapping[str, str], results: Results) -> dict[str, Any]:
    """Return everything that was measured."""
    return {
        "machine": dict(machine),
        "benchmarks": {benchmark.name: _benchmark_json(benchmark, outcome) for benchmark, outcome in results},
    }


def quantity(value: float, unit: str) -> str:
    """Write a value with a unit that a person can read."""
    match unit:
        case "s":
            return f"{value:.3g} s" if value >= 1 else f"{value * 1e3:.3g} ms"
        case "B":
            return f"{value / 1e6:.3g} MB"
        case "B/s":
            return f"{value / 1e6:.3g} MB/s"
        case _:
            return f"{value:.4g} {unit}".rstrip()


def _target_rows(results: Results) -> Iterator[str]:
    for benchmark, outcome in results:
        for target in benchmark.targets:
            verdict = judge(outcome, target)
            yield f"| {benchmark.title} | {target.text} | {_reached(outcome, verdict)} | {_word(verdict)} |"


def _figure_rows(results: Results) -> Iterator[str]:
    for benchmark, outcome in results:
        for figure in outcome.figures:
            cells = (benchmark.title, figure.name, _median(figure), _p95(figure), str(len(figure.values)))
            yield f"| {' | '.join(cells)} |"


def _absent(results: Results) -> Iterator[str]:
    for benchmark, outcome in results:
        for name, reason in outcome.missing.items():
            yield f"- {benchmark.title}: {name}: {reason}"


def _median(figure: Figure) -> str:
    return quantity(figure.median, figure.unit)


def _p95(figure: Figure) -> str:
    return quantity(figure.p95, figure.unit) if len(figure.values) > 1 else ""


def _reached(outcome: Outcome, verdict: Verdict) -> str:
    if verdict.value is None:
        return "—"
    if verdict.target.relative_to is not None:
        return f"{verdict.value:.3g} times"
    figure = outcome.figure(verdict.target.of)
    return quantity(verdict.value, figure.unit if figure is not None else "")


def _word(verdict: Verdict) -> str:
    if verdict.met is None:
        return "not measured"
    return "met" if verdict.met else f"not met, by {verdict.miss:.0%}"


def _benchmark_json(benchmark: Benchmark, outcome: Outcome) -> dict[str, Any]:
    return {
        "title": benchmark.title,
        "figures": {figure.name: _figure_json(figure) for figure in outcome.figures},
        "targets": [_target_json(target, judge(outcome, target)) for target in benchmark.targets],
        "missing": dict(outcome.missing),
    }


def _figure_json(figure: Figure) -> dict[str, Any]:
    return {"unit": figure.unit, "median": figure.median, "p95": figure.p95, "rounds": figure.rounds}


def _target_json(target: Target, verdict: Verdict) -> dict[str, Any]:
    return {"text": target.text, "value": verdict.value, "met": verdict.met, "miss": verdict.miss}
