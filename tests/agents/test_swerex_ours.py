"""What our runtime for SWE-ReX has beyond SWE-ReX's own, and its server."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from swerex.exceptions import (
    SessionExistsError,
    SessionNotInitializedError,
)
from swerex.runtime.abstract import (
    BashAction,
    Command,
    CreateBashSessionRequest,
)
from swerex.runtime.remote import RemoteRuntime

from shellkernel import BashSession, sessions
from shellkernel.agents.serving import served
from shellkernel.agents.swerex import ShellKernelRuntime
from tests.agents.rex import TOKEN, ask, do
from tests.session.watching import DEADLINE, is_over, wait_until

__all__ = ()


def test_with_a_prefix_a_person_can_look_on(ours: ShellKernelRuntime) -> None:
    ask(ours.create_session(CreateBashSessionRequest()))
    do(ours, "x=$MINE")
    assert sessions["rex-default"].run("echo $x $TERM").output == "yes dumb\n"
    assert dict(ours.sessions) == {"default": sessions["rex-default"]}
    ask(ours.close())
    assert "rex-default" not in sessions


def test_prefix_and_name_that_are_taken_elsewhere(ours: ShellKernelRuntime, bash: str) -> None:
    with BashSession("rex-default", shell=bash) as theirs:
        with pytest.raises(SessionExistsError):
            ask(ours.create_session(CreateBashSessionRequest()))
        assert dict(ours.sessions) == {}
        assert theirs.state == "idle"


def test_bash_that_is_not_there(bash: str) -> None:
    runtime = ShellKernelRuntime(shell="/no/such/bash")
    with pytest.raises(SessionNotInitializedError, match="no/such/bash"):
        ask(runtime.create_session(CreateBashSessionRequest()))


def test_session_that_somebody_closed(ours: ShellKernelRuntime) -> None:
    ask(ours.create_session(CreateBashSessionRequest()))
    ours.sessions["default"].close()
    with pytest.raises(SessionNotInitializedError):
        do(ours, "true")


def test_wrong_types_are_refused(ours: ShellKernelRuntime) -> None:
    wrong: Any = {"command": "true"}
    for call in (ours.create_session, ours.run_in_session, ours.execute):
        with pytest.raises(TypeError, match="nothing was run"):
            ask(call(wrong))
    ask(ours.create_session(CreateBashSessionRequest()))
    with pytest.raises(ValueError, match="timeout"):
        do(ours, "true", timeout=-1)
    with pytest.raises(Exception, match="unterminated"):
        do(ours, "true", expect=["(a"])
    assert ours.sessions["default"].last is None


def test_forgotten_runtime_leaves_no_sessions(bash: str) -> None:
    runtime = ShellKernelRuntime(shell=bash)
    ask(runtime.create_session(CreateBashSessionRequest()))
    session = runtime.sessions["default"]
    del runtime
    wait_until(lambda: session.state == "ended", "the session is closed")


def test_cancelled_calls_end_what_they_started(ours: ShellKernelRuntime, tmp_path: Path) -> None:
    async def cancel(call: Coroutine[Any, Any, Any], path: Path) -> int:
        task = asyncio.create_task(call)
        while not (path.exists() and path.read_text().endswith("\n")):
            await asyncio.sleep(0.01)  # how often it is looked
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return int(path.read_text())

    ask(ours.create_session(CreateBashSessionRequest()))
    path = tmp_path / "run"
    call: Any = ours.run_in_session(BashAction(command=f"bash -c 'echo $$ >{path}; exec sleep 60'"))
    assert is_over(ask(cancel(call, path)))
    path = tmp_path / "execute"
    call = ours.execute(Command(command=f"echo $$ >{path}; sleep 60", shell=True))
    assert is_over(ask(cancel(call, path)))
    wait_until(lambda: not any(thread.name == "shellkernel call" for thread in threading.enumerate()), "it is over")


def test_other_clients_are_turned_away(ours: ShellKernelRuntime) -> None:
    with served(ours, auth_token=TOKEN) as port:
        assert not ask(RemoteRuntime(port=port, auth_token="another", timeout=DEADLINE).is_alive())
        assert ask(RemoteRuntime(port=port, auth_token=TOKEN, timeout=DEADLINE).is_alive())
        with pytest.raises(RuntimeError, match="already"), served(ours, auth_token=TOKEN):
            pass
    with pytest.raises(ValueError, match="token"), served(ours, auth_token=""):
        pass


@pytest.mark.slow
def test_server_of_its_own(tmp_path: Path) -> None:
    import socket
    import subprocess

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "shellkernel.agents.serving", "--port", str(port), "--auth-token", TOKEN]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        remote = RemoteRuntime(port=port, auth_token=TOKEN, timeout=DEADLINE)
        ask(remote.wait_until_alive(timeout=DEADLINE))
        ask(remote.create_session(CreateBashSessionRequest()))
        pid = int(do(remote, "echo $$").output)
    finally:
        server.terminate()
        assert server.wait(DEADLINE) == 0
    assert is_over(pid)
