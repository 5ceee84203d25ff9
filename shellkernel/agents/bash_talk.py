"""One session of ours, talked to in SWE-ReX's words: commands, interactive programs, interrupts."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

try:
    from swerex.exceptions import (
        BashIncorrectSyntaxError,
        CommandTimeoutError,
        NoExitCodeError,
        NonZeroExitCodeError,
        SessionNotInitializedError,
        SwerexException,
    )
    from swerex.runtime.abstract import BashAction, BashInterruptAction, BashObservation
except ImportError as error:
    raise ImportError(f"{__name__} needs SWE-ReX: pip install 'shellkernel[agents]' ({error})") from error

from shellkernel.agents.defaults import AGENT_LADDER
from shellkernel.errors import (
    CommandSyntaxError,
    ExpectTimedOut,
    IncompleteCommand,
    InvalidCommand,
    ProtocolMisuse,
    SessionBusy,
    SessionClosed,
    SessionStartFailed,
)
from shellkernel.results import Result
from shellkernel.session import BashSession, Expected, Job, Moment

__all__ = ("BashTalk", "error_message", "translated")

INTERRUPT = "\x03"
"""What the Ctrl-C key types."""
KILL_SECONDS = 5.0
"""Seconds in which a killed program must be over."""
SHOWN = 2_000
"""Characters, from the end of the output, in the message of an error."""


class BashTalk:
    """Runs SWE-ReX's actions in one session; what each does and raises is in `ShellKernelRuntime.run_in_session`.

    Args:
        session: Where they run.
    """

    def __init__(self, session: BashSession) -> None:
        self.session = session
        self._interactive: weakref.WeakSet[Job] = weakref.WeakSet()

    async def act(self, action: BashAction | BashInterruptAction) -> BashObservation:
        """Do what the action says."""
        patterns = [re.compile(pattern, re.DOTALL) for pattern in action.expect]
        with translated():
            if isinstance(action, BashInterruptAction):
                return await self._interrupt(action, patterns)
            if action.is_interactive_command and action.is_interactive_quit:
                raise ValueError("a command is interactive or quits, not both; nothing was run")
            if action.is_interactive_command or action.is_interactive_quit:
                return await self._interact(action, patterns)
            return await self._run(action, patterns)

    async def _run(self, action: BashAction, patterns: list[re.Pattern[str]]) -> BashObservation:
        if not patterns:
            result = await self.session.run_async(action.command, timeout=action.timeout, ladder=AGENT_LADDER)
            return _checked(result, action)
        job = self.session.start(action.command, ladder=AGENT_LADDER)
        self._interactive.add(job)
        try:
            met = await job.expect_async([*patterns, Moment.ENDED], action.timeout)
        except ExpectTimedOut as late:
            job.interrupt()
            await job.expect_async(Moment.ENDED)
            raise _timeout_error(action, late.output) from late
        if met.result is not None:
            return _checked(met.result, action)
        if action.check == "raise":
            message = f"{action.command!r} printed what was expected and goes on: it has no exit code"
            raise NoExitCodeError(error_message(message, met.before + met.text, action.error_msg))
        return _observation(met).model_copy(update={"exit_code": None})

    async def _interact(self, action: BashAction, patterns: list[re.Pattern[str]]) -> BashObservation:
        job, echo = self.session.running, ""
        if job is not None:
            echo = action.command.rstrip("\n")
            job.send(action.command if action.command.endswith("\n") else f"{action.command}\n")
        elif action.is_interactive_quit:
            raise SwerexException(f"session {action.session!r}: no program runs that could be quit; nothing was typed")
        else:
            job = self.session.start(action.command, ladder=AGENT_LADDER)
        self._interactive.add(job)
        moments = [Moment.ENDED] if patterns or action.is_interactive_quit else [Moment.ENDED, Moment.WAITING]
        try:
            met = await job.expect_async([*patterns, *moments], action.timeout)
        except ExpectTimedOut as late:
            raise _timeout_error(action, late.output) from late
        return _observation(met, echo)

    async def _interrupt(self, action: BashInterruptAction, patterns: list[re.Pattern[str]]) -> BashObservation:
        job = self.session.running
        if job is None:
            return BashObservation(exit_code=0)
        for _ in range(action.n_retry):
            if job in self._interactive:
                job.send(INTERRUPT)  # it may go on, at its own prompt
            else:
                job.interrupt()
            try:
                met = await job.expect_async([*patterns, Moment.ENDED], action.timeout)
            except ExpectTimedOut:
                continue
            return _observation(met).model_copy(update={"exit_code": 0})
        job.kill()
        try:
            met = await job.expect_async(Moment.ENDED, KILL_SECONDS)
        except ExpectTimedOut as late:
            raise CommandTimeoutError(f"session {action.session!r}: it could not be killed") from late
        return _observation(met).model_copy(update={"exit_code": 0})


@contextmanager
def translated() -> Iterator[None]:
    """Raise SWE-ReX's exceptions for ours."""
    try:
        yield
    except (IncompleteCommand, CommandSyntaxError, InvalidCommand) as error:
        info = {"bash_stdout": "", "bash_stderr": str(error)}
        raise BashIncorrectSyntaxError(f"bash can not run this: {error}; nothing was run", extra_info=info) from error
    except SessionBusy as error:
        raise SwerexException(f"{error}; or is_interactive_command for what it reads") from error
    except (SessionClosed, SessionStartFailed) as error:
        raise SessionNotInitializedError(str(error)) from error
    except ProtocolMisuse as error:  # the program ended as it was typed to, or two expect something of it
        raise SwerexException(str(error)) from error


def _checked(result: Result, action: BashAction) -> BashObservation:
    """Answer with a command's end, or raise what SWE-ReX would."""
    if result.end_reason in ("timed_out", "awaiting_input"):
        raise CommandTimeoutError(error_message(f"{action.command!r} was ended: {result.note}", result.output))
    if action.check == "raise" and result.exit_code is None:
        raise NoExitCodeError(error_message(f"{action.command!r}: {result.note}", result.output, action.error_msg))
    if action.check == "raise" and result.exit_code != 0:
        message = f"{action.command!r} failed with exit code {result.exit_code}"
        raise NonZeroExitCodeError(error_message(message, result.output, action.error_msg))
    return BashObservation(
        output=result.output,
        exit_code=None if action.check == "ignore" else result.exit_code,
        failure_reason=result.note,
    )


def _observation(met: Expected, echo: str = "") -> BashObservation:
    output = met.before.removeprefix(f"{echo}\n") if echo else met.before
    if met.result is not None:
        return BashObservation(output=output, exit_code=met.result.exit_code, failure_reason=met.result.note)
    expected = met.pattern.pattern if isinstance(met.pattern, re.Pattern) else ""
    return BashObservation(output=output, exit_code=0, expect_string=expected)


def _timeout_error(action: BashAction, output: str) -> CommandTimeoutError:
    message = f"its timeout of {action.timeout:g} s was over; it goes on" if _goes_on(action) else "it was ended"
    return CommandTimeoutError(error_message(f"{action.command!r}: {message}", output))


def _goes_on(action: BashAction) -> bool:
    return action.is_interactive_command or action.is_interactive_quit


def error_message(message: str, output: str, error_msg: str = "") -> str:
    """Return the caller's words, what happened, and the end of the output."""
    text = f"{error_msg}: {message}" if error_msg else message
    if not output:
        return f"{text}. It printed nothing"
    return f"{text}. Output:\n{output if len(output) <= SHOWN else '[…]' + output[-SHOWN:]}"
