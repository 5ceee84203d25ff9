"""What it costs to look inside of a cell: for each statement, and for each command of a trace."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Action, Contestant, race
from shellkernel import BashSession, Result
from shellkernel.session.options import Inside

__all__ = ("BENCHMARK",)

STATEMENTS = 20
"""In a cell: a page of a notebook."""
LOOPS = 500


def _simple(number: int) -> str:
    return "\n".join(f"x={number}_{line}" for line in range(STATEMENTS))


def _mixed(number: int) -> str:
    kinds = (
        "x={}",
        "if [ {} = 3 ]; then y=1; else y=$(( {} + 1 )); fi",
        "for i in 1 2 {}; do : $i; done",
        "a=({} 'b c') && [[ ${{a[0]}} == {} ]]",
    )
    return "\n".join(kinds[line % 4].replace("{}", str(number + line)) for line in range(STATEMENTS))


def _commands(number: int) -> str:
    return f"f() {{ [ $1 = {number} ] && :; }}; for i in {{1..{LOOPS}}}; do f $i; x=$i; done"


def _more(
    cell: Callable[[int], str], inside: Inside, parts: Callable[[Result], int]
) -> Callable[[], AbstractContextManager[Action]]:
    """Return a contestant's `open`: seconds for each part of a cell, beside the same without; a new one each time."""

    @contextmanager
    def opened() -> Iterator[Action]:
        numbers = itertools.count()
        with BashSession() as session:

            def action() -> float:
                text = cell(next(numbers))
                start = time.perf_counter()
                session.run(text)
                middle = time.perf_counter()
                result = session.run(text, **inside)
                end = time.perf_counter()
                return ((end - middle) - (middle - start)) / parts(result)

            yield action

    return opened


def _statements(result: Result) -> int:
    assert result.statements is not None
    return len(result.statements)


def _records(result: Result) -> int:
    assert result.trace is not None
    return len(result.trace.records)


CONTESTANTS = (
    Contestant(name="a simple statement", open=_more(_simple, {"statements": True}, _statements), calls=10),
    Contestant(name="a statement, of four kinds", open=_more(_mixed, {"statements": True}, _statements), calls=10),
    Contestant(name="a traced command", open=_more(_commands, {"trace": True}, _records), calls=3),
)


def measure(effort: Effort) -> Outcome:
    """Race all of them."""
    return race(CONTESTANTS, rounds=effort.of(15, 3))


BENCHMARK = Benchmark(
    name="inside",
    title=f"looking inside a cell of {STATEMENTS} statements, or {3 * LOOPS:,} commands: each costs more by",
    targets=(
        Target(text="≤ 0.2 ms for a simple statement", of="a simple statement", at_most=0.000_2),
        Target(text="≤ 0.2 ms for a statement", of="a statement, of four kinds", at_most=0.000_2),
        Target(text="≤ 30 µs for a command of a trace", of="a traced command", at_most=0.000_03),
    ),
    measure=measure,
)
