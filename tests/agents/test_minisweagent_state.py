"""mini-SWE-agent's environment: what stays between commands, submissions, and what others read of it."""

from __future__ import annotations

import json
import platform
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shellkernel import BashSession, sessions
from shellkernel.agents.minisweagent import NotebookEnvironment
from shellkernel.agents.submission import SUBMISSION_MARKER
from tests.agents.mini import Make, failure, run
from tests.session.watching import DEADLINE

__all__ = ()


def test_state_stays_when_it_is_asked_for_and_not_otherwise(make: Make, tmp_path: Path) -> None:
    environment = make(cwd=str(tmp_path))
    (tmp_path / "sub").mkdir()
    umask = run(environment, "umask")[1]
    run(environment, "cd sub; x=1; export Y=2; f() { echo f; }; set -u; shopt -s extglob; umask 027")
    command = "pwd; echo ${x-unset} ${Y-unset}; type -t f; [[ $- == *u* ]] && echo u; umask"
    kept = f"{tmp_path}/sub\n1 2\nfunction\nu\n0027\n"
    none = f"{tmp_path}\nunset unset\n{umask}"
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


def test_environments_run_side_by_side(make: Make, tmp_path: Path) -> None:
    """Each of five waits for all the others."""

    def work(environment: NotebookEnvironment, number: int) -> tuple[int, str]:
        touch = f"touch {number}; until (($(ls | wc -l) == 5)); do sleep 0.01; done; echo $NUMBER"
        return run(environment, touch, timeout=DEADLINE)

    environments = [make(cwd=str(tmp_path), env={"NUMBER": str(number)}) for number in range(5)]
    with ThreadPoolExecutor(5) as pool:
        assert list(pool.map(work, environments, range(5))) == [(0, f"{number}\n") for number in range(5)]


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
