"""The talk with one bash, driven with literal bytes: no process, no terminal."""

from __future__ import annotations

import pytest

from shellkernel.errors import ProtocolMisuse, SentinelError
from shellkernel.session.conversation import CommandPrinted, Conversation
from tests.unit.sentinel.bytes_for_tests import FOREIGN, HINT, NONCE, begin, end, in_pieces, prompt
from tests.unit.session.talking import ECHO, FIRST, MAIN, MERGED, TYPED, seen, started, typed

__all__ = ()

CASES: dict[str, tuple[bytes, list[str]]] = {
    "a command": (
        ECHO + begin() + b"hi\n" + end(3, (3,)) + prompt(),
        ["output hi\n", "ended 3", "prompted"],
    ),
    "no output": (ECHO + begin() + end() + prompt(), ["ended 0", "prompted"]),
    "output without a line end": (ECHO + begin() + b"hi" + end() + prompt(), ["output hi", "ended 0", "prompted"]),
    "output that looks like the echo": (
        ECHO + begin() + ECHO + end() + prompt(),
        [f"output {ECHO.decode()}", "ended 0", "prompted"],
    ),
    "a job prints between the prompt and the command": (
        b"job\n" + ECHO + begin() + b"hi\n" + end() + prompt(),
        ["background 0 job\n", "output hi\n", "ended 0", "prompted"],
    ),
    "bash showed its last prompt again": (
        b"job\n" + prompt(nonce=FIRST) + ECHO + begin() + b"hi\n" + end() + prompt(),
        ["background 0 job\n", "output hi\n", "ended 0", "prompted"],
    ),
    "a job prints after the command": (
        ECHO + begin() + b"hi\n" + end() + b"job\n" + prompt(),
        ["output hi\n", "ended 0", "background 1 job\n", "prompted"],
    ),
    "a job prints at the prompt": (
        ECHO + begin() + end() + prompt() + b"job\n",
        ["ended 0", "prompted", "background 1 job\n"],
    ),
    "the user's own prompt hooks print": (
        ECHO + begin() + end(hook=b"user") + b"hook\n" + prompt(),
        ["ended 0", "prompted"],
    ),
    "no prompt hook is left": (
        ECHO + begin() + end(hook=b"bare") + b"job",
        ["ended 0", "prompted", "background 1 job"],
    ),
    "cut short": (ECHO + begin() + b"part\n" + HINT, ["output part\n", "hinted"]),
    "cut short before it began": (ECHO + HINT, ["hinted"]),
    "a program prints the hint": (
        ECHO + begin() + b"a" + HINT + b"b" + end() + prompt(),
        ["output a", "hinted", "output b", "ended 0", "prompted"],
    ),
    "a program forges a foreign end": (
        ECHO + begin() + end(9, nonce=FOREIGN) + b"x" + end() + prompt(),
        [f"output {end(9, nonce=FOREIGN).decode()}x", "ended 0", "prompted"],
    ),
    "the last command's end comes late": (
        ECHO + begin() + end(9, nonce=FIRST) + end() + prompt(),
        [f"output {end(9, nonce=FIRST).decode()}", "ended 0", "prompted"],
    ),
    "the end comes twice": (ECHO + begin() + end(1, (1,)) + end(2, (2,)) + prompt(), ["ended 1", "prompted"]),
    "bash could not read what was typed": (
        ECHO + b"bash: syntax error\n" + end(2, (2,)) + prompt(),
        ["output bash: syntax error\n", "ended 2", "prompted"],
    ),
    "a foreign sequence is open right before the end": (
        ECHO + begin() + b"\x1b]0;title" + end() + prompt(),
        ["output \x1b]0;title", "ended 0", "prompted"],
    ),
}


@pytest.mark.parametrize(("data", "wanted"), CASES.values(), ids=CASES.keys())
def test_bytes_mean_this_however_they_are_cut(data: bytes, wanted: list[str]) -> None:
    for pieces in in_pieces(data):
        assert seen(typed(), pieces) == wanted


def test_greeting_is_kept_and_bounded() -> None:
    conversation = Conversation(FIRST, MAIN, MERGED)
    assert seen(conversation, [b"hello\n", b"x" * 200_000]) == []
    assert bytes(conversation.greeting).startswith(b"hello\nxxx")
    assert len(conversation.greeting) == 65_536


def test_start_needs_a_proven_prompt() -> None:
    conversation = Conversation(FIRST, MAIN, MERGED)
    assert seen(conversation, [HINT + prompt(FOREIGN)]) == []
    assert conversation.phase == "starting"
    assert seen(conversation, [prompt(FIRST)]) == ["prompted"]


def test_nothing_can_be_typed_but_at_a_prompt() -> None:
    starting = Conversation(FIRST, MAIN, MERGED)
    running = typed()
    seen(running, [ECHO + begin()])
    hooks = typed()
    seen(hooks, [ECHO + begin() + end(hook=b"user")])
    for conversation, phase in ((starting, "starting"), (typed(), "typed"), (running, "running"), (hooks, "hooks")):
        assert conversation.phase == phase
        with pytest.raises(ProtocolMisuse, match=phase):
            conversation.type(FOREIGN, TYPED, MERGED)
        assert conversation.phase == phase


def test_conversation_goes_on_for_many_commands() -> None:
    conversation = started()
    for number in range(1, 6):
        nonce = b"%032d" % number
        conversation.type(nonce, TYPED, MERGED, serial=number)
        data = ECHO + begin(nonce) + b"%d" % number + end(number, nonce=nonce) + prompt(nonce)
        assert seen(conversation, [data, b"bg"]) == [
            f"output {number}",
            f"ended {number}",
            "prompted",
            f"background {number} bg",
        ]


def test_options_are_those_of_the_last_end() -> None:
    conversation = typed()
    seen(conversation, [ECHO + begin() + end(options=b"himuBs") + prompt()])
    assert "u" in conversation.options


@pytest.mark.parametrize("options", [b"himxBs", b"himvBs"])
def test_under_traces_what_stands_beside_the_echo_is_bashs_and_dropped(options: bytes) -> None:
    conversation = typed()
    seen(conversation, [ECHO + begin() + end(options=options) + prompt()])
    conversation.type(FOREIGN, TYPED, MERGED, serial=2)
    data = ECHO + b"+ eval echo\n" + begin(FOREIGN) + b"hi" + end(nonce=FOREIGN) + prompt(FOREIGN)
    assert seen(conversation, [data]) == ["output hi", "ended 0", "prompted"]


def test_flush_gives_what_waited_for_more() -> None:
    conversation = typed()
    assert seen(conversation, [ECHO + begin() + b"a\x1b]77"]) == ["output a"]
    assert [each.data for each in conversation.flush() if isinstance(each, CommandPrinted)] == [b"\x1b]77"]


def test_our_nonce_with_an_unreadable_body_is_an_error() -> None:
    conversation = typed()
    with pytest.raises(SentinelError):
        seen(conversation, [ECHO + begin() + b"\x1b]7711;" + NONCE + b";X;;" + NONCE + b"\x1b\\"])
