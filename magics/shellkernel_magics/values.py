"""Python values as bash source: exact, and nothing in them is ever expanded."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import SupportsIndex

__all__ = ("UnsupportedValue", "assignment", "scalar")


class UnsupportedValue(ValueError):
    """A value that no shell variable can hold; the message says why."""


def assignment(name: str, value: object) -> str:
    """Return bash source, without a newline of its own, that sets a variable at top level.

    str, int, float and paths become text; bool becomes `true` or `false`, which are also bash's commands; a
    list or tuple an indexed array; a mapping an associative array. What the variable was before is gone, but
    for a text's export. A readonly one fails at `unset`: an assignment to it would end a bash with `set -e`.

    Args:
        name: A shell variable name, checked by the caller.
        value: The Python value.

    Raises:
        UnsupportedValue: Of another type, or it has what bash can not hold (NUL, an empty key).
    """
    if isinstance(value, Mapping):
        items = [f"[{_key(key)}]={scalar(item)}" for key, item in value.items()]
        return f"\\builtin unset -v {name} && \\builtin declare -gA {name} && {name}=({' '.join(items)})"
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, memoryview)):
        return f"\\builtin unset -v {name} && {name}=({' '.join(map(scalar, value))})"
    text = scalar(value)
    # An array, or an integer variable, would take a text in its own way; a plain or exported one may stay.
    plain = f'case ${{{name}+"${{{name}@a}}"}} in "" | x) ;; *) \\builtin unset -v {name} ;; esac'
    arrays = f'{{ \\builtin [ -n "${{{name}+set}}" ] || \\builtin unset -v {name}; }}'
    return f"{plain} && {arrays} && {name}={text}"


def scalar(value: object) -> str:
    """Return one value as a quoted word.

    Raises:
        UnsupportedValue: It is no str, int, float, bool or path, or has a NUL or a lone surrogate in it.
    """
    text = _text(value)
    if "\0" in text:
        raise UnsupportedValue("a shell variable can not hold a NUL character")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UnsupportedValue("it has a lone surrogate, which no UTF-8 text can hold") from None
    return shlex.quote(text)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, float)):
        return str(value)
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        return path if isinstance(path, str) else os.fsdecode(path)
    if isinstance(value, SupportsIndex):  # int, and NumPy's integers
        return str(value.__index__())
    raise UnsupportedValue(f"a shell variable can not hold a Python {type(value).__name__}")


def _key(key: object) -> str:
    text = scalar(key)
    if text == "''":
        raise UnsupportedValue("a key of an associative array can not be empty")
    return text
