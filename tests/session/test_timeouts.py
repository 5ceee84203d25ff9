"""Limits: what is true of a command that ran into one."""

from __future__ import annotations

import pytest

from shellkernel import BashSession, Ladder
from tests.session.watching import DEADLINE, Heard

__all__ = ()

pytestmark = [pytest.mark.slow, pytest.mark.bashes]

QUICK = Ladder(interrupt=0.1, again=0.1, terminate=0.1, kill=0.1)


@pytest.mark.parametrize(
    "cell", ["sleep 60", "while :; do :; done", "cat /dev/zero >/dev/null", "sleep 60 | cat", "wait; sleep 60 & wait"]
)
def test_timeout_keeps_the_output_and_leaves_the_session_idle(session: BashSession, cell: str) -> None:
    result = session.run(f"echo partial; {cell}; echo after", timeout=1, ladder=QUICK)
    assert result.end_reason == "timed_out"
    assert result.output.startswith("partial\n")
    assert "after" not in result.output
    assert result.exit_code not in (0, None)
    assert "1 s" in result.note
    assert 1 <= result.duration < DEADLINE
    assert session.run("echo next").output == "next\n"


def test_timeout_of_a_command_that_ignores_everything_but_sigkill(session: BashSession) -> None:
    result = session.run("bash -c 'trap \"\" INT TERM; echo $$; while :; do sleep 60; done'", timeout=1, ladder=QUICK)
    assert (result.end_reason, result.exit_code) == ("timed_out", 137)
    assert session.run("echo next").output == "next\n"


def test_timeout_that_is_not_reached_changes_nothing(session: BashSession) -> None:
    result = session.run("echo fine", timeout=DEADLINE)
    assert (result.end_reason, result.exit_code, result.note) == ("completed", 0, "")


def test_timeout_of_nothing_still_tells_the_truth(session: BashSession) -> None:
    result = session.run("sleep 60", timeout=0, ladder=QUICK)
    assert result.end_reason == "timed_out"
    assert session.run("echo next").output == "next\n"


def test_idle_timeout_counts_from_the_last_output(session: BashSession) -> None:
    result = session.run(
        "for i in 1 2 3 4 5 6; do echo $i; sleep 0.3; done; echo last; sleep 60", idle_timeout=1.5, ladder=QUICK
    )
    assert result.end_reason == "timed_out"
    assert result.output.startswith("1\n2\n3\n4\n5\n6\nlast\n")
    assert "idle_timeout" in result.note
    assert session.run("echo next").output == "next\n"


def test_chatty_command_runs_into_no_idle_timeout(session: BashSession) -> None:
    result = session.run("for i in {1..20}; do printf .; sleep 0.1; done", idle_timeout=1.5)
    assert (result.end_reason, result.output) == ("completed", "." * 20)


def test_timeout_is_for_the_whole_however_chatty(session: BashSession) -> None:
    result = session.run("while :; do echo y; done", timeout=1, idle_timeout=5, ladder=QUICK)
    assert result.end_reason == "timed_out"
    assert result.output.startswith("y\ny\n")
    assert session.run("echo next").output == "next\n"


def test_timeout_while_a_person_is_asked(session: BashSession) -> None:
    """The answer that never comes is the caller's thread's affair; the command ends all the same."""
    heard = Heard()
    job = session.start("read -p 'name? ' x", timeout=1, on_waiting="keep", on_output=heard, ladder=QUICK)
    heard.wait_for("name? ")
    assert job.result(DEADLINE).end_reason == "timed_out"
    assert session.run("echo next").output == "next\n"


def test_next_cell_does_not_wait_for_what_the_ladder_left(session: BashSession) -> None:
    result = session.run('bash -c \'trap "" TERM; (trap "" INT TERM; sleep 60) & wait\'', timeout=0.2, ladder=QUICK)
    assert result.end_reason == "timed_out"
    assert session.run("ps -o comm= -s $$ | grep -c sleep").output == "0\n"


def test_exit_code_that_a_program_chose_at_its_timeout_is_kept(session: BashSession) -> None:
    result = session.run(
        "bash -c 'trap \"echo tidy; exit 7\" INT; echo ready; while :; do sleep 0.01; done'", timeout=1
    )
    assert (result.end_reason, result.exit_code) == ("timed_out", 7)
    assert "tidy" in result.output
