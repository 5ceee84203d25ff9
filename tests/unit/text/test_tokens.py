"""Text to tokens: string sequences in order with the text, split anywhere, given up within limits."""

from __future__ import annotations

import pytest

from shellkernel.text import Renderer, plain, tokens
from shellkernel.text.control import SEQUENCE_LIMIT
from shellkernel.text.tokens import StringSequence, Token, Tokenizer
from tests.unit.text.ways import cuts_of, in_pieces, in_three_ways

__all__ = ()

STRINGS = [
    ("OSC ended by BEL", "a\x1b]0;title\x07b", ["a", StringSequence("OSC", "0;title"), "b"]),
    ("OSC ended by ST", "a\x1b]0;title\x1b\\b", ["a", StringSequence("OSC", "0;title"), "b"]),
    ("one-character forms", "a\x9d0;t\x9cb", ["a", StringSequence("OSC", "0;t"), "b"]),
    ("DCS", "\x1bPq#0~\n-\x1b\\b", [StringSequence("DCS", "q#0~\n-"), "b"]),
    ("BEL does not end a DCS", "\x1bPa\x07b\x1b\\c", [StringSequence("DCS", "a\x07b"), "c"]),
    ("kitty", "\x1b_Gf=100;AAAA\x1b\\", [StringSequence("APC", "Gf=100;AAAA")]),
    ("SOS", "\x1bXa\x1b\\b", [StringSequence("SOS", "a"), "b"]),
    ("PM", "\x1b^a\x1b\\b", [StringSequence("PM", "a"), "b"]),
    ("screen's title", "\x1bkbash\x1b\\b", [StringSequence("TITLE", "bash"), "b"]),
    ("two in a row", "\x1b]1\x07\x1b]2\x07", [StringSequence("OSC", "1"), StringSequence("OSC", "2")]),
    ("a stray terminator", "a\x1b\\b", ["a\x1b\\b"]),
    ("given up at a sequence", "a\x1b]0;t\x1b[31mb", ["a", "\x1b[31mb"]),
    ("given up at CAN", "a\x1b]0;t\x18b", ["a", "\x18b"]),
    ("given up: its other lines are text", "a\x1b]0;t\nb\nc\x1b[mb", ["a", "\nb\nc", "\x1b[mb"]),
    ("given up at the end", "a\x1b]0;t\nb", ["a", "\nb"]),
    (
        "a picture given up is no text",
        "a\x1b]1337;File=:AA\nBB\x1b[m",
        ["a", StringSequence("OSC", "", False), "\x1b[m"],
    ),
    ("a sequence broken off at the end", "a\x1b[3", ["a"]),
]


def joined(tokens: list[Token]) -> list[Token]:
    """Join adjacent stretches."""
    result: list[Token] = []
    for token in tokens:
        if isinstance(token, str) and result and isinstance(result[-1], str):
            result[-1] += token
        else:
            result.append(token)
    return result


def tokens_of(pieces: list[str]) -> list[Token]:
    tokenizer = Tokenizer()
    return joined([token for piece in pieces for token in tokenizer.feed(piece)] + tokenizer.done())


@pytest.mark.parametrize(("given", "expected"), [case[1:] for case in STRINGS], ids=[c[0] for c in STRINGS])
def test_strings_are_taken_out(given: str, expected: list[Token]) -> None:
    for cuts in cuts_of(given):
        assert tokens_of(in_pieces(given, cuts)) == joined(expected)


@pytest.mark.parametrize("sequence", ["\x1b[31m", "\x1b[?25l", "\x1b(B", "\r\n", "\x1b[38;5;1m", "\x1b[ q", "\x9b1m"])
def test_a_stretch_never_ends_inside_a_sequence(sequence: str) -> None:
    for cut in range(1, len(sequence)):
        tokenizer = Tokenizer()
        assert tokenizer.feed("a" + sequence[:cut]) == ["a"]
        assert tokenizer.feed(sequence[cut:] + "b") == [sequence + "b"]


def test_some_strings_can_be_taken_out_and_the_others_fed_on() -> None:
    """What a reader of pictures does: everything else, links too, goes to the renderer, in order."""
    text = "a\x1b]8;;http://x\x07b\x1b]8;;\x07\x1b]1337;File=:AAAA\x07c\n"
    renderer = Renderer(colours=False)
    shown: list[str] = []
    for token in Tokenizer().feed(text):
        if isinstance(token, StringSequence) and token.body.startswith("1337;"):
            shown += (renderer.take().text, token.body)
        else:
            renderer.feed(token if isinstance(token, str) else token.text)
    assert [*shown, renderer.done().text] == ["ab", "1337;File=:AAAA", " (http://x)c\n"]


def test_done_is_idempotent() -> None:
    tokenizer = Tokenizer()
    tokenizer.feed("\x1b]0;t\nb")
    assert tokenizer.done() == ["\nb"]
    assert tokenizer.done() == []


def test_parameters_have_a_limit() -> None:
    most = "\x1b[" + "1" * SEQUENCE_LIMIT
    assert in_three_ways(f"a{most}mb") == "ab"
    assert in_three_ways(f"a{most}11mb") == "a11mb"
    assert in_three_ways("\x1b[" + "1" * 300) == "1" * (300 - SEQUENCE_LIMIT)


def test_a_string_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "STRING_LIMIT", 10)
    assert in_three_ways("a\x1b]0;34567890\x07b\n") == "ab\n"
    assert in_three_ways("a\x1b]0;345678901\x07b\n") == "a1b\n"
    assert in_three_ways("a\x1b]0;3\n567890123\n\x1b[31mb\n") == "a\n567890123\nb\n"


@pytest.mark.parametrize(("size", "complete"), [(20, True), (21, False)])
def test_a_picture_has_a_larger_limit(monkeypatch: pytest.MonkeyPatch, size: int, complete: bool) -> None:
    monkeypatch.setattr(tokens, "STRING_LIMIT", 10)
    monkeypatch.setattr(tokens, "RICH_STRING_LIMIT", 20)
    body = "1337;".ljust(size, "x")
    for cuts in ([], list(range(1, size + 4))):
        found = tokens_of(in_pieces(f"\x1b]{body}\x07b", cuts))
        assert found == [StringSequence("OSC", body if complete else "", complete), "b"]


def test_strings_show_nothing() -> None:
    """Titles, colour queries, clipboard, notifications, pictures of three kinds, tmux's passthrough."""
    strings = [
        "\x1b]0;user@host: ~\x07",
        "\x1b]2;t\x1b\\",
        "\x1b]11;?\x07",
        "\x1b]52;c;aGVsbG8=\x07",
        "\x1b]9;done\x07",
        "\x1b]1337;File=inline=1:AAAA\nBBBB\x07",
        "\x1b_Ga=T,f=100;AAAA\x1b\\",
        '\x1bPq"1;1;2;2#0;2;0;0;0#0~~-\n~~\x1b\\',
        "\x1bPtmux;\x1b\x1b]0;t\x07\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\x1b]633;A\x07",
    ]
    for string in strings:
        assert in_three_ways(f"a{string}b\n") == "ab\n"


def test_queries_and_modes_show_nothing() -> None:
    queries = ["6n", "c", ">c", "?1h", "?25l", "?2004h", "?1000h", "14t", "22;0;0t", "!p", "0 q", ">4;2m", "?u", "=1c"]
    for query in queries:
        assert in_three_ways(f"a\x1b[{query}b\n") == "ab\n"
    for escape in ("=", ">", "(B", ")0\x0f", "*B", "%G", "#8", " F", "N", "Z", "g"):
        assert in_three_ways(f"a\x1b{escape}b\n") == "ab\n"


@pytest.mark.parametrize("introducer", ["]", "P", "X", "^", "_", "k"])
def test_a_stray_introducer_does_not_swallow_later_lines(introducer: str) -> None:
    assert plain(f"\x1b{introducer}binary\nEND\n").endswith("\nEND\n")
