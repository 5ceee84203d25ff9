"""Talking to a program that runs: wait until it has printed something, until it waits for input, or until it is over.

Theory of operation. `Expecter` reads a job's recordings behind the reader thread's back, page by page, and keeps the
text that nothing has matched yet. Patterns see what a person sees of it, without escape sequences and carriage returns,
so that `"(gdb) "` is found however a program draws its prompt. What stood before a match is given rendered. Whoever
waits is woken by the reader thread when there is output, when a program begins to wait for the terminal, and at the
end.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from shellkernel.errors import CommandOver, ExpectTimedOut, ProtocolMisuse
from shellkernel.results import InputRequest, Result
from shellkernel.session.latch import SIGNAL_PAUSE
from shellkernel.text import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shellkernel.session.job import Job

__all__ = ("Expected", "Expecter", "Moment", "Pattern", "as_patterns")


class Moment(Enum):
    """What a program does, in place of what it prints."""

    WAITING = "waiting"
    """It waits for somebody to type."""
    ENDED = "ended"
    """It is over, and bash is back at its prompt."""
    NOW = "now"
    """At once, where nothing else is met: what it has printed by now."""


Pattern = str | re.Pattern[str] | Moment
"""A literal text, a compiled regular expression, or a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What `Job.expect` waited for has come."""

    pattern: Pattern
    """Which one of those that were given."""
    index: int
    """Its place among them, from 0."""
    before: str
    """What a person would have read from the last match (or the beginning) to this one."""
    text: str = ""
    """What the pattern matched; "" for a moment."""
    match: re.Match[str] | None = None
    """The match, for a regular expression."""
    waiting: InputRequest | None = None
    """Who waits for what, at `Moment.WAITING`."""
    result: Result | None = None
    """The command's result, at `Moment.ENDED`."""
    omitted: int = 0
    """Characters that are missing at the beginning of `before`, as it was too long."""


class Expecter:
    """Looks through one job's output for one caller at a time.

    Args:
        job: Whose output.
    """

    def __init__(self, job: Job) -> None:
        from shellkernel.session.unmatched import Source, Unmatched  # for who expects something

        self._job = job
        recordings = [job.recording, job.stderr_recording]
        self._sources = [Source(recording) for recording in recordings if recording is not None]
        self._text = Unmatched(lambda raw: plain(raw, job.size[0], rows=job.size[1]))
        self._turn = threading.Lock()
        self._wakers: list[Callable[[], object]] = []

    def wake(self) -> None:
        """Job: there is something new to look at. Called in any thread; returns at once."""
        for waker in tuple(self._wakers):
            waker()

    def wait(self, patterns: Sequence[Pattern], timeout: float | None) -> Expected:
        """Return what comes first; `Job.expect` says what is raised."""
        deadline = None if timeout is None else time.monotonic() + timeout
        changed = threading.Semaphore(0)
        with self._my_turn(), self._woken(changed.release):
            while (found := self._look(patterns)) is None:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    raise self._too_late(patterns, timeout)
                # No longer: a Ctrl-C may have come right before it blocks (`latch`).
                changed.acquire(timeout=SIGNAL_PAUSE if left is None else min(left, SIGNAL_PAUSE))
                while changed.acquire(blocking=False):  # one look for all that has come
                    pass
            return found

    async def wait_async(self, patterns: Sequence[Pattern], timeout: float | None) -> Expected:
        """Do the same in asyncio, without blocking its loop. Cancelling leaves the command as it is."""
        import asyncio  # half of what importing shellkernel would cost

        loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._my_turn(), self._woken(lambda: _call_in(loop, changed.set)):
            while True:
                changed.clear()
                if (found := self._look(patterns)) is not None:
                    return found
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    raise self._too_late(patterns, timeout)
                try:
                    await asyncio.wait_for(changed.wait(), left)
                except TimeoutError:
                    continue  # a last look

    @contextmanager
    def _my_turn(self) -> Iterator[None]:
        if not self._turn.acquire(blocking=False):
            raise ProtocolMisuse(f"session {self._job.session!r}: somebody else expects something of this command")
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def _woken(self, waker: Callable[[], object]) -> Iterator[None]:
        self._wakers.append(waker)
        try:
            yield
        finally:
            self._wakers.remove(waker)

    def _look(self, patterns: Sequence[Pattern]) -> Expected | None:
        """Look once, at all that has come. The state is asked before the output: what precedes it is then there."""
        job = self._job
        done, waiting = job.done, job.waiting
        texts = [None if isinstance(pattern, Moment) else pattern for pattern in patterns]
        while True:
            if (found := self._text.search(texts)) is not None:
                return Expected(
                    pattern=patterns[found.index],
                    index=found.index,
                    before=found.before,
                    text=found.text,
                    match=found.match,
                    omitted=found.omitted,
                )
            pages = [text for source in self._sources if (text := source.read(to_the_end=done)) is not None]
            if not pages:
                break
            for page in pages:
                self._text.append(page)
        if done and Moment.ENDED in patterns:
            return self._moment(patterns, Moment.ENDED, result=job.outcome)
        if waiting is not None and job.waiting is waiting and Moment.WAITING in patterns:
            return self._moment(patterns, Moment.WAITING, waiting=waiting)
        if Moment.NOW in patterns:
            return self._moment(patterns, Moment.NOW)
        if done:
            result = job.outcome
            assert result is not None
            message = f"session {job.session!r}: the command ended with exit code {result.exit_code}, {_want(patterns)}"
            raise CommandOver(message, self._text.rendered(), result)
        return None

    def _moment(self, patterns: Sequence[Pattern], moment: Moment, **facts: Any) -> Expected:
        before, omitted = self._text.take()
        index = patterns.index(moment)
        return Expected(pattern=moment, index=index, before=before, omitted=omitted, **facts)

    def _too_late(self, patterns: Sequence[Pattern], timeout: float | None) -> ExpectTimedOut:
        message = f"session {self._job.session!r}: {timeout:g} s are over, {_want(patterns)}; the command goes on"
        return ExpectTimedOut(message, self._text.rendered())


def as_patterns(patterns: Pattern | Iterable[Pattern]) -> tuple[Pattern, ...]:
    """Return what a caller gave as patterns.

    Raises:
        TypeError: One is neither text, nor a compiled expression for text, nor a moment.
        ValueError: There is none, or an empty text.
    """
    given = (patterns,) if isinstance(patterns, str | bytes | re.Pattern | Moment) else tuple(patterns)
    for each in given:
        literal = each.pattern if isinstance(each, re.Pattern) else each
        if not isinstance(literal, str | Moment):
            raise TypeError(f"a pattern is text, a compiled expression for text, or a Moment, not {each!r}")
        if literal == "":
            raise ValueError("an empty pattern is met by everything")
    if not given:
        raise ValueError("no pattern was given")
    return given


def _want(patterns: Sequence[Pattern]) -> str:
    wanted = ", ".join(
        pattern.name if isinstance(pattern, Moment) else repr(pattern if isinstance(pattern, str) else pattern.pattern)
        for pattern in patterns
    )
    return f"and it has not come to this: {wanted}" if wanted else ""


def _call_in(loop: Any, callback: Callable[[], object]) -> None:
    """Call it in the loop's thread; a loop that is closed waits for nothing any more."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(callback)
