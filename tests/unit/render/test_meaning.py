"""What an exit code is said to mean."""

from __future__ import annotations

import signal

import pytest

from shellkernel.render import describe_exit_code


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (0, "success"),
        (1, "failed, or the answer is no"),
        (3, "failed"),
        (126, "command found but not executable"),
        (130, "interrupted (SIGINT)"),
        (137, "ended by SIGKILL (9)"),
        (139, "ended by SIGSEGV (11): memory fault"),
        (143, "ended by SIGTERM (15)"),
        (141, "ended by SIGPIPE (13): nobody read its output any more"),
        (200, "failed"),
    ],
)
def test_conventional_codes(code: int, text: str) -> None:
    assert describe_exit_code(code) == text


def test_a_guess_is_worded_as_one() -> None:
    assert describe_exit_code(127).startswith("command not found (unless")
    assert "timeout(1) gives this" in describe_exit_code(124)
    assert "often" in describe_exit_code(2)


def test_a_stopped_program_is_not_called_ended() -> None:
    assert describe_exit_code(128 + signal.SIGTSTP) == f"stopped by SIGTSTP ({int(signal.SIGTSTP)})"


def test_signals_that_end_nothing_are_not_blamed() -> None:
    assert describe_exit_code(128 + signal.SIGCHLD) == "failed"


@pytest.mark.parametrize("code", range(-2, 258))
def test_every_code_has_one_line(code: int) -> None:
    text = describe_exit_code(code)
    assert text
    assert "\n" not in text
    assert not text.endswith(".")
