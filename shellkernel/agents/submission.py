"""mini-SWE-agent's way to say that a task is complete."""

from __future__ import annotations

import importlib.util
from typing import Any

from shellkernel.results import Result

__all__ = ("SUBMISSION_MARKER", "Submitted", "exact_output", "raise_if_submitted", "submitted_class", "without_exit")

SUBMISSION_MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""The first line of the output of a command that ends the task (mini-SWE-agent 2.x)."""


class Submitted(Exception):
    """The task is complete; for where mini-SWE-agent is not installed.

    Attributes:
        messages: One message, whose `extra` has `exit_status` and `submission`.
    """

    def __init__(self, *messages: dict[str, Any]) -> None:
        super().__init__(*messages)
        self.messages = messages


def submitted_class() -> type[Exception]:
    """Return mini-SWE-agent's own `Submitted` where that is installed, else ours.

    It is not imported before it is needed: that prints a banner and reads files in the user's home.
    """
    if importlib.util.find_spec("minisweagent") is None:
        return Submitted
    from minisweagent.exceptions import Submitted as Theirs

    return Theirs


def raise_if_submitted(returncode: int, *outputs: str) -> None:
    """Raise if a command succeeded, and the first line of an output that is not blank is the marker.

    Args:
        returncode: The command's.
        outputs: Its output, read in several ways; the first that begins with the marker has the submission.

    Raises:
        Submitted: What follows the marker's line is the submission.
    """
    if returncode != 0:
        return
    for output in outputs:
        first, _, rest = output.lstrip().partition("\n")
        if first.strip() == SUBMISSION_MARKER:
            extra = {"exit_status": "Submitted", "submission": rest}
            raise submitted_class()({"role": "exit", "content": rest, "extra": extra})


def exact_output(result: Result) -> str:
    """Return all of the output as it was printed, carriage returns and all, where no terminal sequences are in it.

    A submission is most often a patch, and a patch of a file with CRLF line ends must keep them.
    """
    raw = result.raw
    if result.omitted and result.output_path:
        with open(result.output_path, "rb") as file:
            raw = file.read()
    return without_exit(result.output if b"\x1b" in raw else raw.decode("utf-8", "replace"), result)


def without_exit(text: str, result: Result) -> str:
    """Take out the word that an interactive bash prints when its `exit` is called."""
    ended = result.end_reason == "session_ended" and result.note.startswith("bash ended")
    return text.removesuffix("exit\n") if ended else text
