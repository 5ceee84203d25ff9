"""Contestants take turns: what slows the machine for a while slows all of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass

from benchmarks.model import Figure, NotHere, Outcome

__all__ = ("Action", "Contestant", "race", "timed")

Action = Callable[[], float]
"""Does the thing once and returns its value, most often the seconds it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """One who takes part in a race."""

    name: str
    open: Callable[[], AbstractContextManager[Action]]
    """Starts what the action needs; raises NotHere, also in the first action, where that is not to be had."""
    calls: int = 1
    """How often the action is done in one round; less often where it is slow."""
    unit: str = "s"


def race(contestants: Sequence[Contestant], rounds: int) -> Outcome:
    """Let all of them do their action in turn, `rounds` times; the first action of each does not count."""
    missing: dict[str, str] = {}
    with ExitStack() as stack:
        ready: list[tuple[Contestant, Action]] = []
        for contestant in contestants:
            try:
                action = stack.enter_context(contestant.open())
                action()
            except NotHere as reason:
                missing[contestant.name] = str(reason)
            else:
                ready.append((contestant, action))
        values: list[list[tuple[float, ...]]] = [[] for _ in ready]
        gc.collect()
        for number in range(rounds):
            for place in range(len(ready)):
                index = (place + number) % len(ready)  # nobody always comes right after the same one
                contestant, action = ready[index]
                values[index].append(tuple(action() for _ in range(contestant.calls)))
    figures = (
        Figure(contestant.name, tuple(rounds), contestant.unit)
        for (contestant, _), rounds in zip(ready, values, strict=True)
    )
    return Outcome(tuple(figures), missing)


def timed(function: Callable[[], object]) -> Action:
    """Return an action that measures the seconds of a call."""

    def action() -> float:
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    return action
