"""SWE-ReX's runtime on sessions of ours (SWE-ReX 1.4; the extra `agents`).

    runtime = ShellKernelRuntime()
    await runtime.create_session(CreateBashSessionRequest())
    observation = await runtime.run_in_session(BashAction(command="make"))

Requests and responses are SWE-ReX's own models, and its own exceptions are raised, so that its HTTP server can stand
before it (`shellkernel.agents.serving`). What differs from its `LocalRuntime`, and why, is in docs/agents.md.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
import subprocess
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

try:
    from swerex.exceptions import (
        CommandTimeoutError,
        NonZeroExitCodeError,
        SessionDoesNotExistError,
        SessionExistsError,
        SessionNotInitializedError,
    )
    from swerex.runtime.abstract import (
        AbstractRuntime,
        Action,
        BashAction,
        BashInterruptAction,
        CloseBashSessionResponse,
        CloseResponse,
        CloseSessionRequest,
        CloseSessionResponse,
        Command,
        CommandResponse,
        CreateBashSessionRequest,
        CreateBashSessionResponse,
        CreateSessionRequest,
        CreateSessionResponse,
        IsAliveResponse,
        Observation,
        ReadFileRequest,
        ReadFileResponse,
        UploadRequest,
        UploadResponse,
        WriteFileRequest,
        WriteFileResponse,
    )
except ImportError as error:
    raise ImportError(f"{__name__} needs SWE-ReX: pip install 'shellkernel[agents]' ({error})") from error

from shellkernel.agents.bash_talk import BashTalk, error_message, translated
from shellkernel.agents.defaults import AGENT_ENVIRONMENT, AGENT_LADDER
from shellkernel.agents.processes import in_thread, run_process
from shellkernel.errors import SessionExists, SessionStartFailed
from shellkernel.session import BashSession

__all__ = ("ShellKernelRuntime",)


class ShellKernelRuntime(AbstractRuntime):
    """Runs bash sessions, programs and file transfers on this machine.

    Args:
        prefix: Put before SWE-ReX's names of sessions, it lists them in `shellkernel.sessions`, where a person can look
            on; None keeps them to this runtime.
        cwd, rcfile, shell: For each session, as `BashSession` takes them.
        env: Variables of each session, laid over this process's.
        logger: Theirs, where it is wanted; nothing is logged.
    """

    def __init__(
        self,
        *,
        prefix: str | None = None,
        cwd: str | os.PathLike[str] | None = None,
        rcfile: str | os.PathLike[str] | None = None,
        shell: str = "bash",
        env: Mapping[str, str] | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        self.logger = logger or logging.getLogger("shellkernel")
        self._prefix = prefix
        self._options: dict[str, Any] = {
            "cwd": cwd,
            "rcfile": rcfile,
            "shell": shell,
            "env": {**AGENT_ENVIRONMENT, **(env or {})},
            "listed": prefix is not None,
        }
        self._talks: dict[str, BashTalk] = {}
        self._starting: set[str] = set()
        weakref.finalize(self, _close_all, self._talks)

    @property
    def sessions(self) -> Mapping[str, BashSession]:
        """The sessions by SWE-ReX's names."""
        return {name: talk.session for name, talk in self._talks.items()}

    async def is_alive(self, *, timeout: float | None = None) -> IsAliveResponse:  # noqa: ARG002  # their interface
        """Return a true response."""
        return IsAliveResponse(is_alive=True)

    async def create_session(self, request: CreateSessionRequest) -> CreateSessionResponse:
        """Start a session and source the files that the request names, within its `startup_timeout`.

        Returns:
            What the files printed. One that fails, or is not there, says so there; the session lives.

        Raises:
            SessionExistsError: The name is taken; nothing was started.
            CommandTimeoutError: The files took too long; nothing is left of the session.
            SessionNotInitializedError: bash did not start.
        """
        _check_type(request, CreateBashSessionRequest)
        name = request.session
        if name in self._talks or name in self._starting:
            raise SessionExistsError(f"session {name!r} already exists; nothing was started")
        self._starting.add(name)
        try:
            session = await in_thread(lambda: BashSession(f"{self._prefix or ''}{name}", **self._options))
            self._talks[name] = BashTalk(session)
        except SessionExists as error:
            raise SessionExistsError(str(error)) from error
        except (SessionStartFailed, ValueError) as error:
            raise SessionNotInitializedError(str(error)) from error
        finally:
            self._starting.discard(name)
        return await self._source(session, request)

    async def run_in_session(self, action: Action) -> Observation:
        """Run a command in a session, type a line for a program that runs there, or interrupt it.

        A command (`BashAction`) is ended when its `timeout` is over, or when it waits for input, and is answered with
        its true exit code, unless `check` is "ignore". `expect` has regular expressions (DOTALL); a command that prints
        what one of them matches goes on, and is answered at once, without an exit code.

        With `is_interactive_command` the command starts a program, or is a line for the one that runs. The answer comes
        with a match of `expect`; without any, when the program waits for input; or when it is over, with its exit code.
        With `is_interactive_quit` the line ends the program, and the answer comes when it is over. Neither checks the
        exit code, and a timeout leaves the program as it is.

        An interrupt (`BashInterruptAction`) is sent `n_retry` times, `timeout` seconds apart, until the program is over
        or prints what `expect` matches; then it is killed. Its exit code is 0.

        Raises:
            SessionDoesNotExistError: Nothing was run.
            BashIncorrectSyntaxError: bash can not parse the command; nothing was run. `extra_info` has bash's words.
            NonZeroExitCodeError: With `check` "raise".
            NoExitCodeError: With `check` "raise", where there is none: `expect` was met before the end.
            CommandTimeoutError: Its seconds are over, or it waited for input that nobody gives.
            SessionNotInitializedError: The session was closed meanwhile.
            SwerexException: Another program runs there (a command), or none does (a quit); nothing was run or typed.
            re.error, TypeError, ValueError: Wrong arguments; nothing was run.
        """
        _check_type(action, BashAction | BashInterruptAction)
        return await self._talk(action.session).act(action)

    async def close_session(self, request: CloseSessionRequest) -> CloseSessionResponse:
        """End a session and all that runs in it.

        Raises:
            SessionDoesNotExistError: There is none of this name.
        """
        talk = self._talk(request.session)
        del self._talks[request.session]
        await in_thread(talk.session.close)
        return CloseBashSessionResponse()

    async def execute(self, command: Command) -> CommandResponse:
        """Run a program outside of any session, as `subprocess.run` does, with nothing to read.

        Raises:
            CommandTimeoutError: It took too long; all of its process group was killed.
            NonZeroExitCodeError: With `check`.
            OSError, ValueError: It could not be started; there is no command.
        """
        _check_type(command, Command)
        if not command.command and not command.shell:
            raise ValueError("there is no command; nothing was run")
        try:
            finished = await run_process(
                command.command,
                shell=command.shell,
                timeout=command.timeout,
                env=command.env,
                cwd=command.cwd,
                merge=command.merge_output_streams,
            )
        except subprocess.TimeoutExpired as late:
            said = _decoded(late.output or b"") + _decoded(late.stderr or b"")
            message = f"{command.command!r} was killed: its timeout of {command.timeout:g} s was over"
            raise CommandTimeoutError(error_message(message, said)) from late
        response = CommandResponse(
            stdout=_decoded(finished.stdout), stderr=_decoded(finished.stderr), exit_code=finished.exit_code
        )
        if command.check and finished.exit_code != 0:
            message = f"{command.command!r} failed with exit code {finished.exit_code}"
            raise NonZeroExitCodeError(error_message(message, response.stdout + response.stderr, command.error_msg))
        return response

    async def read_file(self, request: ReadFileRequest) -> ReadFileResponse:
        """Return a file's text, its line ends as they are; UTF-8 where no encoding is named. Raises as `open` does."""

        def read() -> str:
            with open(request.path, encoding=request.encoding or "utf-8", errors=request.errors, newline="") as file:
                return file.read()

        return ReadFileResponse(content=await in_thread(read))

    async def write_file(self, request: WriteFileRequest) -> WriteFileResponse:
        """Write a text to a file as UTF-8, its line ends as they are; folders that are not there are made."""

        def write() -> None:
            path = Path(request.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(request.content.encode())

        await in_thread(write)
        return WriteFileResponse()

    async def upload(self, request: UploadRequest) -> UploadResponse:
        """Copy a file or a folder; folders above the target are made.

        Raises:
            FileNotFoundError: There is no such source.
            FileExistsError: The target of a folder is there already.
        """

        def copy() -> None:
            Path(request.target_path).parent.mkdir(parents=True, exist_ok=True)
            if os.path.isdir(request.source_path):
                shutil.copytree(request.source_path, request.target_path, symlinks=True)
            else:
                shutil.copy(request.source_path, request.target_path)

        await in_thread(copy)
        return UploadResponse()

    async def close(self) -> CloseResponse:
        """End all sessions. New ones can be created afterwards."""
        await in_thread(lambda: _close_all(self._talks))
        return CloseResponse()

    def _talk(self, name: str) -> BashTalk:
        if name not in self._talks:
            known = ", ".join(map(repr, self._talks)) or "none"
            raise SessionDoesNotExistError(f"session {name!r} does not exist (there are: {known}); nothing was run")
        return self._talks[name]

    async def _source(self, session: BashSession, request: CreateBashSessionRequest) -> CreateBashSessionResponse:
        if not request.startup_source:
            return CreateBashSessionResponse()
        command = "\n".join(f"source {_as_word(path)}" for path in request.startup_source)
        try:
            with translated():
                result = await session.run_async(command, timeout=request.startup_timeout, ladder=AGENT_LADDER)
            if result.end_reason in ("timed_out", "awaiting_input"):
                raise CommandTimeoutError(
                    error_message(f"start-up of {request.session!r}: {result.note}", result.output)
                )
        except BaseException:
            self._talks.pop(request.session, None)
            await in_thread(session.close)
            raise
        return CreateBashSessionResponse(output=result.output)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _as_word(path: str) -> str:
    """Quote a path that is there; bash may expand another one (`~/.bashrc`, `$HOME/…`)."""
    return shlex.quote(path) if os.path.exists(path) else path


def _check_type(value: object, kind: Any) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"a request is one of SWE-ReX's models, {kind}, not {value!r}; nothing was run")


def _close_all(talks: dict[str, BashTalk]) -> None:
    """Close the sessions side by side, and forget them."""
    closing = [talks.pop(name).session for name in list(talks)]
    for session in closing:
        session.begin_close()
    for session in closing:
        session.close()
