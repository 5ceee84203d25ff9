"""Terminal bytes to events.

One parser reads one terminal. It looks for `OSC 7711 ; NONCE ; KIND ; FIELDS ; NONCE ST` with the nonce it was told to
expect, in whatever state the output is in (a sentinel may stand right behind a foreign sequence that was left open),
and hands on all else as output, byte for byte. No byte is searched twice but the few that may begin a sentinel.
"""

from __future__ import annotations

from collections.abc import Iterator

from shellkernel.errors import SentinelError
from shellkernel.sentinel.bytes import BODY_LIMIT, HINT_NONCE, OSC_SENTINEL, STRING_TERMINATOR
from shellkernel.sentinel.events import (
    CommandFinished,
    CommandStarted,
    Event,
    JobsListed,
    OutputReceived,
    PromptHook,
    PromptShown,
    StatementEnded,
)

__all__ = ("SentinelParser",)

_HOOKS: dict[bytes, PromptHook] = {b"prompt": "prompt", b"hook": "hook", b"user": "user", b"bare": "bare"}

_ESC = OSC_SENTINEL[0]
_HINT = HINT_NONCE + b";P;;" + HINT_NONCE + STRING_TERMINATOR


class SentinelParser:
    """Feed bytes, take events; chunk boundaries do not matter.

    Args:
        nonce: The secret of the command that runs next; see `expect`.
    """

    def __init__(self, nonce: bytes = b"") -> None:
        self._nonce = nonce
        self._swallow: tuple[bytes, ...] = ()
        self._pending = b""

    def expect(self, nonce: bytes, *, swallow: tuple[bytes, ...] = ()) -> None:
        """From the next byte fed on, take only sentinels with this nonce (and hints) for ours.

        Args:
            nonce: Letters and digits; a secret.
            swallow: Texts that are no output wherever they stand: our own lines, which `set -v` prints.
        """
        self._nonce = nonce
        self._swallow = swallow

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield what is complete. Bytes that may be the start of a sentinel wait for the next call.

        Raises:
            SentinelError: A sentinel has the right nonce and a body that can not be read.
        """
        data = self._pending + data
        for text in self._swallow:
            data = data.replace(text, b"")
        position = 0
        while True:
            # Most output has no escape sequence at all, and one byte is found ten times as fast as eight.
            start = data.find(OSC_SENTINEL, position) if _ESC in data else -1
            if start < 0:
                keep = len(data) - _possible_start(data, OSC_SENTINEL)
                for text in self._swallow:
                    keep = min(keep, len(data) - _possible_start(data, text))
                self._pending = data[keep:]
                if keep > position:
                    yield OutputReceived(data[position:keep])
                return
            end = self._end_of_sentinel(data, start)
            if end == 0:
                if start > position:
                    yield OutputReceived(data[position:start])
                self._pending = data[start:]
                return
            if end < 0:
                yield OutputReceived(data[position : start + len(OSC_SENTINEL)])
                position = start + len(OSC_SENTINEL)
                continue
            if start > position:
                yield OutputReceived(data[position:start])
            position = end
            # A caller may call `expect` while it handles this event: keep our place.
            self._pending = b""
            yield self._event(data[start:end])

    def flush(self) -> Iterator[Event]:
        """End of stream: what waited for more bytes is output."""
        pending, self._pending = self._pending, b""
        if pending:
            yield OutputReceived(pending)

    def _end_of_sentinel(self, data: bytes, start: int) -> int:
        """Return the index behind the sentinel, 0 when it needs more bytes, -1 when it is not ours."""
        body = start + len(OSC_SENTINEL)
        head = self._nonce + b";"
        have = data[body : body + len(head)]
        if self._nonce and have == head:
            tail = b";" + self._nonce + STRING_TERMINATOR
            end = data.find(tail, body + len(self._nonce), body + BODY_LIMIT)
            if end >= 0:
                return end + len(tail)
            return 0 if len(data) - body < BODY_LIMIT else -1
        if self._nonce and head.startswith(have):
            return 0
        return _end_of_hint(data, body)

    def _event(self, sentinel: bytes) -> Event:
        nonce, kind, rest = sentinel[len(OSC_SENTINEL) :].split(b";", 2)
        fields = rest[: -len(nonce) - len(STRING_TERMINATOR) - 1]
        try:
            if kind == b"B":
                return CommandStarted()
            if kind == b"J" and nonce != HINT_NONCE:
                return JobsListed(fields.replace(b"\x01", b"\n"))
            if kind == b"P":
                return PromptShown(proven=nonce != HINT_NONCE, cwd=_path(fields))
            if kind == b"E" and nonce != HINT_NONCE:
                return _finished(fields)
            if kind == b"S" and nonce != HINT_NONCE:
                return _statement(fields)
        except (ValueError, KeyError) as error:
            raise SentinelError(f"unreadable sentinel {sentinel!r}") from error
        raise SentinelError(f"unknown sentinel {sentinel!r}")


def _finished(fields: bytes) -> CommandFinished:
    code, pipestatus, options, hook, cwd = fields.split(b";", 4)
    return CommandFinished(
        exit_code=int(code),
        pipestatus=tuple(int(element) for element in pipestatus.split(b",")),
        options=options.decode("ascii"),
        hook=_HOOKS[hook],
        cwd=_path(cwd),
    )


def _statement(fields: bytes) -> StatementEnded:
    code, pipestatus, time, line = fields.split(b";")
    return StatementEnded(
        exit_code=int(code),
        pipestatus=tuple(int(element) for element in pipestatus.split(b",")),
        time=_time(time),
        line=None if line == b"end" else int(line or 0),
    )


def _time(text: bytes) -> float:
    """Return bash's EPOCHREALTIME; the decimal point is the locale's. 0 where a cell has made it something else."""
    try:
        return float(text.replace(b",", b".") or 0)
    except ValueError:
        return 0.0


def _path(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _end_of_hint(data: bytes, body: int) -> int:
    # Anyone can print a hint, also an unfinished one right before a true sentinel: it holds back its few bytes at most.
    have = data[body : body + len(_HINT)]
    if have == _HINT:
        return body + len(_HINT)
    return 0 if _HINT.startswith(have) and len(have) < len(_HINT) else -1


def _possible_start(data: bytes, wanted: bytes) -> int:
    """Return how many bytes at the end may be the start of what is wanted."""
    start = data.find(wanted[:1], max(0, len(data) - len(wanted) + 1)) if wanted else -1
    while start >= 0:
        if wanted.startswith(data[start:]):
            return len(data) - start
        start = data.find(wanted[:1], start + 1)
    return 0
