"""A cell with marks before its statements, to what is typed.

The marks stand in the one evaluated text, on the statements' own lines: line numbers, aliases, and what bash reads as
one, stay as they are. In the cell that is typed, a control character stands for each; bash puts the mark in its place
when it evaluates. `shell/statements.bash` is the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shellkernel.sentinel.typing import CellStart, quote, type_evaluation

__all__ = ("Marking", "Tracing", "close_line", "mark", "type_marked", "with_signs")

_SIGNS = tuple(bytes([code]) for code in (*range(1, 9), 11, 12, *range(14, 27), *range(28, 32)))
"""Control characters but NUL, tab, newline, CR and ESC: they seldom stand in a cell."""
_LONGEST_PIPELINE = 16
"""Elements of a pipeline that is rebuilt with its exit codes at most: the mark grows with each."""


@dataclass(frozen=True, slots=True)
class Tracing:
    """How a cell's commands are told of."""

    path: bytes
    """The named pipe that they are written to."""
    nonce: bytes
    """What begins each of them. The cell can read it, and could forge a record of a command; nothing else."""
    until: int = 0
    """The number of the mark that ends it, from 1; 0: the cell's end does."""


@dataclass(frozen=True, slots=True)
class Marking:
    """How a cell's statements are told apart."""

    sign: bytes
    """What stands for a mark in the cell; empty: it has none."""
    stops: bool = False
    """Whether nothing runs behind the first statement that fails."""
    trace: Tracing | None = None
    """How its commands are traced; None: they are not."""
    longest_pipeline: int = 0
    """Elements of the longest pipeline whose exit codes the cell may want to know again; 0 where it asks for none."""


def with_signs(command: bytes, places: Sequence[int]) -> tuple[bytes, bytes]:
    """Return a cell with a sign at each of these places (indices of bytes, in order), and the sign.

    The sign is empty, and the cell as it was, where every control character stands in the cell.
    """
    sign = next((each for each in _SIGNS if each not in command), b"")
    if not sign:
        return command, b""
    ends = [*places[1:], len(command)]
    return command[: places[0]] + b"".join(sign + command[s:e] for s, e in zip(places, ends, strict=True)), sign


def mark(nonce: bytes, marking: Marking) -> bytes:
    """Return what runs before each statement."""
    function = b"stop" if marking.stops else b"mark"
    if marking.trace:
        function = b"traced " + function
    # That the name is in each of them tells our commands from the cell's, in a trace.
    call = b'__shellkernel_%s %s "$LINENO" "$?" "${PIPESTATUS[@]}" "$_" && : "$__shellkernel_status" "$_"' % (
        function,
        nonce,
    )
    clauses = _clauses(marking)
    return b"{ %s || case __shellkernel_$__shellkernel_pipes in %s esac; } >/dev/null 2>&1; " % (call, clauses)


def close_line(nonce: bytes) -> bytes:
    """Return the line that runs after the cell, with its line end."""
    return b'{ __shellkernel_close %s "$?" "$_" "${PIPESTATUS[@]}"; } >/dev/null 2>&1\n' % nonce


def _clauses(marking: Marking) -> bytes:
    # `&&` keeps `set -e` and ERR traps away from a status that is not zero.
    last = b'__shellkernel_return "$__shellkernel_status" "$_" && : "$__shellkernel_status" "$_";;'
    simple = b"__shellkernel_) " + last
    zero = b"__shellkernel_0,*) case __shellkernel_$((__shellkernel_pipes)) in esac;;"
    one = b"__shellkernel_1,*) ! case __shellkernel_$((__shellkernel_pipes)) in esac;;"
    longest = min(marking.longest_pipeline, _LONGEST_PIPELINE)
    other = b"*) " + last
    if not longest:
        return simple + zero + one + other
    lengths = b"".join(b"__shellkernel_%d) %s && :;;" % (length, _pipeline(length)) for length in range(1, longest + 1))
    return simple + zero + one + b"*) case __shellkernel_${#__shellkernel_codes[@]} in %s%s esac;;" % (lengths, other)


def _pipeline(length: int) -> bytes:
    return b" | ".join(b'__shellkernel_return "${__shellkernel_codes[%d]}"' % index for index in range(length))


def type_marked(command: bytes, nonce: bytes, start: CellStart, marking: Marking) -> bytes:
    """Return what is typed at a prompt to run one cell that has signs; arguments as `type_command`."""
    before, cell = b"", b"$__shellkernel_cell"
    if marking.trace:
        trace = marking.trace
        before += b"__shellkernel_trace=($'%s' %s %d); " % (quote(trace.path), trace.nonce, trace.until)
    if marking.sign:
        line = quote(mark(nonce, marking))
        before += b"__shellkernel_sign=$'%s' __shellkernel_line=$'%s'; " % (quote(marking.sign), line)
        cell = b'${__shellkernel_cell//"$__shellkernel_sign"/"$__shellkernel_line"}'
    end = close_line(nonce)
    return type_evaluation(command, nonce, start, end=end, before=before, cell=cell, function=b"begin_marked")
