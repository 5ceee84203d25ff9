"""A hundred thousand redraws of one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.contestants import floors
from benchmarks.contestants.kernels import SHELLKERNEL, answering
from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Action, Contestant, race, timed

__all__ = ("BENCHMARK",)

CELL = "for i in {1..100000}; do printf '\\r%d of 100000' $i; done"
LAST = "100000 of 100000"


@contextmanager
def _drained() -> Iterator[Action]:
    yield timed(lambda: floors.drain("-c", CELL))


@contextmanager
def _thrown_away() -> Iterator[Action]:
    yield timed(lambda: floors.drain("-c", f"{CELL} >/dev/null"))


CONTESTANTS = (
    Contestant(name="bash alone, to /dev/null", open=_thrown_away),
    Contestant(name="bare pty, drained", open=_drained),
    Contestant(name="shellkernel", open=answering(SHELLKERNEL, CELL, lambda answer: answer.seconds, LAST)),
    Contestant(
        name="shellkernel, messages",
        open=answering(SHELLKERNEL, CELL, lambda answer: float(answer.messages), LAST),
        unit="messages",
    ),
)


def measure(effort: Effort) -> Outcome:
    """Race all of them."""
    return race(CONTESTANTS, rounds=effort.of(7, 2))


BENCHMARK = Benchmark(
    name="progress-bar",
    title="progress bar of 100,000 `\\r` updates in the kernel, a write each",
    targets=(
        Target(text="≤ 0.5 s", of="shellkernel", at_most=0.5),
        Target(text="≤ 100 messages", of="shellkernel, messages", at_most=100),
    ),
    measure=measure,
)
