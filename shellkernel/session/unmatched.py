"""A command's output on its way through patterns: what was read of it, and what nothing has matched yet."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shellkernel.session.recording import Recording
from shellkernel.text import Decoder
from shellkernel.text.tokens import Tokenizer

__all__ = ("Found", "Literal", "Source", "Unmatched")

PAGE = 65_536
"""Bytes of output that are looked through at a time."""
UNMATCHED_LIMIT = 256_000
"""Characters kept of text that nothing has matched; of more, the beginning is dropped, and counted."""
SEARCH_WINDOW = 16_384
"""Characters, before those that are new, in which a match of a regular expression may begin; a literal needs fewer."""

# Shows nothing: CSI sequences, other escape sequences, control characters but tab and line feed (ECMA-48, 5.3 and 5.4).
_UNSEEN = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Literal = str | re.Pattern[str]
"""A text that is taken as it stands, or a compiled expression."""


@dataclass(frozen=True, slots=True)
class Found:
    """A match."""

    index: int
    """The place of its pattern among those that were given."""
    before: str
    """What a person would have read from the last match to this one."""
    text: str
    match: re.Match[str] | None
    omitted: int
    """Characters that are missing at the beginning of `before`."""


class Source:
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


class Unmatched:
    """What nothing has matched yet: as it came, and as patterns see it.

    Args:
        render: Makes of a stretch of it what a person reads.
    """

    def __init__(self, render: Callable[[str], str]) -> None:
        self._render = render
        self._raw = ""
        self._seen = ""
        self._runs: list[tuple[int, int]] = [(0, 0)]  # where a stretch without unseen characters begins: seen, raw
        self._searched: dict[Literal, int] = {}  # characters of `_seen` that hold no beginning of a match
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

    def search(self, patterns: Sequence[Literal | None]) -> Found | None:
        """Return the match that begins first, of those the pattern named first; what it took is gone.

        Args:
            patterns: None stands for one that no text can match.
        """
        best: tuple[int, int, int, re.Match[str] | None] | None = None
        for index, pattern in enumerate(patterns):
            span = None if pattern is None else self._find(pattern)
            if span is not None and (best is None or span[0] < best[0]):
                best = (span[0], span[1], index, span[2])
        if best is None:
            return None
        start, end, index, match = best
        before, omitted = self._render(self._raw[: self._raw_at(start)]), self._omitted
        found = Found(index, before, self._seen[start:end], match, omitted)
        self._omitted = 0
        self._drop(end)
        return found

    def take(self) -> tuple[str, int]:
        """Return all of it, rendered, and what was dropped; it is gone then."""
        text, omitted = self.rendered(), self._omitted
        self._omitted = 0
        self._drop(len(self._seen))
        return text, omitted

    def rendered(self) -> str:
        """Return all of it, as a person reads it."""
        return self._render(self._raw)

    def _find(self, pattern: Literal) -> tuple[int, int, re.Match[str] | None] | None:
        searched = self._searched.get(pattern, 0)
        if searched == len(self._seen) and searched:
            return None
        self._searched[pattern] = len(self._seen)
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
