"""mini-SWE-agent's own agent and command line on our environment. No model is asked: its test models have the words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shellkernel.agents.minisweagent import NotebookEnvironment
from shellkernel.agents.submission import SUBMISSION_MARKER

__all__ = ()

STEPS = (
    ("I look around.", "cd sub && ls"),
    ("I go on where I was.", "cat a.txt; x=41"),
    ("I fail.", "echo $((x + 1)); false"),
    ("I wait.", "sleep 60"),
    ("I am done.", f"echo {SUBMISSION_MARKER}; cat a.txt"),
)
TEMPLATES: dict[str, Any] = {"system_template": "On {{system}}. {{stateful}}", "instance_template": "{{task}}"}


@pytest.fixture
def environment(bash: str, tmp_path: Path) -> Iterator[NotebookEnvironment]:
    """A stateful one, in a folder with something in it."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/a.txt").write_text("the text\n")
    with NotebookEnvironment(shell=bash, cwd=str(tmp_path), timeout=1.5) as environment:
        yield environment


def text_model() -> Any:
    from minisweagent.models.test_models import DeterministicModel, make_output

    make_model: Any = DeterministicModel
    return make_model(outputs=[make_output(words, [{"command": command}]) for words, command in STEPS])


def toolcall_model() -> Any:
    from minisweagent.models.test_models import DeterministicToolcallModel, make_toolcall_output

    outputs = []
    for number, (words, command) in enumerate(STEPS):
        function = {"name": "bash", "arguments": json.dumps({"command": command})}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        outputs.append(make_toolcall_output(words, [call], [{"command": command, "tool_call_id": call["id"]}]))
    make_model: Any = DeterministicToolcallModel
    return make_model(outputs=outputs)


@pytest.mark.parametrize("make_model", [text_model, toolcall_model])
def test_their_agent_works_to_the_submission(environment: NotebookEnvironment, make_model: Any, tmp_path: Path) -> None:
    from minisweagent.agents.default import DefaultAgent

    path = tmp_path / "trajectory.json"
    agent = DefaultAgent(make_model(), environment, **TEMPLATES, cost_limit=100, output_path=path)
    assert agent.run("Read it.") == {"exit_status": "Submitted", "submission": "the text\n"}
    observed = [message["extra"] for message in agent.messages if "returncode" in message.get("extra", {})]
    assert [extra["returncode"] for extra in observed] == [0, 0, 1, -1]
    assert [extra["raw_output"] for extra in observed[:3]] == ["a.txt\n", "the text\n", "42\n"]
    assert observed[3]["exception_type"] == "TimeoutExpired"
    stored = json.loads(path.read_text())
    assert stored["info"]["exit_status"] == "Submitted"
    assert stored["info"]["config"]["environment_type"].endswith("NotebookEnvironment")


def test_their_limits_end_it(environment: NotebookEnvironment) -> None:
    from minisweagent.agents.default import DefaultAgent

    agent = DefaultAgent(text_model(), environment, **TEMPLATES, step_limit=2, cost_limit=100)
    assert agent.run("Read it.")["exit_status"] == "LimitsExceeded"
    assert environment.session.last is not None
    assert environment.session.last.command == STEPS[1][1]


@pytest.mark.slow
def test_their_command_line_takes_it_from_a_configuration_file(bash: str, tmp_path: Path) -> None:
    steps = [("First.", "cd / && pwd"), ("Then.", "pwd"), ("Done.", f"echo {SUBMISSION_MARKER}; pwd")]
    outputs = [
        {"role": "assistant", "content": words, "extra": {"actions": [{"command": command}], "cost": 0.0}}
        for words, command in steps
    ]
    config = {
        "agent": {**TEMPLATES, "mode": "yolo", "confirm_exit": False},
        "environment": {
            "environment_class": "shellkernel.agents.minisweagent.NotebookEnvironment",
            "shell": bash,
            "timeout": 20,
        },
        "model": {
            "model_class": "minisweagent.models.test_models.DeterministicModel",
            "model_name": "deterministic",
            "outputs": outputs,
        },
    }
    (tmp_path / "config.yaml").write_text(json.dumps(config))
    (tmp_path / "home").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "minisweagent.run.mini", "-c", "config.yaml", "-t", "Go.", "-o", "out.json"],
        cwd=tmp_path,
        env={**os.environ, "MSWEA_GLOBAL_CONFIG_DIR": str(tmp_path / "home"), "MSWEA_CONFIGURED": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    info = json.loads((tmp_path / "out.json").read_text())["info"]
    assert (info["exit_status"], info["submission"]) == ("Submitted", "/\n")
