"""Programs that wait for the terminal, and who answers them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from shellkernel import BashSession, InputRequest
from tests.session.watching import DEADLINE, Heard, wait_for_request

__all__ = ()

pytestmark = [pytest.mark.slow, pytest.mark.bashes]


class Person:
    """Answers in order, and remembers what was asked."""

    def __init__(self, *answers: str | None) -> None:
        self._answers = list(answers)
        self.asked: list[InputRequest] = []
        self.thread: threading.Thread | None = None

    def __call__(self, request: InputRequest) -> str | None:
        self.asked.append(request)
        self.thread = threading.current_thread()
        return self._answers.pop(0)


def test_person_is_asked_and_the_answer_is_read(session: BashSession, bash: str) -> None:
    person = Person("Ada L.")
    result = session.run("read -p 'name? ' name; echo \"hello $name\"", on_input=person, timeout=DEADLINE)
    assert result.end_reason == "completed"
    assert result.output == "name? Ada L.\nhello Ada L.\n"
    assert person.asked == [InputRequest(prompt="name? ", password=False, program=Path(bash).name)]
    assert person.thread is threading.current_thread()


def test_echo_of_an_answer_is_not_heard_twice(session: BashSession) -> None:
    heard = Heard()
    session.run("read -p 'name? ' name; echo $name", on_input=Person("Ada"), on_output=heard, timeout=DEADLINE)
    assert heard.text.replace("\r", "") in ("name? Ada\n", "name? \nAda\n")


def test_password_is_nowhere_in_the_output(session: BashSession, bash: str) -> None:
    person = Person("s3cret")
    heard = Heard()
    result = session.run(
        "read -s -p 'Password: ' p; echo; echo ${#p}", on_input=person, on_output=heard, timeout=DEADLINE
    )
    assert result.output == "Password: \n6\n"
    assert person.asked == [InputRequest(prompt="Password: ", password=True, program=Path(bash).name)]
    assert "s3cret" not in heard.text + repr(result)


def test_each_further_wait_asks_again(session: BashSession) -> None:
    person = Person("a", "b", "", "c d")
    result = session.run('for i in 1 2 3 4; do read x; got+="<$x>"; done; echo $got', on_input=person, timeout=DEADLINE)
    assert result.output.endswith("<a><b><><c d>\n")
    assert len(person.asked) == 4


def test_keys_are_given_without_enter_which_would_answer_the_next_question(session: BashSession) -> None:
    cell = "read -p 'Sure? ' -n 1 -r; echo; read -p 'name? ' n; echo \"<$REPLY><$n>\""
    result = session.run(cell, on_input=Person("y", "Ada"), timeout=DEADLINE)
    assert result.output == "Sure? y\nname? Ada\n<y><Ada>\n"
    result = session.run('read -n1 a; read -n1 b; echo "<$a$b>"', on_input=Person("x", "y"), timeout=DEADLINE)
    assert "<xy>" in result.output


def test_keys_that_are_too_few_are_asked_on_and_enter_alone_ends_it(session: BashSession) -> None:
    result = session.run('read -n 5 word; echo "<$word>"', on_input=Person("ab", ""), timeout=DEADLINE)
    assert "<ab>" in result.output


def test_read_with_a_limit_asks_who_can_answer_and_runs_out_by_itself_else(session: BashSession) -> None:
    """bash 5.1 sets an alarm and reads: nothing tells that from a read without a limit."""
    result = session.run("read -t 30 -p 'quick? ' k; echo \"<$k>\"", on_input=Person("yes"), timeout=DEADLINE)
    assert result.output == "quick? yes\n<yes>\n"
    result = session.run("read -t 1.5 k", timeout=DEADLINE)
    if session.run("echo ${BASH_VERSINFO[1]}").output == "1\n":
        assert result.end_reason == "awaiting_input"
    else:
        assert (result.end_reason, result.exit_code) == ("completed", 142)


def test_none_is_end_of_file(session: BashSession) -> None:
    result = session.run("cat; echo after", on_input=Person("line", None), timeout=DEADLINE)
    assert result.output == "line\nline\nafter\n"
    assert session.run("read x || echo eof", on_input=Person(None), timeout=DEADLINE).output == "eof\n"


@pytest.mark.parametrize(
    ("cell", "answers", "wanted"),
    [
        ("select x in one two; do echo $x; break; done", ["2"], "two\n"),
        ("python3 -c 'print(input(\"n? \") * 2)'", ["ab"], "abab\n"),
        ("python3 -c 'import getpass; print(len(getpass.getpass()))'", ["12345"], "5\n"),
        ("bash -c 'read x; echo got $x'", ["y"], "got y\n"),
        ("x=$(head -n1); echo got $x", ["y"], "got y\n"),
        ("read x </dev/tty; echo got $x", ["y"], "got y\n"),
        ("cat | tr a-z A-Z", ["up", None], "UP\n"),
        ("read -n1 x; echo; echo got $x", ["y"], "got y\n"),
    ],
)
def test_programs_of_many_kinds_can_be_answered(
    session: BashSession, cell: str, answers: list[str | None], wanted: str
) -> None:
    result = session.run(cell, on_input=Person(*answers), timeout=DEADLINE)
    assert result.end_reason == "completed"
    assert result.output.endswith(wanted)
    assert session.run("echo next").output == "next\n"


@pytest.mark.parametrize("answer", ["x" * 4_000, "tab\there", "quote ' \" \\ $HOME `id` !", "é✓🎉"])
def test_answer_arrives_as_it_was_typed(session: BashSession, answer: str) -> None:
    session.run("read -r x", on_input=Person(answer), timeout=DEADLINE)
    assert session.vars["x"] == answer


def test_what_is_typed_for_one_program_does_not_reach_the_next(session: BashSession) -> None:
    job = session.start("cat >/dev/null")
    wait_for_request(job)
    job.send("half a line")
    job.interrupt()
    assert job.result(DEADLINE).end_reason == "interrupted"
    assert session.run("echo next").output == "next\n"
    job = session.start("sleep 60")
    job.send("echo typed ahead\n")
    job.interrupt()
    job.result(DEADLINE)
    assert session.run("echo next").output == "next\n"


def test_replies_to_terminal_queries_reach_no_command(session: BashSession) -> None:
    session.run(r"printf '\e[6n\e[c\e]11;?\a\e[5n'")
    assert session.run('read -t 0.01 x; echo "<$x>"').output == "<>\n"


@pytest.mark.parametrize(
    ("cell", "program", "prompt", "password"),
    [
        ("read -p 'name? ' x", "bash", "name? ", False),
        ("read -s -p 'pw: ' x", "bash", "pw: ", True),
        ("cat", "cat", "", False),
        ("printf 'a\\nwhat now? '; head -n 1", "head", "what now? ", False),
        ("python3 -c 'input(\"n? \")'", "python3", "n? ", False),
        ("python3 -c 'import getpass; getpass.getpass()'", "python3", "Password: ", True),
        ("less /etc/services", "less", "", False),
    ],
)
def test_wait_that_nobody_can_answer_ends_and_says_who_waited(
    session: BashSession, cell: str, program: str, prompt: str, password: bool
) -> None:
    result = session.run(cell, timeout=DEADLINE)
    assert result.end_reason == "awaiting_input"
    assert program in result.note
    assert prompt.strip() in result.note
    assert ("password" in result.note) == password
    assert result.duration < DEADLINE / 2
    assert session.run("echo next").output == "next\n"


@pytest.mark.parametrize(
    "cell",
    ["sleep 1.5", "(sleep 1.5; echo x) | cat", "timeout 1.5 tail -f /dev/null", "read -t 1.5 x </dev/null; sleep 1.5"],
)
def test_program_that_is_only_silent_is_left_alone(session: BashSession, cell: str) -> None:
    assert session.run(cell, timeout=DEADLINE).end_reason == "completed"


def test_request_is_on_the_job_until_it_is_answered(session: BashSession) -> None:
    job = session.start("read -p 'first? ' a; read -p 'second? ' b; echo $a$b")
    assert wait_for_request(job).prompt == "first? "
    assert (job.state, session.state) == ("awaiting input", "awaiting input")
    session.send("1\n")
    assert wait_for_request(job).prompt in ("first? ", "second? ")
    session.send("2\n")
    assert job.result(DEADLINE).output.endswith("12\n")
    assert (job.state, session.state, job.waiting) == ("done", "idle", None)


def _raise(error: BaseException) -> Callable[[InputRequest], str | None]:
    def on_input(request: InputRequest) -> str | None:
        raise error

    return on_input


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no answer")])
def test_error_while_a_person_is_asked_interrupts_the_command(session: BashSession, error: BaseException) -> None:
    with pytest.raises(type(error)):
        session.run("read x; echo after", on_input=_raise(error), timeout=DEADLINE)
    assert session.last is not None
    assert session.last.end_reason == "interrupted"
    assert "after" not in session.last.output
    assert session.run("echo next").output == "next\n"


def test_answer_that_comes_too_late_is_dropped(session: BashSession) -> None:
    def slow(request: InputRequest) -> str:
        session.interrupt()
        assert session.running is None or session.running.wait(DEADLINE)
        return "echo late"

    result = session.run("read x", on_input=slow, timeout=DEADLINE)
    assert result.end_reason == "interrupted"
    assert session.run("echo next").output == "next\n"


def test_wait_can_be_kept_and_answered_later(session: BashSession) -> None:
    result = session.run("read -p 'name? ' x; echo \"hello $x\"", on_waiting="keep", timeout=DEADLINE)
    assert result.end_reason == "awaiting_input"
    assert result.exit_code is None
    assert result.output == "name? "
    assert result.job is not None
    assert not result.job.done
    assert [session.running] == [result.job]
    result.job.send("Ada\n")
    assert result.job.result(DEADLINE).output == "name? Ada\nhello Ada\n"


def test_answers_may_come_from_any_iterator(session: BashSession) -> None:
    answers: Iterable[str | None] = ["3", "4", None]
    person = iter(answers)
    result = session.run(
        "t=0; while read n; do ((t += n)); done; echo $t", on_input=lambda _: next(person), timeout=DEADLINE
    )
    assert result.output.endswith("7\n")
