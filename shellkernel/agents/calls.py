"""The `bash` tool as models see it: its name, description and JSON schema; and a model's call, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ("DESCRIPTION", "NAME", "Call", "Refused", "parse_call", "schema")

NAME: Final = "bash"

DESCRIPTION: Final = """\
Run bash commands in a session that lasts: directory, variables, functions and background jobs stay between calls. \
The answer has the output and, in brackets below it, the exit code and what else there is to know. \
A program that waits for input is not ended: answer it with `input`. \
A command that is still running after `timeout` seconds is interrupted, unless it was started with `background`. \
Call with neither `command` nor `input` to see what a running program has printed since, and whether it has ended."""

PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "command": {"type": "string", "description": "Bash source of one or more lines, run as one unit."},
    "session": {"type": "string", "description": "The session's name; one that is not there is started."},
    "timeout": {"type": "number", "minimum": 0, "description": "Seconds to wait for the command at most."},
    "restart": {"type": "boolean", "description": "First end all that runs in the session, and begin it afresh."},
    "input": {
        "type": "string",
        "description": "Text to type for the program that runs. A line ends with a line feed; the character U+0004 is "
        "the end of input, U+0003 interrupts.",
    },
    "background": {"type": "boolean", "description": "Return at once, and let the command run without a time limit."},
}

_KINDS: Final[dict[str, tuple[type, ...]]] = {"string": (str,), "boolean": (bool,), "number": (int, float)}


class Refused(Exception):
    """A model's call that can not be done; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of the tool, checked; None where an argument was not given."""

    command: str | None = None
    session: str | None = None
    timeout: float | None = None
    restart: bool = False
    input: str | None = None
    background: bool = False


def schema() -> dict[str, Any]:
    """Return the JSON schema (2020-12) of the arguments; all are optional."""
    properties = {name: dict(parameter) for name, parameter in PARAMETERS.items()}
    return {"type": "object", "properties": properties, "required": [], "additionalProperties": False}


def parse_call(arguments: object) -> Call:
    """Return the call that a mapping, or its JSON, stands for. Arguments that are null are not there.

    Raises:
        Refused: It is neither; an argument is unknown, or of a wrong type; or the arguments contradict each other.
    """
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except json.JSONDecodeError as error:
            raise Refused(f"the arguments are not JSON: {error}; nothing was run") from error
    if not isinstance(arguments, Mapping):
        raise Refused(f"the arguments are an object, not {arguments!r}; nothing was run")
    given = {name: value for name, value in arguments.items() if value is not None}
    for name, value in given.items():
        _check(name, value)
    call = Call(**given)
    if call.command is not None and call.input is not None:
        raise Refused("`command` starts a program, `input` is for one that runs: not both; nothing was run")
    if call.command is None and call.background:
        raise Refused("`background` needs a `command`; nothing was run")
    return call


def _check(name: object, value: object) -> None:
    parameter = PARAMETERS.get(name) if isinstance(name, str) else None
    if parameter is None:
        raise Refused(f"there is no argument {name!r}, only {', '.join(PARAMETERS)}; nothing was run")
    kind = parameter["type"]
    if not isinstance(value, _KINDS[kind]) or (kind == "number" and isinstance(value, bool)):
        raise Refused(f"`{name}` is a {kind}, not {value!r}; nothing was run")
    if isinstance(value, int | float) and not value >= 0:
        raise Refused(f"`{name}` is 0 or more, not {value!r}; nothing was run")
