"""A cell of a megabyte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from benchmarks.model import Benchmark, Effort, NotHere, Outcome, Target
from benchmarks.race import Action, Contestant, race, timed
from shellkernel import BashSession

__all__ = ("BENCHMARK",)

SIZE = 1_000_000
LINE = "a line of text in a here-document, as long as such lines are\n"
TEXT = f"wc -c <<'END'\n{LINE * (SIZE // len(LINE))}END\n"
TEXT_ANSWER = f"{SIZE // len(LINE) * len(LINE)}"
COMMAND = "count=$((count + 1))\n"
SCRIPT = f"count=0\n{COMMAND * (SIZE // len(COMMAND))}echo $count\n"
SCRIPT_ANSWER = f"{SIZE // len(COMMAND)}"


def _cell(cell: str, expected: str) -> Callable[[], AbstractContextManager[Action]]:
    @contextmanager
    def opened() -> Iterator[Action]:
        with BashSession() as session:

            def run() -> None:
                if (answer := session.run(cell).output.strip()) != expected:
                    raise NotHere(f"it answers {answer[:80]!r}, not {expected!r}")

            yield timed(run)

    return opened


CONTESTANTS = (
    Contestant(name="a here-document", open=_cell(TEXT, TEXT_ANSWER)),
    Contestant(name="47,619 commands", open=_cell(SCRIPT, SCRIPT_ANSWER)),
)


def measure(effort: Effort) -> Outcome:
    """Run both a few times."""
    return race(CONTESTANTS, rounds=effort.of(7, 2))


BENCHMARK = Benchmark(
    name="large-cell",
    title="a cell of 1 MB in a session",
    targets=(
        Target(text="≤ 0.5 s, text", of="a here-document", at_most=0.5),
        Target(text="≤ 0.5 s, commands", of="47,619 commands", at_most=0.5),
    ),
    measure=measure,
)
