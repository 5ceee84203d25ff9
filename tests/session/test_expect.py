"""Talking to programs that run: `Job.expect`."""

from __future__ import annotations

import asyncio
import pickle
import re
import shutil
import threading
import time

import pytest

from shellkernel import BashSession, CommandOver, Expected, ExpectTimedOut, Job, Moment
from shellkernel.errors import ProtocolMisuse
from tests.session.watching import DEADLINE, wait_until

__all__ = ()

PYTHON = "PYTHON_BASIC_REPL=1 python3 -q"
"""No banner; and not the editor of 3.13 and later, which draws its prompt again at each key."""


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"no {program} here")


def test_text_is_taken_literally_and_what_stood_before_it_is_given(session: BashSession) -> None:
    job = session.start("echo one; printf '(gdb) '; read x; echo two $x")
    met = job.expect("(gdb) ", DEADLINE)
    assert met == Expected(pattern="(gdb) ", index=0, before="one\n", text="(gdb) ")
    job.send("here\n")
    assert job.expect("two", DEADLINE).before == "here\n"
    assert job.expect(Moment.ENDED, DEADLINE).before == " here\n"


def test_expression_gives_its_match(session: BashSession) -> None:
    job = session.start("echo listening on port 4711.; sleep 60")
    met = job.expect(re.compile(r"port (\d+)\."), DEADLINE)
    assert met.match is not None
    assert (met.match[1], met.text, met.before) == ("4711", "port 4711.", "listening on ")
    job.kill()


def test_of_several_the_one_that_begins_first_is_met_then_the_one_that_was_named_first(session: BashSession) -> None:
    job = session.start("printf 'error: disk full\n'; read x")
    wait_until(lambda: "full" in job.output, "it has printed")
    met = job.expect(["disk", re.compile("e.*"), "error"], 0)
    assert (met.index, met.text) == (1, "error: disk full")
    job.interrupt()


def test_escape_sequences_are_not_in_the_way_and_before_is_what_a_person_reads(session: BashSession) -> None:
    job = session.start(r"printf '10%%\r20%%\n\e[1;32mRE\e[0mADY\e[?2004h> '; read x")
    met = job.expect("READY> ", DEADLINE)
    assert (met.before, met.text) == ("20%\n", "READY> ")
    job.interrupt()


def test_pieces_that_come_apart_are_put_together(session: BashSession) -> None:
    job = session.start(r"for c in p r o m p t $'\xe2' $'\x82' $'\xac' '>'; do printf %s $c; sleep 0.01; done; read x")
    assert job.expect("prompt€>", DEADLINE).before == ""
    job.interrupt()


def test_waiting_is_found_without_any_pattern(session: BashSession) -> None:
    job = session.start("read -p 'Your name? ' name; echo hi $name; read -s -p 'Password: ' word; echo; exit 3")
    met = job.expect(timeout=DEADLINE)
    assert met.pattern is Moment.WAITING
    assert met.waiting is not None
    assert (met.waiting.prompt, met.waiting.password, met.before) == ("Your name? ", False, "Your name? ")
    job.send("Ada\n")
    met = job.expect(timeout=DEADLINE)
    assert met.waiting is not None
    assert (met.waiting.password, met.before) == (True, "Ada\nhi Ada\nPassword: ")
    job.send("x\n")
    met = job.expect(timeout=DEADLINE)
    assert met.pattern is Moment.ENDED
    assert met.result is not None
    assert met.result.exit_code == 3


def test_end_without_a_match_is_an_error_that_has_the_result(session: BashSession) -> None:
    job = session.start("echo no; (exit 4)")
    with pytest.raises(CommandOver) as caught:
        job.expect("never", DEADLINE)
    assert isinstance(caught.value, EOFError)
    assert (caught.value.result.exit_code, caught.value.output) == (4, "no\n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.result, again.output, str(again)) == (caught.value.result, "no\n", str(caught.value))
    assert job.expect(["never", Moment.ENDED], 0).index == 1


def test_too_late_leaves_the_command_and_its_text_as_they_are(session: BashSession) -> None:
    job = session.start("printf 'so far'; read x; echo $x")
    begun = time.monotonic()
    with pytest.raises(ExpectTimedOut) as caught:
        job.expect("never", 0.2)
    assert time.monotonic() - begun >= 0.2
    assert isinstance(caught.value, TimeoutError)
    assert (caught.value.output, job.done) == ("so far", False)
    assert job.expect("far", 0).before == "so "
    job.send("go\n")
    assert job.result(DEADLINE).exit_code == 0


def test_now_is_what_there_is_by_now(session: BashSession) -> None:
    job = session.start("printf 'so far'; read x; echo $x")
    wait_until(lambda: job.output == "so far", "it has printed")
    assert job.expect(["never", Moment.NOW]).before == "so far"
    assert job.expect(Moment.NOW).before == ""
    job.send("go\n")
    job.result(DEADLINE)
    assert job.expect(["go", Moment.NOW], 0).text == "go"
    assert job.expect([Moment.NOW, Moment.ENDED], 0).pattern is Moment.ENDED


def test_stderr_on_its_own_terminal_is_looked_at_too(bash: str) -> None:
    with BashSession(shell=bash, stderr="split") as session:
        job = session.start("echo out; read -p 'Really? ' x; echo got $x")  # bash asks on stderr
        assert job.expect("Really? ", DEADLINE).text == "Really? "
        job.send("y\n")
        assert job.expect("got y", DEADLINE).text == "got y"
        job.result(DEADLINE)


def test_large_output_is_looked_through_in_bounded_memory(bash: str) -> None:
    with BashSession(shell=bash, keep_head=10_000, keep_tail=10_000) as session:
        job = session.start("seq 1000000; echo the needle; seq 10; read x")
        met = job.expect("the needle", DEADLINE)
        assert met.before.endswith("999999\n1000000\n")
        assert 100_000 < len(met.before) < 300_000
        assert met.omitted + len(met.before) == len("".join(f"{n}\n" for n in range(1, 1_000_001)))
        assert job.expect("10\n", DEADLINE).before.endswith("\n9\n")
        job.interrupt()


def test_output_of_a_finished_command_can_be_looked_through(session: BashSession) -> None:
    job = session.start("seq 3")
    job.result(DEADLINE)
    assert job.expect("2\n", 0).before == "1\n"
    assert job.expect("3", 0).before == ""


def test_what_is_no_pattern_is_refused(session: BashSession) -> None:
    job = session.start("read x")
    for wrong in (b"x", 3, None, ["a", b"b"], re.compile(b"x")):
        with pytest.raises(TypeError):
            job.expect(wrong, 0)  # type: ignore[arg-type]  # that is the point
    empties: list[str | list[str]] = ["", []]
    for empty in empties:
        with pytest.raises(ValueError, match="pattern"):
            job.expect(empty, 0)
    with pytest.raises(ValueError, match="timeout"):
        job.expect("x", -1)
    with pytest.raises(TypeError, match="timeout"):
        job.expect("x", "1")  # type: ignore[arg-type]  # that is the point
    job.interrupt()


def misused(job: Job) -> bool:
    """Tell whether somebody else expects something of a command that prints nothing."""
    try:
        job.expect("never", 0)
    except ProtocolMisuse:
        return True
    except ExpectTimedOut:
        return False
    raise AssertionError("it was met")


def test_two_threads_can_not_expect_something_of_one_command(session: BashSession) -> None:
    met: list[Expected] = []
    job = session.start("read x; echo $x")
    thread = threading.Thread(target=lambda: met.append(job.expect("done", DEADLINE)))
    thread.start()
    wait_until(lambda: misused(job), "the other thread expects something")
    job.send("done\n")
    thread.join(DEADLINE)
    assert [each.text for each in met] == ["done"]
    assert job.result(DEADLINE).exit_code == 0
    assert job.expect(Moment.ENDED, 0).index == 0


def test_callbacks_can_not_wait_for_output(session: BashSession) -> None:
    errors: list[str] = []
    jobs: list[Job] = []

    def output(text: str) -> None:
        try:
            jobs[0].expect("never", DEADLINE)
        except ProtocolMisuse as error:
            errors.append(str(error))

    jobs.append(session.start("read x; echo $x", on_output=output))
    jobs[0].send("go\n")
    jobs[0].result(DEADLINE)
    assert errors
    assert "callbacks" in errors[0]


def test_in_asyncio_the_loop_goes_on_and_cancelling_leaves_the_command(session: BashSession) -> None:
    async def talk() -> tuple[str, int, bool]:
        job = session.start("printf 'name? '; read name; echo hi $name")
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0)
                ticks += 1

        ticking = asyncio.create_task(tick())
        await job.expect_async("name? ", DEADLINE)
        with pytest.raises(ExpectTimedOut):
            await job.expect_async("never", 0.05)
        hanging = asyncio.create_task(job.expect_async("never"))
        await asyncio.sleep(0)
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
        ticking.cancel()
        still = not job.done
        job.send("Ada\n")
        met = await job.expect_async(Moment.ENDED, DEADLINE)
        return met.before, ticks, still

    before, ticks, still = asyncio.run(talk())
    assert (before, still) == ("Ada\nhi Ada\n", True)
    assert ticks > 1


@pytest.mark.slow
def test_python_is_talked_to_and_its_exit_code_comes_back(session: BashSession) -> None:
    job = session.start(PYTHON)
    job.expect(">>> ", DEADLINE)
    job.send("6*7\n")
    assert "42\n" in job.expect(">>> ", DEADLINE).before
    job.send("name = input('who? ')\n")
    job.expect("\nwho? ", DEADLINE)
    assert job.expect(timeout=DEADLINE).pattern is Moment.WAITING
    job.send("Ada\n")
    job.expect(">>> ", DEADLINE)
    job.send("raise SystemExit(len(name))\n")
    assert job.result(DEADLINE).exit_code == 3
    assert session.run("echo back").output == "back\n"


@pytest.mark.slow
def test_python_is_talked_to_without_patterns(session: BashSession) -> None:
    job = session.start("python3 -q")
    assert job.expect(timeout=DEADLINE).pattern is Moment.WAITING
    job.send("print('a' * 3)\n")
    met = job.expect(timeout=DEADLINE)
    assert met.pattern is Moment.WAITING
    assert "\naaa\n" in met.before
    job.send("\x04")
    met = job.expect(timeout=DEADLINE)
    assert met.result is not None
    assert met.result.exit_code == 0


@needs("bc")
def test_bc_which_has_no_prompt_is_talked_to_by_waiting_alone(session: BashSession) -> None:
    job = session.start("bc -q")
    assert job.expect(timeout=DEADLINE).pattern is Moment.WAITING
    job.send("2^64\n")
    assert "18446744073709551616\n" in job.expect(timeout=DEADLINE).before
    job.send("quit\n")
    met = job.expect(timeout=DEADLINE)
    assert met.result is not None
    assert met.result.exit_code == 0


@needs("gdb")
@pytest.mark.slow
def test_gdb_is_talked_to(session: BashSession) -> None:
    job = session.start("gdb -q -nx --args /bin/true")
    job.expect("(gdb) ", DEADLINE)
    job.send("print 6*7\n")
    assert "$1 = 42\n" in job.expect("(gdb) ", DEADLINE).before
    job.send("info frame\n")
    assert "No stack." in job.expect("(gdb) ", DEADLINE).before
    assert job.expect(timeout=DEADLINE).pattern is Moment.WAITING
    job.send("quit 7\n")
    met = job.expect(timeout=DEADLINE)
    assert met.result is not None
    assert met.result.exit_code == 7
