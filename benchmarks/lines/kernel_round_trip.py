"""A kernel's round trip: from the request to the reply and `idle`."""

from __future__ import annotations

from benchmarks.contestants.kernels import BASH_KERNEL, CALYSTO_BASH, PYTHON, SHELLKERNEL, Answer, answering
from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Contestant, race

__all__ = ("BENCHMARK",)


def _seconds(answer: Answer) -> float:
    return answer.seconds


CONTESTANTS = (
    Contestant(name="Python kernel", open=answering(PYTHON, 'print("hi")', _seconds, "hi"), calls=20),
    Contestant(name="shellkernel", open=answering(SHELLKERNEL, "echo hi", _seconds, "hi"), calls=20),
    Contestant(name="%%bash in the Python kernel", open=answering(PYTHON, "%%bash\necho hi", _seconds, "hi"), calls=5),
    Contestant(name="calysto_bash", open=answering(CALYSTO_BASH, "echo hi", _seconds, "hi"), calls=2),
    Contestant(name="bash_kernel", open=answering(BASH_KERNEL, "echo hi", _seconds, "hi"), calls=2),
)


def measure(effort: Effort) -> Outcome:
    """Race all of them."""
    return race(CONTESTANTS, rounds=effort.of(20, 5))


BENCHMARK = Benchmark(
    name="kernel-round-trip",
    title="kernel round trip, `echo hi`",
    targets=(
        Target(
            text='≤ 1.1 times the Python kernel\'s `print("hi")`',
            of="shellkernel",
            relative_to="Python kernel",
            at_most=1.1,
        ),
    ),
    measure=measure,
)
