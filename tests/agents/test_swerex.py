"""SWE-ReX's runtime, held against what its own public tests describe: called directly, and by its own HTTP client."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from swerex.exceptions import (
    BashIncorrectSyntaxError,
    CommandTimeoutError,
    NonZeroExitCodeError,
    SessionDoesNotExistError,
    SessionExistsError,
)
from swerex.runtime.abstract import (
    AbstractRuntime,
    BashAction,
    CloseBashSessionRequest,
    CreateBashSessionRequest,
)

from tests.agents.rex import ask, do, interrupt
from tests.session.watching import DEADLINE, is_over

__all__ = ()


def test_is_alive(runtime: AbstractRuntime) -> None:
    assert ask(runtime.is_alive())


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("echo ''", "\n"),
        ("printf '\nx'", "\nx"),
        ("printf '\n\nx\n\n\n'", "\n\nx\n\n\n"),
        ("printf '  x'", "  x"),
        ("echo '\n \nhello\nworld'", "\n \nhello\nworld\n"),
        ("", ""),
        ("\n", ""),
        ("\n\n \n", ""),
        ("\n echo 'test'\n\n", "test\n"),
        ("\n\n\n echo 'test1' \n  \n \n echo 'test2' \n\n\n", "test1\ntest2\n"),
        ("python3 <<EOF\nprint('hello world')\nprint('hello world 2')\nEOF", "hello world\nhello world 2\n"),
        ("cat <<'A'; cat <<B\n$x\n\nA\nb\nB", "$x\n\nb\n"),
        ("# echo 'hello world'", ""),
        ("echo 'hello world'; echo 'hello again'", "hello world\nhello again\n"),
        ("echo 'hello world' && echo 'hello again'", "hello world\nhello again\n"),
        ("for i in {1..3};\n do echo 'hello world';\n done", "hello world\n" * 3),
        ("[[ $env == $env ]]", ""),
        ("echo 'hw';A=();echo 'asdf'", "hw\nasdf\n"),
        ("/usr/bin/env bash -n <<'EOF'\necho 'hello world'\nEOF", ""),
        ("false || true", ""),
        ("echo größe 你好 🙂", "größe 你好 🙂\n"),
        ("printf 'a\tb'", "a\tb"),
        ("printf '\\e[31mred\\e[0m\\n'", "red\n"),
        ("case x in x) echo case;; esac; echo $((6*7))", "case\n42\n"),
        ("seq 50000", "".join(f"{n}\n" for n in range(1, 50_001))),
    ],
)
def test_command_in_a_session(session: AbstractRuntime, command: str, output: str) -> None:
    observation = do(session, command)
    assert (observation.output, observation.exit_code, observation.expect_string) == (output, 0, "")


@pytest.mark.parametrize(
    ("command", "exit_code"),
    [
        ("doesntexit", 127),
        ("false && true", 1),
        ("A=(); false", 1),
        ("(exit 42)", 42),
        ("false\n\n# end\n", 1),
        ("exit 5", 5),
    ],
)
def test_exit_codes_are_true(session: AbstractRuntime, command: str, exit_code: int) -> None:
    assert do(session, command, check="silent").exit_code == exit_code
    assert do(session, command, check="ignore").exit_code is None
    with pytest.raises(NonZeroExitCodeError, match=f"exit code {exit_code}"):
        do(session, command, check="raise")
    assert do(session, "echo still there").output == "still there\n"


def test_error_has_the_callers_words_and_the_output(session: AbstractRuntime) -> None:
    with pytest.raises(NonZeroExitCodeError, match=r"(?s)^the build: .*exit code 1.*what it said") as caught:
        do(session, "echo what it said; false", error_msg="the build")
    assert isinstance(caught.value, RuntimeError)


def test_background_command_does_not_hold_the_answer_up(session: AbstractRuntime) -> None:
    do(session, "(sleep 60) &")
    do(session, "sleep 60 & x=1")
    assert do(session, "echo $x").output == "1\n"


@pytest.mark.parametrize("text", ["(a", "a='", "for", "echo a; fi", "echo \0"])
def test_text_that_is_no_bash_is_refused_and_runs_nothing(session: AbstractRuntime, text: str, tmp_path: Path) -> None:
    with pytest.raises(BashIncorrectSyntaxError) as caught:
        do(session, f"touch {tmp_path}/ran\n{text}")
    assert set(caught.value.extra_info) == {"bash_stdout", "bash_stderr"}
    assert caught.value.extra_info["bash_stderr"]
    assert not (tmp_path / "ran").exists()


def test_names_that_are_not_there(runtime: AbstractRuntime) -> None:
    ask(runtime.create_session(CreateBashSessionRequest(session="one")))
    ask(runtime.close_session(CloseBashSessionRequest(session="one")))
    for name in ("one", "never"):
        with pytest.raises(SessionDoesNotExistError, match=name):
            ask(runtime.close_session(CloseBashSessionRequest(session=name)))
        with pytest.raises(SessionDoesNotExistError, match=name):
            do(runtime, "true", session=name)
        with pytest.raises(SessionDoesNotExistError, match=name):
            interrupt(runtime, session=name)


def test_name_that_is_taken(session: AbstractRuntime) -> None:
    do(session, "x=1")
    with pytest.raises(SessionExistsError, match="default"):
        ask(session.create_session(CreateBashSessionRequest()))
    assert do(session, "echo $x").output == "1\n"


def test_sessions_are_isolated_and_run_side_by_side(runtime: AbstractRuntime, tmp_path: Path) -> None:
    """Each of five waits for all the others."""

    async def all_of_them() -> list[str]:
        names = [f"shell{n}" for n in range(5)]
        await asyncio.gather(*(runtime.create_session(CreateBashSessionRequest(session=name)) for name in names))
        command = "x={0}; cd {1}; touch {0}; until (($(ls | wc -l) == 5)); do sleep 0.01; done"
        await asyncio.gather(
            *(
                runtime.run_in_session(
                    BashAction(command=command.format(name, tmp_path), session=name, timeout=DEADLINE)
                )
                for name in names
            )
        )
        done = [await runtime.run_in_session(BashAction(command="echo $x", session=name)) for name in names]
        return [each.output for each in done]

    assert ask(all_of_them()) == [f"shell{n}\n" for n in range(5)]


def test_closing_the_runtime_ends_the_sessions_and_new_ones_can_be_made(session: AbstractRuntime) -> None:
    pid = int(do(session, "echo $$").output)
    ask(session.close())
    assert is_over(pid)
    with pytest.raises(SessionDoesNotExistError):
        do(session, "true")
    ask(session.create_session(CreateBashSessionRequest()))
    assert do(session, "echo new").output == "new\n"


def test_startup_files_are_sourced_whatever_they_change(runtime: AbstractRuntime, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "the other"
    one.write_text("PS1='$ '; PS2=; PS0='!'; PROMPT_COMMAND='echo hooked'; export ONE=1; echo from one\n")
    other.write_text("set -u; shopt -s extglob; f() { echo f $ONE; }; trap 'true' DEBUG; stty -echo; PS1='\\w> '\n")
    request = CreateBashSessionRequest(startup_source=[str(one), str(other)], startup_timeout=DEADLINE)
    assert ask(runtime.create_session(request)).output == "from one\n"
    assert do(runtime, "f").output == "f 1\n"
    assert do(runtime, "PS1='SHELLPS1PREFIX'; echo x").output == "x\n"
    assert do(runtime, "echo y").output == "y\n"


def test_startup_file_that_is_not_there_says_so_and_the_session_lives(runtime: AbstractRuntime) -> None:
    request = CreateBashSessionRequest(startup_source=["/no/such/file"], startup_timeout=DEADLINE)
    assert "/no/such/file" in ask(runtime.create_session(request)).output
    assert do(runtime, "echo x").output == "x\n"


def test_startup_file_that_takes_too_long(runtime: AbstractRuntime, tmp_path: Path) -> None:
    (tmp_path / "slow").write_text("echo begun; sleep 60\n")
    request = CreateBashSessionRequest(startup_source=[str(tmp_path / "slow")], startup_timeout=1)
    with pytest.raises(CommandTimeoutError, match="begun"):
        ask(runtime.create_session(request))
    with pytest.raises(SessionDoesNotExistError):
        do(runtime, "true")
    ask(runtime.create_session(CreateBashSessionRequest()))
