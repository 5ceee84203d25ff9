"""A session's start, beside a bash that starts on a pseudoterminal and ends at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from benchmarks.contestants import floors
from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Action, Contestant, race, timed
from shellkernel import BashSession

__all__ = ("BENCHMARK",)


@contextmanager
def _bash() -> Iterator[Action]:
    yield timed(lambda: floors.drain("--noediting", "-i", "-c", "exit"))


@contextmanager
def _ours() -> Iterator[Action]:
    with ExitStack() as opened:
        yield timed(lambda: opened.enter_context(BashSession()))


CONTESTANTS = (
    Contestant(name="bash --noediting --norc -i -c exit", open=_bash, calls=5),
    Contestant(name="shellkernel session", open=_ours, calls=5),
)


def measure(effort: Effort) -> Outcome:
    """Race the two; the sessions stay open until the end."""
    return race(CONTESTANTS, rounds=effort.of(20, 5))


BENCHMARK = Benchmark(
    name="session-start",
    title="session start, no rc file",
    targets=(
        Target(
            text="≤ 1.5 times `bash --noediting --norc -i -c exit` on a pty",
            of="shellkernel session",
            relative_to="bash --noediting --norc -i -c exit",
            at_most=1.5,
        ),
    ),
    measure=measure,
)
