"""Terminal text, pure: bytes to characters (`Decoder`), and to what a person would have seen (`Renderer`, `plain`).

Where to find what, from the bottom up:
    control, style, width, charset      the vocabulary: characters, colours, columns, line drawing
    tokens, sequences                   text to stretches and string sequences; the grammar of the others
    row, screen, actions                cells, the cursor, and what each sequence does
    tail, progress                      the fast ways: text that only goes on; lines drawn over and over
    interpreter, links, changes         all of it together; readable links; what changed since last time
    renderer                            the front
"""

from __future__ import annotations

from shellkernel.text.changes import Change
from shellkernel.text.decoder import Decoder
from shellkernel.text.renderer import Renderer, plain

__all__ = ("Change", "Decoder", "Renderer", "plain")
