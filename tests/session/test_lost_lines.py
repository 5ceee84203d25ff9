"""A SIGINT that reaches bash while it reads throws the line away that was typed: it is typed again, and runs once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from shellkernel import BashSession
from shellkernel.errors import TerminalError
from shellkernel.session.job import Job
from shellkernel.session.options import Inside
from shellkernel.session.shell import Shell
from shellkernel.session.succession import Succession
from shellkernel.session.typist import Typist
from tests.session.watching import DEADLINE

Lose = Callable[[int], None]


@pytest.fixture
def lose(session: BashSession, monkeypatch: pytest.MonkeyPatch) -> Lose:
    """Let bash get a SIGINT instead of each of the next so many things that are typed."""
    left = [0]
    write = Typist.write

    def write_or_interrupt(typist: Typist, shell: Shell, data: bytes, path: str = "") -> None:
        if left[0]:
            left[0] -= 1
            os.kill(session.pid, signal.SIGINT)
        else:
            write(typist, shell, data, path)

    monkeypatch.setattr(Typist, "write", write_or_interrupt)

    def lose(times: int) -> None:
        left[0] = times

    return lose


@pytest.mark.bashes
@pytest.mark.parametrize("times", [1, 2, 3])
def test_lost_command_is_typed_again_and_runs_once(session: BashSession, lose: Lose, times: int) -> None:
    session.run("n=0")
    lose(times)
    result = session.run("n=$((n+1)); echo $n", timeout=DEADLINE)
    assert (result.output, result.exit_code, result.end_reason, result.note) == ("1\n", 0, "completed", "")
    assert session.run("echo $n").output == "1\n"


@pytest.mark.slow
@pytest.mark.parametrize("what", [b"n=$((n+1))", b"__shellkernel_move"])
@pytest.mark.parametrize("way", ["split", "job"])
def test_command_with_more_than_one_terminal_runs_once_too(
    bash: str, monkeypatch: pytest.MonkeyPatch, way: Literal["split", "job"], what: bytes
) -> None:
    write = Typist.write
    lost: list[bytes] = []

    def lose_once(typist: Typist, shell: Shell, data: bytes, path: str = "") -> None:
        if what in data and len(lost) % 2 == 0:
            lost.append(data)
            os.kill(session.pid, signal.SIGINT)
        else:
            lost.extend([data] if what in data else [])
            write(typist, shell, data, path)

    with BashSession(shell=bash, stderr="split" if way == "split" else "merge") as session:
        session.run("n=0; sleep 600 &" if way == "job" else "n=0")
        pid = session.pid
        monkeypatch.setattr(Typist, "write", lose_once)
        for number in range(1, 4):
            result = session.run("n=$((n+1)); echo $n", timeout=DEADLINE)
            assert (result.output, result.end_reason, result.note) == (f"{number}\n", "completed", "")
        assert session.pid == pid


def test_command_that_is_lost_again_and_again_is_not_said_to_have_run(session: BashSession, lose: Lose) -> None:
    lose(4)
    result = session.run("echo ran", timeout=DEADLINE)
    assert (result.ok, result.end_reason) == (False, "interrupted")
    assert "nothing of the command was run" in result.note
    assert "ran" not in result.output
    assert session.run("echo next").output == "next\n"


def test_lost_question_is_asked_again(session: BashSession, lose: Lose) -> None:
    session.run("kept='a b'")
    lose(1)
    assert session.vars["kept"] == "a b"


def test_long_command_that_is_lost_on_its_way_is_loaded_again(session: BashSession, lose: Lose) -> None:
    lose(1)
    result = session.run("cat <<'END' | wc -l\n" + "a line of many\n" * 5_000 + "END\n", timeout=DEADLINE)
    assert (result.output, result.exit_code) == ("5000\n", 0)


def test_command_whose_read_comes_first_gets_no_line_of_ours(session: BashSession) -> None:
    """The prompt that bash shows again before it takes the command in is no sign that the command was cut short."""
    session.run("printf '\\e]7711;0;P;;0\\e\\\\' & wait")
    result = session.run('read -r line; echo "<$line>"', on_input=lambda _request: "mine", timeout=DEADLINE)
    assert result.output == "mine\n<mine>\n"


def test_prompt_hook_that_is_cut_short_does_not_cost_the_shell(session: BashSession) -> None:
    """bash shows its prompt again then; where a second signal ends that hook too, nothing says that it reads."""
    session.run("kept=1; cut=2; PROMPT_COMMAND='((cut-- > 0)) && kill -INT $$; :'")
    pid = session.pid
    assert session.run("echo $kept", timeout=DEADLINE).output == "1\n"
    assert session.pid == pid


def test_long_command_whose_head_is_lost_is_loaded_again(session: BashSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """bash forgets the line so far and takes the rest for a line of its own."""
    write = Typist.write
    cut: list[int] = []

    def write_without_head(typist: Typist, shell: Shell, data: bytes, path: str = "") -> None:
        if b"__shellkernel_loading=" in data and not cut:
            cut.append(len(data))
            data = data[data.index(b"; \\\n", len(data) // 2) + 4 :]
        write(typist, shell, data, path)

    monkeypatch.setattr(Typist, "write", write_without_head)
    result = session.run("n=0\n" + "n=$((n+1)) # padding\n" * 5_000 + "echo $n\n", timeout=DEADLINE)
    assert (result.output, result.exit_code, len(cut)) == ("5000\n", 0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("taker", ["trap read DEBUG", "set +m; (cat </dev/tty >/dev/null) & :"])
def test_command_that_something_else_eats_is_not_waited_for_for_ever(session: BashSession, taker: str) -> None:
    session.run(taker)
    result = session.run("echo hi")
    assert (result.end_reason == "completed") == ("hi" in result.output)
    assert result.ok or "could answer" in result.note or "nothing of the command was run" in result.note


@pytest.fixture
def end_shell(session: BashSession, monkeypatch: pytest.MonkeyPatch) -> Lose:
    """Let bash be over when each of the next so many things was typed, and before it has read it."""
    left = [0]
    write = Typist.write

    def write_to_a_dead_shell(typist: Typist, shell: Shell, data: bytes, path: str = "") -> None:
        if left[0]:
            left[0] -= 1
            os.kill(session.pid, signal.SIGKILL)
        else:
            write(typist, shell, data, path)

    monkeypatch.setattr(Typist, "write", write_to_a_dead_shell)

    def end_shell(times: int) -> None:
        left[0] = times

    return end_shell


@pytest.mark.bashes
@pytest.mark.parametrize("times", [1, 3])
def test_command_whose_shell_ends_before_it_runs_in_the_next(session: BashSession, end_shell: Lose, times: int) -> None:
    session.run("n=0; export n")
    session.run(":")
    end_shell(times)
    result = session.run("n=$((n+1)); echo $n", timeout=DEADLINE)
    assert (result.output, result.exit_code, result.end_reason) == ("1\n", 0, "completed")
    assert result.note.startswith("before this command, bash was ended by SIGKILL (9)")
    assert session.run("echo $n").output == "1\n"


def test_command_whose_shells_end_again_and_again_is_not_said_to_have_run(
    session: BashSession, end_shell: Lose
) -> None:
    end_shell(4)
    result = session.run("echo ran", timeout=DEADLINE)
    assert (result.output, result.exit_code, result.end_reason) == ("", None, "session_ended")
    assert "nothing of the command was run" in result.note
    assert session.run("echo next").output == "next\n"


def test_long_command_whose_shell_ends_is_loaded_again(session: BashSession, end_shell: Lose) -> None:
    end_shell(1)
    result = session.run("cat <<'END' | wc -l\n" + "a line of many\n" * 5_000 + "END\n", timeout=DEADLINE)
    assert (result.output, result.exit_code) == ("5000\n", 0)


def test_command_that_needs_more_than_one_line_is_not_said_to_have_run(
    session: BashSession, end_shell: Lose, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.run("true", statements=True)
    end_shell(1)
    result = session.run("echo one\necho two", statements=True, timeout=DEADLINE)
    assert (result.output, result.exit_code, result.end_reason) == ("", None, "session_ended")
    assert "nothing of the command was run" in result.note
    assert session.run("echo next").output == "next\n"


def test_interrupt_between_two_shells_is_not_lost(
    session: BashSession, end_shell: Lose, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Succession.replace

    def replace_and_interrupt(succession: Succession, status: int, printed: bytes) -> tuple[int, str]:
        answer = replace(succession, status, printed)
        interrupter.start()
        return answer

    job: Job | None = None
    interrupted: list[bool] = []
    started = threading.Event()

    def interrupt() -> None:
        started.wait(DEADLINE)
        assert job is not None
        interrupted.append(job.interrupt())

    interrupter = threading.Thread(target=interrupt)
    monkeypatch.setattr(Succession, "replace", replace_and_interrupt)
    end_shell(1)
    job = session.start("echo ran; sleep 600")
    started.set()
    result = job.result(DEADLINE)
    interrupter.join()
    assert (interrupted, result.end_reason) == ([True], "interrupted")
    assert session.run("echo next").output == "next\n"


@pytest.mark.parametrize("inside", [{}, {"statements": True}])
def test_long_command_is_loaded_again_where_the_shell_ends_between(
    session: BashSession, tmp_path: Path, inside: Inside
) -> None:
    """Its text was there, and its shell ended at the prompt before its line was typed: the next shell knows nothing."""
    session.run(f"PROMPT_COMMAND='if [[ -e {tmp_path}/die ]]; then rm {tmp_path}/die; exit 4; fi'")
    session.run("true")
    (tmp_path / "die").touch()
    result = session.run("echo ran #" + "x" * 2_000, timeout=DEADLINE, **inside)
    assert (result.output, result.exit_code, result.end_reason) == ("ran\n", 0, "completed")
    assert "bash ended with exit code 4" in result.note


def test_shell_that_always_ends_is_not_given_marks_for_ever(bash: str, tmp_path: Path) -> None:
    (tmp_path / "rc").write_text("PS0='$(kill -9 $$)'\n")
    with (
        BashSession(shell=bash, rcfile=tmp_path / "rc") as session,
        pytest.raises(TerminalError, match="nothing of the command was run"),
    ):
        session.run("echo ran", statements=True)
