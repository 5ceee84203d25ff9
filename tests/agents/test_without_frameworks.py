"""What works, and what is said, where neither mini-SWE-agent nor SWE-ReX is installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shellkernel.agents.submission import SUBMISSION_MARKER

__all__ = ()


@pytest.mark.slow
def test_everything_but_swerex_works_without_the_frameworks(bash: str) -> None:
    code = f"""
import sys
for name in ("minisweagent", "swerex", "pydantic", "fastapi", "uvicorn"):
    sys.modules[name] = None
import shellkernel.agents.tool
from shellkernel.agents.minisweagent import NotebookEnvironment, Submitted
with NotebookEnvironment(shell={bash!r}) as environment:
    print(environment.execute({{"command": "echo hi"}}))
    try:
        environment.execute({{"command": "echo {SUBMISSION_MARKER}; echo rest"}})
    except Submitted as submitted:
        print(submitted.messages[0]["extra"])
    print(environment.serialize()["info"]["config"]["environment"]["timeout"])
for name in ("swerex", "serving"):
    try:
        __import__("shellkernel.agents." + name)
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=50)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        "{'output': 'hi\\n', 'returncode': 0, 'exception_info': ''}",
        "{'exit_status': 'Submitted', 'submission': 'rest\\n'}",
        "30",
    ]
    assert len(lines) == 5
    for line in lines[3:]:
        assert "pip install 'shellkernel[agents]'" in line
