"""What a command came to, as text for a model: head and tail, counts, the exit code in words, at most N characters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shellkernel.render import describe_exit_code, duration_text
from shellkernel.results import InputRequest, Result

__all__ = ("LEAST", "ended", "report", "running", "shorten", "waiting")

LEAST = 500
"""Characters that a report may have at least: what is said beside the output must fit."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def report(output: str, facts: Sequence[str], limit: int) -> str:
    """Return the output, shortened, and below it each fact in brackets.

    Args:
        output: Rendered text.
        facts: What is to be said beside it, the exit code first.
        limit: Characters, `LEAST` or more.

    Returns:
        `limit` characters at most, no control characters but tab and line feed.
    """
    said = "\n".join(f"[{shorten(_CONTROL.sub('', fact), LEAST // 2)}]" for fact in facts)
    said = shorten(said, limit)
    text = shorten(_CONTROL.sub("", output), max(0, limit - len(said) - 1))
    if not text:
        return said
    return f"{text}{'' if text.endswith(chr(10)) else chr(10)}{said}"


def shorten(text: str, room: int) -> str:
    """Return the text if it fits; else its first and last lines, and how much is left out between them."""
    if len(text) <= room:
        return text
    longest = f"\n[… {text.count(chr(10)):,} lines, {len(text):,} characters left out …]\n"
    share = (room - len(longest)) // 2
    if share <= 0:
        return text[:room]
    head, tail = text[:share], text[-share:]
    # Whole lines, where that does not cost more than half of a part.
    if (cut := head.rfind("\n") + 1) > share // 2:
        head = head[:cut]
    if -1 < (cut := tail.find("\n") + 1) <= share // 2:
        tail = tail[cut:]
    middle = text[len(head) : len(text) - len(tail)]
    left_out = f"[… {middle.count(chr(10)):,} lines, {len(middle):,} characters left out …]"
    return f"{head}{'' if head.endswith(chr(10)) else chr(10)}{left_out}\n{tail}"


def ended(result: Result, *, interrupted_after: float | None = None) -> list[str]:
    """Say how a command ended.

    Args:
        result: Its result.
        interrupted_after: Seconds, where it was interrupted since its time was over.
    """
    code = result.exit_code
    facts = [
        "exit code: none, the session was closed" if code is None else f"exit code {code}: {describe_exit_code(code)}"
    ]
    if interrupted_after is not None:
        facts.append(f"timed out: it was still running after {interrupted_after:g} s, and was interrupted")
    if len(result.pipestatus) > 1 and any(result.pipestatus[:-1]):
        facts.append(f"exit codes of the last pipeline, left to right: {' '.join(map(str, result.pipestatus))}")
    if result.note:
        facts.append(result.note)
    return [*facts, f"session {result.session}, now in {result.cwd}; took {duration_text(result.duration)}"]


def waiting(request: InputRequest, session: str) -> list[str]:
    """Say that a program waits for somebody to type."""
    what = "a password" if request.password else "input"
    prompt = f" at its prompt {request.prompt.strip()!r}" if request.prompt.strip() else ""
    return [
        "exit code: none yet, it has not ended",
        f"{request.program or 'a program'} waits for {what}{prompt}: answer with `input`, or end it with `restart`",
        f"session {session}",
    ]


def running(session: str, seconds: float, advice: str) -> list[str]:
    """Say that it goes on."""
    return [
        "exit code: none yet, it is still running",
        advice,
        f"session {session}, running for {duration_text(seconds)}",
    ]
