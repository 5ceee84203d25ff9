"""mini-SWE-agent's environments and SWE-ReX's runtimes for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from swerex.runtime.abstract import AbstractRuntime, CreateBashSessionRequest
from swerex.runtime.remote import RemoteRuntime

from shellkernel.agents.minisweagent import NotebookEnvironment
from shellkernel.agents.serving import served
from shellkernel.agents.swerex import ShellKernelRuntime
from tests.agents.mini import Make
from tests.agents.rex import TOKEN, ask
from tests.session.watching import DEADLINE

__all__ = ()


@pytest.fixture(params=["direct", "remote"])
def runtime(request: pytest.FixtureRequest, bash: str) -> Iterator[AbstractRuntime]:
    """Our runtime; or SWE-ReX's client, in front of SWE-ReX's server, in front of our runtime."""
    ours = ShellKernelRuntime(shell=bash)
    if request.param == "direct":
        yield ours
    else:
        with served(ours, auth_token=TOKEN) as port:
            yield RemoteRuntime(port=port, auth_token=TOKEN, timeout=DEADLINE)
    ask(ours.close())


@pytest.fixture
def session(runtime: AbstractRuntime) -> AbstractRuntime:
    """The runtime, with a session called "default"."""
    ask(runtime.create_session(CreateBashSessionRequest()))
    return runtime


@pytest.fixture
def ours(bash: str) -> Iterator[ShellKernelRuntime]:
    """Our runtime, whose sessions are listed as rex-…."""
    runtime = ShellKernelRuntime(shell=bash, prefix="rex-", env={"MINE": "yes"})
    yield runtime
    ask(runtime.close())


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
