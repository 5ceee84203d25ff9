"""Is this cell whole? bash itself says so (`bash -n`); nothing of the cell runs."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, BinaryIO

from shellkernel.errors import CommandSyntaxError, IncompleteCommand
from shellkernel.syntax.plain import is_plainly_whole

if TYPE_CHECKING:
    from subprocess import CompletedProcess

__all__ = ("check_syntax", "is_blank", "let_bash_read")

_LINE = re.compile(r"^[^:\n]*: (?:-c: )?line (\d+): (.*)$", re.MULTILINE)
_OPEN = re.compile(
    r"unexpected end of file|unexpected EOF while looking for|here-document at line \d+ delimited by end-of-file"
    r"|unexpected token `EOF' in conditional"
)
_HEREDOC = re.compile(r"here-document at line (\d+) delimited by end-of-file \(wanted `(.*)'\)")
_LOOKING = re.compile(r"looking for matching [`'](.+)'")
_BLANK = re.compile(r"[ \t\n]*(?:#[^\n]*\n[ \t\n]*)*(?:#[^\n]*)?")
_TIMEOUT = 30.0
"""Seconds that bash may take to read a cell; it reads 10 MB in one."""


def is_blank(text: str) -> bool:
    """Tell whether the text holds nothing but blanks and comments: bash would run nothing."""
    return _BLANK.fullmatch(text) is not None


def check_syntax(text: str, *, shell: str = "bash") -> None:
    """Return when bash can parse the whole text.

    Args:
        text: A cell, with POSIX line ends.
        shell: The bash that will run it; versions differ.

    Raises:
        IncompleteCommand: A quote, here-document, block or continuation is open at the end.
        CommandSyntaxError: bash can not parse it. In both cases the error names the line.
    """
    if is_plainly_whole(text):
        return
    complaint = _complaint(shell, text)
    if complaint and (text.count("(") and not _complaint(shell, text, "-O", "extglob")):
        complaint = ""  # the session, or the cell's own first line, may have extglob on
    if complaint:
        raise _error(text, complaint)
    if _ends_in_backslash(text) and not _complaint(shell, text + "\n;"):
        # In a comment the backslash would be none, and `;` alone on the next line an error.
        line = text.count("\n") + 1
        raise IncompleteCommand(
            f"line {line}: the backslash at the end continues the command on a next line, and there is none; "
            "nothing was run",
            line,
        )


def _complaint(shell: str, text: str, *options: str) -> str:
    """Return what `bash -n` prints about the text: errors, and the warning about an open here-document."""
    done = let_bash_read(shell, text, *options, "-n")
    message = done.stderr.decode("utf-8", "replace")
    if done.returncode or _OPEN.search(message):
        return message
    # `[[ a == ]]` is an error that bash prints, and ends with 0 (5.2.15).
    return "\n".join(line for line in message.splitlines() if "warning:" not in line)


def let_bash_read(shell: str, text: str, *options: str, merged: bool = False) -> CompletedProcess[bytes]:
    """Let a bash of its own read a text, with options that keep it from running any of it.

    Args:
        shell: A name on PATH, or a path.
        text: With its last newline left out.
        options: `-n`, or `--pretty-print`, at least.
        merged: Whether stderr is to be in stdout, in true order.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    import subprocess  # 3 ms: most cells never come here

    # From a pipe, bash reads its script byte by byte: 180 ms for a megabyte, and 8 from a file.
    with _file_of(text.encode("utf-8", "surrogateescape") + b"\n") as script:
        return subprocess.run(
            [shell, "--norc", *options],
            stdin=script,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            env={**environment, "LC_ALL": "C"},
            timeout=_TIMEOUT,
            check=False,
        )


def _file_of(data: bytes) -> BinaryIO:
    """Return an open file with the data: in memory on Linux, else on the disk, which may be full."""
    file: BinaryIO
    if sys.platform == "linux":
        file = open(os.memfd_create("cell"), "w+b")  # noqa: SIM115  # the caller closes it
    else:
        import tempfile

        file = tempfile.TemporaryFile()  # noqa: SIM115  # likewise
    file.write(data)
    file.seek(0)
    return file


_UNWANTED = ("BASH_ENV", "SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT")


def _error(text: str, complaint: str) -> IncompleteCommand | CommandSyntaxError:
    heredoc = _HEREDOC.search(complaint)
    if heredoc:
        line = int(heredoc[1])
        return IncompleteCommand(
            f"line {line}: the here-document that ends with {heredoc[2]!r} is still open at the end of the cell; "
            "nothing was run",
            line,
        )
    found = _LINE.search(complaint)
    line, message = (int(found[1]), found[2]) if found else (1, complaint.strip())
    if _OPEN.search(complaint):
        return IncompleteCommand(f"line {line}: {_what_is_open(message)} (bash: {message}); nothing was run", line)
    return CommandSyntaxError(f"line {line}: {message}{_source_line(text, line)}; nothing was run", line)


def _what_is_open(message: str) -> str:
    looking = _LOOKING.search(message)
    if not looking:
        return "the cell is not complete: a block is still open at its end"
    wanted = looking[1]
    kinds = {"'": "a single quote", '"': "a double quote", "`": "a back-quote", ")": "a parenthesis", "}": "a brace"}
    return f"the cell is not complete: {kinds.get(wanted, repr(wanted))} is still open at its end"


def _source_line(text: str, line: int) -> str:
    lines = text.split("\n")
    if not 1 <= line <= len(lines) or not lines[line - 1].strip():
        return ""
    source = lines[line - 1].strip()
    return f" in: {source if len(source) <= 80 else source[:79] + '…'}"


def _ends_in_backslash(text: str) -> bool:
    stripped = text.rstrip("\\")
    return (len(text) - len(stripped)) % 2 == 1
