"""mini-SWE-agent's environment, held against what its own public tests describe, and against its own agent."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from shellkernel import sessions
from shellkernel.agents.minisweagent import NotebookEnvironment, NotebookEnvironmentConfig
from tests.agents.mini import Make, failure, run
from tests.session.watching import is_over

__all__ = ()


def test_defaults_are_those_of_their_local_environment() -> None:
    from minisweagent.environments.local import LocalEnvironmentConfig

    theirs = LocalEnvironmentConfig().model_dump()
    ours = NotebookEnvironmentConfig().model_dump()
    assert {name: ours[name] for name in theirs} == theirs
    assert (ours["session"], ours["stateful"]) == ("", True)


@pytest.mark.parametrize(
    ("command", "returncode", "output"),
    [
        ("echo 'hello world'", 0, "hello world\n"),
        ("echo to stderr >&2", 0, "to stderr\n"),
        ("exit 1", 1, ""),
        ("exit 42", 42, ""),
        ("false", 1, ""),
        ("(exit 143)", 143, ""),
        ("printf 'no line end'", 0, "no line end"),
        ("echo -e 'line1\\nline2\\nline3'", 0, "line1\nline2\nline3\n"),
        ("echo 'hello world' | grep -o world", 0, "world\n"),
        ("false | true", 0, ""),
        ("set -o pipefail; false | true", 1, ""),
        ("echo $(echo nested)", 0, "nested\n"),
        ("echo größe 你好 🙂", 0, "größe 你好 🙂\n"),
        ("cat <<'EOF'\na $b\n\n  c\nEOF\necho after", 0, "a $b\n\n  c\nafter\n"),
        ("for i in 1 2; do\n  echo $i\ndone", 0, "1\n2\n"),
        ("# only a comment", 0, ""),
        ("", 0, ""),
        ("  \n\n", 0, ""),
        ("echo one # a comment at the end", 0, "one\n"),
        ("echo a\\\n b", 0, "a b\n"),
        ("echo '-:)'; echo \")\"", 0, "-:)\n)\n"),
        ("[ -t 0 ] && echo terminal", 0, "terminal\n"),
        ("echo $LINENO\necho $LINENO", 0, "1\n2\n"),
    ],
)
def test_command(make: Make, command: str, returncode: int, output: str) -> None:
    assert run(make(), command) == (returncode, output)


def test_unknown_command_and_what_comes_after_it(make: Make) -> None:
    environment = make()
    returncode, output = run(environment, "nonexistent_command_12345")
    assert returncode == 127
    assert "nonexistent_command_12345: command not found" in output
    assert run(environment, "echo $?") == ((0, "127\n") if environment.config.stateful else (0, "0\n"))


def test_large_output_is_whole_up_to_a_megabyte(make: Make) -> None:
    returncode, output = run(make(), "seq 100000")
    assert returncode == 0
    assert output == "".join(f"{n}\n" for n in range(1, 100_001))


def test_larger_output_says_what_is_left_out(make: Make) -> None:
    returncode, output = run(make(), "seq 1000000; exit 3")
    assert returncode == 3
    assert output.startswith("1\n2\n")
    assert output.endswith("999999\n1000000\n")
    assert "bytes" in output
    assert len(output) < 1_500_000


def test_environment_variables(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXISTING", "old value")
    monkeypatch.setenv("CONFLICT", "old value")
    environment = make(env={"NEW": "new 'value'", "CONFLICT": "$HOME", "TERM": "vt100"})
    assert run(environment, 'echo "$EXISTING, $NEW, $CONFLICT, $TERM"') == (
        0,
        "old value, new 'value', $HOME, vt100\n",
    )
    assert run(environment, "env | grep -c -e ^NEW= -e ^CONFLICT=") == (0, "2\n")


def test_directory_of_the_call_goes_before_the_configured_and_that_before_the_process(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, configured, process = (tmp_path / name for name in ("call's", "configured", "process"))
    for folder in (call, configured, process):
        folder.mkdir()
    monkeypatch.chdir(process)
    plain, told = make(), make(cwd=str(configured))
    assert run(plain, "pwd") == (0, f"{process}\n")
    assert run(told, "pwd") == (0, f"{configured}\n")
    assert run(told, "pwd", cwd=str(call)) == (0, f"{call}\n")
    assert run(told, "pwd") == (0, f"{configured}\n")
    assert run(plain, "pwd", cwd="../call's") == (0, f"{call}\n")
    assert run(plain, "pwd") == (0, f"{process}\n")


def test_directory_that_is_not_there_runs_nothing(make: Make, tmp_path: Path) -> None:
    environment = make()
    answer = environment.execute({"command": f"touch {tmp_path}/ran"}, cwd=str(tmp_path / "nowhere"))
    assert failure(answer) == (-1, "FileNotFoundError")
    assert str(tmp_path / "nowhere") in answer["exception_info"]
    assert not (tmp_path / "ran").exists()
    configured = make(cwd=str(tmp_path / "nowhere"))
    assert failure(configured.execute({"command": "true"}))[0] == -1


def test_timeout_has_the_partial_output_and_the_next_command_runs(make: Make) -> None:
    environment = make(timeout=1.5)
    answer = environment.execute({"command": "echo partial; sleep 60; echo never"})
    assert failure(answer) == (-1, "TimeoutExpired")
    assert "timed out after 1.5 seconds" in answer["exception_info"]
    assert answer["output"].startswith("partial\n")
    assert "never" not in answer["output"]
    assert run(environment, "echo next", timeout=20) == (0, "next\n")


def test_timeout_of_zero_is_zero_and_not_the_configured_one(make: Make, tmp_path: Path) -> None:
    environment = make(timeout=40)
    answer = environment.execute({"command": f"sleep 20; touch {tmp_path}/ran"}, timeout=0)
    assert failure(answer) == (-1, "TimeoutExpired")
    assert "after 0 seconds" in answer["exception_info"]
    assert not (tmp_path / "ran").exists()
    assert failure(make(timeout=0).execute({"command": "sleep 60"})) == (-1, "TimeoutExpired")


def test_timeout_of_the_call_may_be_longer(make: Make) -> None:
    assert run(make(timeout=0.05), "sleep 0.3; echo done", timeout=20) == (0, "done\n")


def test_timeout_kills_the_whole_group(make: Make, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    child = "import os, signal, sys, time; signal.signal(signal.SIGINT, signal.SIG_IGN);"
    child += "signal.signal(signal.SIGTERM, signal.SIG_IGN); open(sys.argv[1], 'a').write(f'{os.getpid()} ');"
    child += "os.fork() and time.sleep(0.2); open(sys.argv[1], 'a').write(f'{os.getpid()} '); time.sleep(60)"
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(child)} {pids} | cat"
    answer = make(timeout=1.5).execute({"command": command})
    assert failure(answer) == (-1, "TimeoutExpired")
    found = set(map(int, pids.read_text().split()))
    assert len(found) == 2
    assert all(is_over(pid) for pid in found)


def test_what_waits_for_input_is_ended_and_told(make: Make) -> None:
    environment = make()
    answer = environment.execute({"command": "read -p 'Really? ' reply; echo never"})
    assert failure(answer) == (-1, "InputRequired")
    assert "Really?" in answer["exception_info"]
    assert answer["output"].startswith("Really? ")
    assert run(environment, "echo next") == (0, "next\n")


def test_text_that_is_no_bash_runs_nothing_and_is_answered_as_by_bash(make: Make, tmp_path: Path) -> None:
    environment = make()
    for text in ("if true; then", "echo 'open", "fi", "echo a) ; (echo b", "( : ; }"):
        returncode, output = run(environment, f"touch {tmp_path}/ran\n{text}")
        assert returncode == 2
        assert output.startswith("bash: ")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ({}, "KeyError"),
        ({"command": None}, "TypeError"),
        ({"command": ["ls"]}, "TypeError"),
        ({"cmd": "ls"}, "KeyError"),
    ],
)
def test_action_without_a_command_is_a_failure_and_runs_nothing(make: Make, action: Any, kind: str) -> None:
    environment = make()
    answer = environment.execute(action)
    assert failure(answer) == (-1, kind)
    assert "nothing was run" in answer["exception_info"]
    assert environment.session.last is None


def test_action_of_a_wrong_type_is_an_error(make: Make) -> None:
    for action in ("ls", None, ["ls"]):
        with pytest.raises(TypeError, match="nothing was run"):
            make().execute(action)  # type: ignore[arg-type]  # that is the point


def test_command_that_no_bash_can_be_given_is_a_failure(make: Make) -> None:
    assert failure(make().execute({"command": "echo a\0b"})) == (-1, "InvalidCommand")


def test_wrong_timeout_is_a_failure_and_runs_nothing(make: Make, tmp_path: Path) -> None:
    command = {"command": f"touch {tmp_path}/ran"}
    assert failure(make().execute(command, timeout=-1)) == (-1, "ValueError")
    assert failure(make().execute(command, timeout="5")) == (-1, "TypeError")  # type: ignore[arg-type]  # the point
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ({"image": "python:3.11"}, TypeError),
        ({"timeout": -1}, ValueError),
        ({"timeout": "30"}, TypeError),
        ({"env": {"A": 1}}, TypeError),
        ({"env": {"A-B": "1"}}, ValueError),
        ({"env": ["A=1"]}, TypeError),
        ({"cwd": 3}, TypeError),
        ({"stateful": "yes"}, TypeError),
        ({"session": 7}, TypeError),
    ],
)
def test_wrong_configuration_is_refused(wrong: dict[str, Any], kind: type[Exception]) -> None:
    before = set(sessions)
    with pytest.raises(kind):
        NotebookEnvironment(**wrong)
    assert set(sessions) == before


def test_busy_session_is_a_failure(make: Make) -> None:
    environment = make()
    job = environment.session.start("read x")
    answer = environment.execute({"command": "echo no"})
    assert failure(answer) == (-1, "SessionBusy")
    job.interrupt()
    job.result(20)


def test_background_job_does_not_hold_the_answer_up_and_stays_until_the_end(make: Make) -> None:
    environment = make(timeout=20)
    returncode, output = run(environment, "sleep 60 >/dev/null 2>&1 & echo pid $!.")
    assert returncode == 0
    pid = int(output.partition("pid ")[2].partition(".")[0])
    assert run(environment, f"kill -0 {pid}") == (0, "")
    environment.close()
    assert is_over(pid)
