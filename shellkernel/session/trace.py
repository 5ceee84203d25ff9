"""One command's trace: whether and how far it is traced, and what comes of it.

A cell that has to do with `set -x` itself (or with what shows that it is on) keeps it to itself: what a person sees is
the same with a trace as without. The trace then ends before the statement that does, and says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from shellkernel.results import EndReason, Trace
from shellkernel.sentinel.marks import Tracing
from shellkernel.session.trace_channel import TraceChannel
from shellkernel.syntax.statements import Piece
from shellkernel.trace.codes import Codes
from shellkernel.trace.fates import records_of
from shellkernel.trace.structure import Structure

__all__ = ("Tracer", "first_touching")

_FUNCTION = re.compile(r"([^\s;&|(){}<>$`'\"]+)\s*\(\s*\)|(?<=\bfunction )\s*([^\s;&|(){}<>$`'\"]+)")

_TOUCHES = re.compile(
    r"\bset\b(?:\s+\S+)*?\s+[-+][A-Za-z]*x|xtrace|\bPS4\b|BASH_XTRACEFD|SHELLOPTS|\$-|\$\{-|\bset\s+[-+]o\s*(?:[;&|)>}\n]|$)"
    r"|\bset\s*(?:[;&|)>}\n]|$)|\b(?:declare|typeset)(?:\s+-\w+)*\s*(?:[;&|)>}\n]|$)|\bshopt\s+-\w*o|promptvars|\b247\s*[<>]|[<>]&247\b"
)
"""What sets `set -x`, PS4 or the trace's descriptor, or prints them with all other options and variables."""


_TURNS = re.compile(r"(?:builtin |command )?set .*[-+](?:\w*x|o xtrace)")
"""As it was run."""


def first_touching(pieces: tuple[Piece, ...], earlier: Iterable[str]) -> int | None:
    """Return the index of the first statement that has to do with `set -x`; None where none has.

    Args:
        pieces: A cell's statements.
        earlier: The cells before it, in which functions of that kind may have been defined.
    """
    names = {
        name
        for command in earlier
        if _TOUCHES.search(command)
        for found in _FUNCTION.findall(command)
        for name in found
        if name
    }
    calls = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?![\w.-])") if names else None
    for index, piece in enumerate(pieces):
        if _TOUCHES.search(piece.source) or (calls is not None and calls.search(piece.source)):
            return index
    return None


@dataclass(slots=True)
class Tracer:
    """What is known of one command's commands.

    Args:
        command: The cell.
        shell: The process id of the session's shell.
        channel: Where bash tells of them; None where nothing is traced, and `notes` says why.
    """

    command: str
    shell: int
    channel: TraceChannel | None = None
    notes: list[str] = field(default_factory=list)
    """In words, what is not in the trace, as far as it was known before."""
    pieces: tuple[Piece, ...] = ()
    """The statements that have marks."""
    traces: bool = False
    """Whether bash was asked to tell."""
    earlier: tuple[str, ...] = ()
    """The commands before it, in which its functions may have been defined."""

    def begin(self, pieces: tuple[Piece, ...], *, has_marks: bool) -> Tracing | None:
        """Say how bash is to tell of the commands of these statements; None where it is to tell of none."""
        self.pieces = pieces if has_marks else ()
        touching = first_touching(pieces, self.earlier)
        if self.channel is None or touching is None:
            until = 0
        else:
            line = pieces[touching].first_line
            self.notes.append(
                f"nothing is traced from line {line} on, where the cell sets or shows `set -x`, PS4 or `$-`"
            )
            until = touching + 1
        if self.channel is None or until == 1 or (until and not has_marks):
            return None
        self.traces = True
        return Tracing(os.fsencode(self.channel.path), self.channel.nonce, until)

    def end(self) -> None:
        """The command is over."""
        if self.channel is not None:
            self.channel.end()

    def trace(self, exit_code: int | None, options: str, end_reason: EndReason) -> Trace:
        """Return the trace so far.

        Args:
            exit_code: The cell's.
            options: bash's at its end, "|" for `pipefail`; "" where they are not known.
            end_reason: How it ended.
        """
        channel = self.channel
        if channel is None:
            return Trace(records=(), note="; ".join(self.notes))
        structure = Structure(self.command, self.pieces, self.earlier)
        ended = exit_code if end_reason == "session_ended" and exit_code is not None and exit_code <= 128 else None
        codes = Codes(channel.records.all, self.shell, structure, ended)
        return Trace(
            records=records_of(codes, exit_code, pipefail=self._pipefail(options)),
            omitted=channel.records.omitted,
            note="; ".join([*self.notes, *self._late_notes(codes, end_reason)]),
        )

    def _pipefail(self, options: str) -> bool | None:
        """Tell whether the option was on all the time; None where that is not certain."""
        if not options or ("pipefail" in self.command and "|" not in options):
            return None
        return "|" in options

    def _late_notes(self, codes: Codes, end_reason: EndReason) -> Iterator[str]:
        if self.channel is not None and self.channel.records.garbled:
            yield f"{self.channel.records.garbled} records could not be read"
        if any(_TURNS.fullmatch(entry.expanded) for entry in codes.entries):
            yield "a command turned `set -x` on or off; what it was to print, or what ran behind it, is missing"
        if self.traces and end_reason == "completed" and not codes.saw_end and not self.notes:
            yield "it is not whole: `set -x` or PS4 was changed meanwhile, or descriptor 247 was in use"
