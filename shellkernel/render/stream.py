"""Live output on its way to a front end: what to send, and when.

A command writes when it likes: a dot a second, sixty megabytes a second, or a hundred redraws of a progress
bar. A front end wants few messages, and has two ways to change what it shows: append to a stream (`\\r`
starts the last line again), or clear the cell's output and show another text. `LiveText` stands between:

- **When.** The first text goes at once. After that, text is held until `interval` seconds have passed since
  the last send, or until `chunk` characters are held; both grow with the text that is shown, since a front end
  shows all of it again for each message. The caller owns the clock and the waiting: it passes
  `now` (seconds, any monotonic clock), and calls `tick` when `deadline` is over. Nothing here waits.
- **What.** A screen (`shellkernel.text.Renderer`) turns raw text into changes: "erase the last n lines of
  what you took before, then append this". Each change becomes a `Write`, or a `Redraw` where more than the
  last line changes. Redraws resend everything, so they come more slowly, the more so the longer the text is.
- **How much.** After `limit` characters, only one line goes on changing, once a second, to tell how much is
  held back. `finish` sends the end of that. The whole is in the Result and its file.

One `LiveText` serves one command. It has no lock: the caller serialises its calls. Use:

    live = LiveText(Renderer(columns))
    send(live.feed(text, monotonic()))     # on each piece of output
    send(live.tick(monotonic()))           # when live.deadline is not None and is over
    send(live.flush(monotonic()))          # before a question to the person
    send(live.finish(monotonic()))         # once, when the command is over

    Write(text)   notebook: a `stream` message; terminal: write it
    Redraw(text)  notebook: `clear_output(wait=True)`, then a `stream` message; never with `rewrite="ansi"`

Front ends overwrite after `\\r` character by character, escape sequences counted as characters (JupyterLab 4,
outputarea's processText), and give `ESC [ K` no effect. With `rewrite="pad"` the rest of the line that was
there is therefore overwritten with spaces, and the new one written again. `rewrite="ansi"` is for a terminal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from shellkernel.render.growing import GrowingText

__all__ = (
    "CHUNK",
    "INTERVAL",
    "LIMIT",
    "NOTICE_INTERVAL",
    "REDRAW_INTERVAL",
    "REDRAW_RATE",
    "SHOW_RATE",
    "TAIL",
    "Change",
    "LiveText",
    "Operation",
    "Redraw",
    "Screen",
    "Write",
)

INTERVAL = 0.05
"""Seconds between two sends of one command's output."""
CHUNK = 65_536
"""Characters that are sent without waiting for the interval."""
LIMIT = 2_000_000
"""Characters shown live: JupyterLab grows slow at 3 to 4 MB in a cell, its server drops above 1 MB/s."""
TAIL = 20_000
"""Characters of the end that are shown after the limit was passed."""
REDRAW_INTERVAL = 0.2
"""Seconds between two redraws, at least."""
REDRAW_RATE = 250_000
"""Characters a second that redraws may send."""
SHOW_RATE = 1_000_000
"""Characters a second that a front end shows: 1.5 million, measured in JupyterLab 4.6, which lays the whole text of a
stream out for each message. With an interval of 50 ms and pieces of 64 kB a text of 1.4 MB kept it busy for 10 s."""
NOTICE_INTERVAL = 1.0
"""Seconds between two updates of the line that tells how much is held back, at least."""


class Change(Protocol):
    """What happened to the text since the last `take`."""

    @property
    def erase(self) -> int:
        """Lines at the end of all text taken before that no longer hold; 1 is the last, unfinished line."""

    @property
    def text(self) -> str:
        """What follows after that; only printable text, `\\n` and SGR sequences."""


class Screen(Protocol):
    """The part of `shellkernel.text.Renderer` that is needed here."""

    def feed(self, text: str, /) -> None:
        """Take raw output."""

    def take(self) -> Change:
        """Return what changed since the last call."""

    def done(self) -> Change:
        """Say that the output is over, and return the last change."""


@dataclass(frozen=True, slots=True)
class Write:
    """Append to the stream."""

    text: str


@dataclass(frozen=True, slots=True)
class Redraw:
    """Clear the output, then show this."""

    text: str


Operation = Write | Redraw


class LiveText:
    """One command's output as a front end shows it; see the module."""

    def __init__(
        self,
        screen: Screen,
        *,
        rewrite: Literal["pad", "ansi"] = "pad",
        interval: float = INTERVAL,
        chunk: int = CHUNK,
        limit: int = LIMIT,
    ) -> None:
        """Start with nothing shown.

        Args:
            screen: A fresh one; it belongs to this object.
            rewrite: How the receiver changes lines that were sent: see the module.
            interval: Seconds between two sends.
            chunk: Characters that do not wait for the interval.
            limit: Characters shown before only the size is told.
        """
        self._screen = screen
        self._ansi = rewrite == "ansi"
        self._interval, self._chunk, self._limit = interval, chunk, limit
        self._shown = GrowingText()
        self._hidden: GrowingText | None = None
        self._dropped = self._told = 0
        self._length = 0  # characters of the last line
        self._width = 0  # the same, with the spaces that the receiver has after it
        self._begun = False
        self._held = 0
        self._stale = False  # the receiver shows something else than _shown: a redraw is owed
        self._next = float("-inf")
        self.deadline: float | None = None
        """When `tick` has something to send; None when nothing is held."""

    @property
    def shown(self) -> str:
        """What the receiver shows, but for our own lines above the limit."""
        return self._shown.join()

    def feed(self, text: str, now: float) -> list[Operation]:
        """Take raw output; return what is to be sent now, in order, often nothing."""
        self._screen.feed(text)
        self._held += len(text)
        return self._advance(now)

    def tick(self, now: float) -> list[Operation]:
        """Return what is to be sent when the deadline is over; nothing before it."""
        return self._advance(now) if self.deadline is not None else []

    def flush(self, now: float) -> list[Operation]:
        """Return everything that is held back, before its time: a question follows that belongs below it."""
        self._next = min(self._next, now)
        return self._advance(now)

    def finish(self, now: float) -> list[Operation]:
        """Return everything that was held back, and the tail of what was over the limit."""
        operations = self._absorb(self._screen.done(), now)
        if self._stale:
            operations.append(self._redraw(now))
        if self._hidden is not None and (text := self._hidden.join()):
            head = f"[{self._dropped:,} characters are not shown here]\n" if self._dropped else ""
            operations.append(self._below(head + text))
        self.deadline = None
        return operations

    def _advance(self, now: float) -> list[Operation]:
        due = now >= self._next
        operations = self._absorb(self._screen.take(), now) if due or self._held >= self._most() else []
        if due and self._stale:
            operations.append(self._redraw(now))
        elif due and self._untold():
            operations.append(self._notice(now))
        self.deadline = self._next if self._held or self._stale or self._untold() else None
        return operations

    def _pause(self) -> float:
        """Seconds that the receiver is busy with a message: a terminal appends, a front end shows all again."""
        return 0.0 if self._ansi else len(self._shown) / SHOW_RATE

    def _most(self) -> int:
        """Characters that do not wait for the interval."""
        shown = len(self._shown)
        return self._chunk if self._ansi else max(self._chunk, min(shown // 2, self._limit - shown))

    def _absorb(self, change: Change, now: float) -> list[Operation]:
        """Take a change into the model; return the writes that tell it."""
        self._held = 0
        if not change.text and not change.erase:
            return []
        if self._hidden is not None:
            self._hide(self._hidden, change)
            return []
        if self._stale or (change.erase > 1 and not self._ansi):
            self._stale = True
            operations: list[Operation] = []
        else:
            replaces = change.erase > 0
            operations = [self._replace(change.text, change.erase) if replaces else self._append(change.text)]
            self._next = now + self._interval + self._pause()
        self._shown.cut(change.erase)
        self._shown.append(change.text)
        if len(self._shown) > self._limit:
            operations += self._overflow(now)
        return operations

    def _append(self, text: str) -> Write:
        self._measure(self._length, text)
        return Write(text)

    def _replace(self, text: str, lines: int = 1) -> Write:
        """Write the last line again; in a terminal also lines above it."""
        if self._ansi:
            up = f"\x1b[{lines - 1}A" if lines > 1 else ""
            return Write(f"{up}\r\x1b[J{text}")
        first, newline, rest = text.partition("\n")
        blank = " " * (self._width - len(first))
        self._measure(0, text)
        # Over the old line's rest go spaces; written again, the line ends where the next character belongs.
        return Write(f"\r{first}{blank}\r{first}{newline}{rest}" if blank else f"\r{text}")

    def _measure(self, before: int, text: str) -> None:
        newline = text.rfind("\n")
        self._length = len(text) - newline - 1 if newline >= 0 else before + len(text)
        self._width = self._length if newline >= 0 else max(self._width, self._length)

    def _redraw(self, now: float) -> Redraw:
        text = self._shown.join()
        self._stale = False
        self._width = self._length = len(self._shown.last_line())
        self._next = now + max(REDRAW_INTERVAL, len(text) / REDRAW_RATE)
        return Redraw(text)

    def _overflow(self, now: float) -> list[Operation]:
        """Begin to hold back: from here on only one line of our own changes, below what was shown."""
        self._hidden = GrowingText()
        return [self._redraw(now)] if self._stale else []

    def _below(self, text: str) -> Write:
        """Write on our own line below what was shown; the first time, begin it."""
        if self._begun:
            return self._replace(text)
        gap = "\x1b[0m\n" if self._shown.last_line() else "\x1b[0m"
        self._begun, self._width = True, 0
        self._measure(0, text)
        return Write(gap + text)

    def _hide(self, hidden: GrowingText, change: Change) -> None:
        hidden.cut(change.erase)
        hidden.append(change.text)
        if len(hidden) > 4 * TAIL:
            self._dropped += hidden.keep_end(TAIL)

    def _untold(self) -> bool:
        return self._hidden is not None and self._dropped + len(self._hidden) != self._told

    def _notice(self, now: float) -> Write:
        assert self._hidden is not None
        self._told = self._dropped + len(self._hidden)
        self._next = now + max(NOTICE_INTERVAL, 2 * self._pause())
        return self._below(f"[{self._told:,} more characters so far]")
