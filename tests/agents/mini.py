"""Calls of mini-SWE-agent's environments."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from shellkernel.agents.minisweagent import NotebookEnvironment

__all__ = ("Make", "failure", "run")

os.environ["MSWEA_SILENT_STARTUP"] = "1"  # no banner

Make = Callable[..., NotebookEnvironment]


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
