"""What jobs print while a question of ours runs is theirs."""

from __future__ import annotations

from shellkernel.session.conversation import BackgroundPrinted, Conversation, Ended, Prompted, Targets

NONCE = b"a" * 32
TERMINAL = 3
TARGETS = Targets(TERMINAL, TERMINAL)


def sentinel(kind: bytes, fields: bytes = b"", nonce: bytes = NONCE) -> bytes:
    return b"\x1b]7711;%s;%s;%s;%s\x1b\\" % (nonce, kind, fields, nonce)


def test_what_a_job_prints_during_a_question_without_a_begin_is_not_lost() -> None:
    conversation = Conversation(NONCE, TERMINAL, TARGETS)
    assert list(conversation.feed(TERMINAL, sentinel(b"P", b"/"))) == [Prompted("/")]
    conversation.type(NONCE, b"", TARGETS)
    happened = list(conversation.feed(TERMINAL, b"late\n" + sentinel(b"E", b"0;0;himBs;hook;/") + sentinel(b"P", b"/")))
    assert happened[0] == BackgroundPrinted(b"late\n", 0)
    assert isinstance(happened[1], Ended)
    assert happened[2] == Prompted("/")
