"""Values of secret variables, kept out of what is stored or given to a model."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ("MASK", "Redactor", "looks_secret", "mask_variables")

MASK = "***"
"""What stands where a value was."""

_NAME = re.compile(
    r"TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|COOKIE"
    r"|(?:^|_)(?:AUTH|KEY|PASS|PAT|PWD|DSN)(?:$|_(?!SOCK))",
    re.IGNORECASE,
)
_VALUE = re.compile(r"://[^/\s:@]*:[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----")
_NOT_SECRET = frozenset({"PWD", "OLDPWD"})


def looks_secret(name: str, value: str = "") -> bool:
    """Tell whether a variable's name, or its value (a URL with a password, a private key), looks like a secret's."""
    return name not in _NOT_SECRET and bool(_NAME.search(name) or _VALUE.search(value))


def mask_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, with `MASK` for the values of those that look secret."""
    return {name: MASK if looks_secret(name, value) else value for name, value in variables.items()}


class Redactor:
    """Replaces exact values in texts by the names of their variables.

    It knows a value as it is: one that a program has encoded, cut or reversed is not recognised.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def learn(self, name: str, value: str) -> None:
        """Replace this value from now on; an empty one is not. Values that a variable had before stay known."""
        for known in {value, value.strip()}:
            if known and known not in self._names:
                self._names[known] = name
                longest_first = sorted(self._names, key=len, reverse=True)
                self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def redact(self, text: str) -> str:
        """Return the text with each known value replaced by "[NAME]"."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: f"[{self._names[found[0]]}]", text)
