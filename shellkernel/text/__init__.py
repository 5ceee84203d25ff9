"""Terminal text, pure: bytes to characters (`Decoder`), and to what a person would have seen (`Renderer`, `plain`).

Where to find what, from the bottom up:
    control, style, width, charset      the vocabulary: characters, colours, columns, line drawing
    tokens, sequences                   text to stretches and string sequences; the grammar of the others
    row, screen, actions                cells, the cursor, and what each sequence does
    tail, progress                      the fast ways: text that only goes on; lines drawn over and over
    interpreter, links, changes         all of it together; readable links; what changed since last time
    renderer                            the front

What we decided where terminals differ, or a notebook is not one:
    - The screen is empty at first, and its size is given. What scrolled off at its top is history and stays.
    - `\\n` begins a new line (the terminals of sessions have ONLCR off); VT and FF go down one row in the same column.
    - Lines are not wrapped in the text, but the cursor moves by the rows of a terminal of that width, CR included.
    - Clearing (ED 2, RIS) erases what is on the screen; ED 3, as `clear` prints it too, also erases the history.
    - The text ends at the cursor's row or the last one that is not empty; spaces that were printed stay, blanks do not.
    - A tab stays a tab until its columns are overwritten or moved.
    - The alternate screen is not output. Pictures, titles, queries and modes show nothing.
"""

from __future__ import annotations

from shellkernel.text.changes import Change
from shellkernel.text.decoder import Decoder
from shellkernel.text.renderer import Renderer, plain

__all__ = ("Change", "Decoder", "Renderer", "plain")
