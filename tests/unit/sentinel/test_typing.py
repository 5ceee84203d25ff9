"""A cell to what is typed: lines that a terminal takes, quotes that hold, and texts that are refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shellkernel.errors import InvalidCommand
from shellkernel.sentinel import typing
from shellkernel.sentinel.typing import (
    LINE_LIMIT,
    CellStart,
    encode,
    normalise,
    probe_line,
    quote,
    type_command,
    type_source,
)
from tests.unit.sentinel.bytes_for_tests import NONCE

__all__ = ()

_ESCAPE = re.compile(rb"\\(?:([0-7]{3})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"'": b"'", b"\\": b"\\"}


def unquote(text: bytes) -> bytes:
    """Undo $'' as bash does, for the escapes that `quote` uses (that bash agrees: tests/session/test_bash_facts.py)."""
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 8)]) if match[1] else _LETTERS[match[2]], text)


COMMANDS = st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace"))


@given(COMMANDS)
@example(bytes(range(256)))
@example(b"\\'\\n\\041!\x1b1")
def test_quoting_can_be_undone(text: bytes) -> None:
    assert unquote(quote(text)) == text


@given(COMMANDS)
@example(bytes(range(256)))
def test_quoted_text_holds_nothing_that_a_terminal_or_bash_acts_on(text: bytes) -> None:
    quoted = quote(text)
    assert not set(quoted) & {*range(32), 127, ord("!")}
    assert not re.search(rb"(?<!\\)(?:\\\\)*'", quoted)


@pytest.mark.parametrize("length", [0, 1, 10, 500, 900, 959, 960, 961, 1_000, 5_000, 100_000])
@pytest.mark.parametrize("character", ["a", "'", "\n", "\x01", "é", "✓", "🎉", "\udcff"])
def test_typed_lines_are_never_longer_than_a_terminal_takes(length: int, character: str) -> None:
    command = encode(character * length)
    for typed in _everything_typed(command):
        assert typed.endswith(b"\n")
        assert max(map(len, typed.split(b"\n"))) <= LINE_LIMIT
        for line in typed.split(b"\n")[:-2]:
            assert line.endswith(b"\\"), "every line but the last goes on"


def _everything_typed(command: bytes) -> list[bytes]:
    rebuilt = CellStart(pipestatus=(1, 0, 255) * 5, exit_code=255)
    everything = [type_command(command, NONCE, rebuilt)] if typing.fits(command) else []
    if typing.fits(command, framed=True):
        everything.append(type_command(command, NONCE, CellStart(jobs=True)))
    if not everything or not typing.fits(command):
        everything += [typing.type_load(command, NONCE), type_command(command, NONCE, CellStart(loaded=True))]
    return everything


@given(st.text(max_size=30).map(lambda text: text * 80))
def test_pieces_come_together_and_cut_no_character(command: str) -> None:
    data = encode(command.encode("utf-8", "replace").decode())
    pieces = list(typing._pieces(data))
    inner = [unquote(piece.removeprefix(b"$'").removesuffix(b"'")) for piece in pieces]
    assert b"".join(inner) == data
    for piece in inner:
        piece.decode("utf-8")
    assert all(piece.startswith(b"$'") and piece.endswith(b"'") for piece in pieces)


def test_text_that_is_no_utf8_is_cut_all_the_same() -> None:
    data = b"\x80" * 5_000
    assert b"".join(unquote(piece[2:-1]) for piece in typing._pieces(data)) == data


def test_typed_command_starts_with_a_blank_and_is_short() -> None:
    typed = type_command(b"echo hi", NONCE, CellStart())
    assert typed == b" __shellkernel_frame %s h $'echo hi'; \\builtin eval \"$__shellkernel_text\"\n" % NONCE


def test_typed_command_that_finds_its_pipestatus_names_the_nonce_in_quotes_only() -> None:
    typed = type_command(b"echo hi", NONCE, CellStart(pipestatus=(1, 0)))
    assert typed.count(NONCE) == 2
    assert re.fullmatch(rb" __shellkernel_cell=\$'echo hi'; \\builtin eval .*\n", typed)


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        (b"echo hi", b"h"),
        (b"trap 'echo x' INT", b"ht"),
        (b"source file", b"ht"),
        (b"echo; . file", b"ht"),
        (b"echo trap", b"ht"),
        (b"# trap\ntrue", b"ht"),
        (b"trap", b"htl"),
        (b"trap -p EXIT", b"htl"),
        (b"x=$(trap -p)", b"htl"),
        (b"true\n  trap # all of them", b"htl"),
        (b"if true; then trap; fi", b"htl"),
        (b"command trap -P EXIT", b"htl"),
        (b"command -p trap -p", b"htl"),
        (b"eval 'trap'", b"htl"),
        (b"trap | cat", b"htl"),
        (b"entrapment", b"ht"),
    ],
)
def test_flags_say_what_a_cell_may_do_with_traps(command: bytes, flags: bytes) -> None:
    start = CellStart(traps=typing.may_trap(command), lists_traps=typing.may_list_traps(command))
    assert type_command(command, NONCE, start).split()[2] == flags


def test_function_of_before_may_set_traps() -> None:
    assert type_command(b"f", NONCE, CellStart(traps=True)).split()[2] == b"ht"


def test_probe_carries_the_nonce_and_the_exit_code() -> None:
    assert probe_line(NONCE).endswith(b"\n")
    assert NONCE in probe_line(NONCE)
    assert b'"$?"' in probe_line(NONCE)


def test_source_line_quotes_the_path() -> None:
    assert type_source(b"/a b'c/x.bash") == b" \\builtin source $'/a b\\'c/x.bash'\n"


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("a\nb", "a\nb"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\rb", "a\rb"),
        ("a\r", "a\r"),
        ("a\r\r\nb", "a\r\nb"),
        ("", ""),
    ],
)
def test_line_ends_are_made_posix(command: str, wanted: str) -> None:
    assert normalise(command) == wanted


def test_nul_byte_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidCommand, match=r"^line 3 .*NUL"):
        normalise("a\nb\nc\0d")


@pytest.mark.parametrize("surrogate", [0xD800, 0xDBFF, 0xDC00, 0xDC7F, 0xDFFF])
def test_lone_surrogate_is_refused_with_its_line(surrogate: int) -> None:
    with pytest.raises(InvalidCommand, match=r"^line 2 .*surrogate"):
        encode(f"a\nb{chr(surrogate)}")


def test_bytes_that_came_by_surrogateescape_go_as_they_came() -> None:
    assert encode("a\udc80\udcffé") == b"a\x80\xff\xc3\xa9"


@pytest.mark.parametrize("command", [None, 1, b"echo", ["echo"]])
def test_command_is_a_str(command: object) -> None:
    with pytest.raises(TypeError):
        normalise(command)  # type: ignore[arg-type]  # that is the test
