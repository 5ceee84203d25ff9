"""Calls of SWE-ReX's runtimes, each in a loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from swerex.runtime.abstract import AbstractRuntime, BashAction, BashInterruptAction, BashObservation, Command

from tests.session.watching import DEADLINE

__all__ = ("PYTHON", "TOKEN", "ask", "do", "execute", "interrupt", "talk")

Value = TypeVar("Value")
TOKEN = "a token"
PYTHON = "python3 -q -X utf8"
"""No banner."""


def ask(call: Coroutine[Any, Any, Value]) -> Value:
    """Do one call in a loop of its own."""
    return asyncio.run(call)


def do(runtime: AbstractRuntime, command: str, **options: Any) -> BashObservation:
    """Run a command in a session; it must not take long."""
    observation = ask(runtime.run_in_session(BashAction(**{"timeout": DEADLINE, **options, "command": command})))
    assert isinstance(observation, BashObservation)
    return observation


def talk(runtime: AbstractRuntime, command: str, *expect: str, **options: Any) -> BashObservation:
    return do(runtime, command, expect=list(expect), is_interactive_command=True, **options)


def interrupt(runtime: AbstractRuntime, **options: Any) -> BashObservation:
    observation = ask(runtime.run_in_session(BashInterruptAction(**options)))
    assert isinstance(observation, BashObservation)
    return observation


def execute(runtime: AbstractRuntime, command: str | list[str], **options: Any) -> tuple[str, str, int | None]:
    response = ask(runtime.execute(Command(**{"timeout": DEADLINE, **options, "command": command})))
    return response.stdout, response.stderr, response.exit_code
