"""A conversation to talk to, and what happened in it in few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from shellkernel.session.conversation import (
    BackgroundPrinted,
    CommandPrinted,
    Conversation,
    Ended,
    Happening,
    Hinted,
    Lost,
    Marked,
    Prompted,
    Targets,
)
from tests.unit.sentinel.bytes_for_tests import NONCE, prompt

__all__ = ("ECHO", "FIRST", "MAIN", "MERGED", "MOVED", "OTHER", "SPLIT", "TYPED", "ERRORS", "seen", "started", "typed")

FIRST = b"f" * 32
MAIN, ERRORS, OTHER = 3, 4, 5
TYPED = b" eval 'echo'\n"
ECHO = TYPED
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
        case Marked(ended):
            return f"marked {ended.exit_code}", ""
        case Hinted():
            return "hinted", ""
        case Lost():
            return "lost", ""
        case Prompted():
            return "prompted", ""
        case _:
            assert_never(happening)
