"""Figures, targets, and what they come to. Values here are frozen; nothing is measured."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ("Benchmark", "Effort", "Figure", "NotHere", "Outcome", "Target", "Verdict", "judge", "single")


class NotHere(Exception):
    """A contestant, or a whole benchmark, that cannot be had on this machine; its text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much to measure."""

    quick: bool = False

    def of(self, full: int, quick: int) -> int:
        """Return one of two numbers."""
        return quick if self.quick else full


@dataclass(frozen=True, slots=True)
class Figure:
    """What one contestant's values are: seconds, bytes, or a count."""

    name: str
    rounds: tuple[tuple[float, ...], ...]
    """The values of each round; contestants of one race have the same number of rounds."""
    unit: str = "s"
    """`s`, `B`, `B/s`, or the name of what is counted."""

    @property
    def values(self) -> list[float]:
        """All values."""
        return [value for values in self.rounds for value in values]

    @property
    def median(self) -> float:
        """The median of all values."""
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        """The 95th percentile: the smallest value that at least 95 % do not exceed."""
        ordered = sorted(self.values)
        return ordered[max(0, -(-len(ordered) * 95 // 100) - 1)]


def single(name: str, value: float, unit: str) -> Figure:
    """Return a figure that is one number."""
    return Figure(name, ((value,),), unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a figure must reach. Exactly one of `at_most` and `at_least` is given."""

    text: str
    """As a person would say it."""
    of: str
    """The figure's name."""
    relative_to: str | None = None
    """The figure that it is divided by; None compares the figure itself."""
    at_most: float | None = None
    at_least: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a target came to."""

    target: Target
    value: float | None
    """None: one of its figures is missing."""

    @property
    def met(self) -> bool | None:
        """None when it could not be told."""
        if self.value is None:
            return None
        if self.target.at_most is not None:
            return self.value <= self.target.at_most
        assert self.target.at_least is not None
        return self.value >= self.target.at_least

    @property
    def miss(self) -> float:
        """By which share of the limit it was missed; 0.0 when it was met, or could not be told."""
        if self.met is not False or self.value is None:
            return 0.0
        limit = self.target.at_most if self.target.at_most is not None else self.target.at_least
        assert limit is not None
        return abs(self.value - limit) / limit if limit else float(self.value)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one benchmark measured."""

    figures: tuple[Figure, ...]
    missing: Mapping[str, str] = field(default_factory=dict)
    """Contestants that could not take part, and why."""

    def figure(self, name: str) -> Figure | None:
        """Return a figure by its name."""
        return next((figure for figure in self.figures if figure.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One line of the table."""

    name: str
    """For `--only`."""
    title: str
    targets: tuple[Target, ...]
    measure: Callable[[Effort], Outcome]


def judge(outcome: Outcome, target: Target) -> Verdict:
    """Hold an outcome against a target.

    A ratio is the median of the rounds' own ratios: what disturbs a round disturbs both sides of it.
    """
    figure = outcome.figure(target.of)
    if figure is None:
        return Verdict(target, None)
    if target.relative_to is None:
        return Verdict(target, figure.median)
    other = outcome.figure(target.relative_to)
    if other is None:
        return Verdict(target, None)
    if len(figure.rounds) != len(other.rounds):
        return Verdict(target, figure.median / other.median)
    pairs = zip(figure.rounds, other.rounds, strict=True)
    return Verdict(target, statistics.median(statistics.median(one) / statistics.median(two) for one, two in pairs))
