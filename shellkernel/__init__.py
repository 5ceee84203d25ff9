"""bash for notebooks: sessions that last, true exit codes, live output.

Layers, each importing only what is below it:

    kernel, agents, shellkernel_magics     Jupyter, IPython and agent frameworks to sessions and back
    assist                                 completion and inspection
    session, render                        a living bash; a result to text and HTML
    trace                                  what a command's commands came to
    terminal, sentinel, text, media,       a pseudoterminal; bytes to events; what a person would have seen; pictures;
        syntax                             is a cell whole, and what is in it
    results                                frozen values
    errors                                 every exception
"""

from typing import Any

from shellkernel.errors import (
    CommandError,
    CommandFailed,
    CommandInterrupted,
    CommandOver,
    CommandSyntaxError,
    CommandTimedOut,
    ExpectError,
    ExpectTimedOut,
    IncompleteCommand,
    InputRequired,
    InvalidCommand,
    SessionBusy,
    SessionClosed,
    SessionEnded,
    SessionError,
    SessionExists,
    SessionNotFound,
    SessionStartFailed,
    ShellKernelError,
)
from shellkernel.results import BackgroundOutput, InputRequest, Result, set_face
from shellkernel.session import BashSession, Expected, Job, Ladder, Moment, sessions

__version__ = "0.1.0"


def _face(result: Result) -> dict[str, str]:
    from shellkernel.render import mimebundle  # a fifth of what importing shellkernel would cost

    return mimebundle(result)


def _words(result: Result) -> str:
    from shellkernel.render.explain import explain

    return explain(result)


set_face(_face, _words)

__all__ = (
    "BackgroundOutput",
    "BashSession",
    "CommandError",
    "CommandFailed",
    "CommandInterrupted",
    "CommandOver",
    "CommandSyntaxError",
    "CommandTimedOut",
    "ExpectError",
    "ExpectTimedOut",
    "Expected",
    "IncompleteCommand",
    "InputRequest",
    "InputRequired",
    "InvalidCommand",
    "Job",
    "Ladder",
    "Moment",
    "Result",
    "SessionBusy",
    "SessionClosed",
    "SessionEnded",
    "SessionError",
    "SessionExists",
    "SessionNotFound",
    "SessionStartFailed",
    "ShellKernelError",
    "__version__",
    "load_ipython_extension",
    "sessions",
    "unload_ipython_extension",
)


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext shellkernel`: register the magics (IPython is needed only here)."""
    from shellkernel_magics import load_ipython_extension as load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext shellkernel`: take the magics back."""
    from shellkernel_magics import unload_ipython_extension as unload

    unload(shell)
