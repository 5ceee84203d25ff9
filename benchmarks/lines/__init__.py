"""The lines of the table, in its order. A new one is a file here and its name below."""

from benchmarks.lines import (
    completion,
    first_output,
    gigabyte,
    idle_sessions,
    import_time,
    inside,
    kernel_output,
    kernel_round_trip,
    kernel_start,
    large_cell,
    long_output,
    long_use,
    many_sessions,
    progress_bar,
    round_trip,
    session_output,
    session_start,
)
from benchmarks.model import Benchmark

__all__ = ("BENCHMARKS",)

BENCHMARKS: tuple[Benchmark, ...] = (
    round_trip.BENCHMARK,
    long_use.BENCHMARK,
    idle_sessions.BENCHMARK,
    kernel_round_trip.BENCHMARK,
    first_output.BENCHMARK,
    session_output.BENCHMARK,
    kernel_output.BENCHMARK,
    long_output.BENCHMARK,
    progress_bar.BENCHMARK,
    gigabyte.BENCHMARK,
    session_start.BENCHMARK,
    kernel_start.BENCHMARK,
    import_time.BENCHMARK,
    many_sessions.BENCHMARK,
    large_cell.BENCHMARK,
    inside.BENCHMARK,
    completion.BENCHMARK,
)
