"""mini-SWE-agent's environment, held against what its own public tests describe, and against its own agent."""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shellkernel import BashSession, sessions
from shellkernel.agents.minisweagent import NotebookEnvironment, NotebookEnvironmentConfig
from shellkernel.agents.submission import SUBMISSION_MARKER
from tests.session.watching import is_over

__all__ = ()

os.environ["MSWEA_SILENT_STARTUP"] = "1"  # no banner

Make = Callable[..., NotebookEnvironment]


@pytest.fixture(params=[True, False], ids=["stateful", "subshells"])
def make(request: pytest.FixtureRequest, bash: str) -> Iterator[Make]:
    """Makes environments that are closed at the end; every test runs on both kinds."""
    made: list[NotebookEnvironment] = []

    def start(**kwargs: Any) -> NotebookEnvironment:
        made.append(NotebookEnvironment(**{"stateful": request.param, "shell": bash, **kwargs}))
        return made[-1]

    yield start
    for environment in made:
        environment.close()


def run(environment: NotebookEnvironment, command: str, **kwargs: Any) -> tuple[int, str]:
    """Run a command that ends itself."""
    answer = environment.execute({"command": command}, **kwargs)
    assert answer["exception_info"] == ""
    return answer["returncode"], answer["output"]


def failure(answer: dict[str, Any]) -> tuple[int, str]:
    """What an executor's failure is."""
    assert answer["exception_info"]
    assert answer["extra"]["exception"] in answer["exception_info"]
    return answer["returncode"], answer["extra"]["exception_type"]


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
    environment = make(timeout=0.3)
    answer = environment.execute({"command": "echo partial; sleep 60; echo never"})
    assert failure(answer) == (-1, "TimeoutExpired")
    assert "timed out after 0.3 seconds" in answer["exception_info"]
    assert answer["output"].startswith("partial\n")
    assert "never" not in answer["output"]
    assert run(environment, "echo next", timeout=20) == (0, "next\n")


def test_timeout_of_zero_is_zero_and_not_the_configured_one(make: Make, tmp_path: Path) -> None:
    environment = make(timeout=40)
    answer = environment.execute({"command": f"sleep 0.5; touch {tmp_path}/ran"}, timeout=0)
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


# State.


def test_state_stays_when_it_is_asked_for_and_not_otherwise(make: Make, tmp_path: Path) -> None:
    environment = make(cwd=str(tmp_path))
    (tmp_path / "sub").mkdir()
    run(environment, "cd sub; x=1; export Y=2; f() { echo f; }; set -u; shopt -s extglob; umask 027")
    command = "pwd; echo ${x-unset} ${Y-unset}; type -t f; [[ $- == *u* ]] && echo u; umask"
    kept = f"{tmp_path}/sub\n1 2\nfunction\nu\n0027\n"
    none = f"{tmp_path}\nunset unset\n0022\n"
    assert run(environment, command)[1] == (kept if environment.config.stateful else none)


def test_state_survives_an_exit_a_timeout_and_a_kill(bash: str) -> None:
    with NotebookEnvironment(shell=bash, timeout=20) as environment:
        run(environment, "export KEPT=yes")
        assert run(environment, "exit 3") == (3, "")
        environment.execute({"command": "sleep 60"}, timeout=0.1)
        assert run(environment, "kill -9 $$")[0] == 137
        assert run(environment, "echo $KEPT; set -e; false") == (1, "yes\n")
        assert run(environment, "echo $KEPT") == (0, "yes\n")


def test_end_of_the_shell_is_noted(bash: str) -> None:
    with NotebookEnvironment(shell=bash) as environment:
        answer = environment.execute({"command": "echo exit; exit 3"})
        assert (answer["returncode"], answer["output"]) == (3, "exit\n")
        assert "a new shell took over" in answer["extra"]["note"]


def test_named_session_is_the_notebooks_own_and_stays(make: Make, bash: str, tmp_path: Path) -> None:
    with BashSession("mini-shared", shell=bash) as session:
        session.run("mine=1; cd /")
        environment = make(session="mini-shared", env={"THEIRS": "a 'b'"}, cwd=str(tmp_path))
        assert environment.session is session
        assert run(environment, 'echo $mine "$THEIRS" $PWD') == (0, f"1 a 'b' {tmp_path}\n")
        environment.close()
        assert session.state == "idle"


def test_named_session_that_is_not_there_is_started(make: Make) -> None:
    environment = make(session="mini-new")
    assert "mini-new" not in sessions
    assert run(environment, "echo here") == (0, "here\n")
    session = sessions["mini-new"]
    environment.close()
    assert sessions["mini-new"] is session
    session.close()
    assert run(environment, "echo again") == (0, "again\n")
    sessions["mini-new"].close()


def test_own_session_ends_with_its_environment(bash: str) -> None:
    environment = NotebookEnvironment(shell=bash)
    session = environment.session
    del environment
    assert session.state == "ended"


# Submission.


def submission(environment: NotebookEnvironment, command: str, **kwargs: Any) -> dict[str, Any]:
    from minisweagent.exceptions import Submitted

    with pytest.raises(Submitted) as caught:
        environment.execute({"command": command}, **kwargs)
    (message,) = caught.value.messages
    return dict(message)


@pytest.mark.parametrize(
    ("command", "rest"),
    [
        (f"echo {SUBMISSION_MARKER}", ""),
        (f"printf {SUBMISSION_MARKER}", ""),
        (f"echo {SUBMISSION_MARKER}; echo; echo ' the patch '; echo", "\n the patch \n\n"),
        (f"echo; echo '  '; echo '  {SUBMISSION_MARKER} '; echo done", "done\n"),
        (f"echo {SUBMISSION_MARKER}; printf 'a\\r\\nb\\tc\\fd\\r\\n'", "a\r\nb\tc\fd\r\n"),
        (f"echo {SUBMISSION_MARKER}; printf '\\e[31mred\\e[0m\\n'", "red\n"),
        (f"echo {SUBMISSION_MARKER}; echo done; exit 0", "done\n"),
        (f"echo {SUBMISSION_MARKER}; seq 300000", "".join(f"{n}\n" for n in range(1, 300_001))),
    ],
)
def test_submission_is_what_follows_the_marker(make: Make, command: str, rest: str) -> None:
    assert submission(make(), command) == {
        "role": "exit",
        "content": rest,
        "extra": {"exit_status": "Submitted", "submission": rest},
    }


@pytest.mark.parametrize(
    "command",
    [
        f"echo {SUBMISSION_MARKER}; false",
        f"echo {SUBMISSION_MARKER}; exit 3",
        f"echo first; echo {SUBMISSION_MARKER}",
        f"echo 'not {SUBMISSION_MARKER}'",
        f"echo {SUBMISSION_MARKER}.",
        f"echo {SUBMISSION_MARKER}; kill -9 $BASHPID",
    ],
)
def test_no_submission(make: Make, command: str) -> None:
    assert SUBMISSION_MARKER in make().execute({"command": command})["output"]


def test_no_submission_by_a_command_that_timed_out(make: Make) -> None:
    answer = make().execute({"command": f"echo {SUBMISSION_MARKER}; sleep 60"}, timeout=0.3)
    assert failure(answer) == (-1, "TimeoutExpired")


# What others read of it.


def test_templates_get_configuration_system_and_environment(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_VARIABLE", "seen")
    monkeypatch.setenv("SOME_API_KEY", "hidden")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:hidden@host/")
    variables = make(cwd="/", env={"MY_TOKEN": "hidden", "PAGER": "cat"}, timeout=7).get_template_vars(
        task="t", cwd="x"
    )
    assert variables["system"] == platform.uname().system
    assert (variables["SOME_VARIABLE"], variables["timeout"], variables["task"], variables["cwd"]) == (
        "seen",
        7,
        "t",
        "x",
    )
    assert variables["env"] == {"MY_TOKEN": "***", "PAGER": "cat"}
    assert variables["SOME_API_KEY"] == "***"
    assert "hidden" not in json.dumps(variables)


def test_serialized_environment_names_its_class_and_no_secrets(make: Make) -> None:
    environment = make(env={"GITHUB_TOKEN": "hidden", "DB_PASSWORD": "hidden", "LANG": "C"})
    config = json.loads(json.dumps(environment.serialize()))["info"]["config"]
    assert config["environment_type"] == "shellkernel.agents.minisweagent.NotebookEnvironment"
    assert config["environment"]["env"] == {"GITHUB_TOKEN": "***", "DB_PASSWORD": "***", "LANG": "C"}
    assert set(config["environment"]) == {"cwd", "env", "timeout", "session", "stateful", "shell"}


# In mini-SWE-agent itself.


def test_it_is_found_by_name_in_their_configuration(bash: str) -> None:
    from minisweagent.environments import get_environment

    name = "shellkernel.agents.minisweagent.NotebookEnvironment"
    environment = get_environment({"environment_class": name, "timeout": 5, "shell": bash})
    assert isinstance(environment, NotebookEnvironment)
    assert environment.config.timeout == 5
    environment.close()


def test_submitted_is_theirs_where_it_is_installed() -> None:
    from minisweagent.exceptions import Submitted

    import shellkernel.agents.minisweagent as ours

    assert ours.Submitted is Submitted
    with pytest.raises(AttributeError):
        ours.Nothing  # noqa: B018  # that is the point
