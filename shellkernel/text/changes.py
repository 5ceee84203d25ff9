"""What changed on the screen, told to someone who has the text so far.

Theory of operation. Text that left the screen at the top never changes again, so only the last lines that were taken
can differ from what is there now. They are kept, as one text which begins at a line's start, and compared with the
text from the same line on. In the usual case the one begins the other, and the difference is an append.

Every change stands for itself: its text begins and ends in the default style. Where a coloured stretch goes on,
the next change opens the colour again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shellkernel.text.control import BLANK, CR, CSI, RESET
from shellkernel.text.style import join, last_style, open_style

__all__ = ("LINE_LIMIT", "Change", "Changes")

LINE_LIMIT: Final = 4 * 1024 * 1024
"""Characters of one line that are kept to be redrawn. Of a line that grew longer, what is still on the screen is only
handed out once it left the screen, or at the end."""


@dataclass(frozen=True, slots=True)
class Change:
    """How to bring the text so far up to date.

    Who keeps a list of lines, at first `[""]`, does `if erase: del lines[-erase:]; lines += text.split("\\n")`, and
    otherwise appends: the first line of `text` goes on the last one, the rest are new lines.
    """

    erase: int
    """How many of the last lines to replace; the current, unfinished one counts. 0: only append."""
    text: str
    """What to append: `\\n` line ends, no controls but tab and SGR, which is off at the start and end."""
    last_length: int = 0
    """How many characters, SGR sequences included, the last line has had at most: what `in_place` has to cover."""
    cleared: bool = False
    """The program cleared the screen since the last change was taken (`clear`, `reset`)."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.erase and not self.text

    def in_place(self) -> str | None:
        """Return the change as text for a front end that understands CR, or None when it cannot be said so.

        CR must go to the start of the line, and what follows must overwrite the line, escape sequences counted as
        characters: JupyterLab and Notebook do (`processText` in @jupyterlab/outputarea), and VS Code. The rest of a
        longer old line is overwritten with spaces; the text is then written again, so that the next append goes on
        in the right place.
        """
        if self.erase == 0:
            return self.text
        if self.erase > 1:
            return None
        line, line_end, rest = self.text.partition("\n")
        padding = " " * (self.last_length - len(line))
        redrawn = f"{CR}{line}{padding}{CR}{line}" if padding else f"{CR}{line}"
        return redrawn + line_end + rest


class Changes:
    """Compare successive states of a growing text."""

    def __init__(self) -> None:
        self._shown = ""  # the end of what was taken, from the start of a line on
        self._settled = ""  # what scrolled off of the line with which `_shown` begins
        self._line_ends = 0  # in all that was taken
        self._length = 0  # of the last line
        self._extent = 0  # the most that the last line had, ever
        self._too_long = False
        self._forgotten = False

    def forget(self) -> None:
        """The history is gone: the next change replaces everything."""
        self._settled = ""
        self._too_long = False
        self._forgotten = True

    def next(self, scrolled_off: str, text: str, *, cleared: bool = False, last: bool = False) -> Change:
        """Return the change since the last call.

        Args:
            scrolled_off: What came to be unchangeable since then.
            text: What is after it now and may still change.
            cleared: Passed on.
            last: Whether this is the last call.
        """
        settled = join((self._settled, scrolled_off))
        start = settled.rfind("\n") + 1
        inside = self._too_long and start == 0
        held_back = not last and (inside or len(settled) - start > LINE_LIMIT)
        whole = (settled if held_back else join((settled, text))).replace(BLANK, " ")
        erase, added = self._difference(whole)
        change = Change(erase, added, self._extent, cleared)
        self._count(change)
        self._too_long = held_back
        self._shown = "" if held_back else whole[start:]
        self._settled = "" if held_back else settled[start:]
        return change

    def _difference(self, whole: str) -> tuple[int, str]:
        """Return how many lines to erase, and what to append then."""
        if self._forgotten:
            self._forgotten = False
            return (self._line_ends + 1 if self._line_ends or self._length else 0), whole
        shown = self._shown
        if whole.startswith(shown):
            return 0, whole[len(shown) :]
        if shown.endswith(RESET) and whole.startswith(shown[: -len(RESET)]):
            added = whole[len(shown) - len(RESET) :]
            return 0, added if added.startswith(CSI) else open_style(last_style(shown)) + added
        return _different_lines(shown, whole)

    def _count(self, change: Change) -> None:
        """Keep the books on what the other side has now."""
        ends = change.text.count("\n")
        length = len(change.text) - change.text.rfind("\n") - 1
        self._line_ends += ends - max(change.erase - 1, 0)
        goes_on = not ends and not change.erase
        self._length = self._length + length if goes_on else length
        self._extent = self._length if ends or change.erase > 1 else max(self._extent, self._length)


def _different_lines(shown: str, whole: str) -> tuple[int, str]:
    lines = shown.split("\n")
    position = 0
    for index, line in enumerate(lines):
        end = position + len(line)
        if index == len(lines) - 1 or not whole.startswith(f"{line}\n", position):
            return len(lines) - index, whole[position:]
        position = end + 1
    raise AssertionError("a text has at least one line")
