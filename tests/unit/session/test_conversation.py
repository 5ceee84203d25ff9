"""The talk with one bash, driven with literal bytes: no process, no terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import pytest

from shellkernel.errors import ProtocolMisuse, SentinelError
from shellkernel.session.conversation import (
    BackgroundPrinted,
    CommandPrinted,
    Conversation,
    Ended,
    Happening,
    Hinted,
    Prompted,
    Targets,
)
from tests.unit.sentinel.bytes_for_tests import FOREIGN, HINT, NONCE, begin, end, in_pieces, prompt, sentinel

__all__ = ()

FIRST = b"f" * 32
MAIN, ERRORS, OTHER = 3, 4, 5
TYPED = b" eval 'echo'\n"
MERGED, SPLIT, MOVED = Targets(MAIN, MAIN), Targets(MAIN, ERRORS), Targets(OTHER, OTHER)


def started(targets: Targets = MERGED) -> Conversation:
    """Return a conversation at its first prompt."""
    conversation = Conversation(FIRST, MAIN, targets)
    assert any(isinstance(each, Prompted) for each in conversation.feed(MAIN, b"greeting\r\n" + prompt(FIRST)))
    assert conversation.phase == "prompt"
    return conversation


def typed(targets: Targets = MERGED, *, serial: int = 1) -> Conversation:
    """Return a conversation in which a command was typed."""
    conversation = started(targets)
    conversation.type(NONCE, TYPED, targets, serial=serial)
    assert conversation.phase == "typed"
    return conversation


def seen(conversation: Conversation, pieces: Iterable[bytes], terminal: int = MAIN) -> list[str]:
    """Feed pieces and return what happened, in short: "output text", "background 1 text", "ended 0", …; text joined."""
    words: list[str] = []
    for piece in pieces:
        for happening in conversation.feed(terminal, piece):
            head, text = _in_short(happening)
            if text and words and words[-1].startswith(head):
                words[-1] += text
            else:
                words.append(head + text)
    return words


def _in_short(happening: Happening) -> tuple[str, str]:
    match happening:
        case CommandPrinted(stream, data):
            return f"{stream} ", data.decode()
        case BackgroundPrinted(data, started_by):
            return f"background {started_by} ", data.decode()
        case Ended(finished):
            return f"ended {finished.exit_code}", ""
        case Hinted():
            return "hinted", ""
        case Prompted():
            return "prompted", ""
        case _:
            assert_never(happening)


ECHO = TYPED

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


def test_two_streams_are_apart_and_the_command_ends_with_the_last() -> None:
    conversation = typed(SPLIT)
    assert seen(conversation, [ECHO + begin() + b"out\n"]) == ["output out\n"]
    assert seen(conversation, [begin() + b"err\n"], ERRORS) == ["stderr err\n"]
    assert seen(conversation, [end(4, (4,)) + prompt()]) == ["prompted"], "bash is there; the command is not over"
    assert seen(conversation, [b"more err\n"], ERRORS) == ["stderr more err\n"]
    assert "ended 4" in seen(conversation, [end(4, (4,))], ERRORS)


def test_two_streams_may_end_in_either_order() -> None:
    conversation = typed(SPLIT)
    assert seen(conversation, [begin() + b"err\n" + end()], ERRORS) == ["stderr err\n"]
    assert seen(conversation, [ECHO + begin() + b"out\n" + end() + prompt()]) == ["output out\n", "ended 0", "prompted"]


def test_output_that_was_moved_is_the_commands_and_the_old_terminal_is_a_jobs() -> None:
    conversation = typed()
    seen(conversation, [ECHO + begin() + end() + prompt()])
    conversation.type(FOREIGN, TYPED, MOVED, serial=2)
    assert seen(conversation, [b"job\n" + ECHO + begin(FOREIGN)]) == ["background 1 job\n"]
    assert seen(conversation, [begin(FOREIGN) + b"out\n"], OTHER) == ["output out\n"]
    assert seen(conversation, [b"job\n"]) == ["background 1 job\n"]
    seen(conversation, [end(nonce=FOREIGN) + prompt(FOREIGN)])
    assert "ended 0" in seen(conversation, [b"last" + end(nonce=FOREIGN)], OTHER)


@pytest.mark.parametrize("controlling_first", [True, False])
def test_notice_is_taken_out_in_whatever_order_the_terminals_are_read(controlling_first: bool) -> None:
    """The list of jobs comes on the controlling terminal, bash's notices where the command writes."""
    conversation = started()
    conversation.type(NONCE, TYPED, MOVED, serial=1)
    listing = ECHO + sentinel(b"J") + b"[1]+  Running                 sleep 5 &\n" + begin() + end() + prompt()
    output = begin() + b"[1]+  Done                    sleep 5\nhi\n" + end()
    order = [(listing, MAIN), (output, OTHER)]
    happened: list[str] = []
    for data, terminal in order if controlling_first else order[::-1]:
        happened += seen(conversation, [data], terminal)
    assert sorted(happened) == ["ended 0", "output hi\n", "prompted"]


def test_what_comes_before_a_probes_answer_is_no_output() -> None:
    conversation = typed()
    assert seen(conversation, [ECHO + begin() + b"part\n" + HINT]) == ["output part\n", "hinted"]
    conversation.probe()
    answer = b"$ __shellkernel_probe\n" + end(130, (130,)) + prompt()
    assert seen(conversation, [answer]) == ["ended 130", "prompted"]


def test_what_comes_elsewhere_before_a_probes_answer_is_no_output_either() -> None:
    conversation = started()
    conversation.type(NONCE, TYPED, MOVED, serial=1)
    assert seen(conversation, [ECHO + begin()]) == []
    assert seen(conversation, [begin() + b"part\n"], OTHER) == ["output part\n"]
    assert seen(conversation, [HINT]) == ["hinted"]
    conversation.probe()
    assert seen(conversation, [b"$ __shellkernel_probe\n"]) == []
    assert seen(conversation, [b"\n" + end(130, (130,))], OTHER) == []
    assert seen(conversation, [end(130, (130,)) + prompt()]) == ["ended 130", "prompted"]


def test_flush_gives_what_waited_for_more() -> None:
    conversation = typed()
    assert seen(conversation, [ECHO + begin() + b"a\x1b]77"]) == ["output a"]
    assert [each.data for each in conversation.flush() if isinstance(each, CommandPrinted)] == [b"\x1b]77"]


def test_our_nonce_with_an_unreadable_body_is_an_error() -> None:
    conversation = typed()
    with pytest.raises(SentinelError):
        seen(conversation, [ECHO + begin() + b"\x1b]7711;" + NONCE + b";X;;" + NONCE + b"\x1b\\"])
