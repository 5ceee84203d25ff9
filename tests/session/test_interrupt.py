"""Making a command end: interrupts, the ladder, and what is left afterwards."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from shellkernel import BashSession, Job, Ladder
from shellkernel.terminal import foreground
from tests.session.watching import DEADLINE, Heard, is_over, is_stopped, wait_until

__all__ = ()

pytestmark = [pytest.mark.slow, pytest.mark.bashes]

QUICK = Ladder(interrupt=0.1, again=0.1, terminate=1, kill=1)


def started(session: BashSession, cell: str, ladder: Ladder | None = None) -> Job:
    """Start a cell that prints "ready", and return when it has."""
    heard = Heard()
    job = session.start(cell, on_output=heard, ladder=ladder)
    heard.wait_for("ready")
    return job


def test_interrupt_drops_the_rest_of_the_cell(session: BashSession) -> None:
    job = started(session, "echo ready; sleep 60; echo after")
    assert session.interrupt() is True
    result = job.result(DEADLINE)
    assert (result.end_reason, result.exit_code) == ("interrupted", 130)
    assert result.output.rstrip("\n") == "ready"
    assert session.state == "idle"
    assert session.run("echo $?").output == "130\n"


@pytest.mark.parametrize(
    "cell",
    [
        "while :; do :; done",
        "for ((;;)); do x=$(echo a); done",
        "sleep 60 | cat",
        "(sleep 60)",
        "f() { sleep 60; echo f; }; f",
        "x=$(sleep 60); echo after",
        "{ sleep 60; echo after; } 2>&1 | cat",
        "bash -c 'sleep 60; echo after'",
        "python3 -c 'import time; time.sleep(60)'",
        "wait $$; sleep 60 & wait",
        "eval 'sleep 60; echo after'",
        "if sleep 60; then echo after; fi",
        "while sleep 60; do echo after; done",
        "tail -f /dev/null",
        "exec 3< <(sleep 60); cat <&3",
    ],
)
def test_whatever_runs_is_interrupted_and_the_next_cell_works(session: BashSession, cell: str) -> None:
    job = started(session, f"echo ready\n{cell}", QUICK)
    assert job.interrupt() is True
    result = job.result(DEADLINE)
    assert result.end_reason == "interrupted"
    assert result.exit_code not in (0, None)
    assert "after" not in result.output
    assert session.run("echo next").output == "next\n"


def test_interrupt_of_an_idle_session_does_nothing(session: BashSession) -> None:
    assert session.interrupt() is False
    assert session.run("echo $?").output == "0\n"
    job = session.start("true")
    job.result(DEADLINE)
    assert (job.interrupt(), job.kill()) == (False, False)


def test_interrupt_at_once_never_reaches_the_next_cell(session: BashSession) -> None:
    for number in range(30):
        job = session.start("sleep 60" if number % 2 else "true", ladder=QUICK)
        job.interrupt()
        assert job.result(DEADLINE).end_reason in ("interrupted", "completed")
        result = session.run(f"echo next{number}", timeout=DEADLINE)
        assert (result.output, result.end_reason, result.exit_code) == (f"next{number}\n", "completed", 0)


def test_interrupt_at_once_does_not_misplace_output_where_jobs_come_and_go(session: BashSession) -> None:
    """A cell after a background job has its output moved to another terminal, and back when the job is over."""
    for number in range(20):
        session.run("sleep 600 & :" if number % 2 else "kill -KILL $! 2>/dev/null; wait; :", timeout=DEADLINE)
        job = session.start("sleep 60", ladder=QUICK)
        job.interrupt()
        job.result(DEADLINE)
        assert session.run("echo next").output.endswith("next\n")


@pytest.mark.parametrize(
    ("trap", "code"),
    [
        ("bash -c 'trap \"\" INT; echo ready; sleep 60; sleep 60'", 143),
        ("bash -c 'trap \"\" INT TERM; echo ready; sleep 60; sleep 60'", 137),
        (
            "python3 -c 'import signal, time; signal.signal(2, 1); print(\"ready\", flush=True); time.sleep(60)'",
            143,
        ),
    ],
)
def test_ladder_ends_what_ignores_the_interrupt(session: BashSession, trap: str, code: int) -> None:
    job = started(session, f"{trap}", QUICK)
    session.interrupt()
    result = job.result(DEADLINE)
    assert (result.end_reason, result.exit_code) == ("interrupted", code)
    assert session.run("echo next").output == "next\n"


def test_each_further_interrupt_goes_up_a_rung_at_once(session: BashSession) -> None:
    slow = Ladder(interrupt=600, again=600, terminate=600, kill=600)
    job = started(session, "bash -c 'trap \"\" INT TERM; echo ready; while :; do sleep 60; done'", slow)
    for _ in range(4):  # SIGINT, SIGINT, SIGTERM, SIGKILL
        assert not job.done
        job.interrupt()
    assert job.result(DEADLINE).exit_code == 137
    assert session.run("echo next").output == "next\n"


def test_bash_that_ignores_interrupts_itself_is_replaced_at_the_top_of_the_ladder(session: BashSession) -> None:
    session.run("kept=yes; cd /usr")
    pid = session.pid
    job = started(session, "trap '' INT; echo ready; while :; do :; done", QUICK)
    session.interrupt()
    result = job.result(DEADLINE)
    assert result.end_reason == "interrupted"
    assert result.exit_code == 137
    assert "SIGKILL" in result.note
    assert session.pid != pid
    assert is_over(pid)
    assert session.run("pwd").output == "/usr\n"


@pytest.mark.parametrize("settings", ["", "set +m; "])
def test_ladder_leaves_the_jobs_alone_that_were_there_before(session: BashSession, settings: str) -> None:
    """Also those in bash's own group (`set +m`), and those that were started a moment ago."""
    program = "bash -c 'trap \"\" INT; sleep 600; :'"
    session.run(f"{settings}{program} & job=$!; until ps --ppid $job >/dev/null; do :; done")
    job = started(session, "trap '' INT; echo ready; sleep 60", QUICK)
    job.interrupt()
    assert job.result(DEADLINE).exit_code == 143
    assert session.run("ps -o comm= --ppid $job").output == "sleep\n"


def test_kill_ends_the_foreground_group_at_once(session: BashSession) -> None:
    job = started(session, "bash -c 'trap \"\" INT TERM; echo ready; sleep 60; sleep 60'; echo after")
    assert job.kill() is True
    result = job.result(DEADLINE)
    assert result.end_reason == "interrupted"
    assert session.run("echo next").output == "next\n"


def test_nothing_of_a_command_is_left_whose_shell_was_killed(session: BashSession) -> None:
    """Whatever it ignores; what an earlier command left, and SIGHUP does not end, goes on."""
    pid = session.pid
    earlier = "sleep 600 & (sleep 600 &)"
    session.run(f"trap '' HUP; {earlier}; until [[ $(ps -o comm= -s $$ | grep -c sleep) == 2 ]]; do :; done; sleep 0.1")
    before = {member.pid for member in foreground.session_members(pid) if member.name == "sleep"}
    job = started(session, "sleep 600 & (sleep 600 & sleep 600) & echo ready; wait")
    assert job.kill() is True
    assert job.result(DEADLINE).exit_code == 137
    try:
        assert session.pid != pid
        assert {member.pid for member in foreground.session_members(pid)} == before
    finally:
        for process in before:
            os.kill(process, signal.SIGKILL)
            assert is_over(process)


def test_stopped_program_is_ended_too(session: BashSession) -> None:
    """One process of the group is stopped, and sees a signal when it goes on again; the other one is waited for."""
    slow = Ladder(interrupt=600, again=600, terminate=600, kill=600)
    job = started(session, "(echo ready >/dev/tty; kill -STOP $BASHPID) | sleep 60", slow)

    def is_there() -> bool:
        members = {(member.name, member.state) for member in foreground.session_members(session.pid)}
        return any(name == "sleep" for name, _ in members) and any(state == "T" for _, state in members)

    wait_until(is_there, "one is stopped, the other sleeps")
    job.interrupt()
    job.result(DEADLINE)
    assert session.run("ps -o comm= -s $$ | grep -c sleep").output == "0\n"


def test_bash_that_was_stopped_goes_on_and_keeps_its_state(session: BashSession) -> None:
    session.run("kept=yes")
    job = started(session, "echo ready; kill -STOP $$; sleep 60; echo after", QUICK)
    wait_until(lambda: is_stopped(session.pid), "bash is stopped")
    job.interrupt()
    assert "after" not in job.result(DEADLINE).output
    assert session.run("echo $kept").output == "yes\n"


@pytest.mark.parametrize(
    "inner", ["sleep 600 & wait", 'trap "" INT; sleep 600 & sleep 600 & wait', "(sleep 600 & sleep 600) | cat"]
)
def test_nothing_is_left_of_an_interrupted_group(session: BashSession, inner: str) -> None:
    job = started(session, f"bash -c 'echo ready; {inner}'", QUICK)
    session.interrupt()
    job.result(DEADLINE)
    left = session.run("ps -o comm= -s $$ | grep -c sleep", timeout=DEADLINE)
    assert left.output == "0\n"


def test_users_trap_on_int_runs(session: BashSession) -> None:
    job = started(session, "trap 'echo trapped; stop=1' INT; echo ready; while [[ -z $stop ]]; do :; done; echo after")
    job.interrupt()
    result = job.result(DEADLINE)
    assert "trapped\nafter\n" in result.output.replace("^C", "")
    assert result.exit_code == 0
    session.run("trap - INT")


def test_program_that_handles_the_interrupt_ends_in_its_own_way(session: BashSession) -> None:
    code = """import sys, time
try: print('ready', flush=True); time.sleep(60)
except KeyboardInterrupt: print('tidy'); sys.exit(5)"""
    job = started(session, f'python3 -c "{code}"')
    job.interrupt()
    result = job.result(DEADLINE)
    assert (result.end_reason, result.exit_code) == ("interrupted", 5)
    assert "tidy" in result.output


def test_keyboard_interrupt_ends_the_command_and_is_raised_when_it_is_over(session: BashSession) -> None:
    """Python's own Ctrl-C, as a notebook's interrupt button gives it."""
    main = threading.main_thread()
    if threading.current_thread() is not main:
        pytest.skip("signals come to the main thread")

    def press(text: str) -> None:
        if "ready" in text:  # once: bash prints a newline for it, and a second press is the ladder's next step
            signal.pthread_kill(main.ident or 0, signal.SIGINT)

    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            session.run("echo ready; sleep 60; echo after", on_output=press, timeout=DEADLINE)
    finally:
        signal.signal(signal.SIGINT, old)
    assert session.last is not None
    assert (session.last.end_reason, session.last.exit_code) == ("interrupted", 130)
    assert session.last.output.rstrip("\n") == "ready"
    assert session.run("echo next").output == "next\n"


def test_ladder_takes_seconds_only() -> None:
    assert Ladder(interrupt=1, again=2, terminate=3, kill=4).seconds == (1, 2, 3, 4)
    with pytest.raises(ValueError, match=r"Ladder\.kill"):
        Ladder(kill=-1)
    with pytest.raises(ValueError, match=r"Ladder\.again"):
        Ladder(again=float("nan"))


@pytest.mark.slow
@pytest.mark.bashes
@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("bash -c 'trap \"\" INT; echo ready; sleep 600'; echo after", 143),
        ("bash -c 'trap \"\" INT TERM; echo ready; sleep 600' || echo after", 137),
        ("for i in 1 2; do bash -c 'trap \"\" INT; echo ready; sleep 600'; echo after; done; echo after", 143),
        ("(bash -c 'trap \"\" INT; echo ready; sleep 600'; echo after); echo after", 143),
    ],
)
def test_nothing_behind_a_command_that_had_to_be_terminated_runs(session: BashSession, cell: str, code: int) -> None:
    """bash goes on with a list where its command died of another signal than SIGINT."""
    job = started(session, cell, ladder=QUICK)
    job.interrupt()
    result = job.result(DEADLINE)
    assert (result.end_reason, result.exit_code) == ("interrupted", code)
    assert "after" not in result.output.splitlines()  # bash 5.3 names the command behind its word for the signal


@pytest.mark.slow
@pytest.mark.bashes
@pytest.mark.parametrize("cell", ["sleep 60 | cat; echo after", "sleep 60 | sleep 60; echo after"])
def test_pipeline_that_is_interrupted_while_it_is_forked_takes_the_list_along(session: BashSession, cell: str) -> None:
    """Its last element may be born after the signal, see end of file, and end well."""
    for number in range(40):
        job = session.start(cell)
        job.wait(0.0004 * (number % 12))
        job.interrupt()
        result = job.result(DEADLINE)
        assert result.end_reason == "interrupted"
        assert result.exit_code != 0
        assert "after" not in result.output


@pytest.mark.slow
def test_program_that_is_interrupted_while_it_is_forked_ends_of_it(session: BashSession) -> None:
    """bash 5.3 may leave it in the background, and wait for it."""
    session.run("sleep 600 & job=$!")
    for _ in range(40):
        job = started(session, "echo ready; sleep 60; echo after")
        job.interrupt()
        result = job.result(DEADLINE)
        assert (result.end_reason, result.exit_code) == ("interrupted", 130)
        assert "after" not in result.output
    assert session.run("kill -0 $job && echo alive").output == "alive\n"


@pytest.mark.slow
def test_two_quick_interrupts_do_not_cost_the_shell(session: BashSession) -> None:
    """The second may take the line that asks for the command's end: it is then asked again."""
    session.run("kept=1")
    pid = session.pid
    for number in range(120):
        job = started(session, "echo ready; sleep 60")
        job.interrupt()
        job.wait(0.0005 * (number % 8))
        job.interrupt()
        job.result(DEADLINE)
        assert session.pid == pid
    assert session.run("echo $kept").output == "1\n"
