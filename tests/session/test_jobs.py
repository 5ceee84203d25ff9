"""Commands that are started and held: `Job`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shellkernel import BashSession, Job, Result, SessionBusy
from shellkernel.errors import ProtocolMisuse
from tests.gate import Gate
from tests.session.watching import DEADLINE, Heard

__all__ = ()


def describe(job: Job, session: BashSession) -> tuple[str, str]:
    """Return the states of a job and its session."""
    return job.state, session.state


def test_job_tells_what_it_is(session: BashSession) -> None:
    before = datetime.now(UTC)
    job = session.start("read x; echo $x\n# and more")
    assert [session.running] == [job]
    assert (job.command, job.session, job.serial) == ("read x; echo $x\n# and more", session.name, 1)
    assert before <= job.started <= datetime.now(UTC)
    assert not job.done
    assert describe(job, session) == ("running", "busy")
    assert "read x" in repr(job)
    job.send("hello\n")
    assert job.wait(DEADLINE) is True
    assert job.result().output == job.output
    assert describe(job, session) == ("done", "idle")
    assert [session.running] == [None]
    assert job.output.endswith("hello\n")


def test_serial_numbers_count_the_commands(session: BashSession) -> None:
    session.run("true")
    session.vars.get("HOME")
    job = session.start("true")
    assert job.result(DEADLINE).exit_code == 0
    assert job.serial == 2


def test_waiting_ends_early_when_asked_and_the_command_goes_on(session: BashSession) -> None:
    job = session.start("read x; echo $x")
    assert job.wait(0) is False
    with pytest.raises(TimeoutError):
        job.result(0.01)
    job.send("still here\n")
    assert job.result(DEADLINE).output.endswith("still here\n")


def test_output_so_far_is_rendered(session: BashSession) -> None:
    heard = Heard()
    job = session.start(r"printf '10%%\r20%%\n\e[1mbold\e[0m'; read x", on_output=heard)
    heard.wait_for("bold")
    assert job.output == "20%\nbold"
    job.interrupt()
    job.result(DEADLINE)


def test_done_callback_is_called_once_also_when_it_comes_late(session: BashSession) -> None:
    called: list[tuple[Job, bool]] = []
    over = threading.Event()
    job = session.start("read x")
    job.add_done_callback(lambda job: called.append((job, job.done)))
    job.add_done_callback(lambda _: over.set())
    job.send("\n")
    assert over.wait(DEADLINE)
    job.add_done_callback(lambda job: called.append((job, job.done)))
    assert called == [(job, True), (job, True)]


def test_done_callback_may_start_the_next_command(session: BashSession) -> None:
    """It runs in the reader's thread, which must not wait for the prompt; a thread of its own may."""
    results: list[str] = []
    over = threading.Event()

    def follow() -> None:
        results.append(session.run("echo next").output)
        over.set()

    threads: list[threading.Thread] = []

    def start(_: Job) -> None:
        thread = threading.Thread(target=follow)
        threads.append(thread)
        thread.start()

    session.start("true").add_done_callback(start)
    assert over.wait(DEADLINE)
    threads[0].join(DEADLINE)
    assert results == ["next\n"]


def test_callback_can_not_wait_for_a_command(session: BashSession, tmp_path: Path) -> None:
    """It runs in the thread that would bring the end."""
    errors: list[BaseException] = []
    done = threading.Event()

    def wait(_: Job) -> None:
        attempts: list[Callable[[], Result]] = [
            lambda: session.run("echo inner"),
            lambda: session.start("sleep 0.1").result(),
        ]
        for attempt in attempts:
            try:
                attempt()
            except ProtocolMisuse as error:
                errors.append(error)
        done.set()

    gate = Gate(tmp_path / "gate")
    session.start(gate.wait).add_done_callback(wait)
    gate.open()
    assert done.wait(DEADLINE)
    assert ["nothing was sent" in str(error) for error in errors] == [True, False]
    while session.running:
        session.running.wait(DEADLINE)
    assert session.run("echo next").output == "next\n"


def test_failing_done_callback_does_no_harm(session: BashSession, caplog: pytest.LogCaptureFixture) -> None:
    job = session.start("read x")
    over = threading.Event()

    def fail(_: Job) -> None:
        raise ZeroDivisionError

    job.add_done_callback(fail)
    job.add_done_callback(lambda _: over.set())
    job.send("\n")
    assert over.wait(DEADLINE)
    assert session.run("echo next").output == "next\n"
    assert "callback" in caplog.text


def test_one_of_many_threads_gets_the_session(session: BashSession) -> None:
    barrier = threading.Barrier(8)
    outcomes: list[str] = []

    def compete(number: int) -> None:
        barrier.wait(DEADLINE)
        try:
            session.start(f"read x; echo {number}")
            outcomes.append("started")
        except SessionBusy:
            outcomes.append("busy")

    threads = [threading.Thread(target=compete, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    assert sorted(outcomes) == ["busy"] * 7 + ["started"]
    assert session.running is not None
    job = session.running
    job.send("\n")
    assert job.result(DEADLINE).ok


def test_all_of_a_jobs_output_can_be_paged_through(bash: str) -> None:
    with BashSession(shell=bash, keep_head=100, keep_tail=100) as session:
        job = session.start("seq 5000")
        whole = "".join(f"{number}\n" for number in range(1, 5_001))
        job.result(DEADLINE)
        assert job.read(size=1_000_000) == whole
        assert job.read(offset=10, size=20) == whole[10:30]
        assert job.read(tail=2) == "4999\n5000\n"
        assert job.read(grep="^4[0-9]99$", size=1_000_000) == "".join(f"4{digit}99\n" for digit in range(10))
        assert job.read(tail=1, grep="00$", size=1_000_000) == "5000\n"
        assert job.read(offset=1_000_000) == ""
        assert job.read(tail=0) == ""
        with pytest.raises(ValueError, match="0 or more"):
            job.read(offset=-1)


def test_timeout_can_leave_the_command_running(session: BashSession, tmp_path: Path) -> None:
    heard = Heard()
    result = session.run(
        "echo first; read x; echo $x", timeout=1, on_timeout="keep", on_waiting="keep", on_output=heard
    )
    assert result.end_reason in ("timed_out", "awaiting_input")
    assert (result.output, result.exit_code) == ("first\n", None)
    assert result.job is not None
    assert [session.running] == [result.job]
    with pytest.raises(SessionBusy):
        session.run("true")
    result.job.send("second\n")
    final = result.job.result(DEADLINE)
    assert (final.end_reason, final.output.replace("second\nsecond", "second")) == ("completed", "first\nsecond\n")
    assert session.run("echo next").output == "next\n"


def test_kept_command_can_be_interrupted(session: BashSession) -> None:
    result = session.run("sleep 60; echo after", timeout=0.05, on_timeout="keep")
    assert result.end_reason == "timed_out"
    assert result.job is not None
    assert result.job.interrupt() is True
    final = result.job.result(DEADLINE)
    assert (final.end_reason, final.exit_code) == ("interrupted", 130)


def test_coroutine_waits_without_blocking_its_loop(session: BashSession) -> None:
    async def main() -> tuple[str, str]:
        job = session.start("read x; echo $x")

        async def answer() -> None:
            job.send("from the loop\n")

        result, _ = await asyncio.wait_for(asyncio.gather(job, answer()), DEADLINE)
        other = await session.run_async("echo async; (exit 3)", timeout=DEADLINE)
        return result.output.removeprefix("from the loop\n") or result.output, f"{other.output}{other.exit_code}"

    assert asyncio.run(main()) == ("from the loop\n", "async\n3")


def _wake(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)


def test_cancelled_coroutine_interrupts_its_command(session: BashSession) -> None:
    async def main() -> None:
        heard = asyncio.Event()
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(
            session.run_async("echo ready; sleep 60; echo after", on_output=lambda _: _wake(loop, heard))
        )
        await asyncio.wait_for(heard.wait(), DEADLINE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, DEADLINE)
        assert session.last is not None
        assert session.last.end_reason == "interrupted"
        assert "after" not in session.last.output

    asyncio.run(main())
    assert session.run("echo next").output == "next\n"


def test_coroutine_whose_start_takes_its_time_blocks_no_loop_and_can_be_cancelled(session: BashSession) -> None:
    """Prompt hooks run, or a long command is checked and typed: in a thread."""
    session.run("PROMPT_COMMAND='sleep 0.5'")

    async def main() -> None:
        task = asyncio.create_task(session.run_async("echo ready; sleep 60", timeout=DEADLINE))
        turns = 0
        while session.running is None:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 10
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, DEADLINE)
        assert session.last is not None
        assert session.last.end_reason == "interrupted"

    asyncio.run(main())
    text = "x" * 20_000
    assert asyncio.run(session.run_async(f"echo {text}", timeout=DEADLINE)).output == f"{text}\n"
