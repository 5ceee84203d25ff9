"""What a cell prints, on its way to the notebook: at once, in few messages, to the right cell."""

from __future__ import annotations

import re
from pathlib import Path
from time import monotonic

import pytest

from tests.gate import Gate
from tests.kernel.notebook import Message, Notebook, Outcome

__all__ = ()


def is_text(message: Message) -> bool:
    return bool(message["msg_type"] == "stream")


def test_hello(notebook: Notebook) -> None:
    outcome = notebook.run("echo hello")
    assert [message["content"] for message in outcome.outputs] == [{"name": "stdout", "text": "hello\n"}]
    assert outcome.reply["status"] == "ok"


def test_dots_without_a_newline_are_shown_one_by_one_while_the_cell_runs(notebook: Notebook, tmp_path: Path) -> None:
    first, *others = (Gate(tmp_path / name) for name in "abc")
    code = "".join(f"printf .; {gate.wait}; " for gate in (first, *others))
    with notebook.busy(f"{code}printf :", until=".") as outcome:
        first.open()
        for gate in others:
            notebook.watch(outcome, is_text)
            gate.open()
    assert [content["text"] for content in outcome.of_type("stream")] == [".", ".", ".", ":"]


def test_much_output_takes_few_messages(notebook: Notebook) -> None:
    outcome = notebook.run("seq 200000", seconds=60)
    assert outcome.text == "".join(f"{number}\n" for number in range(1, 200_001))
    assert len(outcome.outputs) < 60


def test_many_small_pieces_take_few_messages(notebook: Notebook) -> None:
    outcome = notebook.run("for i in {1..3000}; do echo $i; done", seconds=60)
    assert outcome.text.splitlines() == [str(number) for number in range(1, 3001)]
    assert len(outcome.outputs) < 40


def test_both_streams_are_merged_in_order(notebook: Notebook) -> None:
    outcome = notebook.run("echo one; echo two >&2; echo three")
    assert outcome.stream("stdout") == "one\ntwo\nthree\n"


def test_escape_sequences_other_than_colours_do_not_reach_the_notebook(notebook: Notebook) -> None:
    outcome = notebook.run(r"printf '\e]0;title\a\e[31mred\e[0m\e(B\e[?25l\a plain\n'")
    assert outcome.text == "\x1b[31mred\x1b[0m plain\n"


def test_a_progress_bar_is_rewritten_in_its_line(notebook: Notebook) -> None:
    outcome = notebook.run(r"for i in 100 5; do printf '\r\e[K%s%% done' $i; sleep 0.2; done; echo")
    assert outcome.shown == ["5% done", ""]


def test_lines_above_are_redrawn(notebook: Notebook, gate: Gate) -> None:
    with notebook.busy(rf"echo a; echo b; {gate.wait}; printf '\e[2A'; echo A; echo B", until="b\n") as outcome:
        gate.open()
    assert {"wait": True} in outcome.of_type("clear_output")
    assert outcome.text == "A\nB\n"


def test_output_of_a_background_job_goes_to_its_cell_after_its_end(notebook: Notebook, gate: Gate) -> None:
    started = notebook.run(f"{{ {gate.wait}; echo late; }} &")
    gate.open()
    late = notebook.watch(Outcome(msg_id=started.msg_id), is_text)
    assert late["content"]["text"] == "late\n"
    notebook.run("wait")


def test_a_silent_cell_shows_nothing(notebook: Notebook) -> None:
    outcome = notebook.run("echo hidden; false", silent=True)
    assert outcome.outputs == []
    assert outcome.reply["status"] == "error"


@pytest.mark.parametrize("code", ["", "  \n", "# a comment"])
def test_an_empty_cell_is_fine(notebook: Notebook, code: str) -> None:
    outcome = notebook.run(code)
    assert (outcome.reply["status"], outcome.outputs) == ("ok", [])


def test_the_last_screen_of_a_full_screen_program_is_shown(notebook: Notebook) -> None:
    outcome = notebook.run(
        r"echo before; printf '\e[?1049h\e[2J\e[Hin \e[7mreverse\e[0m'; sleep 0.3; printf '\e[?1049l'; echo after"
    )
    assert outcome.shown[:2] == ["before", "after"]
    assert outcome.shown[2] == "in \x1b[7mreverse\x1b[0m"
    assert "full-screen" in outcome.text


def test_clear_clears_the_cell(notebook: Notebook, gate: Gate) -> None:
    with notebook.busy(f"echo one; echo two; {gate.wait}; clear; echo three", until="two\n") as outcome:
        gate.open()
    assert outcome.of_type("clear_output")
    assert outcome.text == "three\n"
    assert notebook.run("clear").of_type("clear_output") == [{"wait": False}]


def test_a_link_becomes_readable(notebook: Notebook) -> None:
    outcome = notebook.run(r"printf 'see \e]8;;https://example.org/a\e\\the page\e]8;;\e\\ now\n'")
    assert outcome.text == "see the page (https://example.org/a) now\n"


def test_a_finished_progress_bar_leaves_one_line_and_few_messages(notebook: Notebook) -> None:
    outcome = notebook.run(r"for i in {1..400}; do printf '\r\e[2K%3d%%|%*s|' $((i / 4)) $((i / 10)) ''; done; echo")
    assert outcome.shown == [f"100%|{' ' * 40}|", ""]
    assert len(outcome.outputs) < 40


def test_bars_on_several_lines_are_redrawn_in_place(notebook: Notebook) -> None:
    outcome = notebook.run(
        r"printf 'a 0\nb 0\n'; for i in {1..30}; do printf '\e[2A\e[2Ka %d\n\e[2Kb %d\n' $i $i; sleep 0.02; done"
    )
    assert outcome.shown == ["a 30", "b 30", ""]
    assert len(outcome.outputs) < 30


@pytest.mark.slow
def test_what_is_over_the_cap_is_counted_and_the_whole_is_in_a_file(notebook: Notebook) -> None:
    outcome = notebook.run("seq 1000000", seconds=60)
    assert len(outcome.text) < 2_200_000
    assert outcome.text.startswith("1\n2\n3\n")
    shown = "\n".join(outcome.shown).replace("\x1b[0m", "")
    assert re.search(r"\n\[4,\d{3},\d{3} characters are not shown here\]\n", shown)
    found = re.search(r"\n1000000\n\[the whole output is in (/.+) until this shell ends\]\n\Z", shown)
    assert found is not None
    assert notebook.run(f"wc -l < '{found[1]}'").text == "1000000\n"


@pytest.mark.slow
@pytest.mark.usefixtures("_bash_under_test")
def test_no_more_is_sent_than_the_server_lets_through() -> None:
    """It drops stream messages beyond 3 MB in any 3 seconds."""
    with Notebook() as notebook:
        start = monotonic()
        sent = [notebook.submit("printf '%.0s✓✓✓✓✓✓✓✓✓✓\\n' {1..50000}") for _ in range(3)]
        size = sum(len(notebook.finish(msg_id, seconds=60).text.encode()) for msg_id in sent)
        seconds = monotonic() - start
    assert size == 3 * 50_000 * 31
    assert seconds > 2.9
