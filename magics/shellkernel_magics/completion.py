"""Tab: options, session names, Python and shell variables on the line of the magics; bash in the cell.

One matcher, in IPython's matcher API v2. It answers only in our cells and lines, and evaluates nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Literal

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult
from IPython.core.interactiveshell import InteractiveShell

from shellkernel import BashSession, sessions
from shellkernel_magics.assisting import BodyCompleter
from shellkernel_magics.options import OPTIONS

__all__ = ("BashSessionMatcher",)

_OUR_LINE = re.compile(r"\s*(%%bash_session|%bash_session|%interrupt)(\s.*)\Z", re.DOTALL)
_ONE_NAME = ("--out", "--err", "--proc")
_ONE_OTHER = ("--cwd", "--env", "--idle-timeout", "--input", "--rcfile", "--timeout")
_MANY_NAMES = ("--var", "--get")
_VERBS = ("close", "history", "restart", "show")


_Found = list[tuple[str, str]]


class BashSessionMatcher:
    """A matcher for `shell.Completer.custom_matchers` (IPython's MatcherAPIv2)."""

    matcher_api_version: Literal[2] = 2
    matcher_identifier = "shellkernel.bash_session"
    matcher_priority = 100

    def __init__(self, shell: InteractiveShell, default_session: Callable[[], str]) -> None:
        """Complete for one shell.

        Args:
            shell: Where the Python variables are.
            default_session: Returns the name of the session of a line that names none.
        """
        self.__qualname__ = self.matcher_identifier
        self._shell, self._default_session = shell, default_session
        self._body = BodyCompleter()

    def close(self) -> None:
        """End what was started to answer."""
        self._body.close()

    def __call__(self, context: CompletionContext) -> SimpleMatcherResult:
        if context.cursor_line > 0:
            return self._in_body(context)
        ours = _OUR_LINE.match(context.text_until_cursor)
        if ours is None:
            return {"completions": []}
        words = ours[2].split()
        before = words if ours[2][-1].isspace() else words[:-1]
        word = words[-1] if len(words) > len(before) else ""
        found: _Found | None
        match ours[1]:
            case "%%bash_session":
                found = self._for_cell(before, word)
            case "%bash_session":
                found = _for_line(before)
            case _:
                found = [*_kind("session", sessions), ("--kill", "option")]
        return _answer(found, context.token)

    def _in_body(self, context: CompletionContext) -> SimpleMatcherResult:
        line, *body = context.full_text.split("\n")
        first = _OUR_LINE.match(f"{line} ")
        if first is None or first[1] != "%%bash_session":
            return {"completions": []}
        session = self._session(first[2].split())
        before = "\n".join([*body[: context.cursor_line - 1], context.text_until_cursor])
        found = self._body.complete(session, "\n".join(body), len(before))
        completions = [SimpleCompletion(match.text, type=match.kind) for match in found.matches]
        return {"completions": completions, "matched_fragment": before[found.start :], "suppress": True}

    def _for_cell(self, before: list[str], word: str) -> _Found | None:
        option, equals, _ = word.partition("=")
        pending = option if equals and option.startswith("--") else _pending_option(before)
        if not equals and word.startswith("-"):
            return _kind("option", OPTIONS)
        if pending in _ONE_NAME or pending == "--var":
            return _kind("variable", self._python_names())
        if pending == "--get":
            return _kind("variable", self._shell_names(before))
        if pending == "--stderr":
            return _kind("value", ("merge", "split"))
        if pending in _ONE_OTHER:
            return None
        named = before and not before[0].startswith("-")
        return _kind("option", OPTIONS) + ([] if named else _kind("session", sessions))

    def _python_names(self) -> list[str]:
        hidden = self._shell.user_ns_hidden
        return [name for name in self._shell.user_ns if not name.startswith("_") and name not in hidden]

    def _shell_names(self, before: list[str]) -> list[str]:
        """Return the variables of the session on the line, where it is idle: a busy one can not be asked."""
        session = self._session(before)
        return list(session.vars) if session is not None and session.state == "idle" else []

    def _session(self, words: list[str]) -> BashSession | None:
        name = words[0] if words and not words[0].startswith("-") else self._default_session()
        return sessions.get(name)


def _answer(found: _Found | None, token: str) -> SimpleMatcherResult:
    if found is None:  # a path, or a free value: IPython's own matchers may help
        return {"completions": []}
    matching = sorted({text: kind for text, kind in found if text.startswith(token)}.items())
    completions = [SimpleCompletion(text, type=kind) for text, kind in matching]
    return {"completions": completions, "matched_fragment": token, "suppress": True}


def _for_line(before: list[str]) -> _Found:
    return _kind("keyword", _VERBS) if not before else _kind("session", sessions) if len(before) == 1 else []


def _pending_option(before: list[str]) -> str:
    """Return the option whose value is being typed, or ""."""
    for distance, word in enumerate(reversed(before)):
        if word.startswith("--"):
            takes = word in _MANY_NAMES or (distance == 0 and word in (*_ONE_NAME, *_ONE_OTHER, "--stderr"))
            return word if takes else ""
    return ""


def _kind(kind: str, texts: Iterable[str]) -> _Found:
    return [(text, kind) for text in texts]
