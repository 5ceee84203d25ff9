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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from shellkernel.errors import ProtocolMisuse
from shellkernel.sentinel.events import CommandFinished, CommandStarted, Event, OutputReceived, PromptShown
from shellkernel.sentinel.parser import SentinelParser

__all__ = (
    "BackgroundPrinted",
    "CommandPrinted",
    "Conversation",
    "Ended",
    "Happening",
    "Hinted",
    "Phase",
    "Prompted",
    "Stream",
)

Phase = Literal["starting", "prompt", "typed", "running", "hooks"]
Stream = Literal["output", "stderr"]

GREETING_LIMIT = 65_536
"""Bytes kept of what a shell prints before its first prompt."""


@dataclass(frozen=True, slots=True)
class CommandPrinted:
    """The running command's output, or its stderr where the streams are split."""

    stream: Stream
    data: bytes


@dataclass(frozen=True, slots=True)
class BackgroundPrinted:
    """Output of no running command."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Ended:
    """The command is over, and all of its output was here."""

    finished: CommandFinished


@dataclass(frozen=True, slots=True)
class Hinted:
    """A prompt that proves nothing stands in the running command's output."""


@dataclass(frozen=True, slots=True)
class Prompted:
    """The shell can be typed to."""


Happening = CommandPrinted | BackgroundPrinted | Ended | Hinted | Prompted


class Conversation:
    """The talk with one bash, from its start to its end.

    Args:
        nonce: The secret that its first prompt carries.
        split: Whether stderr comes on a terminal of its own.
    """

    def __init__(self, nonce: bytes, *, split: bool) -> None:
        streams: tuple[Stream, ...] = ("output", "stderr") if split else ("output",)
        self._parsers = {stream: SentinelParser(nonce) for stream in streams}
        self._unfinished: set[Stream] = set()
        self._started: set[Stream] = set()
        self._finished: CommandFinished | None = None
        self._typed = b""
        self._between = b""
        self.phase: Phase = "starting"
        self.options = ""
        """bash's `$-` after the last command."""
        self._hook = "hook"
        self.greeting = bytearray()
        """What the shell printed before its first prompt."""

    def type(self, nonce: bytes, typed: bytes, *, swallow: bytes = b"") -> None:
        """Note that `typed` is about to be typed; its sentinels carry `nonce`. See `SentinelParser.expect`.

        Raises:
            ProtocolMisuse: The shell is not at a prompt.
        """
        if self.phase != "prompt":
            raise ProtocolMisuse(f"nothing can be typed in phase {self.phase!r}")
        for parser in self._parsers.values():
            parser.expect(nonce, swallow=swallow)
        self._unfinished = set(self._parsers)
        self._started = set()
        self._finished = None
        self._typed = typed.rstrip(b"\n")
        self._between = b""
        self.phase = "typed"

    def feed(self, stream: Stream, data: bytes) -> Iterator[Happening]:
        """Yield what the bytes from one terminal say. Chunk boundaries do not matter."""
        for event in self._parsers[stream].feed(data):
            yield from self._handle(stream, event)

    def flush(self) -> Iterator[Happening]:
        """The terminals are at their end."""
        for stream, parser in self._parsers.items():
            for event in parser.flush():
                yield from self._handle(stream, event)

    def _handle(self, stream: Stream, event: Event) -> Iterator[Happening]:
        match event:
            case OutputReceived(data):
                yield from self._output(stream, data)
            case CommandStarted():
                yield from self._start(stream)
            case CommandFinished():
                yield from self._finish(stream, event)
            case PromptShown():
                if stream == "output":
                    yield from self._prompt(event)
            case _:
                assert_never(event)

    def _output(self, stream: Stream, data: bytes) -> Iterator[Happening]:
        if stream in self._started:
            yield CommandPrinted(stream, data)
        elif self.phase == "starting":
            self.greeting += data[: GREETING_LIMIT - len(self.greeting)]
        elif self.phase in ("typed", "running"):
            if stream == "output":
                self._between += data
        elif self.phase == "prompt" or self._hook != "user":
            yield BackgroundPrinted(data)

    def _start(self, stream: Stream) -> Iterator[Happening]:
        if stream not in self._unfinished:
            return
        self._started.add(stream)
        if stream != "output":
            return
        self.phase = "running"
        before, echo, after = self._between.partition(self._typed)
        self._between = b""
        rest = before + after.removeprefix(b"\n")
        # Under `set -x` and `set -v` it is bash's word on our own line.
        if echo and rest and not set("xv") & set(self.options):
            yield BackgroundPrinted(rest)

    def _finish(self, stream: Stream, event: CommandFinished) -> Iterator[Happening]:
        if stream not in self._unfinished:
            return  # a second answer to a probe
        if self.phase == "typed" and stream == "output":
            # It never began: bash could not read what was typed, and has said why.
            yield CommandPrinted(stream, self._between.partition(self._typed + b"\n")[2])
        self._started.discard(stream)
        self._unfinished.discard(stream)
        if stream == "output":
            self._finished = event
            self.options = event.options
            self._hook = event.hook
            self.phase = "hooks"
        if not self._unfinished and self._finished is not None:
            yield Ended(self._finished)
            if self._hook == "bare":
                self.phase = "prompt"
                yield Prompted()

    def _prompt(self, event: PromptShown) -> Iterator[Happening]:
        if self.phase == "hooks" or (self.phase == "starting" and event.proven):
            self.phase = "prompt"
            yield Prompted()
        elif self.phase in ("typed", "running"):
            yield Hinted()
