"""Output of no running command, on its way to whoever asked for it."""

from __future__ import annotations

from collections.abc import Callable

from shellkernel.results import BackgroundOutput
from shellkernel.session.log import log_exception
from shellkernel.text import Decoder

__all__ = ("BackgroundPrinter",)


class BackgroundPrinter:
    """Decodes background output and calls `callback` with it; what that raises is logged.

    Args:
        session: The session's name, for the log.
        callback: Called in the reader's thread; None drops the output.
    """

    def __init__(self, session: str, callback: Callable[[BackgroundOutput], None] | None) -> None:
        self._session = session
        self._callback = callback
        self._decoders: dict[int, Decoder] = {}

    def print(self, data: bytes, started_by: int) -> None:
        """Take bytes of the jobs that one command started."""
        if self._callback is None:
            return
        text = self._decoders.setdefault(started_by, Decoder()).feed(data)
        if not text:
            return
        try:
            self._callback(BackgroundOutput(text=text, started_by=started_by))
        except BaseException:  # noqa: BLE001  # foreign code: SystemExit is no reason to end the session
            log_exception("session %r: on_background_output failed", self._session)
