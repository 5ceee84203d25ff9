"""What an exit code says, and what bears that out.

A program may choose any code. A sentence says "bash gives" or "by convention" for what a number means in general, and
names what was seen where something was: a command that ran, words in the output.
"""

from __future__ import annotations

import re
import signal

from shellkernel.render.meaning import describe_exit_code
from shellkernel.render.structure import commands_named, only_statement
from shellkernel.results import Result

__all__ = ("code_sentences", "said", "signal_of")

_TAIL = 8_192
"""Characters of the output's end that are searched for bash's own words."""

_NOT_FOUND = re.compile(r"^.*: (?:command not found|No such file or directory|not found)$", re.MULTILINE)
_NOT_RUN = re.compile(
    r"^.*: (?:Permission denied|Is a directory|cannot execute.*|Exec format error|Argument list too long)$",
    re.MULTILINE,
)
_UNBOUND = re.compile(r"^.*: unbound variable$|^.*: parameter (?:null or )?not set$", re.MULTILINE)
_SYNTAX = re.compile(r"^.*: (?:-c: )?(?:line \d+: )?syntax error.*$", re.MULTILINE)
_ERRORS = (
    (
        _UNBOUND,
        "bash's word for a variable that is not set; at top level the rest of the cell is then left out",
    ),
    (_SYNTAX, "bash's word for text that it read while the cell ran (eval, source, a script) and could not parse"),
)
_HARMLESS = ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH")


def signal_of(code: int | None) -> str:
    """Return the name of the signal that 128+n stands for by convention, or ""."""
    if code is None or code <= 128:
        return ""
    try:
        name = signal.Signals(code - 128).name
    except ValueError:
        return ""
    return "" if name in _HARMLESS else name


def code_sentences(result: Result) -> list[str]:
    """Return sentences on what the exit code means; none for 0, and none where there is no code."""
    code = result.exit_code
    if not code:
        return []
    match code:
        case 124:
            found = [_timeout(result)]
        case 126:
            found = [_with_words("bash gives 126 for a command that it found and could not run", result, _NOT_RUN)]
        case 127:
            found = [_with_words("bash gives 127 for a command that it did not find", result, _NOT_FOUND)]
        case _ if name := signal_of(code):
            found = [_signal(result, code, name)]
        case _:
            words = describe_exit_code(code)
            found = [] if words == "failed" else [f"By convention: {words}."]
    return found + [f"The output has the line `{line}`: {words}." for line, words in said(result)]


def said(result: Result) -> list[tuple[str, str]]:
    """Return lines of the output that are bash's own words on an error, and what they say."""
    text = _tail(result)
    found = []
    for pattern, words in _ERRORS:
        lines = [match[0] for match in pattern.finditer(text)]
        if lines:
            found.append((lines[-1], words))
    return found


def _timeout(result: Result) -> str:
    gives = "gives 124 when the time is over, and else its command's own code"
    ran = _seen_to_run(result)
    if ran:
        return f"timeout(1) ran ({ran}): it {gives}."
    return f"124 as timeout(1) uses it: it {gives}. Whether one has given it here was not seen."


def _seen_to_run(result: Result) -> str:
    """Say where a `timeout` command was seen to run with this code, or ""."""
    if result.trace is not None:
        for record in reversed(result.trace.records):
            words = record.expanded.split() or record.command.split()
            if words and words[0].rpartition("/")[2] == "timeout" and record.exit_code == result.exit_code:
                return f"line {record.line}"
    for statement in reversed(result.statements or ()):
        if statement.exit_code is not None:
            alone = _is_timeout(statement.source) and statement.exit_code == result.exit_code
            return f"line {statement.first_line}" if alone else ""
    return "the cell is that command" if _is_timeout(result.command) and result.end_reason == "completed" else ""


def _is_timeout(text: str) -> bool:
    node = only_statement(text)
    return node is not None and node.kind == "command" and node in commands_named(text, "timeout")


def _with_words(sentence: str, result: Result, pattern: re.Pattern[str]) -> str:
    lines = [match[0] for match in pattern.finditer(_tail(result))]
    if lines:
        return f"{sentence}; the output has the line `{lines[-1]}`."
    return f"{sentence}; a program can also choose the number itself, and the output has no word of bash on it."


def _signal(result: Result, code: int, name: str) -> str:
    number = code - 128
    sentence = f"{code} is 128 + {number}: bash gives it for a command that {name} ended"
    word = (signal.strsignal(number) or "").strip()
    # bash 5.3 prints the command behind it.
    if word and re.search(rf"^{re.escape(word)}(?: \(core dumped\))?(?:$|  )", _tail(result), re.MULTILINE):
        return f"{sentence}; the output has bash's word for that, `{word}`."
    if name == "SIGINT" and result.end_reason in ("interrupted", "timed_out", "awaiting_input"):
        return f"{sentence}, and SIGINT is what it was interrupted with."
    if name == "SIGPIPE":
        sentence += ", which comes to who writes into a pipe that nobody reads any more"
    return f"{sentence}. A program can also choose the number itself."


def _tail(result: Result) -> str:
    """Return the end of what was printed by what gave the exit code: the last statement that ran, where it is known."""
    ran = [statement for statement in result.statements or () if statement.exit_code is not None]
    if ran:
        return ran[-1].output[-_TAIL:]
    return f"{result.output[-_TAIL:]}\n{(result.stderr or '')[-_TAIL:]}"
