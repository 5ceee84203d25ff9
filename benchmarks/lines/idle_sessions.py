"""A session's round trip while many others idle in the same process."""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks.model import Benchmark, Effort, Figure, Outcome, Target
from benchmarks.race import timed
from shellkernel import BashSession

__all__ = ("BENCHMARK",)

IDLE = 200
CALLS = 300


def measure(effort: Effort) -> Outcome:
    """Measure without and with the others, in turn."""
    alone: list[tuple[float, ...]] = []
    beside: list[tuple[float, ...]] = []
    with BashSession() as session:
        action = timed(lambda: session.run("echo hi"))
        action()
        for _ in range(effort.of(7, 2)):
            alone.append(tuple(action() for _ in range(CALLS)))
            with ExitStack() as others:
                for _ in range(IDLE):
                    others.enter_context(BashSession())
                beside.append(tuple(action() for _ in range(CALLS)))
    return Outcome((Figure("alone", tuple(alone)), Figure("beside 200 idle sessions", tuple(beside))))


BENCHMARK = Benchmark(
    name="idle-sessions",
    title="session round trip with 200 idle sessions open",
    targets=(Target(text="≤ 1.1 times alone", of="beside 200 idle sessions", relative_to="alone", at_most=1.1),),
    measure=measure,
)
