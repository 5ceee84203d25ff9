"""A session that has run very many commands, beside a fresh one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Action, Contestant, race, timed
from shellkernel import BashSession

__all__ = ("BENCHMARK",)

CALLS = 50


def _after(commands: int) -> Callable[[], AbstractContextManager[Action]]:
    @contextmanager
    def opened() -> Iterator[Action]:
        with BashSession() as session:
            for number in range(commands):
                session.run(f"echo {number}")
            yield timed(lambda: session.run("echo hi"))

    return opened


def measure(effort: Effort) -> Outcome:
    """Race a session in its first thousand commands against one that has long been used."""
    contestants = (
        Contestant(name="first thousand", open=_after(0), calls=CALLS),
        Contestant(name="after 20,000 commands", open=_after(effort.of(20_000, 2_000)), calls=CALLS),
    )
    return race(contestants, rounds=effort.of(19, 5))


BENCHMARK = Benchmark(
    name="long-use",
    title="session round trip after 20,000 commands (2,000 with --quick)",
    targets=(
        Target(
            text="≤ 1.1 times the first thousand", of="after 20,000 commands", relative_to="first thousand", at_most=1.1
        ),
    ),
    measure=measure,
)
