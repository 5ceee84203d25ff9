"""Completion in the kernel, once it is warm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from benchmarks.contestants.kernels import SHELLKERNEL, running
from benchmarks.model import Benchmark, Effort, NotHere, Outcome, Target
from benchmarks.race import Action, Contestant, race

__all__ = ("BENCHMARK",)

BASH_COMPLETION = Path("/usr/share/bash-completion/bash_completion")


def _completed(code: str, expected: str, needs: Path) -> Callable[[], AbstractContextManager[Action]]:
    @contextmanager
    def opened() -> Iterator[Action]:
        if not needs.exists():
            raise NotHere(f"there is no {needs}")
        with running(SHELLKERNEL) as kernel:
            kernel.run("echo hi")
            kernel.complete(code)  # starts the helper

            def action() -> float:
                seconds, matches = kernel.complete(code)
                if expected not in matches:
                    raise NotHere(f"it completes {code!r} to {matches[:5]!r}, without {expected!r}")
                return seconds

            yield action

    return opened


CONTESTANTS = (
    Contestant(name="a path", open=_completed("ls /usr/b", "/usr/bin/", Path("/usr/bin")), calls=5),
    Contestant(name="through bash-completion", open=_completed("ulimit -", "-n", BASH_COMPLETION), calls=5),
)


def measure(effort: Effort) -> Outcome:
    """Ask for both in turn."""
    return race(CONTESTANTS, rounds=effort.of(10, 3))


BENCHMARK = Benchmark(
    name="completion",
    title="completion in the kernel, warm",
    targets=(
        Target(text="≤ 50 ms for a path", of="a path", at_most=0.05),
        Target(text="≤ 150 ms through bash-completion", of="through bash-completion", at_most=0.15),
    ),
    measure=measure,
)
