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
    """Let all of them do their action in turn, `rounds` times; the first action of each does not count.

    Who fails in a later round has no values of that round; the last failure is reported.
    """
    missing: dict[str, str] = {}
    actions: dict[str, Action] = {}
    values: dict[str, list[tuple[float, ...]]] = {contestant.name: [] for contestant in contestants}
    with ExitStack() as stack:
        for contestant in contestants:
            try:
                action = stack.enter_context(contestant.open())
                action()
                actions[contestant.name] = action
            except NotHere as reason:
                missing[contestant.name] = str(reason)
        gc.collect()
        for number in range(rounds):
            start = number % len(contestants)  # nobody always comes right after the same one
            for contestant in (*contestants[start:], *contestants[:start]):
                turn = actions.get(contestant.name)
                if turn is None:
                    continue
                try:
                    values[contestant.name].append(tuple(turn() for _ in range(contestant.calls)))
                except NotHere as reason:
                    missing[contestant.name] = f"{reason} (in round {number + 1} of {rounds})"
    figures = (
        Figure(contestant.name, tuple(values[contestant.name]), contestant.unit)
        for contestant in contestants
        if values[contestant.name]
    )
    return Outcome(tuple(figures), missing)


def timed(function: Callable[[], object]) -> Action:
    """Return an action that measures the seconds of a call."""

    def action() -> float:
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    return action
