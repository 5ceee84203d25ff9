"""The control characters and introducers of terminal text, by name.

The names are those of ECMA-48 (5th edition, 1991), section 8.3, and of ISO/IEC 6429; what terminals do beyond the
standard is documented at https://invisible-island.net/xterm/ctlseqs/ctlseqs.html. C1 controls have two forms: two
characters (ESC and a letter), and one character U+0080..U+009F, which UTF-8 text may hold too.
"""

from __future__ import annotations

from typing import Final

__all__ = (
    "APC",
    "BEL",
    "BLANK",
    "BS",
    "CAN",
    "CR",
    "CSI",
    "CSI_8BIT",
    "DCS",
    "DEL",
    "ESC",
    "FF",
    "HT",
    "IND_8BIT",
    "INTRODUCERS",
    "LF",
    "NEL_8BIT",
    "OSC",
    "PM",
    "RESET",
    "RI_8BIT",
    "SEQUENCE_LIMIT",
    "SI",
    "SO",
    "SOS",
    "ST",
    "STRING_INTRODUCERS",
    "ST_8BIT",
    "SUB",
    "TITLE",
    "VT",
)

BEL: Final = "\x07"  # bell; also ends an OSC string (xterm)
BS: Final = "\x08"  # backspace: one column to the left
HT: Final = "\t"  # character tabulation: to the next tab stop
LF: Final = "\n"  # line feed; with us always the start of the next line (the terminal's ONLCR is off)
VT: Final = "\x0b"  # line tabulation: terminals move down one row, same column
FF: Final = "\x0c"  # form feed: the same
CR: Final = "\r"  # carriage return: to the first column of the row
SO: Final = "\x0e"  # shift out: character set G1
SI: Final = "\x0f"  # shift in: character set G0
CAN: Final = "\x18"  # cancel: ends an escape sequence or string without effect
SUB: Final = "\x1a"  # substitute: the same
ESC: Final = "\x1b"  # escape: introduces all that follows
DEL: Final = "\x7f"  # delete: ignored

CSI: Final = "\x1b["  # control sequence introducer: parameters, intermediates, one final character
OSC: Final = "\x1b]"  # operating system command: titles, links, colours, inline pictures (1337)
DCS: Final = "\x1bP"  # device control string: sixel pictures, tmux passthrough
SOS: Final = "\x1bX"  # start of string
PM: Final = "\x1b^"  # privacy message
APC: Final = "\x1b_"  # application program command: kitty's pictures
TITLE: Final = "\x1bk"  # not ECMA-48: GNU screen's and tmux's window title, ended by ST
ST: Final = "\x1b\\"  # string terminator

IND_8BIT: Final = "\x84"  # index: down one row
NEL_8BIT: Final = "\x85"  # next line
RI_8BIT: Final = "\x8d"  # reverse index: up one row
CSI_8BIT: Final = "\x9b"
ST_8BIT: Final = "\x9c"

INTRODUCERS: Final = {"OSC": OSC, "DCS": DCS, "SOS": SOS, "PM": PM, "APC": APC, "TITLE": TITLE}
"""Kind of a string sequence -> what introduces it."""

STRING_INTRODUCERS: Final = {
    **{introducer: kind for kind, introducer in INTRODUCERS.items()},
    "\x9d": "OSC",
    "\x90": "DCS",
    "\x98": "SOS",
    "\x9e": "PM",
    "\x9f": "APC",
}
"""Introducer of a string sequence -> the name of its kind."""

SEQUENCE_LIMIT: Final = 256
"""Characters of the parameters of one control sequence; with more it is no sequence, and dropped up to there."""

RESET: Final = "\x1b[0m"  # SGR 0: default colours, no attributes; the only form in which we write it
BLANK: Final = "\x00"  # a cell nobody printed in. NUL itself is never kept, so it is free to stand for that
