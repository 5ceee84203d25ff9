"""What may stand at the cursor.

A cell's text is only read (`words`), never evaluated: a word with a command substitution in it is never handed on.

    command's name      the helper's keywords, builtins, aliases, functions, programs; a path: programs and directories
    argument            bash's programmable completion in the helper; without a compspec, or where that says so, files
    file, variable      files; the session's variables
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from shellkernel.assist.files import FileKind, Wanted, complete_file, users
from shellkernel.assist.quoting import quoted
from shellkernel.assist.snapshot import Snapshot
from shellkernel.assist.words import Context, Quote, context_at

__all__ = ("Asked", "Completion", "Match", "complete")

MOST = 1_000
"""Matches that are returned at most."""

_COMMAND_KINDS = {"k": "keyword", "b": "builtin", "a": "alias", "n": "function", "c": "command"}
_BREAK = re.compile(r"[=:@]+")
_SUBSTITUTION = re.compile(r"`|\$\(|[<>]\(|\$\{")
_VARIABLE = re.compile(r"(\$\{[!#]?|\$)([A-Za-z_][A-Za-z0-9_]*)?\Z")


class Asked(Protocol):
    """A question to the helper, `Helper.ask` with its snapshot: a function and its words; the lines it printed."""

    def __call__(self, function: str, /, *words: str) -> list[str]:
        """Ask it."""


@dataclass(frozen=True, slots=True)
class Match:
    """One possibility."""

    text: str
    """What replaces the range."""
    kind: str
    """keyword, builtin, alias, function, command; directory, program, file; variable, user; word."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The possibilities for one place, in order, and what they replace: characters `start` to `end`."""

    start: int
    end: int
    matches: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """The cursor, and what is needed to know around it."""

    context: Context
    cursor: int
    snapshot: Snapshot
    ask: Asked
    value_of: Callable[[str], str | None]


def complete(
    text: str, cursor: int, snapshot: Snapshot, ask: Asked, value_of: Callable[[str], str | None]
) -> Completion:
    """Return what may stand at the cursor.

    Args:
        text: A whole cell.
        cursor: A position in it, in characters.
        snapshot: The session.
        ask: The helper.
        value_of: Returns a variable's value, for a file's name with a variable in it; None when it has none.
    """
    context = context_at(text, cursor)
    place = _Place(context=context, cursor=cursor, snapshot=snapshot, ask=ask, value_of=value_of)
    match context.kind:
        case "variable":
            return _variables(place)
        case "command":
            return _commands(place)
        case "argument":
            return _arguments(place)
        case "file":
            return _files(place, *_last_piece(context))
        case "nothing":
            return Completion(cursor, cursor)


def _made(start: int, place: _Place, matches: Iterable[Match]) -> Completion:
    """Keep the first of equal texts, and not too many."""
    found: dict[str, Match] = {}
    for match in matches:
        found.setdefault(match.text, match)
        if len(found) >= MOST:
            break
    return Completion(start, place.cursor, tuple(found.values()))


def _variables(place: _Place) -> Completion:
    raw = place.context.current.raw
    found = _VARIABLE.search(raw)
    assert found is not None  # the context says so
    opening, typed = found[1], found[2] or ""
    closing = "}" if "{" in opening else ""
    names = sorted(name for name in place.snapshot.names if name.startswith(typed))
    start = place.context.current.start + found.start()
    return _made(start, place, (Match(f"{opening}{name}{closing}", "variable") for name in names))


def _commands(place: _Place) -> Completion:
    word = place.context.current
    piece, quote, start = word.raw, place.context.quote, word.start
    if quote or "/" in piece or piece.startswith("~"):
        return _files(place, *_last_piece(place.context), wanted="programs")
    if _SUBSTITUTION.search(piece):
        return Completion(place.cursor, place.cursor)
    lines = place.ask("commands", piece)
    matches = [Match(quoted(line[1:], ""), _COMMAND_KINDS[line[0]]) for line in lines if line]
    folders = (Match(text, kind) for text, kind in _listed(place, piece, quote, "directories") if piece)
    return _made(start, place, (*sorted(matches, key=lambda match: match.text), *folders))


def _arguments(place: _Place) -> Completion:
    context = place.context
    piece, quote, start = _last_piece(context)
    unreadable = any(_SUBSTITUTION.search(word.raw) for word in (context.words[0], context.current))
    if unreadable or _is_user(piece, quote):
        return _files(place, piece, quote, start)
    words, line = _completion_words(context)
    answer = place.ask("complete", line, str(len(line)), str(len(words) - 1), *words)
    options = frozenset(word for text in answer if text[:1] == "o" for word in text[1:].split())
    head = context.current.raw[: start - context.current.start]
    found = (_without(head, match) for match in _programmed(place, answer, piece, quote))
    matches = sorted(found, key=lambda match: match.text)
    if not _asks_for_files(answer, options, matches, piece, quote):
        return _made(start, place, matches)
    only_folders = bool(options) and not options & {"default", "bashdefault", "filenames"}
    files = _files(place, piece, quote, start, wanted="directories" if only_folders else "files")
    return _made(start, place, (*matches, *files.matches))


def _asks_for_files(answer: list[str], options: frozenset[str], matches: list[Match], piece: str, quote: Quote) -> bool:
    """Tell whether names of files may follow: without a compspec, or where that says so.

    Completion functions understand quotes, `~` and variables only with readline's help. Where one finds nothing for
    such a word, files it is.
    """
    if matches:
        return "plusdirs" in options
    if not answer or quote or any(char in piece for char in "\\'\"$~"):
        return True
    return bool(options & {"default", "bashdefault", "dirnames", "plusdirs"})


def _programmed(place: _Place, answer: list[str], piece: str, quote: Quote) -> Iterator[Match]:
    """Yield what a compspec gave: words as they are, and names of files to be quoted."""
    for line in answer:
        text = line[1:].rstrip(" ")
        if line[:1] == "w" and text:
            yield Match(text, "word")
        elif line[:1] == "f" and text and not _wrongly_expanded(text, piece, quote):
            name = _quoted_path(text.rstrip("/"), quote)
            listed = dict(complete_file(name, quote, cwd=place.snapshot.cwd, values=_Values(place)))
            kind = "directory" if f"{name}/" in listed else listed.get(name, "word")
            yield Match(f"{name}/" if kind == "directory" else name, kind)


def _wrongly_expanded(text: str, piece: str, quote: Quote) -> bool:
    """Tell whether a function took the `~` between quotes, or the `$` between single ones, for more than that."""
    return bool(quote and piece.startswith("~")) or (quote == "'" and not text.startswith(piece))


def _without(head: str, match: Match) -> Match:
    """Take what stands before the range off a match that has it: not all functions know where readline breaks words."""
    text = match.text.removeprefix(head)
    return Match(text, match.kind) if text and head[-1:] in ("=", ":", "@") else match


def _quoted_path(text: str, quote: Quote) -> str:
    """Quote a path; the `~` that it may begin with stays one."""
    head, slash, rest = text.partition("/")
    if head.startswith("~") and slash and not quote:
        return head + slash + quoted(rest, quote)
    return quoted(text, quote)


def _files(place: _Place, piece: str, quote: Quote, start: int, wanted: Wanted = "files") -> Completion:
    if _is_user(piece, quote):
        names = users(piece[1:])
        return _made(start, place, (Match(f"~{name}/", "user") for name in names))
    return _made(start, place, (Match(text, kind) for text, kind in _listed(place, piece, quote, wanted)))


def _is_user(piece: str, quote: Quote) -> bool:
    return piece.startswith("~") and "/" not in piece and not quote


def _listed(place: _Place, piece: str, quote: Quote, wanted: Wanted) -> Iterator[tuple[str, FileKind]]:
    return complete_file(piece, quote, cwd=place.snapshot.cwd, values=_Values(place), wanted=wanted)


def _last_piece(context: Context) -> tuple[str, Quote, int]:
    """Return what of the current word is replaced, as in readline: from an open quote, or a `=`, `:` or `@`, on."""
    word = context.current
    if context.quote:
        start = _open_quote(word.raw, context.quote) + len(context.quote)
        return word.raw[start:], context.quote, word.start + start
    ends = [found.end() for found in _BREAK.finditer(word.raw) if word.raw[found.start() - 1 : found.start()] != "\\"]
    start = ends[-1] if ends else 0
    return word.raw[start:], "", word.start + start


def _open_quote(raw: str, quote: Quote) -> int:
    """Return where the quote stands that is still open at the end of the word."""
    place, opened = 0, 0
    inside = ""
    while place < len(raw):
        if not inside and raw.startswith(quote, place):
            inside, opened = quote[-1], place
            place += len(quote)
            continue
        if raw[place] == "\\" and inside != "'":
            place += 1
        elif inside and raw[place] == inside:
            inside = ""
        elif not inside and raw[place] in "'\"":
            inside = raw[place]
        place += 1
    return opened


def _completion_words(context: Context) -> tuple[list[str], str]:
    """Return the words as bash gives them to completion functions, the current one last, and the line up to there.

    Words are split at COMP_WORDBREAKS outside quotes, the line is not: by it bash-completion joins `if=`, `file` again.
    What would evaluate something is taken out.
    """
    words: list[str] = []
    raws = ["_" if _SUBSTITUTION.search(word.raw) else word.raw for word in context.words]
    for number, raw in enumerate(raws):
        whole = number == 0 or any(char in raw for char in "'\"\\")
        pieces = [raw] if whole else [piece for piece in re.split(r"([=:@]+)", raw) if piece] or [raw]
        if number == len(raws) - 1 and not whole and _BREAK.fullmatch(pieces[-1]):
            pieces.append("")
        words += pieces
    return words, " ".join(raws)


class _Values(Mapping[str, str]):
    """The values of the session's variables, asked for one by one."""

    def __init__(self, place: _Place) -> None:
        self._place = place

    def __getitem__(self, name: str) -> str:
        if name == "HOME":
            return self._place.snapshot.home
        value = self._place.value_of(name)
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._place.snapshot.names)

    def __len__(self) -> int:
        return len(self._place.snapshot.names)
