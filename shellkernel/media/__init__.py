"""Pictures and other rich output in what a program prints; pure.

splitter          the text, and the control strings in it that carry data
carriers          such a string to an attachment: iTerm2's, kitty's, sixel, our own (`display`)
kinds             an attachment to a MIME bundle: its type is found from its content
sixel, tiff, png  pixels
tables            CSV to a table
"""

from __future__ import annotations

from shellkernel.media.carriers import Attachment, Carriers, Unreadable
from shellkernel.media.kinds import bundle
from shellkernel.media.splitter import Broken, ControlString, Splitter

__all__ = ("Attachment", "Broken", "Carriers", "ControlString", "Splitter", "Unreadable", "bundle")
