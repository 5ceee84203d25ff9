"""A cell that is too long for one typed line is brought in first; what goes wrong there is no end of the cell."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from shellkernel import BashSession
from shellkernel.errors import TerminalError
from shellkernel.sentinel.typing import type_load
from shellkernel.session import typist
from tests.session.watching import DEADLINE

LINES = 150_000
CELL = "cat <<'END' | wc -l\n" + 'echo "é\t$x !"\n' * LINES + "END\n"


@pytest.mark.slow
def test_long_cell_runs_whole_though_the_shell_dies_while_it_is_typed(
    session: BashSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.run("true")
    written = threading.Event()
    make = type_load

    def type_and_kill(text: bytes, nonce: bytes) -> bytes:
        if not written.is_set():
            written.set()
            os.kill(session.pid, signal.SIGKILL)
        return make(text, nonce)

    monkeypatch.setattr(typist, "type_load", type_and_kill)
    result = session.run(CELL, timeout=DEADLINE)
    assert (result.output.strip(), result.exit_code, result.end_reason) == (str(LINES), 0, "completed")
    assert "SIGKILL" in result.note, "that the shell is a new one is told"


def test_cell_that_can_not_be_typed_is_an_error_and_does_not_end_well(
    session: BashSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.run("true")
    make = type_load

    def kill(text: bytes, nonce: bytes) -> bytes:
        os.kill(session.pid, signal.SIGKILL)
        return make(text, nonce)

    monkeypatch.setattr(typist, "type_load", kill)
    with pytest.raises(TerminalError, match="nothing of the command was run"):
        session.run(CELL, timeout=DEADLINE)
    monkeypatch.undo()
    assert session.run("echo next").output == "next\n"


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.2, 0.5])
def test_keyboard_interrupt_while_a_long_cell_is_typed_costs_nothing(session: BashSession, after: float) -> None:
    session.run("kept=1")
    pid = session.pid
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    press = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    press.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            session.run("x='" + "line of text\n" * 400_000 + "'; sleep 60", timeout=DEADLINE)
    finally:
        signal.signal(signal.SIGINT, old)
        press.join()
    assert session.run("echo $kept", timeout=5).output == "1\n"
    assert session.pid == pid
