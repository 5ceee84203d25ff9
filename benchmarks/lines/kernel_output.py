"""Two hundred thousand lines through a kernel, to `idle`."""

from __future__ import annotations

from benchmarks.contestants.kernels import BASH_KERNEL, CALYSTO_BASH, PYTHON, SHELLKERNEL, Answer, answering
from benchmarks.model import Benchmark, Effort, Figure, Outcome, Target
from benchmarks.race import Contestant, race

__all__ = ("BENCHMARK",)

CELL = "seq 200000"
LAST = "200000"


def _seconds(answer: Answer) -> float:
    return answer.seconds


FAST = (
    Contestant(name="shellkernel", open=answering(SHELLKERNEL, CELL, _seconds, LAST, fresh=True)),
    Contestant(name="%%bash in the Python kernel", open=answering(PYTHON, f"%%bash\n{CELL}", _seconds, LAST)),
)
SLOW = (
    Contestant(name="calysto_bash", open=answering(CALYSTO_BASH, CELL, _seconds, LAST)),
    Contestant(name="bash_kernel", open=answering(BASH_KERNEL, CELL, _seconds, LAST)),
)


def measure(effort: Effort) -> Outcome:
    """Race the fast ones; the slow ones run twice, the first time unmeasured, and not with --quick."""
    fast = race(FAST, rounds=effort.of(7, 3))
    if effort.quick:
        return Outcome(fast.figures, {contestant.name: "left out with --quick: it takes long" for contestant in SLOW})
    slow = race(SLOW, rounds=1)
    figures: tuple[Figure, ...] = (*fast.figures, *slow.figures)
    return Outcome(figures, {**fast.missing, **slow.missing})


BENCHMARK = Benchmark(
    name="kernel-output",
    title="output through the kernel, `seq 200000`, to idle",
    targets=(Target(text="≤ 0.4 s", of="shellkernel", at_most=0.4),),
    measure=measure,
)
