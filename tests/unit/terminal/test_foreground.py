"""What the terminal's attributes and /proc say, on this process alone."""

from __future__ import annotations

import os
import sys
import termios

import pytest

from shellkernel.terminal import foreground

__all__ = ()


@pytest.mark.parametrize(
    ("flags", "raw", "hidden"),
    [
        (termios.ICANON | termios.ECHO | termios.ISIG, False, False),
        (termios.ICANON | termios.ISIG, False, True),
        (termios.ECHO, True, False),
        (0, True, False),
    ],
)
def test_attributes_tell_who_edits_the_line(flags: int, raw: bool, hidden: bool) -> None:
    assert foreground.is_raw(flags) == raw
    assert foreground.hides_typing(flags) == hidden


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no /proc")
def test_this_process_is_a_member_of_its_group_and_session() -> None:
    assert os.getpid() in {member.pid for member in foreground.group_members(os.getpgrp())}
    assert os.getpid() in {member.pid for member in foreground.session_members(os.getsid(0))}


def test_group_that_is_not_there_has_no_members() -> None:
    assert foreground.group_members(2**31 - 1) == []
