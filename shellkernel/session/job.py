"""One command under way: what its caller holds."""

from __future__ import annotations

import queue
import re
import time
from collections.abc import Callable, Generator, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from shellkernel.errors import ProtocolMisuse
from shellkernel.results import EndReason, InputRequest, Result
from shellkernel.session.expect import Expected, Expecter, Moment, Pattern, as_patterns
from shellkernel.session.latch import SIGNAL_PAUSE, Latch
from shellkernel.session.options import JobOptions, check_seconds
from shellkernel.session.recording import Recording
from shellkernel.session.shell import new_nonce
from shellkernel.session.waiter import wait_for
from shellkernel.text import Decoder, plain

if TYPE_CHECKING:
    from shellkernel.session.engine import Engine
    from shellkernel.session.statements import StatementLog
    from shellkernel.session.trace import Tracer

__all__ = ("Job", "JobState", "first_line")

JobState = Literal["running", "awaiting input", "done"]

READ_SIZE = 65_536
"""Bytes that `Job.read` returns at most, where its caller does not say."""


class Job:
    """A command that was started: its output so far, its end, and the ways to act on it.

    Jobs come from `BashSession.start` (and `Result.job`). All methods may be called from any thread.
    """

    def __init__(self, engine: Engine, command: str, serial: int, options: JobOptions) -> None:
        self._engine = engine
        self.command = command
        self.session: str = engine.name
        self.serial = serial
        """Counts the commands of a session, from 1."""
        self.started = datetime.now(UTC)
        self.started_at = time.monotonic()
        self.options = options
        self._waiting: InputRequest | None = None
        self._expecter: Expecter | None = None
        # From here on: the engine's, under its lock or in its thread.
        self.nonce = new_nonce()
        self.typed = b""  # set once it is typed
        self.losses = 0  # times that bash did not take it in
        self.to_be_typed = False  # since it was lost
        self.stands_alone = False  # whether nothing was typed before it that it needs
        self.statements: StatementLog | None = None
        self.tracer: Tracer | None = None
        self.recording: Recording = engine.new_recording(serial)
        self.stderr_recording = engine.new_recording(serial, "stderr") if engine.settings.split else None
        self.expected_echo = b""
        self.reads_from = ""  # the path of the terminal that its program reads; empty: the controlling one
        self.reads_keys = False  # whether its program takes single keys there: bash's `read -n`
        self.decoder = Decoder()
        self.stderr_decoder = Decoder()
        self.reason: EndReason = "completed"
        self.note = ""
        self.rung = -1
        self.rung_until: float | None = None
        self.signalled_groups: set[int] = set()
        self.adopts_orphans = False
        self.last_output_at = self.started_at
        self.callback_error: BaseException | None = None
        self._result: Result | None = None
        self._done = Latch()
        self._settled = Latch()
        self._settle_callbacks: list[Callable[[], object]] = []
        self._kept: Result | None = None
        self._done_callbacks: list[Callable[[Job], None]] = []
        self._requests: queue.SimpleQueue[InputRequest | None] | None = (
            queue.SimpleQueue() if options.on_input else None
        )

    def __repr__(self) -> str:
        return f"<Job {self.serial} of session {self.session!r}, {self.state}: {first_line(self.command)}>"

    @property
    def done(self) -> bool:
        """True once the result is there."""
        return self._done.happened

    @property
    def state(self) -> JobState:
        """`running`, `awaiting input` or `done`."""
        if self.done:
            return "done"
        return "awaiting input" if self.waiting else "running"

    @property
    def waiting(self) -> InputRequest | None:
        """What the program that waits for the terminal asked; None when none waits."""
        return self._waiting

    @waiting.setter
    def waiting(self, request: InputRequest | None) -> None:
        self._waiting = request
        self._wake()

    @property
    def output(self) -> str:
        """What a person would have read of it so far."""
        if self._result is not None:
            return self._result.output
        return self.recording.text(self._engine.columns, self._engine.rows)

    @property
    def elapsed(self) -> float:
        """Seconds since it was started, or that it took."""
        return self._result.duration if self._result else time.monotonic() - self.started_at

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over; return False when `timeout` seconds passed before.

        Raises:
            ProtocolMisuse: A callback of the session would wait for the thread that it runs in.
        """
        self._raise_in_callback()
        return self._done.wait(timeout)

    def result(self, timeout: float | None = None) -> Result:
        """Wait until it is over and return its result.

        Raises:
            TimeoutError: `timeout` seconds passed; the command goes on.
            Exception: What a callback of the caller's raised; the command went on to its end.
        """
        if not self.wait(timeout):
            raise TimeoutError(f"session {self.session!r}: the command is still running after {timeout} s")
        assert self._result is not None
        if self.callback_error is not None:
            raise self.callback_error
        return self._result

    def settle(self) -> Result:
        """Wait until it is over, or goes on on its own ("keep"), and return the result of that.

        Raises:
            Exception: What a callback of the caller's raised.
        """
        self._raise_in_callback()
        self._settled.wait()
        if self._kept is not None and not self.done:
            return self._kept
        return self.result()

    def _raise_in_callback(self) -> None:
        if self._engine.is_reader and not self.done:
            raise ProtocolMisuse(
                f"session {self.session!r}: a callback runs in the session's own thread and can wait for no command; "
                "use add_done_callback, or a thread"
            )

    @property
    def settled(self) -> bool:
        """True once `settle` does not wait."""
        return self._settled.happened

    def read(self, *, offset: int = 0, size: int = READ_SIZE, tail: int | None = None, grep: str | None = None) -> str:
        """Page through its whole output so far, also what is not kept in memory.

        Args:
            offset: Bytes to pass over, from the beginning.
            size: Bytes to return at most.
            tail: Return the last so many lines instead (of the last `size` bytes).
            grep: A regular expression (`re`); return only the lines in which it is found.

        Returns:
            Text, escape sequences applied or removed; a page may begin or end inside a line.
        """
        if offset < 0 or size < 0 or (tail is not None and tail < 0):
            raise ValueError("offset, size and tail are 0 or more")
        start = max(0, self.recording.size - size) if tail is not None else offset
        text = plain(self.recording.read(start, size).decode("utf-8", "replace"), self._engine.columns)
        lines = text.splitlines(keepends=True)
        if grep is not None:
            pattern = re.compile(grep)
            lines = [line for line in lines if pattern.search(line)]
        return "".join(lines[-tail:] if tail else lines if tail is None else [])

    def __await__(self) -> Generator[Any, None, Result]:
        """Wait for the result in an asyncio coroutine; cancelling that interrupts the command."""
        return wait_for(self).__await__()

    def interrupt(self) -> bool:
        """Interrupt it (see `Ladder`); each further call goes up a rung. False when it was over."""
        return self._engine.interrupt(self)

    def kill(self) -> bool:
        """Kill its foreground group at once; the shell too where bash itself runs. False when it was over."""
        return self._engine.kill(self)

    def send(self, text: str) -> None:
        """Type text into the terminal, as a person would; a line ends with "\\n".

        Raises:
            ProtocolMisuse: The command is over; nothing was sent.
        """
        self._engine.send(self, text.encode("utf-8", "surrogateescape"))

    def expect(
        self, patterns: Pattern | Iterable[Pattern] = (Moment.WAITING, Moment.ENDED), timeout: float | None = None
    ) -> Expected:
        """Wait until its output matches one of the patterns, and return the match that begins first.

        The next call looks on behind it. What patterns see has no escape sequences in it; the echo of what was sent is
        output. A match of a regular expression may come early: `\\d+` is met by the first digits that arrive.

        Args:
            patterns: Texts, taken literally; compiled expressions; moments. By default `Moment.WAITING` and
                `Moment.ENDED`: whatever it prints, until it waits for input or is over.
            timeout: Seconds to wait at most, 0 to only look; None waits as long as it runs.

        Raises:
            ExpectTimedOut: Nothing matched in time. The command goes on, and the next call looks at all of it again.
            CommandOver: It ended without a match, and `Moment.ENDED` was not among the patterns; has the result.
            ProtocolMisuse: Another thread expects something of it, or this is the session's reader thread.
            TypeError, ValueError: No patterns, or no number of seconds.
        """
        return self._expecting(timeout).wait(as_patterns(patterns), timeout)

    async def expect_async(
        self, patterns: Pattern | Iterable[Pattern] = (Moment.WAITING, Moment.ENDED), timeout: float | None = None
    ) -> Expected:
        """Do as `expect` does in asyncio, without blocking its loop. Cancelling leaves the command as it is."""
        return await self._expecting(timeout).wait_async(as_patterns(patterns), timeout)

    def _expecting(self, timeout: float | None) -> Expecter:
        check_seconds("timeout", timeout)
        if self._engine.is_reader:
            raise ProtocolMisuse(f"session {self.session!r}: its callbacks can not wait for its output")
        with self._engine.lock:
            if self._expecter is None:
                self._expecter = Expecter(self)
            return self._expecter

    def _wake(self) -> None:
        if self._expecter is not None:
            self._expecter.wake()

    def add_done_callback(self, callback: Callable[[Job], None]) -> None:
        """Call `callback(job)` when it is over: in the session's reader thread, or here when it is over already."""
        with self._engine.lock:
            if not self.done:
                self._done_callbacks.append(callback)
                return
        callback(self)

    @property
    def is_question(self) -> bool:
        """Engine: whether it is one of ours, between two commands, of which callers know nothing."""
        return self.serial == 0

    @property
    def outcome(self) -> Result | None:
        """Engine: the result, where it is there; nothing is waited for or raised."""
        return self._result

    @property
    def size(self) -> tuple[int, int]:
        """Engine: the columns and rows of its terminal."""
        return self._engine.columns, self._engine.rows

    @property
    def limit(self) -> float | None:
        """Engine: when `timeout` or `idle_timeout` is over, on the monotonic clock."""
        limits: list[float] = []
        if self._kept is not None and self._kept.end_reason == "timed_out":
            return None
        if self.options.timeout is not None:
            limits.append(self.started_at + self.options.timeout)
        if self.options.idle_timeout is not None:
            limits.append(self.last_output_at + self.options.idle_timeout)
        return min(limits, default=None)

    def receive(self, stream: Literal["output", "stderr"], data: bytes, now: float) -> None:
        """Engine: record output and hand it on; the echo of an answer is recorded, and not handed on."""
        self.last_output_at = now
        if stream == "stderr":
            assert self.stderr_recording is not None
            self.stderr_recording.append(data)
            self._wake()
            if self.options.on_stderr is not None:
                self.call(self.options.on_stderr, self.stderr_decoder.feed(data))
            return
        self.recording.append(data)
        self._wake()
        if self.expected_echo:
            echo = _common_start(self.expected_echo, data)
            data = data[echo:]
            self.expected_echo = b"" if data else self.expected_echo[echo:]
        if self.options.on_output is not None:
            self.call(self.options.on_output, self.decoder.feed(data))

    def end_output(self) -> None:
        """Engine: no output comes any more."""
        self.call(self.options.on_output, self.decoder.done())
        self.recording.close()
        if self.stderr_recording is not None:
            self.call(self.options.on_stderr, self.stderr_decoder.done())
            self.stderr_recording.close()

    def call(self, callback: Callable[[str], None] | None, text: str) -> None:
        """Engine: call what the caller gave. Its first error ends its calls and is raised from `result`."""
        if callback is None or not text or self.callback_error is not None:
            return
        try:
            callback(text)
        except BaseException as error:  # noqa: BLE001  # foreign code
            self.callback_error = error

    def add_settle_callback(self, callback: Callable[[], object]) -> None:
        """Call `callback()` once `settle` does not wait: in the session's reader thread, or here."""
        with self._engine.lock:
            if not self.settled:
                self._settle_callbacks.append(callback)
                return
        callback()

    def keep(self, result: Result) -> None:
        """Engine: its caller has what it came for; the command goes on."""
        if self._kept is None:
            self._kept = result
            self._settle()

    def _settle(self) -> None:
        self._settled.happen()
        if self._requests is not None:
            self._requests.put(None)
        callbacks, self._settle_callbacks = self._settle_callbacks, []
        for callback in callbacks:
            callback()

    def ask(self, request: InputRequest) -> None:
        """Engine: a program waits. Hand the request to whoever serves `on_input`."""
        if self._requests is not None:
            self._requests.put(request)

    def serve_input(self) -> None:
        """Call `on_input` for each request, in this thread, until the command is over."""
        assert self._requests is not None
        assert self.options.on_input is not None
        while True:
            try:
                request = self._requests.get(timeout=SIGNAL_PAUSE)
            except queue.Empty:
                continue
            if request is None:
                return
            answer = self.options.on_input(request)
            if not self.done and self.waiting is request:
                self._engine.answer(self, answer)

    def finish(self, result: Result) -> list[Callable[[Job], None]]:
        """Engine: it is over. Return the callbacks to call."""
        self._result = result
        callbacks, self._done_callbacks = self._done_callbacks, []
        self._done.happen()
        self.waiting = None
        self._settle()
        return callbacks


def first_line(command: str) -> str:
    """Return a command's first line, 80 characters of it at most, with an ellipsis where there is more."""
    line, _, rest = command.strip().partition("\n")
    return f"{line[:80]}…" if len(line) > 80 else f"{line} …" if rest else line


def _common_start(one: bytes, other: bytes) -> int:
    """Return the length of what two byte strings begin with alike."""
    length = min(len(one), len(other))
    return next((index for index in range(length) if one[index] != other[index]), length)
