"""Escape sequences that act on the screen: their grammar, and a control sequence taken apart.

ECMA-48, 5.4: CSI, parameter characters 0x30-3F, intermediate characters 0x20-2F, one final character 0x40-7E. ECMA-35:
ESC, intermediates, one final character 0x30-7E. What breaks off in the middle is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shellkernel.text.control import CSI_8BIT, ESC
from shellkernel.text.tokens import SEQUENCE_LIMIT

__all__ = ("CANONICAL", "CONTROLS", "EVENTFUL", "SEQUENCE", "UNEVENTFUL", "ControlSequence", "parse")

_SEQUENCE = (
    f"(?:{ESC}\\[|{CSI_8BIT})[0-?]{{0,{SEQUENCE_LIMIT}}}[ -/]{{0,8}}[@-~]?"
    f"|{ESC}[ -/]{{0,8}}[0-~]?"
    "|[\x00-\x1f\x7f-\x9f]"
)
SEQUENCE: Final = re.compile(f"({_SEQUENCE})")
"""Any control. Split with it: text, control, text, control, …, text."""

CANONICAL: Final = re.compile(f"({ESC}\\[[0-9;]*m|[\t\n])")
"""The controls which a text in canonical form has (there NUL is no control but `BLANK`)."""

CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Finds what makes text more than plain text: any control but tab and line feed."""

_MODES = "(?:1|12|25|1000|1002|1003|1004|1005|1006|1015|2004|2026)"
_NOTHING_AT_END = f"{ESC}(?:\\[(?:0?[KJ]|\\?{_MODES}[hl])|\\(B|[=>])|[\x00-\x07\x7f]"
UNEVENTFUL: Final = re.compile(_NOTHING_AT_END)
"""What does nothing when the cursor is behind all that is printed: erase to the end, show and hide the cursor, bell."""

EVENTFUL: Final = re.compile(f"[\x08\x0b-\x1a\x1c-\x1f\x80-\x9f]|{ESC}(?!\\[[0-9;:]*m|\\[0?[KJ]|\\[\\?{_MODES}[hl]|\\(B|[=>])")
"""Finds a control for which the screen is needed; all others are SGR or `UNEVENTFUL`."""


@dataclass(frozen=True, slots=True)
class ControlSequence:
    """A CSI sequence."""

    function: str
    """Private marker, intermediates and final character, such as `A`, `?h` or `!p`; `""` when it broke off."""
    parameters: tuple[int, ...]
    """At least one; 0 where none was given."""

    def count(self, index: int = 0) -> int:
        """Return a parameter whose default is 1, as all counts and coordinates have."""
        return max(self.parameters[index], 1) if index < len(self.parameters) else 1


@lru_cache(maxsize=4096)
def parse(sequence: str) -> ControlSequence:
    """Take a CSI sequence apart. Numbers beyond 9999, larger than any screen, become 9999."""
    match = _PARTS.fullmatch(sequence)
    if match is None:
        return ControlSequence("", (0,))
    private, digits, intermediates, final = match.groups()
    numbers = tuple(_number(field.partition(":")[0]) for field in digits.split(";"))
    return ControlSequence(private + intermediates + final, numbers)


_PARTS = re.compile("(?:\x1b\\[|\x9b)([<-?]*)([0-9:;]*)([ -/]*)([@-~])")


def _number(digits: str) -> int:
    return min(int(digits[:6]), 9999) if digits else 0
