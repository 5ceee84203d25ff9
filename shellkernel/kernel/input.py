"""The input box: a program waits for the terminal, and a person answers.

ipykernel's own `raw_input` polls for ever in a thread and can not be cancelled. Ours waits for the answer
and for a wake-up at once. A front end locks up while a box is unanswered (JupyterLab runs no cell until
then), so a box is given up only when the person interrupted: JupyterLab's own interrupt unlocks it. The
answer that may still come for such a box is dropped before the next one is opened.

An answer is one line. End of file is the character Ctrl-D (as in ipykernel), or the two characters `^D`,
since an input box of a browser takes no control characters. A full-screen program is sent other control keys that
way as well (`keys`).
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable
from contextlib import suppress

import zmq
from jupyter_client.session import Session

from shellkernel.kernel.messages import Request
from shellkernel.results import InputRequest

__all__ = ("END_OF_FILE", "InputBox", "keys")

END_OF_FILE = ("\x04", "^D")
"""Answers that mean the end of the input."""

LOOK_AGAIN_MS = 200
"""A wake-up may come just before the wait begins; look this often whether the box is still needed."""

_CONTROL_KEYS = re.compile(r"(?:\^[A-Z[])+")

logger = logging.getLogger(__name__)


class InputBox:
    """Asks through the stdin channel. One thread may ask at a time; any may wake it.

    Args:
        session: Signs and packs messages.
        socket: The stdin channel; while a box is open it belongs to the thread that asks.
    """

    def __init__(self, session: Session, socket: zmq.Socket[bytes]) -> None:
        self._session = session
        self._socket = socket
        self._wake_read, self._wake_write = os.pipe()
        for descriptor in (self._wake_read, self._wake_write):
            os.set_blocking(descriptor, False)

    def ask(self, request: Request, question: InputRequest, given_up: Callable[[], bool]) -> str | None:
        """Open a box, and return its line.

        Args:
            request: The cell that asks.
            question: What the program asks.
            given_up: Looked at after each `wake`: whether nobody needs the answer any more.

        Returns:
            The line without its end; None for end of file, and when the box was given up.
        """
        self._drop_stale_answers()
        content = {"prompt": question.prompt, "password": question.password}
        sent = self._session.send(
            self._socket, "input_request", content, parent=request.message, ident=list(request.ident)
        )
        box = sent["header"]["msg_id"] if sent else ""
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._wake_read, zmq.POLLIN)
        while not given_up():
            ready = dict(poller.poll(LOOK_AGAIN_MS))
            if self._wake_read in ready:
                self._clear_wake()
            if self._socket in ready and (answer := self._receive(box)) is not None:
                return None if answer in END_OF_FILE else answer
        return None

    def wake(self) -> None:
        """Have the thread that asks look whether the box is given up."""
        with suppress(BlockingIOError, OSError):
            os.write(self._wake_write, b"\0")

    def close(self) -> None:
        """Release the descriptors; nobody asks any more."""
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _receive(self, box: str) -> str | None:
        """Return the answer that arrived; None when it is not one to this box."""
        try:
            _, reply = self._session.recv(self._socket)
        except ValueError:  # wrongly signed or packed
            logger.warning("dropped an invalid message on the stdin channel", exc_info=True)
            return None
        if reply is None or reply["msg_type"] != "input_reply":
            return None
        asked_by = reply["parent_header"].get("msg_id", box)  # jupyter_client's own replies name no parent
        value = reply["content"].get("value", "")
        return str(value) if asked_by == box else None

    def _drop_stale_answers(self) -> None:
        with suppress(zmq.Again):
            while True:
                self._socket.recv_multipart(zmq.NOBLOCK)

    def _clear_wake(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._wake_read, 4_096)


def keys(answer: str) -> str:
    """Return what a full-screen program is sent for an answer: `^[` and `^A` to `^Z` at its head are control keys."""
    found = _CONTROL_KEYS.match(answer)
    if not found:
        return answer
    return "".join(chr(ord(letter) & 0x1F) for letter in found[0][1::2]) + answer[found.end() :]
