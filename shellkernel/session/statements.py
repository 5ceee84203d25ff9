"""A command whose statements are told apart: its marks, on the way there and back.

Theory of operation. `split_statements` says where the statements begin. `Marks` puts a sign at each of these places;
what is typed makes bash put a mark there (`sentinel/marks.py`). Each mark that runs prints a sentinel; `StatementLog`
notes when, and how much output there was by then. The last one comes at the command's end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shellkernel.results import Statement
from shellkernel.sentinel.events import StatementEnded
from shellkernel.sentinel.marks import Marking, close_line, mark, type_marked, with_signs
from shellkernel.sentinel.typing import CellStart
from shellkernel.session.recording import Recording
from shellkernel.syntax.plain import is_plainly_whole
from shellkernel.syntax.statements import Piece, join_from, next_statement
from shellkernel.text import plain

if TYPE_CHECKING:
    from shellkernel.session.trace import Tracer

__all__ = ("Marks", "StatementLog", "marks_of", "may_alias")

KEEP_HEAD = 100_000
"""Bytes kept of the beginning of a statement's output: there may be many statements."""
KEEP_TAIL = 25_000
"""Bytes kept of its end."""

_MAY_ALIAS = re.compile(r"alias|BASH_ALIASES|source|(?:^|[;&|({\s])\.\s|eval")
_ALIASES = re.compile(r"(?:^|(?<=\s))(?:alias\s+)?(?:-- )?([^\s='\"$`\\]+)=((?:'[^']*'|\\'|\"[^\"]*\"|[^\s'\";&|])*)")
_OBSERVES = re.compile(r"\b(?:DEBUG|RETURN|BASH_XTRACEFD)\b")
"""What makes each command be seen, ours too: the statement and all behind it are one."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Where a command's marks stand."""

    pieces: tuple[Piece, ...]
    """The statements, one mark before each."""
    text: bytes
    """The command with its signs."""
    marking: Marking

    def type(self, command: bytes, nonce: bytes, start: CellStart) -> bytes:
        """Return what is typed; arguments as `type_command`."""
        return type_marked(command, nonce, start, self.marking)

    def own_lines(self, nonce: bytes) -> tuple[bytes, ...]:
        """Return our lines in the text that is evaluated, which bash prints under `set -v`."""
        return (close_line(nonce), mark(nonce, self.marking))

    def log(self) -> StatementLog:
        """Return a log of them."""
        return StatementLog(self)


def may_alias(command: str) -> bool:
    """Tell whether a command may have set an alias."""
    return _MAY_ALIAS.search(command) is not None


def marks_of(
    command: str,
    pieces: tuple[Piece, ...],
    *,
    aliases: str,
    stops: bool,
    asks_pipestatus: bool,
    tracer: Tracer | None = None,
) -> Marks:
    """Place the marks of a command.

    Args:
        command: With POSIX line ends.
        pieces: Its statements.
        aliases: What `alias -p` prints before it.
        stops: Whether nothing is to run behind a statement that fails.
        asks_pipestatus: Whether it, or a function that it may call, mentions PIPESTATUS.
        tracer: What its commands are told to, if anything.
    """
    pieces = join_from(command, pieces, _coarse_from(pieces, aliases, stops=stops))
    data = command.encode("utf-8", "surrogateescape")
    offsets = [len(command[: piece.start].encode("utf-8", "surrogateescape")) for piece in pieces]
    text, sign = with_signs(data, offsets) if pieces else (data, b"")
    if not sign:
        pieces = join_from(command, pieces, 0)
    longest = max((piece.source.count("|") + 1 for piece in pieces), default=0) if asks_pipestatus else 0
    tracing = tracer.begin(pieces, has_marks=bool(sign)) if tracer is not None else None
    marking = Marking(sign, stops=stops, trace=tracing, longest_pipeline=max(longest, 4) if longest else 0)
    return Marks(pieces, text, marking)


def _coarse_from(pieces: tuple[Piece, ...], aliases: str, *, stops: bool) -> int:
    """Return the index of the piece from which on all is one: what a cut there would say may not be so.

    An alias that stands for more than a list of simple commands (`alias begin='{'`) makes of the text another one than
    was read.
    """
    wild = _wild_aliases([aliases])
    for index, piece in enumerate(pieces):
        if (_OBSERVES.search(piece.source) and not stops) or any(_stands_in(name, piece.source) for name in wild):
            return index if not wild else 0 if stops else index
        if "alias" in piece.source:
            wild += _wild_aliases([piece.source])
    return len(pieces)


def _stands_in(name: str, source: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", source) is not None


def _wild_aliases(texts: Iterable[str]) -> list[str]:
    found = []
    for text in texts:
        for match in _ALIASES.finditer(text):
            value = re.sub(r"'\\''", "'", match[2])
            value = value[1:-1] if value[:1] in ("'", '"') and value[-1:] == value[:1] else value
            if not (value and is_plainly_whole(value)):
                found.append(match[1])
    return found


class StatementLog:
    """What is known of one command's statements so far.

    Args:
        marks: Where they are.
    """

    def __init__(self, marks: Marks) -> None:
        self._pieces = marks.pieces
        self._lines = [piece.first_line for piece in marks.pieces]
        self._stops = marks.marking.stops
        self._begun: dict[int, tuple[StatementEnded, int]] = {}
        self._ended: dict[int, tuple[StatementEnded, int]] = {}
        self._start = 0.0
        self._index = -1
        self._stopped = False
        self._lost = False
        if not marks.marking.sign:  # only the end will be told
            self.mark(StatementEnded(0, (0,), 0.0, 0), 0)

    def mark(self, ended: StatementEnded, position: int) -> None:
        """A mark ran, when so many bytes of output had come."""
        if self._stopped:
            return
        self._start = self._start or ended.time
        if self._index >= 0:
            self._ended[self._index] = (ended, position)
            self._stopped = self._stops and ended.exit_code != 0 and ended.line is not None
        if self._stopped or ended.line is None:
            return
        self._index = next_statement(self._lines, self._index, ended.line)
        self._lost = self._index >= len(self._pieces)  # an alias that we did not see
        self._begun[self._index] = (ended, position)

    @property
    def stop_note(self) -> str:
        """In words, after which statement nothing ran any more; "" where all did that could."""
        if not self._stopped:
            return ""
        number, line = self._index + 1, self._lines[self._index]
        code = self._ended[self._index][0].exit_code
        return (
            f"stopped after statement {number} of {len(self._pieces)} (line {line}), which failed with exit code {code}"
        )

    def statements(self, recording: Recording, columns: int, rows: int) -> tuple[Statement, ...]:
        """Return them, with what there is of their output; none where nothing is certain.

        Args:
            recording: All of the command's output.
            columns, rows: The terminal's size.
        """
        if self._lost:
            return ()
        return tuple(
            self._statement(index, recording, columns, rows) if index in self._begun else _not_reached(piece)
            for index, piece in enumerate(self._pieces)
        )

    def _statement(self, index: int, recording: Recording, columns: int, rows: int) -> Statement:
        piece, (begun, start) = self._pieces[index], self._begun[index]
        ended, end = self._ended.get(index, (None, recording.size))
        return Statement(
            source=piece.source,
            first_line=piece.first_line,
            last_line=piece.last_line,
            reached=True,
            exit_code=ended.exit_code if ended else None,
            pipestatus=ended.pipestatus if ended else (),
            started=_between(self._start, begun.time) or 0.0,
            duration=_between(begun.time, ended.time) if ended else None,
            output=_output(recording, start, end, columns, rows),
        )


def _not_reached(piece: Piece) -> Statement:
    return Statement(source=piece.source, first_line=piece.first_line, last_line=piece.last_line, reached=False)


def _between(earlier: float, later: float) -> float | None:
    """Return the seconds between two times of bash's clock, which may have been set meanwhile."""
    return max(0.0, later - earlier) if earlier and later else None


def _output(recording: Recording, start: int, end: int, columns: int, rows: int) -> str:
    size = end - start
    if size <= KEEP_HEAD + KEEP_TAIL:
        return _plain(recording.read(start, size), columns, rows)
    left_out = f"[… {size - KEEP_HEAD - KEEP_TAIL:,} bytes of this statement's output left out …]"
    head = _plain(recording.read(start, KEEP_HEAD), columns, rows)
    return f"{head}\n{left_out}\n{_plain(recording.read(end - KEEP_TAIL, KEEP_TAIL), columns, rows)}"


def _plain(data: bytes, columns: int, rows: int) -> str:
    return plain(data.decode("utf-8", "replace"), columns, rows=rows)
