"""Where the talk with one bash stands, and what its bytes mean there. No I/O: tests drive it with literal bytes.

    phase       the shell                                 bytes on its terminal are
    starting    was started; its rc file runs             kept, for the error if it never comes to a prompt
    prompt      reads the terminal: it can be typed to    a background job's
    typed       reads what was typed                      its echo; the rest a background job's, or `set -x` noise
    running     runs the command                          the command's output
    hooks       has ended it; prompt hooks run            a background job's; dropped where the user has prompt hooks

A command is over when every terminal of the shell has said so with the command's nonce. A prompt without the nonce is a
hint: the command was cut short (Ctrl-C), or a program printed it; whoever reads the terminal finds out (`Hinted`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, assert_never

from shellkernel.errors import ProtocolMisuse
from shellkernel.sentinel.events import (
    CommandFinished,
    CommandStarted,
    Event,
    JobsListed,
    OutputReceived,
    PromptShown,
    StatementEnded,
)
from shellkernel.sentinel.parser import SentinelParser
from shellkernel.session.notices import ANY_NOTICE, NoticeFilter

__all__ = (
    "BackgroundPrinted",
    "CommandPrinted",
    "Conversation",
    "Ended",
    "Happening",
    "Hinted",
    "Lost",
    "Marked",
    "Phase",
    "Prompted",
    "Targets",
    "Terminal",
)

Phase = Literal["starting", "prompt", "typed", "running", "hooks"]
Terminal = int
"""A terminal that is read: a number that the reader gives it."""


class Targets(NamedTuple):
    """Where a command writes: its output, and its stderr (the same one where the streams are merged)."""

    output: Terminal
    stderr: Terminal


_OLD_PROMPT = re.compile(rb"\x1b\]7711;([0-9a-f]+);P;[^\x1b]*;\1\x1b\\")
"""A prompt that bash showed again, with the last command's nonce, when a late SIGINT hit it there."""
PROMPT_TAIL = 4_096
"""Bytes kept of what comes on the controlling terminal beside a command's output."""
GREETING_LIMIT = 65_536
"""Bytes kept of what a shell prints before its first prompt."""


class CommandPrinted(NamedTuple):
    """The running command's output, or its stderr where the streams are split."""

    stream: Literal["output", "stderr"]
    data: bytes


class Marked(NamedTuple):
    """The running command has come to a mark: what it prints from here on is the next statement's."""

    ended: StatementEnded


class BackgroundPrinted(NamedTuple):
    """Output of no running command."""

    data: bytes
    started_by: int
    """The serial number of the last command that wrote to the same terminal: the job is its child."""


class Ended(NamedTuple):
    """The command is over, and all of its output was here."""

    finished: CommandFinished


@dataclass(frozen=True, slots=True)
class Hinted:
    """A prompt that proves nothing stands in the running command's output."""


class Lost(NamedTuple):
    """bash did not take in what was typed: a probe was answered, and the command had not begun. `type_again` it."""

    finished: CommandFinished
    printed: bytes
    """What came on the controlling terminal meanwhile: perhaps bash's word on what it could not read."""


class Prompted(NamedTuple):
    """The shell can be typed to."""

    cwd: str
    """Its directory; empty where it did not say."""


Happening = CommandPrinted | Marked | BackgroundPrinted | Ended | Hinted | Lost | Prompted


class Conversation:
    """The talk with one bash, from its start to its end.

    Args:
        nonce: The secret that its first prompt carries.
        terminal: Its controlling terminal: what is typed, and our sentinels, are there.
        targets: Where its output goes at first.
    """

    def __init__(self, nonce: bytes, terminal: Terminal, targets: Targets) -> None:
        self._terminal = terminal
        self._targets = self._first = targets
        self._parsers = {each: SentinelParser(nonce) for each in (terminal, targets.output, targets.stderr)}
        self._owners: dict[Terminal, int] = {}
        self._unfinished: set[Terminal] = set()
        self._started: set[Terminal] = set()
        self._probed = False
        self._lost = False
        self._notices: NoticeFilter | None = None
        self._early: list[tuple[Terminal, bytes | StatementEnded]] = []
        self._finished: CommandFinished | None = None
        self._typed = b""
        self._between = b""
        self._between_owner = 0
        self._noisy = False
        self._serial = 0
        self._last: tuple[bytes, bytes, Targets, int, tuple[bytes, ...]] = (nonce, b"", targets, 0, ())
        self._hook = "hook"
        self.phase: Phase = "starting"
        self.options = ""
        """bash's `$-` after the last command."""
        self.prompt_tail = b""
        """The last that came on the controlling terminal while a command writes elsewhere: a program that asks
        there.
        """
        self.greeting = bytearray()
        """What the shell printed before its first prompt."""

    def type(
        self,
        nonce: bytes,
        typed: bytes,
        targets: Targets,
        *,
        serial: int = 0,
        swallow: tuple[bytes, ...] = (),
        noisy: bool = False,
    ) -> None:
        """Note that a command is about to be typed.

        Args:
            nonce: What its sentinels carry.
            typed: What is typed.
            targets: Where it writes; a terminal that is new here is read from now on.
            serial: Its number; 0 is a question of ours.
            swallow: See `SentinelParser.expect`.
            noisy: Whether a trap of the user's (DEBUG, RETURN) may print for our own lines: that is no job's output.

        Raises:
            ProtocolMisuse: The shell is not at a prompt.
        """
        if self.phase != "prompt":
            raise ProtocolMisuse(f"nothing can be typed in phase {self.phase!r}")
        self._last = (nonce, typed, targets, serial, swallow)
        self._between_owner = self._owners.get(self._terminal, 0)
        self._noisy = noisy
        self._targets = targets
        self._serial = serial
        self._unfinished = {self._terminal, targets.output, targets.stderr}
        for each in self._unfinished:
            self._parsers.setdefault(each, SentinelParser()).expect(nonce, swallow=swallow)
        if serial:
            self._owners[targets.output] = self._owners[targets.stderr] = serial
        self._started = set()
        self._probed = self._lost = False
        self._finished = None
        self._notices = None
        self._early = []
        self.prompt_tail = b""
        self._typed = typed.rstrip(b"\n")
        self._between = b""
        self.phase = "typed"

    def type_again(self, nonce: bytes) -> None:
        """Note that what was lost is about to be typed once more, with a new nonce: a probe's late answer has the old.

        Raises:
            ProtocolMisuse: The shell is not at a prompt.
        """
        old, typed, targets, serial, swallow = self._last
        self.type(
            nonce,
            typed.replace(old, nonce),
            targets,
            serial=serial,
            swallow=tuple(text.replace(old, nonce) for text in swallow),
            noisy=self._noisy,
        )

    def take_over(self, other: Conversation) -> None:
        """Note that what was last typed to this other shell, which is over, is to be typed here: `type_again` it."""
        nonce, typed, _, serial, swallow = other._last
        self._last = (nonce, typed, self._first, serial, swallow)
        self._noisy = other._noisy

    def assume_prompt(self) -> None:
        """Note that bash was seen to read its terminal: its prompt hook was cut short, and can not say so any more."""
        if self.phase == "hooks":
            self.phase = "prompt"

    def probe(self) -> None:
        """Note that a probe is about to be typed: bash is at its prompt. What comes before its answer is no output."""
        self._probed = True

    def forget(self, terminal: Terminal) -> None:
        """This terminal is read no more."""
        self._parsers.pop(terminal, None)
        self._owners.pop(terminal, None)

    def feed(self, terminal: Terminal, data: bytes) -> Iterator[Happening]:
        """Yield what the bytes from one terminal say. Chunk boundaries do not matter."""
        for event in self._parsers[terminal].feed(data):
            yield from self._handle(terminal, event)

    def flush(self) -> Iterator[Happening]:
        """The terminals are at their end."""
        for terminal, parser in self._parsers.items():
            for event in parser.flush():
                yield from self._handle(terminal, event)

    def _handle(self, terminal: Terminal, event: Event) -> Iterator[Happening]:
        match event:
            case OutputReceived(data):
                yield from self._output(terminal, data)
            case JobsListed(listing):
                self._notices = NoticeFilter(listing)
            case CommandStarted():
                yield from self._start(terminal)
            case CommandFinished():
                yield from self._finish(terminal, event)
            case StatementEnded():
                yield from self._mark(terminal, event)
            case PromptShown():
                if terminal == self._terminal:
                    yield from self._prompt(event)
            case _:
                assert_never(event)

    def _output(self, terminal: Terminal, data: bytes) -> Iterator[Happening]:
        own = terminal in (self._targets.output, self._targets.stderr)
        if own and terminal in self._started and not self._probed:
            if self.phase == "typed" and self._targets != self._first:
                # There are jobs; the controlling terminal, which lists them, was not read that far.
                self._early.append((terminal, data))
            else:
                yield from self._printed(terminal, data)
        elif self.phase == "starting":
            self.greeting += data[: GREETING_LIMIT - len(self.greeting)]
        elif self.phase == "typed" and terminal == self._terminal:
            self._between += data
        elif self._probed and self.phase == "running":
            return
        elif not own and terminal == self._terminal and self.phase == "running":
            self.prompt_tail = (self.prompt_tail + data)[-PROMPT_TAIL:]
            yield BackgroundPrinted(data, self._owners.get(terminal, 0))
        elif not own or self.phase == "prompt" or (self.phase == "hooks" and self._hook != "user" and not self._traced):
            data = ANY_NOTICE.sub(b"", data)
            if data:
                yield BackgroundPrinted(data, self._owners.get(terminal, 0))

    def _printed(self, terminal: Terminal, data: bytes) -> Iterator[Happening]:
        if self._notices is not None and terminal == self._targets.stderr:
            data = self._notices.feed(data)
        if data:
            yield CommandPrinted("output" if terminal == self._targets.output else "stderr", data)

    def _start(self, terminal: Terminal) -> Iterator[Happening]:
        if terminal not in self._unfinished:
            return
        self._started.add(terminal)
        if terminal != self._terminal:
            return
        self.phase = "running"
        self._probed = False  # a probe was typed too soon: the command was there after all
        rest, self._between = _OLD_PROMPT.sub(b"", self._without_echo(self._between)), b""
        # Under `set -x` and `set -v` it is bash's word on our own line.
        if rest and not self._traced:
            yield BackgroundPrinted(rest, self._between_owner)
        yield from self._take_early()

    @property
    def _traced(self) -> bool:
        """Whether bash prints what it does, ours included (`set -x`, `set -v`, a trap)."""
        return self._noisy or bool(set("xv") & set(self.options))

    def _take_early(self) -> Iterator[Happening]:
        early, self._early = self._early, []
        for terminal, data in early:
            if isinstance(data, StatementEnded):
                yield from self._mark(terminal, data)
            else:
                yield from self._printed(terminal, data)

    def _mark(self, terminal: Terminal, event: StatementEnded) -> Iterator[Happening]:
        """A statement has ended; where its output goes that says how far its output reaches."""
        if terminal != self._targets.output or not self._serial or self._probed:
            return
        if self.phase == "typed" and self._targets != self._first:
            self._early.append((terminal, event))
        else:
            yield Marked(event)

    def _without_echo(self, data: bytes) -> bytes:
        """Take the echo of what was typed out, also where a job has printed into it."""
        if not self._typed:  # typed with the echo off
            return data
        before, echo, after = data.partition(self._typed)
        if echo:
            return before + after.removeprefix(b"\n")
        expected = iter(self._typed + b"\n")
        awaited = next(expected, None)
        rest = bytearray()
        for byte in data:
            if byte == awaited:
                awaited = next(expected, None)
            else:
                rest.append(byte)
        return bytes(rest)

    def _finish(self, terminal: Terminal, event: CommandFinished) -> Iterator[Happening]:
        if terminal not in self._unfinished:
            return  # a second answer to a probe
        if self.phase == "typed" and terminal == self._terminal:
            self._lost = self._probed
            yield from self._never_began()
            if self._lost:
                self._unfinished.clear()  # the others will not tell: bash knows not of them, perhaps (`move` was lost)
        self._started.discard(terminal)
        self._unfinished.discard(terminal)
        if terminal == self._terminal:
            self._finished = event
            self.options = event.options
            self._hook = event.hook
            self.phase = "prompt" if event.hook == "prompt" else "hooks"
        if not self._unfinished and self._finished is not None:
            yield from self._take_early()
            if self._notices is not None and (rest := self._notices.flush()):
                merged = self._targets.stderr == self._targets.output
                yield CommandPrinted("output" if merged else "stderr", rest)
            yield Lost(self._finished, self._between) if self._lost else Ended(self._finished)
            if self._hook == "bare":
                self.phase = "prompt"
                yield Prompted("")

    def _never_began(self) -> Iterator[Happening]:
        """It ended without a begin sentinel: a question that has none, or bash could not read a command and said
        why.
        """
        rest, self._between = self._without_echo(self._between), b""
        if self._lost:
            self._between = rest
        elif self._serial:
            yield CommandPrinted("output", rest)
        elif rest and not self._traced:
            yield BackgroundPrinted(rest, self._between_owner)

    def _prompt(self, event: PromptShown) -> Iterator[Happening]:
        if self.phase == "hooks" or (self.phase == "starting" and event.proven):
            self.phase = "prompt"
            yield Prompted(event.cwd)
        elif self.phase in ("typed", "running"):
            yield Hinted()
