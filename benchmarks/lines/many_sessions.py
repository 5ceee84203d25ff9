"""Two hundred sessions in one process."""

from __future__ import annotations

from contextlib import ExitStack
from time import perf_counter

from benchmarks.machine import descriptors, in_fresh_process, memory
from benchmarks.model import Benchmark, Effort, Figure, NotHere, Outcome, Target
from shellkernel import BashSession

__all__ = ("BENCHMARK", "start_many")

SESSIONS = 200


def start_many() -> tuple[float, float, float, float]:
    """Return seconds for start and one command each, memory and descriptors of each, and how many answers are wrong."""
    with ExitStack() as opened:
        opened.enter_context(BashSession()).run("echo hi")  # what is imported and grown only once
        memory_before, descriptors_before = memory(), descriptors()
        start = perf_counter()
        sessions = [opened.enter_context(BashSession()) for _ in range(SESSIONS)]
        wrong = sum(session.run(f"echo {number}").output != f"{number}\n" for number, session in enumerate(sessions))
        seconds = perf_counter() - start
        more_memory, more_descriptors = memory() - memory_before, descriptors() - descriptors_before
        jobs = [session.start(f"sleep 0.5; echo busy {number}") for number, session in enumerate(sessions)]
        results = [job.result() for job in jobs]
        wrong += sum(result.output != f"busy {number}\n" for number, result in enumerate(results))
        return seconds, more_memory / SESSIONS, more_descriptors / SESSIONS, float(wrong)


def measure(effort: Effort) -> Outcome:
    """Start them a few times, each time in a Python of its own."""
    try:
        rounds = [in_fresh_process(start_many) for _ in range(effort.of(5, 1))]
    except NotHere as reason:
        return Outcome((), {"shellkernel sessions": str(reason)})
    units = {
        "start and one command each": "s",
        "memory of one": "B",
        "descriptors of one": "descriptors",
        "wrong answers": "answers",
    }
    columns = zip(units.items(), zip(*rounds, strict=True), strict=True)
    return Outcome(tuple(Figure(name, tuple((value,) for value in values), unit) for (name, unit), values in columns))


BENCHMARK = Benchmark(
    name="many-sessions",
    title="200 sessions in one process",
    targets=(
        Target(text="start + one command each ≤ 3 s", of="start and one command each", at_most=3.0),
        Target(text="≤ 0.3 MB of Python memory each", of="memory of one", at_most=300_000),
        Target(text="≤ 4 descriptors each", of="descriptors of one", at_most=4),
        Target(text="all 200 busy at once stay correct", of="wrong answers", at_most=0),
    ),
    measure=measure,
)
