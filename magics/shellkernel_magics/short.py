"""Errors that a person meets, shown in a line or two instead of a traceback through our own code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from shellkernel.errors import CommandError, ShellKernelError
from shellkernel.render import summary, traceback_lines
from shellkernel.results import Result

__all__ = ("interrupted", "short_errors")

_RED, _RESET = "\x1b[31m", "\x1b[0m"


@contextmanager
def short_errors() -> Iterator[None]:
    """Let IPython show an error of ours without its traceback; its type and data stay."""
    try:
        yield
    except CommandError as error:
        _shorten(error, [f"{_RED}{type(error).__name__}{_RESET}", *traceback_lines(error.result)])
        raise
    except ShellKernelError as error:
        _shorten(error, [f"{_RED}{type(error).__name__}{_RESET}: {error}"])
        raise


def interrupted(result: Result | None) -> KeyboardInterrupt:
    """Return the error for a cell that was interrupted, when its command is over."""
    error = KeyboardInterrupt()
    told = f": {summary(result)}" if result is not None else ""
    _shorten(error, [f"{_RED}KeyboardInterrupt{_RESET}{told}"])
    return error


def _shorten(error: BaseException, lines: Sequence[str]) -> None:
    # IPython calls an exception's own _render_traceback_ where it has one (InteractiveShell.showtraceback).
    error.__dict__["_render_traceback_"] = _Lines(lines)


class _Lines:
    """A callable that, unlike a lambda, lets the exception be pickled."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)

    def __call__(self) -> list[str]:
        return list(self._lines)
