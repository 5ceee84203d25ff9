"""The variables of a session, read from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

__all__ = ("Value", "Variables")

Value = str | list[str] | dict[str, str]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Variables(Mapping[str, Value]):
    """`session.vars`: a scalar is a str, an array a list (gaps closed), an associative array a dict.

    Each access asks bash; it changes nothing there.

    Args:
        ask: Calls one of our bash functions with one argument and returns what it printed.
    """

    def __init__(self, ask: Callable[[str, str], bytes]) -> None:
        self._ask = ask

    def __getitem__(self, name: str) -> Value:
        """Return a variable's value.

        Raises:
            KeyError: It is not set, or this is no name of a shell variable (POSIX 3.216).
            SessionBusy, SessionClosed: Nothing was asked.
        """
        if not _NAME.fullmatch(name):
            raise KeyError(name)
        answer = self._ask("vars", name)
        if not answer:
            raise KeyError(name)
        attributes, *items = (item.decode("utf-8", "surrogateescape") for item in answer.split(b"\0")[:-1])
        keys, values = items[: len(items) // 2], items[len(items) // 2 :]
        if "A" in attributes:
            return dict(zip(keys, values, strict=True))
        if "a" in attributes:
            return values
        return values[0] if values else ""

    def __iter__(self) -> Iterator[str]:
        answer = self._ask("names", "")
        names = answer.decode("utf-8", "surrogateescape").split()
        return iter([name for name in names if not name.startswith("__shellkernel_")])

    def __len__(self) -> int:
        return len(list(iter(self)))
