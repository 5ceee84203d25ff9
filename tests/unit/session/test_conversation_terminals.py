"""The talk with a bash that writes to several terminals, and with one whose command was cut short."""

from __future__ import annotations

import pytest

from tests.unit.sentinel.bytes_for_tests import FOREIGN, HINT, NONCE, begin, end, prompt, sentinel
from tests.unit.session.talking import ECHO, ERRORS, MAIN, MOVED, OTHER, SPLIT, TYPED, seen, started, typed

__all__ = ()


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


def test_marks_count_where_the_output_goes_and_wait_for_it() -> None:
    mark = sentinel(b"S", b"1;1;2.5;1")
    conversation = typed(SPLIT)
    assert seen(conversation, [ECHO + begin() + b"a" + mark + b"b"]) == ["output a", "marked 1", "output b"]
    assert seen(conversation, [begin() + mark + b"err"], ERRORS) == ["stderr err"]
    conversation = typed()
    seen(conversation, [ECHO + begin() + end() + prompt()])
    conversation.type(FOREIGN, TYPED, MOVED, serial=2)
    mark = sentinel(b"S", b"1;1;2.5;1", FOREIGN)
    assert seen(conversation, [begin(FOREIGN) + b"a" + mark + b"b" + mark], OTHER) == []
    assert seen(conversation, [ECHO + begin(FOREIGN) + mark]) == ["output a", "marked 1", "output b", "marked 1"]


@pytest.mark.parametrize("controlling_first", [True, False])
def test_notice_is_taken_out_in_whatever_order_the_terminals_are_read(controlling_first: bool) -> None:
    """The list of jobs comes on the controlling terminal, bash's notices where the command writes."""
    conversation = started()
    conversation.type(NONCE, TYPED, MOVED, serial=1)
    listing = ECHO + sentinel(b"J", b"[1]+  Running                 sleep 5 &\x01") + begin() + end() + prompt()
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
