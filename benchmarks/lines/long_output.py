"""Three million lines through the kernel, more than a notebook is shown."""

from __future__ import annotations

from benchmarks.contestants.kernels import SHELLKERNEL, Answer, answering
from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Contestant, race

__all__ = ("BENCHMARK",)


def _seconds(answer: Answer) -> float:
    return answer.seconds


def measure(effort: Effort) -> Outcome:
    """Run it a few times."""
    contestant = Contestant(
        name="shellkernel", open=answering(SHELLKERNEL, "seq 3000000", _seconds, "3000000", fresh=True)
    )
    return race([contestant], rounds=effort.of(5, 2))


BENCHMARK = Benchmark(
    name="long-output",
    title="output through the kernel, `seq 3000000`, to idle",
    targets=(Target(text="≤ 2 s", of="shellkernel", at_most=2.0),),
    measure=measure,
)
