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
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from shellkernel.errors import CommandOver, ExpectTimedOut, ProtocolMisuse
from shellkernel.results import InputRequest, Result
from shellkernel.session.recording import Recording
from shellkernel.text import Decoder, plain
from shellkernel.text.tokens import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shellkernel.session.job import Job

__all__ = ("Expected", "Expecter", "Moment", "Pattern", "as_patterns")

PAGE = 65_536
"""Bytes of output that are looked through at a time."""
UNMATCHED_LIMIT = 256_000
"""Characters kept of text that nothing has matched; of more, the beginning is dropped, and counted."""
SEARCH_WINDOW = 16_384
"""Characters, before those that are new, in which a match of a regular expression may begin; a literal needs fewer."""

# Shows nothing: CSI sequences, other escape sequences, control characters but tab and line feed (ECMA-48, 5.3 and 5.4).
_UNSEEN = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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
        self._job = job
        recordings = [job.recording, job.stderr_recording]
        self._sources = [_Source(recording) for recording in recordings if recording is not None]
        self._text = _Text(lambda raw: plain(raw, job.size[0], rows=job.size[1]))
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
                changed.acquire(timeout=left)
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
        while True:
            if (found := self._text.search(patterns)) is not None:
                return found
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


class _Source:
    """One recording, read on from where it was read last."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._offset = 0
        self._decoder = Decoder()
        self._tokenizer = Tokenizer()

    def read(self, *, to_the_end: bool) -> str | None:
        """Return the next page, without pictures and titles; None when there is no more by now."""
        recording = self._recording
        data = recording.read(self._offset, PAGE) if self._offset < recording.size else b""
        if not data and recording.error and self._offset < recording.size:  # the file does not hold it
            data = recording.last(min(PAGE, recording.size - self._offset))
            self._offset = recording.size - len(data)
        self._offset += len(data)
        text = self._decoder.feed(data)
        tokens = self._tokenizer.feed(text)
        if not data:
            tokens = self._tokenizer.done() if to_the_end else []
        found = "".join(token for token in tokens if isinstance(token, str))
        return found if found or data else None


class _Text:
    """What nothing has matched yet: as it came, and as patterns see it."""

    def __init__(self, render: Callable[[str], str]) -> None:
        self._render = render
        self._raw = ""
        self._seen = ""
        self._runs: list[tuple[int, int]] = [(0, 0)]  # where a stretch without unseen characters begins: seen, raw
        self._searched: dict[Pattern, int] = {}  # characters of `_seen` that hold no beginning of a match
        self._omitted = 0

    def append(self, raw: str) -> None:
        """Add what has come."""
        seen = []
        length, start = len(self._seen), 0
        for unseen in _UNSEEN.finditer(raw):
            seen.append(raw[start : unseen.start()])
            length += unseen.start() - start
            start = unseen.end()
            self._runs.append((length, len(self._raw) + start))
        seen.append(raw[start:])
        self._raw += raw
        self._seen += "".join(seen)
        if len(self._seen) > UNMATCHED_LIMIT:
            self._omitted += len(self._seen) - UNMATCHED_LIMIT // 2
            self._drop(len(self._seen) - UNMATCHED_LIMIT // 2)

    def search(self, patterns: Sequence[Pattern]) -> Expected | None:
        """Return the match that begins first, of those the pattern named first; what it took is gone."""
        best: tuple[int, int, int, re.Match[str] | None] | None = None
        for index, pattern in enumerate(patterns):
            span = self._find(pattern)
            if span is not None and (best is None or span[0] < best[0]):
                best = (span[0], span[1], index, span[2])
        if best is None:
            return None
        start, end, index, match = best
        text = self._seen[start:end]
        before, omitted = self._render(self._raw[: self._raw_at(start)]), self._omitted
        self._omitted = 0
        self._drop(end)
        return Expected(pattern=patterns[index], index=index, before=before, text=text, match=match, omitted=omitted)

    def take(self) -> tuple[str, int]:
        """Return all of it, rendered, and what was dropped; it is gone then."""
        text, omitted = self.rendered(), self._omitted
        self._omitted = 0
        self._drop(len(self._seen))
        return text, omitted

    def rendered(self) -> str:
        """Return all of it, as a person reads it."""
        return self._render(self._raw)

    def _find(self, pattern: Pattern) -> tuple[int, int, re.Match[str] | None] | None:
        searched = self._searched.get(pattern, 0)
        if searched == len(self._seen) and searched:
            return None
        self._searched[pattern] = len(self._seen)
        if isinstance(pattern, Moment):
            return None
        if isinstance(pattern, str):
            start = self._seen.find(pattern, max(0, searched - len(pattern) + 1))
            return None if start < 0 else (start, start + len(pattern), None)
        match = pattern.search(self._seen, max(0, searched - SEARCH_WINDOW))
        return None if match is None else (match.start(), match.end(), match)

    def _raw_at(self, position: int) -> int:
        seen, raw = self._runs[bisect_right(self._runs, position, key=lambda run: run[0]) - 1]
        return raw + position - seen

    def _drop(self, count: int) -> None:
        """Forget so many characters from the beginning."""
        raw = self._raw_at(count)
        self._raw, self._seen = self._raw[raw:], self._seen[count:]
        later = [(at - count, raw_at - raw) for at, raw_at in self._runs if at > count]
        self._runs = [(0, 0), *later]
        self._searched.clear()


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
