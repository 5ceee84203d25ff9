"""A kernel's start, to its first answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter

from benchmarks.contestants.kernels import (
    BASH_KERNEL,
    CALYSTO_BASH,
    PYTHON,
    SHELLKERNEL,
    START_SECONDS,
    KernelKind,
    started,
)
from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Action, Contestant, race

__all__ = ("BENCHMARK",)


def _start(kind: KernelKind, code: str) -> Callable[[], AbstractContextManager[Action]]:
    def action() -> float:
        start = perf_counter()
        with started(kind) as client:
            request = client.execute(code, allow_stdin=False)
            while client.get_shell_msg(timeout=START_SECONDS)["parent_header"].get("msg_id") != request:
                pass
            return perf_counter() - start

    @contextmanager
    def opened() -> Iterator[Action]:
        yield action

    return opened


CONTESTANTS = (
    Contestant(name="Python kernel", open=_start(PYTHON, 'print("hi")')),
    Contestant(name="shellkernel", open=_start(SHELLKERNEL, "echo hi")),
    Contestant(name="calysto_bash", open=_start(CALYSTO_BASH, "echo hi")),
    Contestant(name="bash_kernel", open=_start(BASH_KERNEL, "echo hi")),
)


def measure(effort: Effort) -> Outcome:
    """Race all of them."""
    return race(CONTESTANTS, rounds=effort.of(15, 3))


BENCHMARK = Benchmark(
    name="kernel-start",
    title="kernel start to first answer",
    targets=(
        Target(text="≤ 1.05 times the Python kernel's", of="shellkernel", relative_to="Python kernel", at_most=1.05),
    ),
    measure=measure,
)
