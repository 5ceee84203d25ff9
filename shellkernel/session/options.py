"""How one command is run: what callers may ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypedDict

from shellkernel.results import InputRequest
from shellkernel.session.ladder import DEFAULT_LADDER, Ladder

__all__ = ("Inside", "JobOptions", "OnInput", "OnOutput", "OnTimeout", "check_seconds")

OnOutput = Callable[[str], None]
OnInput = Callable[[InputRequest], str | None]
OnTimeout = Literal["interrupt", "keep"]


class Inside(TypedDict, total=False):
    """What a caller may want to know of a command beside its end."""

    statements: bool
    """True fills `Result.statements`: its top-level statements, each with exit code, pipestatus, time and output."""
    stop_on_error: bool
    """True runs nothing behind the first statement whose exit code is not 0, and fills `Result.statements` as well;
    `Result.note` says which it was."""
    trace: bool
    """True fills `Result.trace`: the simple commands that ran, in functions, subshells and pipelines too."""
    trace_limit: int
    """Commands that a trace holds at most, 10,000 if not given; those beyond are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """How one command is run; `BashSession.run` says what each means."""

    timeout: float | None = None
    idle_timeout: float | None = None
    on_output: OnOutput | None = None
    on_stderr: OnOutput | None = None
    on_input: OnInput | None = None
    on_timeout: OnTimeout = "interrupt"
    on_waiting: OnTimeout = "interrupt"
    ladder: Ladder = DEFAULT_LADDER
    statements: bool = False
    stop_on_error: bool = False
    trace: bool = False
    trace_limit: int = 10_000

    @property
    def looks_inside(self) -> bool:
        """Whether more is asked for than how it ends."""
        return self.statements or self.stop_on_error or self.trace

    @property
    def tells_statements(self) -> bool:
        """Whether the result shall have statements."""
        return self.statements or self.stop_on_error

    def __post_init__(self) -> None:
        for name in ("timeout", "idle_timeout"):
            check_seconds(name, getattr(self, name))
        if self.trace_limit < 0:
            raise ValueError(f"trace_limit is a whole number, 0 or more, not {self.trace_limit!r}")
        for name in ("on_timeout", "on_waiting"):
            if getattr(self, name) not in ("interrupt", "keep"):
                raise ValueError(f"{name} is 'interrupt' or 'keep', not {getattr(self, name)!r}")


def check_seconds(name: str, seconds: float | None) -> None:
    """Return where it is a number of seconds, 0 or more, or None.

    Raises:
        TypeError, ValueError: It is not.
    """
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int | float)):
        raise TypeError(f"{name} is a number of seconds or None, not {seconds!r}")
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"{name} is a number of seconds, 0 or more, not {seconds!r}")
