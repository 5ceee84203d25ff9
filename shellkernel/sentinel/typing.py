"""A cell to what is typed.

Whatever its size and content, a cell is delivered as one command, whose text is in quotes where every control byte is
escaped: the line discipline acts on none of it, and a program that reads the terminal can eat none of it. The terminal
takes a line of 4,095 bytes at most (1,024 on macOS); bytes beyond are dropped without an error (termios(3), canonical
mode). A longer command therefore has line continuations between its quoted pieces; bash reads them as one line. The
kernel's flow control holds back the lines that bash has not read yet (measured on Linux 6: a 10 MB cell, nothing lost),
so that no piece needs an acknowledgement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shellkernel.errors import InvalidCommand

__all__ = (
    "LINE_LIMIT",
    "CellStart",
    "begin_line",
    "encode",
    "end_line",
    "fits",
    "may_list_traps",
    "may_trap",
    "normalise",
    "probe_line",
    "quote",
    "type_aside",
    "type_call",
    "type_command",
    "type_evaluation",
    "type_load",
    "type_move",
    "type_question",
    "type_source",
)

LINE_LIMIT = 1_000
"""Bytes in one typed line at most: what both Linux (4,095) and macOS (1,024) take."""

_ESCAPED = re.compile(rb"[\x00-\x1f\x7f'\\!]")
_ESCAPES = {bytes([code]): b"\\%03o" % code for code in (*range(0x20), 0x7F)} | {
    b"'": b"\\'",
    b"\\": b"\\\\",
    b"\n": b"\\n",
    b"\t": b"\\t",
    b"!": b"\\041",  # history expansion, where a user has turned it on, looks into $'' as well
}
_MAY_TRAP = re.compile(rb"trap|source|(?:^|[;&|({\s])\.\s|eval")  # the cell, or what it reads in, may set traps
_LISTS_TRAPS = re.compile(
    rb"""(?:^|[;&|({!`'"]|\b(?:then|do|else|if|while|until|time|builtin|command(?:[ \t]+-p)?|eval)[ \t])[ \t]*
    \\?trap(?:['"`]|[ \t]*(?:$|[;&|)}<>\#]|-[pP]))""",
    re.MULTILINE | re.VERBOSE,
)  # `trap` as a command without arguments, or with -p
_TRAP_WORDS = (b"trap", b"source", b".", b"eval")  # one of these is in what _MAY_TRAP finds; found 20 times as fast
_ONE_LINE = 300  # beside the begin and end lines, within LINE_LIMIT
_FRAMED_LINE = 850  # beside the call of `frame`, likewise
_PIECE = LINE_LIMIT - 100  # room for the quotes, the assignment and the continuation
_WORD = 32  # pieces in one word
_LONGEST_PIPELINE = 64  # elements whose exit codes are rebuilt: 2,600 bytes, which Linux takes in one line
_PIPELINE = "__shellkernel_return %d"


def normalise(command: str) -> str:
    """Give a cell POSIX line ends.

    Raises:
        TypeError: It is not a str.
        InvalidCommand: It holds a NUL byte, which bash drops, or a lone surrogate, which has no bytes.
    """
    if not isinstance(command, str):
        raise TypeError(f"a command is a str, not {type(command).__name__}")
    if "\0" in command:
        line = command.count("\n", 0, command.index("\0")) + 1
        raise InvalidCommand(f"line {line} holds a NUL byte, which no bash command can hold; nothing was run")
    if "\r" in command:
        command = command.replace("\r\n", "\n")
    return command


def encode(command: str) -> bytes:
    """Return the command's bytes in UTF-8; bytes that came in by surrogateescape go out as they were.

    Raises:
        InvalidCommand: It holds a lone surrogate.
    """
    try:
        return command.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        line = command.count("\n", 0, error.start) + 1
        raise InvalidCommand(f"line {line} holds a lone surrogate, which has no bytes; nothing was run") from error


def quote(text: bytes) -> bytes:
    """Escape for the inside of bash's $'' quotes (bash manual, ANSI-C Quoting)."""
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStart:
    """What a cell finds, and how it is brought in."""

    loaded: bool = False
    """It was typed before, by `type_load`, since it does not fit one line."""
    jobs: bool = False
    """Whether there are background jobs, of which bash may tell meanwhile."""
    traps: bool = False
    """Whether it may set traps: `may_trap`, or a function of before does."""
    lists_traps: bool = False
    """Whether it may list them: `may_list_traps`."""
    pipestatus: tuple[int, ...] = ()
    """What ${PIPESTATUS[@]} shall be; empty leaves it at one element, the exit code."""
    exit_code: int = 0
    """$?, as bash knows itself; for `pipestatus`."""
    pipefail: bool = False
    """Whether the option is on; likewise."""


def begin_line(nonce: bytes, *, flags: bytes, start: CellStart, function: bytes = b"begin") -> bytes:
    """Return the line that runs before the cell, without its line end.

    The assignment to LINENO, in the redirection of a group (elsewhere bash puts the number back), makes the cell's
    first line number 1. The pipestatus is rebuilt by a pipeline, for a cell that asks for it; it costs a fork per
    element.
    """
    begin = b'__shellkernel_%s %s %s "$__shellkernel_underscore"' % (function, nonce, flags)
    first_line = b' >/dev/null 2>&"$((LINENO=0,1))"'
    pipestatus = start.pipestatus
    if not pipestatus or len(pipestatus) > _LONGEST_PIPELINE:
        return b'{ %s && : "$__shellkernel_underscore"; }' % begin + first_line
    pipeline = " | ".join(_PIPELINE % code for code in pipestatus).encode()
    if len(pipestatus) == 1:
        pipeline += b' "$__shellkernel_underscore"'  # alone, it is the shell's own command, and sets $_
    status = next((code for code in reversed(pipestatus) if code or not start.pipefail), 0)
    if bool(start.exit_code) != bool(status):
        pipeline = b"! " + pipeline  # the last command's `!`, or a compound command without a pipeline in it
    elif start.exit_code:
        pipeline += b" && :"  # `set -e` and ERR traps pass over what stands before &&
    return b"{ ! %s; } >/dev/null 2>&1; { %s; }%s" % (begin, pipeline, first_line)


def end_line(nonce: bytes) -> bytes:
    """Return the line that runs after the cell, with its line end."""
    return b'{ __shellkernel_end %s "$?" "$_" "${PIPESTATUS[@]}"; } >/dev/null 2>&1\n' % nonce


def type_command(command: bytes, nonce: bytes, start: CellStart) -> bytes:
    """Return what is typed at a prompt to run one cell.

    It is short, since the terminal echoes each byte before bash is woken, but where something of the last one is
    rebuilt, or the cell was loaded.

    Args:
        command: A whole cell.
        nonce: The secret that its sentinels carry; letters and digits.
        start: What it finds.
    """
    if start.pipestatus or start.loaded:
        return type_evaluation(command, nonce, start, end=end_line(nonce))
    frame = b"__shellkernel_frame %s %s $'%s'" % (nonce, _flags(start), quote(command))
    return b' %s; \\builtin eval "$__shellkernel_text"\n' % frame


def type_evaluation(
    command: bytes,
    nonce: bytes,
    start: CellStart,
    *,
    end: bytes,
    before: bytes = b"",
    cell: bytes = b"$__shellkernel_cell",
    function: bytes = b"begin",
) -> bytes:
    """Return what is typed to have bash evaluate one cell between two lines of ours; arguments as `type_command`.

    Args:
        end: The line that runs after it.
        before: Assignments that both need.
        cell: What expands to its text.
        function: What the line before it calls.
    """
    text = b"__shellkernel_cell=$'%s'; " % quote(command) if not start.loaded else b""
    begin = begin_line(nonce, flags=_flags(start), start=start, function=function)
    return b" %s%s\\builtin eval $'%s\\n'\"%s\"$'\\n%s'\n" % (text, before, quote(begin), cell, quote(end))


def _flags(start: CellStart) -> bytes:
    """Return what the begin line says of a cell: FLAGS in shell/README.md."""
    return b"h" + b"j" * start.jobs + b"t" * start.traps + b"l" * start.lists_traps


def may_trap(command: bytes) -> bool:
    """Tell whether a cell may set traps, itself or by what it reads in."""
    return any(word in command for word in _TRAP_WORDS) and _MAY_TRAP.search(command) is not None


def may_list_traps(command: bytes) -> bool:
    """Tell whether a cell itself may list traps."""
    return b"trap" in command and _LISTS_TRAPS.search(command) is not None


def fits(command: bytes, *, framed: bool = False) -> bool:
    """Tell whether a cell can be typed in one line; `framed`: without its begin and end lines."""
    limit = _FRAMED_LINE if framed else _ONE_LINE
    return len(command) <= limit and len(quote(command)) <= limit


def type_load(command: bytes, nonce: bytes) -> bytes:
    """Return what is typed, with the terminal's echo off, to bring a cell of any length into bash.

    The line discipline keeps 4,096 bytes of echo at most (Linux n_tty, ECHO buffer); more of it, and it can come behind
    the begin sentinel, as output. Without echo there is none.

    A SIGINT makes bash forget the line so far, and take what follows for a line of its own: the head says which load it
    is, and the tail asks whether that was read.
    """
    pieces = list(_pieces(command))
    # bash measures the rest of a word at each of its $'' strings: one word of a megabyte takes it seconds.
    words = [b"\\\n".join(pieces[start : start + _WORD]) for start in range(0, len(pieces), _WORD)]
    head = b" __shellkernel_loading=%s; \\\n__shellkernel_cell=" % nonce
    return head + b"; \\\n__shellkernel_cell+=".join(words) + b"; \\\n__shellkernel_load %s %s\n" % (nonce, nonce)


def type_move(nonce: bytes, old: tuple[str, str], new: tuple[str, str], extra: list[str]) -> bytes:
    """Return what is typed to move the shell's output and stderr to other terminals.

    It is typed, and acknowledged, before the command that needs it: a line that an interrupt can take is no place for
    it.

    Args:
        nonce: What its end carries.
        old, new: The paths of output's and stderr's terminal. What a cell has redirected itself stays.
        extra: The paths where sentinels must go, beside the controlling terminal's.
    """
    # No redirection here: the function's own, which are to stay, would be undone with it.
    return f" __shellkernel_move {nonce.decode()} {' '.join((*old, *new, *extra))}\n".encode()


def type_aside(text: bytes, nonce: bytes) -> bytes:
    """Return what is typed to run a line or more between two cells, which the next cell can not tell but by its
    effect.
    """
    begin = quote(b"{ __shellkernel_aside %s; } >/dev/null 2>&1\n" % nonce)
    end = quote(b'\n{ __shellkernel_aside_end %s "$?"; } >/dev/null 2>&1\n' % nonce)
    pieces = b"\\\n".join(_pieces(text))
    return b" \\builtin eval $'%s'%s$'%s'\n" % (begin, pieces, end)


def type_question(question: bytes, nonce: bytes) -> bytes:
    """Return what is typed to call a function, or a builtin, whose output is the answer.

    Args:
        question: A simple command that writes to "$__shellkernel_output", by a redirection of its own.
        nonce: What its sentinels carry.
    """
    line = b'{ __shellkernel_aside %s; %s; __shellkernel_aside_end %s "$?"; } >/dev/null 2>&1'
    return b" %s\n" % (line % (nonce, question, nonce))


def type_call(function: str, *arguments: bytes) -> bytes:
    """Return what is typed to call one of our functions between cells."""
    return b" __shellkernel_%s %s >/dev/null 2>&1\n" % (function.encode(), b" ".join(arguments))


def type_source(path: bytes) -> bytes:
    """Return what is typed at a bare bash's first prompt to read our side of it."""
    return b" \\builtin source $'%s'\n" % quote(path)


def probe_line(nonce: bytes) -> bytes:
    """Return what is typed at a prompt whose hint proves nothing; its answer is the end of the command before."""
    return type_call("probe", nonce, b'"$?"')


def _pieces(command: bytes) -> Iterator[bytes]:
    """Cut a command into $'' strings, none longer than a line, none cut inside a character."""
    start = 0
    while True:
        end = min(start + _PIECE, len(command))
        while len(quoted := quote(command[start:end])) > _PIECE:
            end = start + (end - start) // 2
        if end < len(command):
            whole = end
            while whole > start and command[whole] & 0xC0 == 0x80:  # a UTF-8 continuation byte
                whole -= 1
            if whole > start:
                end, quoted = whole, quote(command[start:whole])
        yield b"$'%s'" % quoted
        start = end
        if start >= len(command):
            return
