"""Bytes to events, whole, byte by byte, and split at random."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shellkernel.errors import SentinelError
from shellkernel.sentinel.bytes import BODY_LIMIT
from shellkernel.sentinel.events import CommandFinished, CommandStarted, Event, OutputReceived, PromptShown
from shellkernel.sentinel.parser import SentinelParser
from tests.unit.sentinel.bytes_for_tests import (
    FOREIGN,
    HINT,
    NONCE,
    SHAPES,
    begin,
    end,
    in_pieces,
    joined,
    parse,
    prompt,
    sentinel,
)

__all__ = ()

STARTED = CommandStarted()
FINISHED = CommandFinished(exit_code=0, pipestatus=(0,), options="himBs", hook="hook", cwd="/tmp")


def out(data: bytes) -> OutputReceived:
    return OutputReceived(data)


def finished(code: int = 0, pipestatus: tuple[int, ...] = (0,), cwd: str = "/tmp") -> CommandFinished:
    return CommandFinished(exit_code=code, pipestatus=pipestatus, options="himBs", hook="hook", cwd=cwd)


CASES: dict[str, tuple[bytes, list[Event]]] = {
    "nothing": (b"", []),
    "output alone": (b"hello\n", [out(b"hello\n")]),
    "a command": (begin() + b"hi\n" + end() + prompt(), [STARTED, out(b"hi\n"), FINISHED, PromptShown(proven=True)]),
    "no output": (begin() + end(), [STARTED, FINISHED]),
    "exit code and pipestatus": (end(255, (1, 0, 127, 255)), [finished(255, (1, 0, 127, 255))]),
    "a directory of any bytes": (end(cwd=b"/a;b\n\x1b]7711;\xff"), [finished(cwd="/a;b\n\x1b]7711;\udcff")]),
    "no directory": (end(cwd=b""), [finished(cwd="")]),
    "the user's hooks": (end(hook=b"user"), [CommandFinished(0, (0,), "himBs", "user", "/tmp")]),
    "no hook": (end(hook=b"bare"), [CommandFinished(0, (0,), "himBs", "bare", "/tmp")]),
    "a hint": (b"a" + HINT + b"b", [out(b"a"), PromptShown(proven=False), out(b"b")]),
    "two sentinels in a row": (begin() + begin(), [STARTED, STARTED]),
    "a foreign nonce": (begin(FOREIGN) + end(nonce=FOREIGN), [out(begin(FOREIGN) + end(nonce=FOREIGN))]),
    "a nonce that goes on": (begin(NONCE + b"0"), [out(begin(NONCE + b"0"))]),
    "a nonce that is cut": (begin(NONCE[:-1]), [out(begin(NONCE[:-1]))]),
    "no nonce": (sentinel(b"B", nonce=b""), [out(sentinel(b"B", nonce=b""))]),
    "a hint of another kind": (sentinel(b"B", nonce=b"0"), [out(sentinel(b"B", nonce=b"0"))]),
    "a hint with fields": (sentinel(b"P", b"x", nonce=b"0"), [out(sentinel(b"P", b"x", nonce=b"0"))]),
    "semantic prompts": (b"\x1b]133;D;0\x07\x1b]633;D;0\x07", [out(b"\x1b]133;D;0\x07\x1b]633;D;0\x07")]),
    "another number": (b"\x1b]77110;x\x1b\\", [out(b"\x1b]77110;x\x1b\\")]),
    "a title left open": (b"\x1b]0;title" + end(), [out(b"\x1b]0;title"), FINISHED]),
    "our introducer left open": (b"\x1b]7711;" + end(), [out(b"\x1b]7711;"), FINISHED]),
    "half a hint left open": (HINT[:-1] + end(), [out(HINT[:-1]), FINISHED]),
    "a foreign sentinel left open": (begin(FOREIGN)[:-2] + end(), [out(begin(FOREIGN)[:-2]), FINISHED]),
    "escapes before it": (b"\x1b\x1b]\x1b]77" + end(), [out(b"\x1b\x1b]\x1b]77"), FINISHED]),
    "unfinished at the end of the stream": (b"a" + end()[:-1], [out(b"a" + end()[:-1])]),
    "an introducer at the end of the stream": (b"\x1b]77", [out(b"\x1b]77")]),
    "UTF-8 around it": ("é".encode() + begin() + "✓".encode(), [out("é".encode()), STARTED, out("✓".encode())]),
    "NUL bytes around it": (b"\0" + begin() + b"\0", [out(b"\0"), STARTED, out(b"\0")]),
}


@pytest.mark.parametrize(("data", "events"), CASES.values(), ids=CASES.keys())
def test_bytes_give_these_events_however_they_are_cut(data: bytes, events: list[Event]) -> None:
    for pieces in in_pieces(data):
        assert parse(pieces) == events


@pytest.mark.parametrize(
    "body",
    [
        sentinel(b"X"),
        sentinel(b""),
        sentinel(b"E"),
        sentinel(b"E", b"0;0;h;hook"),
        sentinel(b"E", b"x;0;h;hook;/"),
        sentinel(b"E", b"0;;h;hook;/"),
        sentinel(b"E", b"0;0,x;h;hook;/"),
        sentinel(b"E", b"0;0;h;none;/"),
        sentinel(b"E", b"0;0;\xff;hook;/"),
    ],
)
def test_our_nonce_with_an_unreadable_body_is_our_bug(body: bytes) -> None:
    for pieces in in_pieces(body):
        with pytest.raises(SentinelError):
            parse(pieces)


def test_event_comes_with_its_last_byte() -> None:
    parser = SentinelParser(NONCE)
    data = end()
    assert list(parser.feed(data[:-1])) == []
    assert list(parser.feed(data[-1:])) == [FINISHED]


def test_output_is_not_held_back_but_for_what_may_be_a_sentinel() -> None:
    parser = SentinelParser(NONCE)
    assert list(parser.feed(b"a dot.")) == [out(b"a dot.")]
    assert list(parser.feed(b"b\x1b")) == [out(b"b")]
    assert list(parser.feed(b"[0m")) == [out(b"\x1b[0m")]
    assert joined(parser.feed(b"\x1b]7711;" + NONCE[:5] + b"x")) == [out(b"\x1b]7711;" + NONCE[:5] + b"x")]
    assert joined(parser.feed(b"\x1b]7711;0;P;;0x")) == [out(b"\x1b]7711;0;P;;0x")]


def test_only_the_expected_nonce_counts() -> None:
    parser = SentinelParser(NONCE)
    assert list(parser.feed(begin())) == [STARTED]
    parser.expect(FOREIGN)
    assert joined(parser.feed(end())) == [out(end())]
    assert list(parser.feed(end(nonce=FOREIGN))) == [FINISHED]


def test_nonce_may_change_while_its_event_is_handled() -> None:
    """What stands behind the sentinel in the same read was already taken for what it is under the old one."""
    parser = SentinelParser(NONCE)
    events: list[Event] = []
    for event in parser.feed(prompt() + b"late"):
        events.append(event)
        if isinstance(event, PromptShown):
            parser.expect(FOREIGN)
    events += parser.feed(begin(FOREIGN))
    assert joined(events) == [PromptShown(proven=True), out(b"late"), STARTED]


def test_parser_without_a_nonce_takes_hints_only() -> None:
    assert parse([begin() + HINT + begin(b"")], nonce=b"") == [out(begin()), PromptShown(proven=False), out(begin(b""))]


def test_text_that_is_known_to_be_no_output_is_swallowed_wherever_it_stands() -> None:
    line = b"{ __shellkernel_end x; }\n"
    for pieces in in_pieces(b"a" + line + b"b{ __shell" + line + end() + line + b"{ mark; }; "):
        assert parse(pieces, swallow=(line, b"{ mark; }; ")) == [out(b"ab{ __shell"), FINISHED]


def test_swallowing_ends_with_the_next_command() -> None:
    parser = SentinelParser()
    parser.expect(NONCE, swallow=(b"line\n",))
    assert joined(parser.feed(b"a line\n")) == [out(b"a ")]
    parser.expect(FOREIGN)
    assert joined(parser.feed(b"a line\n")) == [out(b"a line\n")]


def test_sentinel_of_the_largest_size_is_read_and_a_larger_one_is_output() -> None:
    room = BODY_LIMIT - len(end(cwd=b"")) + len(b"\x1b]7711;")
    assert parse([end(cwd=b"x" * room)]) == [finished(cwd="x" * room)]
    beyond = end(cwd=b"x" * (BODY_LIMIT + 1))
    assert parse([beyond]) == [out(beyond)]
    pieces = [beyond[start : start + 4_096] for start in range(0, len(beyond), 4_096)]
    assert parse([*pieces, end()]) == [out(beyond), FINISHED]


def test_much_output_that_looks_like_sentinels_is_searched_once() -> None:
    """Quadratic time would not come to an end here."""
    data = (b"\x1b]7711;" + NONCE[:-1] + b"\x1b") * 50_000
    pieces = [data[start : start + 4_096] for start in range(0, len(data), 4_096)]
    assert parse(pieces) == [out(data)]


FOREIGN_SHAPES = (HINT, begin(FOREIGN), end(nonce=FOREIGN), b"\x1b]7711;")
PARTS = st.sampled_from(
    [*SHAPES, *(shape[:-1] for shape in FOREIGN_SHAPES), b"\x1b", b"]", b"\\", b"text", b"\n", b"\xff"]
)


@pytest.mark.slow
@given(parts=st.lists(PARTS | st.binary(max_size=5), max_size=8), seed=st.integers(0, 99))
def test_no_byte_is_lost_and_cuts_do_not_matter(parts: list[bytes], seed: int) -> None:
    data = b"".join(parts)
    whole = parse([data])
    for pieces in in_pieces(data, seed):
        assert parse(pieces) == whole
    missing = len(data) - sum(len(event.data) for event in whole if isinstance(event, OutputReceived))
    sizes = {CommandStarted: len(begin()), CommandFinished: len(end())}
    for event in whole:
        if isinstance(event, PromptShown):
            missing -= len(prompt()) if event.proven else len(HINT)
        elif not isinstance(event, OutputReceived):
            missing -= sizes[type(event)]
    assert missing == 0


@given(st.binary())
def test_bytes_without_our_nonce_are_output_all_of_them(data: bytes) -> None:
    assert parse([data]) == ([out(data)] if data else [])
