"""What a command came to: frozen values, complete when they are built."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, Protocol

__all__ = ("BackgroundOutput", "EndReason", "InputRequest", "Result", "RunningJob", "set_face")

EndReason = Literal["completed", "timed_out", "interrupted", "awaiting_input", "session_ended"]


class RunningJob(Protocol):
    """A command that goes on (`shellkernel.Job`)."""

    @property
    def done(self) -> bool:
        """True once it is over."""

    @property
    def output(self) -> str:
        """What a person would have read of it so far."""

    def result(self, timeout: float | None = None) -> Result:
        """Wait until it is over and return its result."""

    def send(self, text: str) -> None:
        """Type text into the terminal."""

    def interrupt(self) -> bool:
        """Interrupt it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One command's end. It has no truth value: ask `ok`."""

    command: str
    """The text that ran."""
    session: str
    """The name of the session it ran in."""
    output: str
    """What a person would have read: escape sequences applied or removed, `\\n` line ends."""
    raw: bytes
    """The bytes as the terminal gave them; at most the kept part when `omitted` is not 0."""
    stderr: str | None = None
    """The separate stream when the session splits the two, else None."""
    exit_code: int | None
    """0 to 255 as bash gives it (128+n for a signal, POSIX 2.8.2); None when none arrived."""
    pipestatus: tuple[int, ...] = ()
    """One exit code per element of the last pipeline, left to right; empty when none arrived."""
    end_reason: EndReason
    """How it ended. Only `completed` says that the shell itself reported the end."""
    cwd: str
    """The session's working directory afterwards."""
    started: datetime
    """When it was sent, in UTC."""
    duration: float
    """Seconds from sending to the end."""
    omitted: int = 0
    """Bytes in the middle of the output that are in neither `output` nor `raw`."""
    output_path: str | None = None
    """The file with all of the raw output when something was omitted; it lives as long as the session."""
    note: str = ""
    """One line on how it ended where the exit code alone does not tell."""

    job: RunningJob | None = field(default=None, compare=False, repr=False)
    """The command itself where it goes on (`on_timeout="keep"`, `on_waiting="keep"`); not pickled."""

    def __getstate__(self) -> list[Any]:
        return [None if each.name == "job" else getattr(self, each.name) for each in fields(self)]

    def __setstate__(self, state: list[Any]) -> None:
        for each, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, each.name, value)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Show itself in a notebook (IPython display protocol)."""
        return _face[-1](self)

    @property
    def ok(self) -> bool:
        """True when it completed with exit code 0."""
        return self.end_reason == "completed" and self.exit_code == 0

    @property
    def lines(self) -> list[str]:
        """The output's lines, without line ends."""
        return self.output.splitlines()

    def json(self) -> Any:
        """Parse the output as JSON.

        Raises:
            json.JSONDecodeError: The output is not JSON.
        """
        return json.loads(self.output)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as values that `json.dumps` takes (raw bytes as Latin-1 text, the time as ISO 8601)."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "job"}
        values["raw"] = self.raw.decode("latin-1")
        values["pipestatus"] = list(self.pipestatus)
        values["started"] = self.started.isoformat()
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Result:
        """Build a result from what `to_dict` gave, also after a way through JSON."""
        known = dict(values)
        known["raw"] = known["raw"].encode("latin-1")
        known["pipestatus"] = tuple(known["pipestatus"])
        known["started"] = datetime.fromisoformat(known["started"])
        return cls(**known)


_face: list[Callable[[Result], dict[str, str]]] = [lambda result: {"text/plain": repr(result)}]


def set_face(face: Callable[[Result], dict[str, str]]) -> None:
    """Say how results show themselves in notebooks: a renderer, which is in a layer above, as a MIME bundle."""
    _face[:] = [face]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRequest:
    """A program waits for the terminal."""

    prompt: str
    """The unfinished line it printed last; may be empty."""
    password: bool
    """True when the terminal's echo is off (termios(3), ECHO)."""
    program: str
    """The name of the process that waits, as far as it is known; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundOutput:
    """Output that came from no running command."""

    text: str
    """Decoded text, escape sequences still in it."""
    started_by: int
    """The serial number of the command that most likely started the job; 0 when none had run."""
