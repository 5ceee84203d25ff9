"""From a cell's request to its first output, for a cell that goes on."""

from __future__ import annotations

from benchmarks.contestants.kernels import BASH_KERNEL, CALYSTO_BASH, PYTHON, SHELLKERNEL, Answer, answering
from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Contestant, race

__all__ = ("BENCHMARK",)

CELL = "echo first; sleep 0.2; echo last"
PYTHON_CELL = 'import time; print("first", flush=True); time.sleep(0.2); print("last")'


def _first(answer: Answer) -> float:
    return answer.first_output


CONTESTANTS = (
    Contestant(name="Python kernel", open=answering(PYTHON, PYTHON_CELL, _first, "last")),
    Contestant(name="shellkernel", open=answering(SHELLKERNEL, CELL, _first, "last")),
    Contestant(name="%%bash in the Python kernel", open=answering(PYTHON, f"%%bash\n{CELL}", _first, "last")),
    Contestant(name="calysto_bash", open=answering(CALYSTO_BASH, CELL, _first, "last")),
    Contestant(name="bash_kernel", open=answering(BASH_KERNEL, CELL, _first, "last")),
)


def measure(effort: Effort) -> Outcome:
    """Race all of them."""
    return race(CONTESTANTS, rounds=effort.of(40, 5))


BENCHMARK = Benchmark(
    name="first-output",
    title="time to first output in the kernel",
    targets=(
        Target(text="≤ 1.2 times the Python kernel's", of="shellkernel", relative_to="Python kernel", at_most=1.2),
    ),
    measure=measure,
)
