"""The end of a cell's output where it looks like a prompt: held back for a moment.

A program that waits for a line is recognised a moment after it has printed its prompt. The input box has the prompt
then, and leaves it in the output. Text that a front end was sent can not be taken back safely right before a box
(`CellOutput.take_back_line`); overwritten with blanks it leaves an empty line. So an unfinished line that looks like a
prompt is not sent at once.
"""

from __future__ import annotations

import re

__all__ = ("HOLD_SECONDS", "HeldPrompt")

HOLD_SECONDS = 0.4
"""Seconds that such a line is held back at most: a blocked read is recognised within half of that."""

LONGEST = 200
"""Characters of a line that may be a prompt."""

_STYLES = r"(?:\x1b\[[0-9;:]*m)*"
_STYLE = re.compile(r"\x1b\[[0-9;:]*m")
_PROMPT = re.compile(
    r"(?:\x1b\[\??[0-9;:]*[hlm]|[^\x00-\x1f\x7f])*"  # text, styles, and modes such as readline's bracketed paste
    rf"(?:[?:)\]]{_STYLES} ?|(?:[#$>]|\.\.\.){_STYLES} ){_STYLES}"
)


class HeldPrompt:
    """One stream's. It has no lock and no clock: the caller serialises its calls, and tells the time.

    Args:
        seconds: How long a line is held; 0 holds nothing.
    """

    def __init__(self, seconds: float = HOLD_SECONDS) -> None:
        self._seconds = seconds
        self._held = ""
        self._begun = False  # the line, by text that was let through
        self.deadline: float | None = None
        """When `show` is due; None when nothing is held."""

    def take(self, text: str, now: float) -> str:
        """Take raw text, and return what may be shown."""
        due = now + self._seconds if self.deadline is None else self.deadline
        text = self._release() + text
        start = text.rfind("\n") + 1
        late = now >= due and not start
        if late or not self._seconds or len(text) - start > LONGEST or not _PROMPT.fullmatch(text, start):
            return self._through(text)
        self._held, self.deadline = text[start:], now + self._seconds if start else due
        return self._through(text[:start])

    def show(self) -> str:
        """Return what was held: it is to be shown now."""
        return self._through(self._release())

    def drop(self) -> str | None:
        """Forget the prompt that is held, since an input box shows it.

        Returns:
            Its styles, which may belong to what follows; None where there is none, or its line had begun before. Then
            nothing was forgotten.
        """
        if not self._held or self._begun:
            return None
        return "".join(_STYLE.findall(self._release()))

    def line_is_empty(self) -> None:
        """Tell that the line was overwritten: a prompt may begin in it."""
        self._begun = False

    def _release(self) -> str:
        held, self._held, self.deadline = self._held, "", None
        return held

    def _through(self, text: str) -> str:
        if text:
            self._begun = not _STYLE.sub("", text[-LONGEST:]).endswith("\n")
        return text
