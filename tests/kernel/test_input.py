"""Programs that wait for the terminal: the input box."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat as untyped_nbformat
import pytest

from shellkernel.kernel.input import keys
from tests.kernel.notebook import Message, Notebook, Outcome

__all__ = ()

nbformat: Any = untyped_nbformat  # it ships types for some of its functions


def answer(notebook: Notebook, code: str, *answers: str) -> Outcome:
    """Run a cell, answering its boxes in turn."""
    msg_id = notebook.submit(code, allow_stdin=True)
    for text in answers:
        notebook.question()
        notebook.client.input(text)
    return notebook.finish(msg_id)


def test_a_program_that_waits_gets_a_box_with_its_prompt(notebook: Notebook) -> None:
    msg_id = notebook.submit("read -r -p 'name? ' name; echo \"hello $name\"", allow_stdin=True)
    assert notebook.question() == {"prompt": "name? ", "password": False}
    notebook.client.input("Bob")
    outcome = notebook.finish(msg_id)
    assert outcome.status == "ok"
    assert outcome.shown == ["hello Bob", ""]  # the box has the prompt, and the echo of the answer is not output


def test_a_password_is_masked_and_never_shown(notebook: Notebook) -> None:
    msg_id = notebook.submit("read -rs -p 'password: ' p; echo; echo ${#p}; unset p", allow_stdin=True)
    assert notebook.question() == {"prompt": "password: ", "password": True}
    notebook.client.input("s3cret")
    outcome = notebook.finish(msg_id)
    assert "s3cret" not in str(outcome.outputs) + str(notebook.stray)
    assert outcome.shown[-2:] == ["6", ""]


def test_a_program_is_answered_line_after_line_until_end_of_file(notebook: Notebook) -> None:
    outcome = answer(notebook, "cat > /dev/null; echo over", "one", "two", "^D")
    assert (outcome.status, outcome.shown) == ("ok", ["over", ""])


@pytest.mark.parametrize("end", ["\x04", "^D"])
def test_end_of_file(notebook: Notebook, end: str) -> None:
    outcome = answer(notebook, "read -r line || echo none", end)
    assert outcome.shown[-2:] == ["none", ""]


def test_python_asks(notebook: Notebook) -> None:
    outcome = answer(notebook, 'python3 -c \'print(input("a? ") + input("b? "))\'', "x", "y")
    assert outcome.shown[-2:] == ["xy", ""]


def test_select_asks(notebook: Notebook) -> None:
    outcome = answer(notebook, "select x in red blue; do echo $x; break; done", "2")
    assert outcome.shown == ["1) red", "2) blue", "blue", ""]


def test_an_interrupt_ends_the_program_and_the_late_answer_is_ignored(notebook: Notebook) -> None:
    msg_id = notebook.submit("read -r -p 'first? ' x; echo not-here", allow_stdin=True)
    notebook.question()
    notebook.interrupt()
    outcome = notebook.finish(msg_id)
    assert outcome.error["evalue"] == "130"
    notebook.client.input("late")
    outcome = answer(notebook, "read -r -p 'second? ' x; echo $x", "right")
    assert outcome.shown[-2:] == ["right", ""]


def test_a_box_whose_program_has_ended_stays_until_it_is_answered(notebook: Notebook) -> None:
    msg_id = notebook.submit("timeout --foreground 1 head -n 1; echo ended", allow_stdin=True)
    notebook.question()
    outcome = Outcome(msg_id=msg_id)
    notebook.watch(outcome, lambda _message: "close the box" in outcome.stream("stderr"))
    notebook.client.input("")
    assert notebook.finish(msg_id).status == "ok"


def test_shutdown_while_a_box_is_open() -> None:
    with Notebook() as notebook:
        notebook.submit("read -r x", allow_stdin=True)
        notebook.question()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("less") is None, reason="there is no less")
def test_a_full_screen_program_shows_its_screen_and_how_to_leave(notebook: Notebook) -> None:
    msg_id = notebook.submit("seq 500 | LESS= less", allow_stdin=True)
    notebook.question()
    notebook.client.input("q")
    outcome = notebook.finish(msg_id)
    assert outcome.status == "ok"
    assert "\n20\n" in outcome.stream("stdout")
    assert "less has taken over the screen" in outcome.stream("stderr")


GETPASS = """python3 -c 'import getpass; print(len(getpass.getpass("Password: ")))'"""


def test_a_password_is_asked_on_dev_tty_too(notebook: Notebook) -> None:
    msg_id = notebook.submit(f"{GETPASS} </dev/null 2>/dev/null", allow_stdin=True)
    assert notebook.question() == {"prompt": "Password: ", "password": True}
    notebook.client.input("s3cret-zq")
    outcome = notebook.finish(msg_id)
    assert (outcome.status, outcome.shown[-2]) == ("ok", "9")
    assert "s3cret-zq" not in str(outcome.outputs)


REPLS = [
    ("python3 -q", ("x = 20", "print(x + 1)", "^D"), "21"),
    ("bc -q", ("20 + 1", "quit"), "21"),
    ("sqlite3", ("select 20 + 1;", "^D"), "21"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "answers", "line"), REPLS, ids=[code.split()[0] for code, *_ in REPLS])
def test_a_dialogue_goes_on_until_the_program_ends(
    notebook: Notebook, code: str, answers: tuple[str, ...], line: str
) -> None:
    program, _, _ = code.partition(" ")
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program}")
    outcome = answer(notebook, code, *answers)
    assert outcome.status == "ok"
    assert line in outcome.shown


@pytest.mark.usefixtures("_bash_under_test")
def test_a_password_is_stored_nowhere(tmp_path: Path) -> None:
    history = tmp_path / "history.sqlite"
    with Notebook(f"--ShellKernel.history_file={history}") as notebook:
        outputs: list[Message] = []
        messages: list[Message] = []
        for code in ("read -rs -p 'password: ' p; unset p", GETPASS, "%last", "history; fc -l; echo"):
            msg_id = notebook.submit(code, allow_stdin=True)
            if "assword" in code:
                assert notebook.question()["password"]
                notebook.client.input("s3cret-zq")
            outcome = notebook.finish(msg_id)
            outputs += outcome.outputs
            messages += [*outcome.outputs, outcome.reply]
        messages += notebook.stray
        tail = notebook.reply(notebook.client.history(hist_access_type="tail", n=50))
        kept = [message for message in outputs if message["msg_type"] != "clear_output"]
        cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.output_from_msg(message) for message in kept])
        saved = nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))
    assert tail["history"]
    assert "s3cret-zq" not in str(messages) + str(tail) + saved
    assert history.stat().st_size > 0
    assert not any(b"s3cret-zq" in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("less") is None, reason="there is no less")
def test_a_full_screen_program_where_nobody_can_answer(notebook: Notebook) -> None:
    outcome = notebook.run("seq 500 | LESS= less")
    assert outcome.status == "error"
    assert "less" in "\n".join(outcome.error["traceback"])
    assert "\n20\n" in outcome.text
    assert "full-screen program" in outcome.text


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        ("^[:q!", "\x1b:q!"),
        ("^X", "\x18"),
        ("^X^C", "\x18\x03"),
        ("/^Foo", "/^Foo"),
        ("^", "^"),
        ("^x", "^x"),
        ("", ""),
    ],
)
def test_control_keys_for_a_full_screen_program(answer: str, sent: str) -> None:
    assert keys(answer) == sent


def test_a_full_screen_program_is_sent_control_keys_and_no_other_is(notebook: Notebook) -> None:
    read_two = "read -rsn2 key; printf '%q\\n' \"$key\""
    outcome = answer(notebook, rf"printf '\e[?1049h'; {read_two}; printf '\e[?1049l'", "^[a")
    assert r"$'\Ea'" in outcome.text
    assert r"\^\[" in answer(notebook, read_two, "^[a").text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("vim") is None, reason="there is no vim")
def test_vim_is_left_from_its_insert_mode(notebook: Notebook, tmp_path: Path) -> None:
    outcome = answer(notebook, f"vim -u NONE '{tmp_path}/text'", "ihello", "^[:x")
    assert outcome.status == "ok"
    assert (tmp_path / "text").read_text(encoding="utf-8") == "hello\n\n"
