"""Named bash sessions in Python notebooks: `%load_ext shellkernel`, then `%%bash_session?`.

options      the line of a cell: text to checked values
opening      the session it runs in: found, started, set up
values       Python values as shell variables
running      one cell, in the foreground or in the background
live         its output while it runs
asking       its questions
background   the display of a background job
listing      the tables of `%bash_session`
completion   Tab on the line of a magic
assisting    Tab inside a cell
short        errors in a line or two
magics       the IPython side of all that
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ("load_ipython_extension", "unload_ipython_extension")


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add `%%bash_session`, `%bash_session`, `%interrupt` and their completion to an IPython shell."""
    from shellkernel_magics.magics import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take them away again. The sessions go on living; `sessions.close_all()` ends them."""
    from shellkernel_magics.magics import unload

    unload(shell)
