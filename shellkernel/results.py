"""What a command came to: frozen values, complete when they are built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from importlib import import_module
from typing import Any, Literal, Protocol

__all__ = (
    "BackgroundOutput",
    "EndReason",
    "Fate",
    "InputRequest",
    "Result",
    "RunningJob",
    "Statement",
    "Trace",
    "TraceRecord",
)

EndReason = Literal["completed", "timed_out", "interrupted", "awaiting_input", "session_ended"]
Fate = Literal["", "succeeded", "decided", "swallowed", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One top-level list of a cell, and what it came to."""

    source: str
    """Its text as written, without the separator behind it but for `&`; its here documents at the end."""
    first_line: int
    last_line: int
    """The cell's lines that it stands in, from 1; here documents included."""
    reached: bool
    """Whether bash began with it; what follows is then about it, and else empty."""
    exit_code: int | None = None
    """0 to 255; None when it was not reached or did not come to its end."""
    pipestatus: tuple[int, ...] = ()
    """One exit code per element of its last pipeline."""
    started: float = 0.0
    """Seconds from the cell's begin."""
    duration: float | None = None
    """Seconds; None when it did not come to its end."""
    output: str = ""
    """Its slice of the cell's output, as `Result.output`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """One simple command that ran (`[[ ]]`, `(( ))`, assignments and the heads of `for` and `case` too)."""

    line: int
    """Its line: in the cell at depth 0, else in what `function` was defined in, as bash counts (LINENO)."""
    depth: int
    """How many functions and sourced files it stands in."""
    function: str
    """The function that it ran in; "" at top level."""
    subshell: int
    """0 in the session's own shell; else how deep in subshells it ran, as bash counts (BASH_SUBSHELL), at least 1."""
    process: int
    """The process id of the bash that ran it (BASHPID)."""
    command: str
    """As written (BASH_COMMAND)."""
    expanded: str
    """As it ran, expanded, in bash's own quotes (xtrace)."""
    exit_code: int | None
    """0 to 255; None where bash did not show it (it did not end, or nothing ran behind it in its process)."""
    started: float
    """Seconds from the cell's begin."""
    duration: float | None
    """Seconds to the next record of its process; None when there is none."""
    fate: Fate = ""
    """What became of its exit code: `succeeded`, `decided` (the failure that the cell's exit code is), `swallowed` (a
    failure of which the cell's exit code knows nothing), `failed` (neither is certain); "" without an exit code."""
    reason: str = ""
    """Why a failure was swallowed, in a few words: "condition of if", "left of ||", "a later command ran"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The simple commands of a cell, in the order in which they began."""

    records: tuple[TraceRecord, ...]
    omitted: int = 0
    """Commands beyond the limit, of which nothing is kept."""
    note: str = ""
    """One line on what it does not show, where that is known."""


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
    options: str = ""
    """The shell's options at the command's end: bash's `$-`, and "|" in it under `pipefail`; "" when they did not
    arrive.
    """
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

    statements: tuple[Statement, ...] | None = None
    """Where asked for: the cell's statements, also those that were not reached."""
    trace: Trace | None = None
    """Where asked for: the simple commands that ran."""

    job: RunningJob | None = field(default=None, compare=False, repr=False)
    """The command itself where it goes on (`on_timeout="keep"`, `on_waiting="keep"`); not pickled."""

    def __getstate__(self) -> list[Any]:
        return [None if each.name == "job" else getattr(self, each.name) for each in fields(self)]

    def __setstate__(self, state: list[Any]) -> None:
        for each, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, each.name, value)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Show itself in a notebook (IPython display protocol)."""
        # By name: how a result shows and explains itself is for a layer above to know.
        bundle: dict[str, str] = import_module("shellkernel.render").mimebundle(self)
        return bundle

    def explain(self) -> str:
        """Say in words how the exit code came about, one fact or convention to a line; `trace` lets it say more."""
        words: str = import_module("shellkernel.render.explain").explain(self)
        return words

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
        import json

        return json.loads(self.output)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as values that `json.dumps` takes (raw bytes as Latin-1 text, the time as ISO 8601)."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "job"}
        values["raw"] = self.raw.decode("latin-1")
        values["pipestatus"] = list(self.pipestatus)
        values["started"] = self.started.isoformat()
        values["statements"] = None if self.statements is None else [asdict(each) for each in self.statements]
        values["trace"] = None if self.trace is None else asdict(self.trace)
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Result:
        """Build a result from what `to_dict` gave, also after a way through JSON."""
        known = dict(values)
        known["raw"] = known["raw"].encode("latin-1")
        known["pipestatus"] = tuple(known["pipestatus"])
        known["started"] = datetime.fromisoformat(known["started"])
        if known.get("statements") is not None:
            known["statements"] = tuple(_statement(each) for each in known["statements"])
        if known.get("trace") is not None:
            known["trace"] = _trace(known["trace"])
        return cls(**known)


def _statement(values: Mapping[str, Any]) -> Statement:
    return Statement(**{**values, "pipestatus": tuple(values["pipestatus"])})


def _trace(values: Mapping[str, Any]) -> Trace:
    return Trace(**{**values, "records": tuple(TraceRecord(**each) for each in values["records"])})


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
