"""bash's own words on background jobs, taken out of a command's output.

An interactive bash tells of a job that has ended (`[1]+  Done    sleep 1`) as soon as it may print, also between the
commands of a list. Such a notice of a job that an earlier command started is no output of this one. The begin line
therefore lists the jobs (`jobs`, bash manual, Job Control Builtins), and a line that is a notice of one of these, to
the letter, is left out.
"""

from __future__ import annotations

import re

__all__ = ("ANY_NOTICE", "NoticeFilter")

_ENTRY = re.compile(rb"^\[(\d+)\][-+ ]  \S.*?(?=^\[\d+\][-+ ]  |\Z)", re.MULTILINE | re.DOTALL)
_STATE = rb"(?!Running|Stopped)[A-Z][^\n]{0,60}?"
_DIRECTORIES = rb"(?:  \(wd: [^\n]*\))?\n(?:\(wd now: [^\n]*\)\n)?"

_NOW = b"(wd now: "

ANY_NOTICE = re.compile(rb"^\[\d+\][-+ ]  (?!Running|Stopped)[A-Z][^\n]{0,60}?  +[^\n]*" + _DIRECTORIES, re.MULTILINE)
"""A notice of any job whose command has one line: between two commands, where no program's output is expected."""


class NoticeFilter:
    """Takes notices out of a stream; chunk boundaries do not matter.

    Only a line that begins with the number of a listed job is held back until it is whole.

    Args:
        listing: What `jobs` printed before the command.
    """

    def __init__(self, listing: bytes) -> None:
        commands = {match[1]: _command(match[0]) for match in _ENTRY.finditer(listing)}
        self._lines = {number: command.count(b"\n") + 1 for number, command in commands.items() if command}
        each = [rb"\[%s\][-+ ]  %s +%s" % (n, _STATE, re.escape(commands[n])) for n in self._lines]
        self._notice = re.compile(rb"(?:^|(?<=\n))(?:" + rb"|".join(each) + rb")" + _DIRECTORIES) if each else None
        self._held = b""
        self._at_line_start = True

    def feed(self, data: bytes) -> bytes:
        """Return what is no notice and can not become one."""
        if self._notice is None:
            return data
        data = self._held + data
        # A line that was begun before is no notice: let it not look like a line's start.
        start = 0 if self._at_line_start else data.find(b"\n") + 1 or len(data)
        last = self._last_notice(data, start)
        data, last_notice = data[:last], data[last:]
        data = data[:start] + self._notice.sub(b"", data[start:])
        hold = len(data) if last_notice else self._undecided(data)
        self._held = last_notice or data[hold:]
        if last_notice or hold:
            self._at_line_start = bool(last_notice) or data[hold - 1 : hold] == b"\n"
        return data[:hold]

    def flush(self) -> bytes:
        """Return what was held back; the command is over."""
        held, self._held = self._held, b""
        return self._notice.sub(b"", held) if self._notice else held

    def _last_notice(self, data: bytes, start: int) -> int:
        """Return where a notice begins behind which a line on the directory may still come, else the length."""
        assert self._notice is not None
        notices = list(self._notice.finditer(data, start))
        if not notices:
            return len(data)
        found = notices[-1]
        rest = data[found.end() :]
        may_come = b"\n" not in rest and (_NOW.startswith(rest) or rest.startswith(_NOW))
        return found.start() if may_come else len(data)

    def _undecided(self, data: bytes) -> int:
        """Return where a line begins that may still become a notice, else the length."""
        for number, lines in self._lines.items():
            head = b"[%s]" % number
            start = len(data)
            for _ in range(lines):
                start = data.rfind(b"\n", 0, start)
                line = data[start + 1 :]
                if (line.startswith(head) or head.startswith(line)) and line:
                    at_start = start >= 0 or self._at_line_start
                    if at_start and line.count(b"\n") < lines:
                        return start + 1
                if start < 0:
                    break
        return len(data)


def _command(entry: bytes) -> bytes:
    """Return the command of one entry: what stands behind `[1]+  Running                 `, without the `&`."""
    text = re.sub(rb"^\[\d+\][-+ ]  \S+(?: \([^)\n]*\))? +", b"", entry.rstrip(b"\n"))
    text = re.sub(rb"  \(wd: [^\n]*\)$", b"", text)
    return text.removesuffix(b" &")
