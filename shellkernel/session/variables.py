"""The variables of a session, read from outside."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, MutableMapping

from shellkernel.errors import CommandFailed
from shellkernel.results import Result

__all__ = ("Value", "Variables")

Value = str | list[str] | dict[str, str]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Variables(MutableMapping[str, Value]):
    """`session.vars`: a scalar is a str, an array a list (gaps closed), an associative array a dict.

    Each access asks bash, between two commands; it changes nothing there but what is assigned.

    Args:
        ask: Calls a function or builtin of bash and returns what it printed.
        prepare: Runs bash source between two commands; the next one finds nothing but its effect.
    """

    def __init__(self, ask: Callable[[bytes], bytes], prepare: Callable[[bytes], Result]) -> None:
        self._ask = ask
        self._prepare = prepare

    def __getitem__(self, name: str) -> Value:
        """Return a variable's value.

        Raises:
            KeyError: It is not set, or this is no name of a shell variable (POSIX 3.216).
            SessionBusy, SessionClosed: Nothing was asked.
        """
        if not _NAME.fullmatch(name):
            raise KeyError(name)
        answer = self._ask(b"__shellkernel_vars %s" % name.encode())
        if not answer:
            raise KeyError(name)
        attributes, *items = (item.decode("utf-8", "surrogateescape") for item in answer.split(b"\0")[:-1])
        keys, values = items[: len(items) // 2], items[len(items) // 2 :]
        if "A" in attributes:
            return dict(zip(keys, values, strict=True))
        if "a" in attributes:
            return values
        return values[0] if values else ""

    def __setitem__(self, name: str, value: Value) -> None:
        """Give a variable a value, exactly; a list makes an array, a dict an associative array.

        Raises:
            ValueError: This is no name of a shell variable, or a value holds a NUL byte; nothing was changed.
            TypeError: The value is of another type; nothing was changed.
            CommandFailed: bash refused it: the variable is readonly.
        """
        self._run(_check(name), _assignment(name, value))

    def __delitem__(self, name: str) -> None:
        """Unset a variable.

        Raises:
            KeyError: It is not set.
            CommandFailed: bash refused it: the variable is readonly.
        """
        if name not in self:
            raise KeyError(name)
        self._run(name, f"\\builtin unset -v {name} && :")

    def __iter__(self) -> Iterator[str]:
        names = self._ask(b'\\builtin compgen -v >"$__shellkernel_output"').decode("utf-8", "surrogateescape").split()
        return iter([name for name in names if not name.startswith("__shellkernel_")])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _run(self, name: str, source: str) -> None:
        result = self._prepare(source.encode("utf-8", "surrogateescape"))
        if result.exit_code != 0:
            said = result.output.strip()
            raise CommandFailed(f"session {result.session!r}: {name!r} was not changed: {said}", result)


def _check(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a shell variable; nothing was changed")
    return name


def _assignment(name: str, value: Value) -> str:
    if isinstance(value, str):
        # An array, or an integer variable, would take a text in its own way: only a plain or an exported one stays. The
        # list fails, and does not end a bash with `set -e`, where the variable is readonly.
        fresh = f'case ${{{name}+"${{{name}@a}}"}} in "" | x) ;; *) \\builtin unset -v {name} ;; esac'
        unset = f'{{ \\builtin [ -n "${{{name}+set}}" ] || \\builtin unset -v {name}; }}'
        return f"{fresh} && {unset} && {name}={_quoted(value)}"
    if isinstance(value, Mapping):
        items = " ".join(f"[{_quoted(key)}]={_quoted(item)}" for key, item in value.items())
        return f"\\builtin unset -v {name} && \\builtin declare -A {name} && {name}=({items})"
    if isinstance(value, list | tuple):
        items = " ".join(_quoted(item) for item in value)
        return f"\\builtin unset -v {name} && \\builtin declare -a {name} && {name}=({items})"
    raise TypeError(f"a shell variable is a str, a list or a dict of str, not {type(value).__name__}")


def _quoted(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"what stands in a shell variable is a str, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError("a shell variable can not hold a NUL byte; nothing was changed")
    return shlex.quote(value)
