"""The results of a session's last commands."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from shellkernel.results import Result

__all__ = ("History",)

MOST = 1_000
"""Commands that are remembered."""
TEXT = 10_000_000
"""Characters of their texts that are kept, all together."""
SMALL = 1_024
"""Bytes of output that a result keeps until somebody asks: taking them out costs more than they do."""


class History:
    """Keeps results without their outputs; the oldest give way."""

    def __init__(self) -> None:
        self._results: deque[Result] = deque()
        self._text = 0

    def add(self, result: Result) -> None:
        """Remember a result."""
        small = len(result.output) + len(result.raw) + len(result.stderr or "") <= SMALL and result.statements is None
        self._results.append(result if small else _without_output(result))
        self._text += len(result.command)
        while len(self._results) > MOST or (self._text > TEXT and len(self._results) > 1):
            self._text -= len(self._results.popleft().command)

    def commands(self) -> list[str]:
        """Return the texts, oldest first."""
        return [result.command for result in self._results]

    def results(self) -> tuple[Result, ...]:
        """Return what is remembered, oldest first."""
        return tuple(_without_output(result) for result in self._results)


def _without_output(result: Result) -> Result:
    return replace(result, output="", raw=b"", stderr=None, statements=None, trace=None)
