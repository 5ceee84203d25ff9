"""The bytes that both sides agree on, each with its name. The table is in `shell/README.md`."""

from __future__ import annotations

__all__ = ("BODY_LIMIT", "HINT_NONCE", "INTERRUPT", "KILL_LINE", "END_OF_FILE", "OSC_SENTINEL", "STRING_TERMINATOR")

OSC_SENTINEL = b"\x1b]7711;"
"""Introducer of our sentinels: OSC (ECMA-48, 8.3.89) with a number that no published sequence uses, so that neither
a terminal shows a stray one nor a program that prints semantic prompts (OSC 133, OSC 633) is taken for us."""

STRING_TERMINATOR = b"\x1b\\"
"""ST (ECMA-48, 8.3.143), ends an OSC string."""

HINT_NONCE = b"0"
"""Nonce of a prompt sentinel that proves nothing: the cell was cut short before its end line ran."""

INTERRUPT = b"\x03"
"""VINTR, Ctrl-C: the line discipline sends SIGINT to the foreground process group (termios(3), ISIG)."""

KILL_LINE = b"\x15"
"""VKILL, Ctrl-U: takes the unfinished line back that a program did not read (termios(3), ICANON). Flushing the terminal
from the master's side does not (Linux 6: tests/session/test_input.py)."""

END_OF_FILE = b"\x04"
"""VEOF, Ctrl-D: ends a read of the terminal; at the start of a line that is end of file (termios(3), ICANON)."""

BODY_LIMIT = 65_536
"""Bytes in one sentinel at most (a path of PATH_MAX and 4,000 pipeline elements fit); beyond it, it is output."""
