"""`python -m benchmarks`: measure, and print the report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.lines import BENCHMARKS
from benchmarks.machine import compile_packages, describe
from benchmarks.model import Benchmark, Effort, NotHere, Outcome
from benchmarks.plot import draw
from benchmarks.report import as_json, markdown, summary

__all__ = ("main", "options")


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the command line's options; `only` holds the benchmarks to run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure shellkernel beside the others.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller sizes, for a look")
    parser.add_argument("--only", type=_named, action="append", metavar="NAME", help="run this one (may be repeated)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the picture (PNG) there")
    return parser.parse_args(arguments)


def _named(name: str) -> Benchmark:
    found = next((benchmark for benchmark in BENCHMARKS if benchmark.name == name), None)
    if found is None:
        names = ", ".join(benchmark.name for benchmark in BENCHMARKS)
        raise argparse.ArgumentTypeError(f"there is no benchmark {name!r}; there are {names}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmarks: progress to stderr, the report to stdout."""
    chosen = options(arguments)
    effort = Effort(quick=chosen.quick)
    compile_packages()
    machine = describe()
    results: list[tuple[Benchmark, Outcome]] = []
    for benchmark in chosen.only or BENCHMARKS:
        outcome = benchmark.measure(effort)
        results.append((benchmark, outcome))
        print(summary(benchmark, outcome), file=sys.stderr, flush=True)
    print(markdown(machine, results))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(as_json(machine, results), indent=1) + "\n")
    if chosen.plot is not None:
        try:
            draw(chosen.plot, results)
        except NotHere as reason:
            print(reason, file=sys.stderr)


if __name__ == "__main__":
    main()
