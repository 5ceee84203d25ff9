"""SWE-ReX's runtime: time, interrupts, and programs that are talked to; called directly, and by its own HTTP client."""

from __future__ import annotations

import asyncio
import shlex
import shutil
from pathlib import Path

import pytest
from swerex.exceptions import (
    CommandTimeoutError,
    NoExitCodeError,
    SwerexException,
)
from swerex.runtime.abstract import (
    AbstractRuntime,
    BashAction,
    BashInterruptAction,
    BashObservation,
    CreateBashSessionRequest,
)

from tests.agents.rex import PYTHON, ask, do, interrupt, talk
from tests.session.watching import DEADLINE, is_over

__all__ = ()


def test_timeout_kills_the_whole_group_and_the_session_goes_on(session: AbstractRuntime, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with pytest.raises(CommandTimeoutError, match="partial") as caught:
        do(
            session,
            f"echo partial; bash -c 'echo $$ >{pids}; trap \"\" INT TERM; sleep 61; sleep 62' | cat",
            timeout=1,
        )
    assert isinstance(caught.value, TimeoutError)
    assert is_over(int(pids.read_text()))
    assert do(session, "echo next").output == "next\n"


def test_interrupt_after_a_timeout_finds_nothing_to_interrupt(session: AbstractRuntime) -> None:
    with pytest.raises(CommandTimeoutError):
        do(session, "sleep 10", timeout=0.1)
    assert interrupt(session) == BashObservation(output="", exit_code=0)
    assert do(session, "echo 'asdf'").output == "asdf\n"


def test_pager_that_nobody_answers_is_ended(session: AbstractRuntime) -> None:
    with pytest.raises(CommandTimeoutError):
        do(session, "echo 'blargh'|less -+F", timeout=0.3)
    interrupt(session)
    assert do(session, "echo 'asdf'").output == "asdf\n"


def test_program_that_waits_for_input_is_ended_and_named(session: AbstractRuntime) -> None:
    with pytest.raises(CommandTimeoutError, match="waited for input"):
        do(session, "read -p 'Go on? ' x", timeout=None)
    assert do(session, "echo next").output == "next\n"


def test_interrupt_of_a_command_under_way(runtime: AbstractRuntime, tmp_path: Path) -> None:
    async def both() -> tuple[BashObservation, BashObservation]:
        await runtime.create_session(CreateBashSessionRequest())
        action = BashAction(command=f"touch {tmp_path}/begun; sleep 60; echo never", check="silent")
        running = asyncio.create_task(runtime.run_in_session(action))
        while not (tmp_path / "begun").exists():
            await asyncio.sleep(0.01)  # how often it is looked
        interrupted = await runtime.run_in_session(BashInterruptAction(timeout=DEADLINE))
        return interrupted, await running

    interrupted, observation = ask(both())
    assert (interrupted.exit_code, observation.exit_code) == (0, 130)
    assert "never" not in interrupted.output + observation.output


def test_interrupt_of_a_program_that_ignores_it_ends_with_a_kill(session: AbstractRuntime) -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    code += "\nprint('ready', flush=True)\nwhile True: signal.pause()"
    met = talk(session, f"python3 -c {shlex.quote(code)}", "ready")
    assert met.expect_string == "ready"
    assert interrupt(session, timeout=0.1, n_retry=2).exit_code == 0
    assert do(session, "echo $?").output == "137\n"


def test_interrupt_brings_a_program_back_to_its_own_prompt(session: AbstractRuntime) -> None:
    talk(session, PYTHON, ">>> ")
    talk(session, "import time")
    with pytest.raises(CommandTimeoutError):
        talk(session, "time.sleep(60)", "never", timeout=0.3)
    observation = interrupt(session, expect=[">>> "], timeout=DEADLINE)
    assert observation.expect_string == ">>> "
    assert "KeyboardInterrupt" in observation.output
    assert talk(session, "6*7", ">>> ").output == "42\n"


def test_python_again_and_again_with_commands_between(session: AbstractRuntime) -> None:
    for _ in range(2):
        assert talk(session, PYTHON, ">>> ").expect_string == ">>> "
        assert talk(session, "print('hello world')", ">>> ").output == "hello world\n"
        quitting = do(session, "quit()\n", is_interactive_quit=True)
        assert (quitting.exit_code, quitting.expect_string) == (0, "")
        assert do(session, "echo 'hello world'").output == "hello world\n"


def test_without_patterns_the_answer_comes_when_the_program_waits(session: AbstractRuntime) -> None:
    assert talk(session, PYTHON).exit_code == 0
    assert talk(session, "x = input('who? ')").output.endswith("who? ")
    assert talk(session, "Ada").exit_code == 0
    assert talk(session, "raise SystemExit(len(x))").exit_code == 3
    assert do(session, "echo $?").output == "3\n"


@pytest.mark.slow
def test_ipython(session: AbstractRuntime) -> None:
    command = "ipython --no-banner --colors=NoColor --simple-prompt"
    talk(session, command, r"In \[1\]: ")
    assert "Out[1]: 42" in talk(session, "6*7", r"In \[2\]: ").output
    assert do(session, "exit", is_interactive_quit=True).exit_code == 0
    assert do(session, "echo back").output == "back\n"


@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb here")
@pytest.mark.slow
def test_gdb(session: AbstractRuntime) -> None:
    talk(session, "gdb -q -nx --args /bin/true", r"\(gdb\) ")
    assert talk(session, "print 6*7", r"\(gdb\) ").output == "$1 = 42\n"
    assert do(session, "quit", is_interactive_quit=True).exit_code == 0


def test_pattern_is_a_regular_expression_and_the_answer_names_it(session: AbstractRuntime) -> None:
    observation = talk(session, "read -p 'Proceed [y/N]? ' x; echo got $x", "never", r"\[y/N\].")
    assert (observation.expect_string, observation.output) == (r"\[y/N\].", "Proceed ")
    assert talk(session, "y", "got .*\n").expect_string == "got .*\n"


def test_interactive_program_that_does_not_print_what_is_expected(session: AbstractRuntime) -> None:
    with pytest.raises(CommandTimeoutError, match="goes on"):
        talk(session, PYTHON, "WONTHITTHIS", timeout=0.1)
    with pytest.raises(SwerexException, match="busy"):
        do(session, "echo not for python")
    assert talk(session, "print(6*7)", "\n42\n").expect_string == "\n42\n"
    do(session, "exit()", is_interactive_quit=True)


def test_quit_that_does_not_quit_times_out(session: AbstractRuntime) -> None:
    talk(session, PYTHON, ">>> ")
    with pytest.raises(CommandTimeoutError):
        do(session, "1 + 1", is_interactive_quit=True, timeout=0.3)
    assert interrupt(session, n_retry=0).exit_code == 0
    assert do(session, "echo back").output == "back\n"


def test_quit_where_nothing_runs_types_nothing(session: AbstractRuntime, tmp_path: Path) -> None:
    with pytest.raises(SwerexException, match="no program runs"):
        do(session, f"touch {tmp_path}/ran", is_interactive_quit=True)
    assert not (tmp_path / "ran").exists()


def test_both_kinds_of_interactive_at_once_are_refused(session: AbstractRuntime, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not both"):
        do(session, f"touch {tmp_path}/ran", is_interactive_command=True, is_interactive_quit=True)
    assert not (tmp_path / "ran").exists()


def test_command_whose_output_is_expected_goes_on(session: AbstractRuntime) -> None:
    command = "echo listening; sleep 60"
    observation = do(session, command, expect=["listening\n"], check="silent")
    assert (observation.expect_string, observation.exit_code) == ("listening\n", None)
    interrupt(session, timeout=DEADLINE)
    with pytest.raises(NoExitCodeError, match="expected"):
        do(session, command, expect=["listening\n"], check="raise")
    interrupt(session, timeout=DEADLINE)
    assert do(session, "echo done; (exit 3)", expect=["never"], check="silent").exit_code == 3
    with pytest.raises(CommandTimeoutError):
        do(session, "sleep 60", expect=["never"], timeout=0.2)
    assert do(session, "echo next").output == "next\n"
