"""Live output: when it is sent, and that a front end ends up showing what a person would have seen."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import pytest

from shellkernel.render.stream import LIMIT, NOTICE_INTERVAL, TAIL, LiveText, Operation, Redraw, Write


@dataclass(frozen=True)
class Erased:
    erase: int
    text: str


class FakeScreen:
    """A screen whose raw text is plain, but for `<n>`: erase the last n lines."""

    def __init__(self) -> None:
        self.raw = ""

    def feed(self, text: str, /) -> None:
        self.raw += text

    def done(self) -> Erased:
        return self.take()

    def take(self) -> Erased:
        if "<" in self.raw and ">" not in self.raw[self.raw.rindex("<") :]:
            return Erased(0, "")
        pieces = re.split(r"<(\d)>", self.raw)
        self.raw = ""
        if len(pieces) == 1:
            return Erased(0, pieces[0])
        # One change for all of them; these tests erase at most once a take.
        assert len(pieces) == 3, "one erase a take"
        assert not pieces[0]
        return Erased(int(pieces[1]), pieces[2])


class Lab:
    """Shows operations as JupyterLab does: `\\r` overwrites character by character."""

    def __init__(self) -> None:
        self.lines = [""]
        self.column = 0
        self.messages = 0

    def show(self, operations: list[Operation]) -> None:
        for operation in operations:
            self.messages += 1
            if isinstance(operation, Redraw):
                self.lines, self.column = [""], 0
            for character in operation.text.replace("\x1b[0m", ""):
                self._put(character)

    def _put(self, character: str) -> None:
        if character == "\n":
            self.lines.append("")
            self.column = 0
        elif character == "\r":
            self.column = 0
        else:
            line = self.lines[-1]
            self.lines[-1] = line[: self.column] + character + line[self.column + 1 :]
            self.column += 1

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip(" ") for line in self.lines)


def model(changes: list[Erased]) -> str:
    """Return what the changes come to."""
    text = ""
    for change in changes:
        if change.erase:
            lines = text.split("\n")
            kept = lines[: max(0, len(lines) - change.erase)]
            text = "".join(line + "\n" for line in kept)
        text += change.text
    return "\n".join(line.rstrip(" ") for line in text.split("\n"))


def test_first_text_goes_at_once() -> None:
    live = LiveText(FakeScreen())
    assert live.deadline is None
    assert live.feed(".", 100.0) == [Write(".")]
    assert live.deadline is None


def test_later_text_waits_for_the_interval() -> None:
    live = LiveText(FakeScreen(), interval=0.05)
    live.feed("a", 1.0)
    assert live.feed("b", 1.01) == []
    assert live.deadline == pytest.approx(1.05)
    assert live.tick(1.02) == []
    assert live.feed("c", 1.03) == []
    assert live.tick(1.05) == [Write("bc")]
    assert live.deadline is None
    assert live.tick(9.0) == []


def test_text_after_a_pause_goes_at_once() -> None:
    live = LiveText(FakeScreen())
    live.feed("a", 1.0)
    assert live.feed("b", 2.0) == [Write("b")]


def test_much_text_does_not_wait() -> None:
    live = LiveText(FakeScreen(), chunk=10)
    live.feed("a", 1.0)
    assert live.feed("123456789", 1.001) == []
    assert live.feed("0", 1.002) == [Write("1234567890")]


def test_finish_sends_what_is_held() -> None:
    live = LiveText(FakeScreen())
    live.feed("a", 1.0)
    live.feed("b", 1.01)
    assert live.finish(1.02) == [Write("b")]
    assert live.deadline is None


def test_the_longer_the_text_the_fewer_the_messages() -> None:
    """A front end shows all of it again for each: in JupyterLab 0.65 s for a megabyte."""
    lab, live = Lab(), LiveText(FakeScreen())
    for place in range(1_000):  # 10 s of 100 kB a second
        lab.messages += len(live.feed("123456789\n" * 100, 1.0 + place * 0.01))
    assert 20 < lab.messages < 40


def test_a_terminal_is_sent_text_at_an_even_rate() -> None:
    live = LiveText(FakeScreen(), rewrite="ansi")
    messages = sum(len(live.feed("123456789\n" * 100, 1.0 + place * 0.01)) for place in range(1_000))
    assert messages > 160


def test_two_hundred_thousand_lines_are_few_messages() -> None:
    lab, live = Lab(), LiveText(FakeScreen())
    text = "\n".join(map(str, range(1, 200_001)))
    for place in range(0, len(text), 4096):
        lab.messages += len(live.feed(text[place : place + 4096], 1.0 + place * 1e-8))
    lab.messages += len(live.finish(2.0))
    assert 5 < lab.messages < 15


def test_a_rewritten_line_is_padded_over_the_old_one() -> None:
    live = LiveText(FakeScreen())
    live.feed("progress 5%", 1.0)
    assert live.feed("<1>done", 2.0) == [Write("\rdone       \rdone")]
    assert live.feed("<1>done and over", 3.0) == [Write("\rdone and over")]


def test_padding_does_not_grow() -> None:
    live = LiveText(FakeScreen())
    live.feed("a", 0.0)
    for moment in range(1, 100):
        live.feed("<1>a", moment)
        live.feed("bc", moment + 0.5)
    assert live.feed("<1>a", 100.0) == [Write("\ra  \ra")]


def test_text_after_a_padded_line_continues_the_line_itself() -> None:
    lab, live = Lab(), LiveText(FakeScreen())
    for moment, text in enumerate(["progress 5%", "<1>ok", ", really", "\nnext"]):
        lab.show(live.feed(text, float(moment)))
    assert lab.text == "ok, really\nnext"


def test_lines_above_are_changed_by_a_redraw() -> None:
    live = LiveText(FakeScreen())
    live.feed("head\na 1%\nb 1%", 1.0)
    assert live.feed("<2>a 2%\nb 2%", 2.0) == [Redraw("head\na 2%\nb 2%")]
    assert live.feed("<2>a 3%\nb 3%", 2.1) == []
    assert live.feed("\nmore", 2.15) == []
    assert live.deadline == pytest.approx(2.2)
    assert live.tick(2.2) == [Redraw("head\na 3%\nb 3%\nmore")]
    assert live.feed("!", 3.0) == [Write("!")]


def test_long_redraws_come_seldom() -> None:
    live = LiveText(FakeScreen())
    live.feed("x" * 500_000 + "\na\nb", 1.0)
    live.feed("<2>c\nd", 2.0)
    live.feed("<2>e\nf", 2.5)
    assert live.deadline == pytest.approx(4.0, abs=0.01)
    assert live.finish(2.6)[-1].text.endswith("e\nf")


def test_a_terminal_gets_cursor_moves() -> None:
    live = LiveText(FakeScreen(), rewrite="ansi")
    live.feed("a\nlonger", 1.0)
    assert live.feed("<1>b", 2.0) == [Write("\r\x1b[Jb")]
    assert live.feed("<2>c\nd", 3.0) == [Write("\x1b[1A\r\x1b[Jc\nd")]


def test_above_the_limit_only_the_size_is_told() -> None:
    lab, live = Lab(), LiveText(FakeScreen(), limit=100)
    lab.show(live.feed("x" * 99 + "\nstart", 1.0))
    assert lab.text.endswith("start")
    lab.show(live.feed("more\n" * 10, 2.0))
    assert lab.text.endswith("start\n[50 more characters so far]")
    assert live.feed("more\n", 2.5) == []
    assert live.deadline == pytest.approx(2.0 + NOTICE_INTERVAL)
    lab.show(live.tick(3.0))
    assert lab.text.endswith("[55 more characters so far]")
    assert live.deadline is None
    lab.show(live.finish(4.0))
    assert lab.text == "x" * 99 + "\nstart\n" + "more\n" * 11


def test_of_a_flood_the_end_is_shown_and_memory_stays_bounded() -> None:
    lab, live = Lab(), LiveText(FakeScreen())
    now = 1.0
    for _ in range(400):
        now += 0.001
        lab.show(live.feed("0123456789abcde\n" * 4096, now))
    lab.show(live.feed("the end", now))
    lab.show(live.finish(now))
    assert lab.messages < LIMIT / 65536 + 15
    assert len(lab.text) < LIMIT + 6 * TAIL
    assert re.search(r"\[[\d,]+ characters are not shown here\]\n", lab.text)
    assert lab.text.endswith("abcde\nthe end")


@pytest.mark.parametrize("seed", range(60))
def test_a_front_end_shows_in_the_end_what_the_changes_come_to(seed: int) -> None:
    chance = random.Random(seed)
    changes = []
    for _ in range(chance.randrange(1, 30)):
        words = [chance.choice(["a", "long line of text", "\n", "x\ny", "", "12%", "\n\n"]) for _ in range(3)]
        changes.append(Erased(chance.choice([0, 0, 1, 1, 2, 3]), "".join(words)))
    lab, now = Lab(), 0.0
    screen = ScriptedScreen(changes)
    live = LiveText(screen)
    for _ in changes:
        now += chance.choice([0.01, 0.04, 0.3])
        lab.show(live.feed("?", now))
        if live.deadline is not None and chance.random() < 0.5:
            now = max(now, live.deadline)
            lab.show(live.tick(now))
    while screen.left:
        lab.show(live.finish(now))
    lab.show(live.finish(now))
    assert lab.text == model(changes)


class ScriptedScreen:
    """Gives one scripted change at each take, whatever was fed."""

    def __init__(self, changes: list[Erased]) -> None:
        self.left = list(changes)

    def feed(self, text: str, /) -> None:
        del text

    def done(self) -> Erased:
        return self.take()

    def take(self) -> Erased:
        return self.left.pop(0) if self.left else Erased(0, "")
