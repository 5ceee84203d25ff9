"""Every exception that shellkernel raises, branched by who has to act.

`SessionError`: look at the session. `CommandError`: look at the command; it carries `.result`. `ExpectError`: look at
the program that is talked to.
`IncompleteCommand` and `CommandSyntaxError`: look at the text; nothing was run. `TerminalError`: the way
to the shell broke. `ProtocolError`: the bytes, or our calls, were not as agreed. `InternalError`: our bug.

Each also derives from the built-in exception that a caller would catch anyway, and survives pickling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shellkernel.results import Result

__all__ = (
    "CommandError",
    "CommandFailed",
    "CommandInterrupted",
    "CommandOver",
    "CommandSyntaxError",
    "CommandTimedOut",
    "ExpectError",
    "ExpectTimedOut",
    "IncompleteCommand",
    "InputRequired",
    "InternalError",
    "InvalidCommand",
    "ProtocolError",
    "ProtocolMisuse",
    "SentinelError",
    "SessionBusy",
    "SessionClosed",
    "SessionEnded",
    "SessionError",
    "SessionExists",
    "SessionNotFound",
    "SessionStartFailed",
    "ShellKernelError",
    "TerminalError",
)


class ShellKernelError(Exception):
    """The root of the tree; never raised itself."""


class SessionError(ShellKernelError):
    """The caller should look at the session.

    Attributes:
        session: The session's name.
    """

    def __init__(self, message: str, session: str = "") -> None:
        super().__init__(message, session)
        self.session = session

    def __str__(self) -> str:
        return str(self.args[0])


class SessionNotFound(SessionError, KeyError):
    """No live session has this name."""


class SessionExists(SessionError, ValueError):
    """A live session has this name already; nothing was started."""


class SessionBusy(SessionError):
    """Another command is running; nothing was sent."""


class SessionClosed(SessionError):
    """The session was closed; nothing was sent."""


class SessionStartFailed(SessionError):
    """The shell did not reach its first prompt; nothing of it is left running.

    Attributes:
        output: The last of what it printed.
    """

    def __init__(self, message: str, session: str = "", output: str = "") -> None:
        super().__init__(message, session)
        self.output = output
        self.args = (message, session, output)


class CommandError(ShellKernelError):
    """The command ended other than with exit code 0, and the caller asked for `check`.

    Attributes:
        result: The whole `Result`, with the output so far.
    """

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message, result)
        self.result = result

    def __str__(self) -> str:
        return str(self.args[0])


class CommandFailed(CommandError):
    """It completed with a non-zero exit code."""


class CommandTimedOut(CommandError, TimeoutError):
    """It was ended after its seconds were over."""


class CommandInterrupted(CommandError):
    """It was interrupted by a person or a program."""


class InputRequired(CommandError):
    """It waited for input that nobody could give, and was ended."""


class SessionEnded(CommandError):
    """It ended its own shell."""


class ExpectError(ShellKernelError):
    """What a caller waited for did not come (`Job.expect`); never raised itself.

    Attributes:
        output: What the command printed since the last match, as a person reads it.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message, output)
        self.output = output

    def __str__(self) -> str:
        return str(self.args[0])


class ExpectTimedOut(ExpectError, TimeoutError):
    """The seconds were over; the command goes on."""


class CommandOver(ExpectError, EOFError):
    """The command ended before.

    Attributes:
        result: Its `Result`.
    """

    def __init__(self, message: str, output: str, result: Result) -> None:
        super().__init__(message, output)
        self.result = result
        self.args = (message, output, result)


class InvalidCommand(ShellKernelError, ValueError):
    """The text can not be given to bash at all (NUL bytes, lone surrogates); nothing was run."""


class IncompleteCommand(ShellKernelError, ValueError):
    """A quote, here-document or block is still open at the end of the text; nothing was run.

    Attributes:
        line: The line bash names, counted from 1.
    """

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message, line)
        self.line = line

    def __str__(self) -> str:
        return str(self.args[0])


class CommandSyntaxError(ShellKernelError, ValueError):
    """bash can not parse the text; nothing was run.

    Attributes:
        line: The line bash names, counted from 1.
    """

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message, line)
        self.line = line

    def __str__(self) -> str:
        return str(self.args[0])


class TerminalError(ShellKernelError, OSError):
    """The pseudoterminal or its program can not be used any more."""


class ProtocolError(ShellKernelError):
    """What the two sides say to each other is not as agreed; never raised itself."""


class SentinelError(ProtocolError):
    """A sentinel with the right nonce has a body that can not be read."""


class ProtocolMisuse(ProtocolError):
    """The caller used the sentinel code in an order that makes no sense."""


class InternalError(ShellKernelError):
    """An invariant broke. Please report it, with the text."""
