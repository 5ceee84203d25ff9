"""Pseudoterminals without a program on them."""

from __future__ import annotations

import errno
import os
import termios

import pytest

from shellkernel.errors import TerminalError
from shellkernel.terminal.pty import OutputTerminal, Terminal, read_available

__all__ = ()


def test_output_terminal_is_byte_exact_and_has_a_size() -> None:
    terminal = OutputTerminal(77, 22)
    try:
        slave = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
        try:
            assert os.isatty(slave)
            assert os.get_terminal_size(slave) == (77, 22)
            terminal.resize(99, 33)
            assert os.get_terminal_size(slave) == (99, 33)
            data = b"a\nb\r\n\x00\xff\x03\x04\t"
            os.write(slave, data)
            assert read_available(terminal.fd) == data
            assert read_available(terminal.fd) == b""
            assert not termios.tcgetattr(slave)[3] & termios.ECHO
        finally:
            os.close(slave)
    finally:
        terminal.close()


def test_end_of_a_terminal_is_none() -> None:
    terminal = OutputTerminal(80, 24)
    terminal.release()
    slave = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
    os.write(slave, b"last")
    os.close(slave)
    assert read_available(terminal.fd) == b"last"
    assert read_available(terminal.fd) is None
    terminal.close()
    assert read_available(2**20) is None, "a descriptor that is closed is at its end too"


def test_program_that_is_not_there_is_a_terminal_error_that_leaves_nothing() -> None:
    with pytest.raises(TerminalError, match="no-such-program") as caught:
        Terminal(["/no/such/folder/no-such-program"], {}, columns=80, rows=24)
    assert isinstance(caught.value, OSError)


def test_error_of_a_read_that_is_no_end_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(fd: int, size: int) -> bytes:
        raise OSError(errno.EFAULT, "bad address")

    monkeypatch.setattr(os, "read", fail)
    with pytest.raises(TerminalError, match="bad address"):
        read_available(0)
