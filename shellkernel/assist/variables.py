"""What bash knows of a variable beside its value."""

from __future__ import annotations

import re

from shellkernel.session import BashSession

__all__ = ("attribute_letters",)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_DECLARED = re.compile(rb"\s*declare -([A-Za-z]+) ")


def attribute_letters(session: BashSession, name: str) -> str:
    """Return the letters of a variable's attributes, "" where it has none; the session is changed in nothing.

    Raises:
        SessionBusy, SessionClosed: Nothing was asked.
    """
    if not _NAME.fullmatch(name):
        return ""
    # The group's redirections keep `set -x` out of it, and it out of a file that the session's output goes to.
    question = f'{{ \\builtin declare -p {name}; }} >"$__shellkernel_output" 2>/dev/null'
    declared = _DECLARED.match(session.prepare(question).raw)
    return declared[1].decode() if declared else ""
