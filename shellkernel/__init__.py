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

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from shellkernel.results import BackgroundOutput, InputRequest, Result
    from shellkernel.session import BashSession, Expected, Job, Ladder, Moment, sessions

__version__ = "0.1.0"


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


_MODULES = ("shellkernel.errors", "shellkernel.results", "shellkernel.session")


def __getattr__(name: str) -> Any:
    """Import what is asked for (PEP 562): a kernel opens its channels before it imports the session, and clients
    connect meanwhile.
    """
    if name in __all__:
        for module in map(import_module, _MODULES):
            if name in module.__all__:
                globals()[name] = found = getattr(module, name)
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext shellkernel`: register the magics (IPython is needed only here)."""
    from shellkernel_magics import load_ipython_extension as load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext shellkernel`: take the magics back."""
    from shellkernel_magics import unload_ipython_extension as unload

    unload(shell)
