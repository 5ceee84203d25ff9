"""Where the answer comes from when a program in a cell waits for its terminal."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence

from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell

from shellkernel import InputRequest
from shellkernel_magics.live import LiveOutput, in_notebook

__all__ = ("ask_person", "give_lines", "person_can_answer")

_ERASE_LINE = "\r\x1b[K"
_END_OF_FILE = ("\x04", "^D")
"""Answers that mean the end of the input: a browser's box takes no control characters."""

OnInput = Callable[[InputRequest], str | None]


def person_can_answer(shell: InteractiveShell) -> bool:
    """Tell whether the front end that runs this cell shows an input box (nbclient and its kind show none)."""
    kernel = getattr(shell, "kernel", None)
    return kernel is None or bool(getattr(kernel, "_allow_stdin", True))


def ask_person(shell: InteractiveShell, live: LiveOutput | None) -> OnInput:
    """Return an `on_input` that asks by the front end's input box, or in the terminal.

    Args:
        shell: The IPython shell of the cell.
        live: The cell's output, if it is shown; it ends in the program's prompt.
    """

    def ask(request: InputRequest) -> str | None:
        if live is not None:
            if in_notebook(shell) and request.prompt:
                live.stdout(_ERASE_LINE)  # the box has the prompt, and goes into the output with its answer
            live.flush()
        prompt = ""
        if in_notebook(shell):  # a box of its own; in a terminal the program's prompt is right before the cursor
            prompt = request.prompt or f"{request.program or 'the program'} waits for input: "
        try:
            answer = getpass.getpass(prompt) if request.password else input(prompt)
        except (EOFError, StdinNotImplementedError):
            return None
        return None if answer in _END_OF_FILE else answer

    return ask


def give_lines(lines: Sequence[str], show: Callable[[str], None] | None) -> OnInput:
    """Return an `on_input` that gives one line for each wait, and then the end of the file.

    Args:
        lines: Without line ends.
        show: Takes the cell's output, if it is shown; the lines show there as if they were typed.
    """
    left = iter(lines)

    def give(request: InputRequest) -> str | None:
        line = next(left, None)
        if show is not None and line is not None and not request.password:
            show(f"{line}\r\n")
        return line

    return give
