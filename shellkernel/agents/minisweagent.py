"""mini-SWE-agent's environment on a session of ours (mini-SWE-agent 2.x; also without it).

In its configuration:

    environment:
      environment_class: shellkernel.agents.minisweagent.NotebookEnvironment
      timeout: 60

What differs from its own `LocalEnvironment`, and why, is in docs/agents.md.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import shlex
import subprocess
import weakref
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from shellkernel.agents.defaults import AGENT_ENVIRONMENT, AGENT_LADDER
from shellkernel.agents.masking import mask_variables
from shellkernel.agents.submission import exact_output, raise_if_submitted, submitted_class, without_exit
from shellkernel.errors import CommandSyntaxError, IncompleteCommand, InputRequired, SessionClosed
from shellkernel.results import Result
from shellkernel.session import BashSession, sessions

__all__ = ("NotebookEnvironment", "NotebookEnvironmentConfig", "Submitted")  # noqa: F822  # `__getattr__` has the last

SYNTAX_ERROR = 2
"""The exit code of `bash -c` for a text that it can not parse."""

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookEnvironmentConfig:
    """What the environment can be told."""

    cwd: str = ""
    """Where commands run; "" is this process's directory."""
    env: dict[str, str] = field(default_factory=dict)
    """Variables laid over this process's environment."""
    timeout: float = 30
    """Seconds for each command, 0 or more."""
    session: str = ""
    """The name of the session in `shellkernel.sessions`, which is started if it is not there; "" starts an own one."""
    stateful: bool = True
    """True: a command finds the directory and variables that the last one left. False: each has its own subshell."""
    shell: str = "bash"
    """bash, for a session that is started here: a name on PATH, or a path."""

    def __post_init__(self) -> None:
        for label, kind in (("cwd", str), ("env", Mapping), ("session", str), ("stateful", bool), ("shell", str)):
            if not isinstance(getattr(self, label), kind):
                raise TypeError(f"{label} is a {kind.__name__.lower()}, not {getattr(self, label)!r}")
        pairs: list[tuple[object, object]] = list(self.env.items())
        for name, value in pairs:
            if not isinstance(name, str) or not isinstance(value, str):
                raise TypeError(f"env holds str only, not {name!r}={value!r}")
            if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or "\0" in value:
                raise ValueError(f"env: {name!r} can not be a shell variable, or its value holds NUL")
        _check_timeout(self.timeout)

    def model_dump(self, **_: Any) -> dict[str, Any]:
        """Return the fields as a dict of JSON values, as pydantic's models do."""
        return asdict(self)


class NotebookEnvironment:
    """Runs a mini-SWE-agent's actions in a session, which starts with the first of them.

    Args:
        config_class: What checks the other arguments and holds them as `config`.
        **kwargs: The fields of `NotebookEnvironmentConfig`.

    Raises:
        TypeError, ValueError: An unknown name or a wrong value; nothing was started.
    """

    def __init__(self, *, config_class: type = NotebookEnvironmentConfig, **kwargs: Any) -> None:
        if config_class is NotebookEnvironmentConfig:
            known = [each.name for each in fields(NotebookEnvironmentConfig)]
            if unknown := sorted(set(kwargs) - set(known)):
                raise TypeError(f"no such configuration: {', '.join(unknown)}; there are {', '.join(known)}")
        self.config: Any = config_class(**kwargs)
        self._session: BashSession | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def session(self) -> BashSession:
        """The session that runs the actions; asked for the first time, it is started or taken over.

        Raises:
            SessionStartFailed: It could not be started.
        """
        if self._session is None or self._session.state == "ended":
            self._session = self._start()
        return self._session

    def execute(self, action: Mapping[str, Any], cwd: str = "", *, timeout: float | None = None) -> Answer:
        """Run one action and return its `output`, `returncode` and `exception_info`.

        Args:
            action: {"command": text, …}; other keys are not looked at.
            cwd: Where this one command runs, instead of the configured or the session's directory.
            timeout: Seconds, 0 or more; None takes the configured ones.

        Returns:
            A command that ended itself has its exit code as `returncode` and "" as `exception_info`. Else `returncode`
            is -1, `output` what was printed until then, `exception_info` a sentence, and `extra` has `exception_type`
            and `exception`: `TimeoutExpired`, `InputRequired` (it waited for input); or, with nothing run,
            `FileNotFoundError` (no such `cwd`), `KeyError`, `TypeError` (no command), `InvalidCommand`, `SessionBusy`.
            A text that bash can not parse runs nothing either; the answer is that of `bash -c`, with 2.

        Raises:
            Submitted: The command succeeded, and the first line of its output that is not blank is the marker.
            TypeError: The action is no mapping; nothing was run.
        """
        if not isinstance(action, Mapping):
            raise TypeError(f"an action is a mapping with a command, not {action!r}; nothing was run")
        exact = ""
        try:
            command = _command_of(action)
            seconds = self.config.timeout if timeout is None else _check_timeout(timeout)
            result = self._run(command, cwd, seconds)
            answer = _answer(result, command, seconds)
            exact = exact_output(result)
        except (IncompleteCommand, CommandSyntaxError) as error:
            answer = {"output": f"bash: {error}\n", "returncode": SYNTAX_ERROR, "exception_info": ""}
        except Exception as error:  # noqa: BLE001  # the edge to a model, which reads what went wrong
            answer = _failure(error)
        raise_if_submitted(answer["returncode"], exact, answer["output"])
        return answer

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        """Return what templates may use: the configuration, the system's names, the environment, and `kwargs`.

        The values of variables that look secret are masked.
        """
        config = self._dumped_config()
        return {**config, **platform.uname()._asdict(), **mask_variables(os.environ), **kwargs}

    def serialize(self) -> dict[str, Any]:
        """Return what a trajectory stores about the environment; values that look secret are masked."""
        kind = type(self)
        config = {"environment": self._dumped_config(), "environment_type": f"{kind.__module__}.{kind.__qualname__}"}
        return {"info": {"config": config}}

    def close(self) -> None:
        """End the session if it is an own one; a named one goes on. May be called twice; an action starts it again."""
        session, self._session = self._session, None
        if session is not None and not self.config.session:
            session.close()

    def _dumped_config(self) -> dict[str, Any]:
        config: dict[str, Any] = self.config.model_dump(mode="json")
        return {**config, "env": mask_variables(config.get("env", {}))}

    def _start(self) -> BashSession:
        name, config = self.config.session, self.config
        if name in sessions:
            session = sessions[name]
            exports = [f"export {variable}={shlex.quote(value)}" for variable, value in config.env.items()]
            session.prepare("\n".join(exports))
            if config.cwd:
                _change_directory(session, config.cwd)
            return session
        environment = {**AGENT_ENVIRONMENT, **config.env}
        session = BashSession(name or None, cwd=config.cwd or None, env=environment, shell=config.shell)
        if not name:
            weakref.finalize(self, session.close)
        return session

    def _run(self, command: str, cwd: str, timeout: float) -> Result:
        if not self.config.stateful:
            return self._run_in_subshell(command, cwd, timeout)
        session = self.session
        before = session.cwd
        if cwd:
            _change_directory(session, cwd)
        try:
            return session.run(command, timeout=timeout, ladder=AGENT_LADDER)
        finally:
            if cwd and session.state != "ended":
                _change_directory(session, before)

    def _run_in_subshell(self, command: str, cwd: str, timeout: float) -> Result:
        session = self.session
        session.check(command)  # alone: it must not close our parenthesis
        _change_directory(session, cwd or self.config.cwd or os.getcwd())
        return session.run(f"( : ; {command}\n)", timeout=timeout, ladder=AGENT_LADDER)


def __getattr__(name: str) -> Any:
    if name == "Submitted":
        return submitted_class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _check_timeout(timeout: object) -> float:
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        raise TypeError(f"timeout is a number of seconds, not {timeout!r}")
    if not timeout >= 0:
        raise ValueError(f"timeout is 0 seconds or more, not {timeout!r}")
    return timeout


def _command_of(action: Mapping[str, Any]) -> str:
    if "command" not in action:
        raise KeyError("the action has no command; nothing was run")
    command = action["command"]
    if not isinstance(command, str):
        raise TypeError(f"a command is text, not {command!r}; nothing was run")
    return command


def _change_directory(session: BashSession, directory: str) -> None:
    path = os.path.abspath(directory)
    if not os.path.isdir(path):
        raise FileNotFoundError(errno.ENOENT, "No such directory; nothing was run", path)
    if path != session.cwd and session.prepare(f"\\builtin cd -- {shlex.quote(path)}").exit_code != 0:
        raise PermissionError(errno.EACCES, "The directory can not be entered; nothing was run", path)


def _answer(result: Result, command: str, timeout: float) -> Answer:
    """Say how a command ended in mini-SWE-agent's words."""
    match result.end_reason:
        case "timed_out":
            return _failure(subprocess.TimeoutExpired(command, timeout, result.output), result)
        case "awaiting_input":
            return _failure(InputRequired(result.note, result), result)
    if result.exit_code is None:
        return _failure(SessionClosed(result.note or "the session was closed", result.session), result)
    answer: Answer = {
        "output": without_exit(result.output, result),
        "returncode": result.exit_code,
        "exception_info": "",
    }
    if result.note:
        answer["extra"] = {"note": result.note}
    return answer


def _failure(error: Exception, result: Result | None = None) -> Answer:
    text = str(error.args[0]) if isinstance(error, KeyError) else str(error)
    return {
        "output": result.output if result else "",
        "returncode": -1,
        "exception_info": f"The command did not run to its end: {text}" if result else f"Nothing was run: {text}",
        "extra": {"exception_type": type(error).__name__, "exception": text},
    }
