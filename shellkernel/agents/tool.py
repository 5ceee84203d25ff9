"""One `bash` tool for models that call functions, in OpenAI's and in Anthropic's form. Needs no framework.

tool = BashTool(secrets=["GITHUB_TOKEN"])
client.chat.completions.create(tools=[tool.openai_tool()], …)
messages.append(tool.answer_openai(call))
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from shellkernel.agents import report as words
from shellkernel.agents.calls import DESCRIPTION, NAME, Call, Refused, parse_call, schema
from shellkernel.agents.defaults import AGENT_ENVIRONMENT, AGENT_LADDER
from shellkernel.agents.masking import Redactor
from shellkernel.errors import ExpectTimedOut, ShellKernelError
from shellkernel.session import BashSession, Expected, Job, Moment, sessions

__all__ = ("BashTool", "ToolAnswer")


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a call came to."""

    text: str
    """For the model."""
    is_error: bool = False
    """Whether the call itself could not be done; a command that fails is no error."""
    exit_code: int | None = None
    """The command's, where it has ended."""


class BashTool:
    """Answers a model's calls with sessions of its own.

    Args:
        session: The name of the session of a call that names none; it may be there already.
        share: Names of other sessions of this process that the model may use. It can not reach any that is not its own.
        cwd, env, rcfile, shell: Of sessions that are started, as `BashSession` takes them.
        timeout: Seconds for a call that names none.
        max_timeout: Seconds that a call can ask for at most; more is cut.
        limit: Characters of an answer at most, 500 or more.
        secrets: Names of variables whose exact values never stand in an answer, but "[NAME]" in their place: values in
            this process's environment, in `env`, and in the sessions.
        max_sessions: Sessions of its own at most.

    Raises:
        ValueError: A limit is too small. Nothing was started.
        TypeError: `secrets` is one text. Nothing was started.
    """

    def __init__(
        self,
        *,
        session: str = "agent",
        share: Iterable[str] = (),
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        rcfile: str | os.PathLike[str] | None = None,
        shell: str = "bash",
        timeout: float = 30.0,
        max_timeout: float = 600.0,
        limit: int = 10_000,
        secrets: Iterable[str] = (),
        max_sessions: int = 8,
    ) -> None:
        if limit < words.LEAST or max_sessions < 1 or timeout < 0 or max_timeout < 0:
            raise ValueError(
                f"an answer has {words.LEAST} characters or more, there is a session, and times are 0 or more"
            )
        self._default = session
        self._reachable = {session, *share}
        self._own: dict[str, BashSession] = {}
        self._background: dict[str, Job] = {}  # what was started there, and has not been told to be over
        self._options: dict[str, Any] = {
            "cwd": cwd,
            "env": {**AGENT_ENVIRONMENT, **(env or {})},
            "rcfile": rcfile,
            "shell": shell,
        }
        self._timeout, self._max_timeout = timeout, max_timeout
        self._limit, self._max_sessions = limit, max_sessions
        if isinstance(secrets, str):
            raise TypeError(f"secrets is a list of names of variables, not the str {secrets!r}")
        self._secrets = tuple(secrets)
        self._redactor = Redactor()
        for name in self._secrets:
            for variables in (os.environ, env or {}):
                self._redactor.learn(name, variables.get(name, ""))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the sessions that it started. May be called twice."""
        while self._own:
            self._own.popitem()[1].close()

    @staticmethod
    def openai_tool() -> dict[str, Any]:
        """Return what OpenAI's chat interface wants among its `tools`."""
        function = {"name": NAME, "description": DESCRIPTION, "parameters": schema()}
        return {"type": "function", "function": function}

    @staticmethod
    def anthropic_tool() -> dict[str, Any]:
        """Return what Anthropic's messages interface wants among its `tools`."""
        return {"name": NAME, "description": DESCRIPTION, "input_schema": schema()}

    def answer_openai(self, tool_call: Any) -> dict[str, Any]:
        """Do one of a message's `tool_calls` (a dict or the client's object), and return the message of role "tool"."""
        function = _part(tool_call, "function")
        answer = self._named(_part(function, "name"), _part(function, "arguments"))
        return {"role": "tool", "tool_call_id": _part(tool_call, "id"), "content": answer.text}

    def answer_anthropic(self, tool_use: Any) -> dict[str, Any]:
        """Do one block of type "tool_use" (a dict or the client's object), and return the "tool_result" block."""
        answer = self._named(_part(tool_use, "name"), _part(tool_use, "input"))
        result = {"type": "tool_result", "tool_use_id": _part(tool_use, "id"), "content": answer.text}
        return {**result, "is_error": True} if answer.is_error else result

    def __call__(self, **arguments: Any) -> ToolAnswer:
        """Do a call whose arguments are given by name."""
        return self.call(arguments)

    def call(self, arguments: Mapping[str, Any] | str) -> ToolAnswer:
        """Do a call, and wait until the command is over, waits for input, or its time is over.

        Args:
            arguments: As the schema says, or their JSON.

        Returns:
            An answer, always: a call that makes no sense (wrong types, no such session, nothing to do, text that bash
            can not parse) is an error that says why, and has run nothing.
        """
        try:
            return self._do(parse_call(arguments))
        except (Refused, ShellKernelError, OSError, ValueError) as error:
            return ToolAnswer(self._report("", ["exit code: none", f"error: {error}"]), is_error=True)

    def _named(self, name: Any, arguments: Any) -> ToolAnswer:
        if name != NAME:
            return ToolAnswer(f"[error: there is no tool {name!r}, only {NAME!r}; nothing was run]", is_error=True)
        return self.call(arguments)

    def _do(self, call: Call) -> ToolAnswer:
        name = call.session or self._default
        session = self._session(name, call)
        if call.restart:
            session.restart()
            self._background.pop(name, None)
            if call.command is None and call.input is None:
                return ToolAnswer(self._report("", ["exit code: none", f"session {name} begins afresh"]))
        if call.command is not None:
            return self._run(session, call.command, call)
        job = session.running or self._background.get(name)
        if job is None or (job.done and call.input is not None):
            raise Refused(f"session {name!r} is idle, nothing runs there; give a `command`; nothing was run")
        if call.input is not None:
            job.send(call.input)
        return self._wait(session, job, call)

    def _session(self, name: str, call: Call) -> BashSession:
        own = self._own.get(name)
        if own is not None and own.state != "ended":
            return own
        if name in sessions:
            if name not in self._reachable:
                raise Refused(f"session {name!r} is not yours; use another name; nothing was run")
            return sessions[name]
        if call.command is None and not call.restart:
            known = ", ".join(map(repr, self._own)) or "none"
            raise Refused(f"there is no session {name!r} (there are: {known}); nothing was run")
        living = [known for known, session in self._own.items() if session.state != "ended"]
        if len(living) >= self._max_sessions:
            raise Refused(f"there are {len(living)} sessions, and no more: {', '.join(living)}; nothing was run")
        self._own[name] = BashSession(name, **self._options)
        return self._own[name]

    def _run(self, session: BashSession, command: str, call: Call) -> ToolAnswer:
        job = session.start(command, ladder=AGENT_LADDER)
        if not call.background:
            try:
                return self._wait(session, job, call)
            except BaseException:  # Ctrl-C
                job.interrupt()
                raise
        self._background[session.name] = job
        advice = "call again with this `session` alone to see what it prints"
        return ToolAnswer(self._report("", words.running(session.name, job.elapsed, advice)))

    def _wait(self, session: BashSession, job: Job, call: Call) -> ToolAnswer:
        try:
            met = job.expect(timeout=self._seconds(call))
        except ExpectTimedOut:
            return self._too_late(session, job, call)
        if met.waiting is not None:
            self._learn(session)
            return ToolAnswer(self._report(_output(met), words.waiting(met.waiting, session.name)))
        return self._ended(session, met, whole=call.command is not None)

    def _seconds(self, call: Call) -> float:
        return min(self._timeout if call.timeout is None else call.timeout, self._max_timeout)

    def _too_late(self, session: BashSession, job: Job, call: Call) -> ToolAnswer:
        if call.command is None:
            met = _so_far(job)
            advice = "call again to wait on, send `input`, or end it with `restart`"
            return ToolAnswer(self._report(met, words.running(session.name, job.elapsed, advice)))
        job.interrupt()
        return self._ended(session, job.expect(Moment.ENDED), whole=True, interrupted_after=self._seconds(call))

    def _ended(
        self, session: BashSession, met: Expected, *, whole: bool, interrupted_after: float | None = None
    ) -> ToolAnswer:
        result = met.result
        assert result is not None
        self._background.pop(session.name, None)
        self._learn(session)
        facts = words.ended(result, interrupted_after=interrupted_after)
        text = self._report(result.output if whole else _output(met), facts)
        return ToolAnswer(text, exit_code=result.exit_code)

    def _learn(self, session: BashSession) -> None:
        """Take in what the session's variables hold by now."""
        if session.state != "idle":
            return
        with suppress(ShellKernelError):
            for name in self._secrets:
                value = session.vars.get(name)
                parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
                for part in parts:
                    self._redactor.learn(name, part or "")

    def _report(self, output: str, facts: list[str]) -> str:
        redact = self._redactor.redact
        return words.report(redact(output), [redact(fact) for fact in facts], self._limit)


def _output(met: Expected) -> str:
    if not met.omitted:
        return met.before
    return f"[… {met.omitted:,} characters left out …]\n{met.before}"


def _so_far(job: Job) -> str:
    """Take what it has printed since the last look."""
    return _output(job.expect(Moment.NOW))


def _part(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
