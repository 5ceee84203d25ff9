"""A gigabyte of output with the default limits: what it takes of memory, and what is left of it."""

from __future__ import annotations

import os

from benchmarks.machine import in_fresh_process, memory, peak_memory, reset_peak_memory
from benchmarks.model import Benchmark, Effort, NotHere, Outcome, Target, single
from shellkernel import BashSession

__all__ = ("BENCHMARK", "run_gigabyte")


def run_gigabyte(size: int) -> tuple[int, int]:
    """Run it; return the bytes of memory that it took more, at most, and the bytes in its file."""
    with BashSession() as session:
        session.run("seq 100000")  # what is imported and grown only once
        reset_peak_memory()
        before = memory()
        result = session.run(f"yes 'a line of output' | head -c {size}")
        path = result.output_path
        return peak_memory() - before, os.path.getsize(path) if path is not None else 0


def measure(effort: Effort) -> Outcome:
    """Run it once, in a Python of its own."""
    size = effort.of(1_000_000_000, 100_000_000)
    try:
        more, in_file = in_fresh_process(run_gigabyte, size)
    except NotHere as reason:
        return Outcome((), {"shellkernel session": str(reason)})
    return Outcome((single("more memory", more, "B"), single("share of it in the file", in_file / size, "")))


BENCHMARK = Benchmark(
    name="gigabyte",
    title="1 GB of output, default limits (100 MB with --quick)",
    targets=(
        Target(text="≤ 40 MB more memory", of="more memory", at_most=40e6),
        Target(text="all of it in `output_path`", of="share of it in the file", at_least=1.0),
    ),
    measure=measure,
)
