"""The cells that are whole at a glance.

`bash -n` costs 1.4 ms, seven times the round trip of a cell. Most cells are lists of simple commands without a
construct that could be left open; for those a regular expression proves that bash parses them. It errs on the side of
asking bash: tests/session/test_syntax.py holds it against `bash -n` on generated text.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ("is_plainly_whole",)

_RESERVED = "if then elif else fi for while until do done case esac select function time coproc in".split()
_SAFE = r"[A-Za-z0-9_./:,@%+=^~*?\]-]"
_PART = rf"""(?:{_SAFE}
    | '[^']*'
    | "(?:[^"\\`$] | \\[\\"$`] | \$[A-Za-z_?#!0-9] | \$\{{[A-Za-z_][A-Za-z0-9_]*\}})*"
    | \$[A-Za-z_?#!0-9]
    | \$\{{[A-Za-z_][A-Za-z0-9_]*\}}
    | \\[^\n]
)"""
_WORD = rf"(?:\[(?=[ \t])|(?:{_PART})(?>(?:{_PART})*))"
_REDIRECTION = rf"(?:[0-9]?(?:>>?|<)[ \t]*+{_WORD}|2>&1|>&2)"
_FIRST = rf"(?!\]\])(?!(?:{'|'.join(_RESERVED)})(?![A-Za-z0-9_./:,@%+=^~*'\"$\\-])){_WORD}"
_COMMAND = rf"{_FIRST}(?>(?:[ \t]++(?:{_REDIRECTION}|{_WORD}))*)"
_CELL = rf"[ \t\n]*+{_COMMAND}(?>(?:[ \t]*+(?:\|\|?|&&|;|\n)[ \t\n]*+{_COMMAND})*)[ \t]*+[;&\n]?[ \t\n]*+"
# Groups are atomic, and not possessive: before CPython 3.11.5 (Debian 12 has 3.11.2) `(…)*+` keeps what a failed group
# has matched (gh-101955), and would say yes to all. Of single characters `*+` is right everywhere.
_LONGEST = 20_000


def is_plainly_whole(text: str) -> bool:
    """Tell whether the text is, at a glance, a list of simple commands that bash parses whole."""
    return len(text) <= _LONGEST and _cell().fullmatch(text) is not None


@cache
def _cell() -> re.Pattern[str]:
    return re.compile(_CELL, re.VERBOSE)  # 4 ms: for the first cell, and not for the import
