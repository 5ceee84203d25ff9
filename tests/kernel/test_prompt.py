"""What looks like a prompt is held back for a moment: an input box may show it."""

from __future__ import annotations

import pytest

from shellkernel.kernel.prompt import HOLD_SECONDS, HeldPrompt
from tests.gate import Gate
from tests.kernel.notebook import Notebook

__all__ = ()

PROMPTS = [
    "name? ",
    "Password:",
    ">>> ",
    "... ",
    "$ ",
    "root# ",
    "Go on [y/N] ",
    "(yes/no)",
    "\x1b[1mName:\x1b[0m ",
    "#? ",
]


def due(held: HeldPrompt) -> float | None:
    return held.deadline


@pytest.mark.parametrize("prompt", [*PROMPTS, "\x1b[?2004h>>> ", "é漢: "])
def test_a_prompt_is_held_and_can_be_dropped(prompt: str) -> None:
    held = HeldPrompt()
    assert held.take(f"text\n{prompt}", 1.0) == "text\n"
    assert due(held) == 1.0 + HOLD_SECONDS
    assert "".join(held.drop() or "").replace("\x1b[1m", "").replace("\x1b[0m", "") == ""
    assert due(held) is None
    assert held.show() == ""


@pytest.mark.parametrize(
    "text", [".", "working", "50%", "name? \n", "\r50% [==>]", "####", "a>", "x" * 300 + "? ", "\x1b[2Kx: "]
)
def test_all_else_is_shown_at_once(text: str) -> None:
    held = HeldPrompt()
    assert held.take(text, 1.0) == text
    assert due(held) is None


def test_a_prompt_that_nobody_drops_is_shown_with_what_follows() -> None:
    held = HeldPrompt()
    assert held.take("name? ", 1.0) == ""
    assert held.take("no\nmore", 1.1) == "name? no\nmore"


def test_its_deadline_is_that_of_its_beginning() -> None:
    held = HeldPrompt()
    assert held.take("a: ", 1.0) == held.take("b: ", 1.3) == ""
    assert due(held) == 1.0 + HOLD_SECONDS
    assert held.take("c: ", 5.0) == "a: b: c: "
    assert due(held) is None


def test_a_line_that_had_begun_can_not_be_dropped() -> None:
    held = HeldPrompt()
    assert held.take("begun", 1.0) == "begun"
    assert held.take(" name? ", 1.1) == ""
    assert held.drop() is None
    assert held.show() == " name? "
    held.line_is_empty()
    assert held.take("name? ", 1.2) == ""
    assert held.drop() == ""


def test_its_styles_are_kept() -> None:
    held = HeldPrompt()
    held.take("\x1b[32mgreen\n\x1b[0mname? ", 1.0)
    assert held.drop() == "\x1b[0m"


def test_seconds_of_zero_hold_nothing() -> None:
    assert HeldPrompt(0).take("name? ", 1.0) == "name? "


def test_the_box_has_the_prompt_and_the_output_no_empty_line(notebook: Notebook) -> None:
    code = "printf '\\e[32mgreen\\n\\e[0mname? '; read -r a; read -rp 'again? ' b; printf '%s\\n' $a $b"
    msg_id = notebook.submit(code, allow_stdin=True)
    for prompt in ("name? ", "again? "):
        assert notebook.question()["prompt"] == prompt
        notebook.client.input(prompt[:1])
    outcome = notebook.finish(msg_id)
    assert outcome.text.replace("\x1b[32mgreen\x1b[0m\n", "") == "n\na\n"


def test_a_line_that_was_no_prompt_is_shown_while_the_cell_runs(notebook: Notebook, gate: Gate) -> None:
    with notebook.busy(f"printf 'working: '; {gate.wait}; echo done", "working: ", allow_stdin=True) as outcome:
        gate.open()
    assert outcome.text == "working: done\n"
