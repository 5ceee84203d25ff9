"""Many commands, many sessions, and signals at random moments, in short.

SHELLKERNEL_SOAK=20 makes it twenty times as long.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest

from shellkernel import BashSession, Ladder, Result
from tests.session.watching import DEADLINE, wait_until

__all__ = ()

pytestmark = [pytest.mark.slow, pytest.mark.bashes]

LENGTH = float(os.environ.get("SHELLKERNEL_SOAK", "1"))
COMMANDS = int(2_000 * LENGTH)
CHAOS_SECONDS = 10.0 * LENGTH
QUICK = Ladder(interrupt=0.2, again=0.2, terminate=0.2, kill=0.2)


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))


def resident() -> int:
    """Return this process's resident memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def check_one(session: BashSession, number: int, chance: random.Random) -> None:  # noqa: C901  # a table
    """Run one command of a random kind and check all that is known of its result."""
    match chance.randrange(12):
        case 0:
            result = session.run(f"(exit {number % 256})")
            assert (result.output, result.exit_code) == ("", number % 256)
        case 1:
            result = session.run(f"x={number}; echo $x")
            assert result.output == f"{number}\n"
        case 2:
            session.run(f"kept={number}")
            assert session.run("echo $kept").output == f"{number}\n"
        case 3:
            lines = chance.randrange(3_000)
            assert session.run(f"seq {lines}").raw == b"".join(b"%d\n" % line for line in range(1, lines + 1))
        case 4:
            result = session.run(f"false | (exit {number % 256}) | true")
            assert result.pipestatus == (1, number % 256, 0)
        case 5:
            result = session.run(f"echo partial{number}; sleep 60; echo after", timeout=0.02, ladder=QUICK)
            assert result.end_reason == "timed_out"
            assert result.output.rstrip("\n") in (f"partial{number}", "")
        case 6:
            assert session.run(f"cat <<'END'\n{number}\n'\"`$\nEND").output == f"{number}\n'\"`$\n"
        case 7:
            session.run(f"(echo late{number}) & disown; sleep 0 & :")
            assert session.run(f"echo {number}").output == f"{number}\n"
        case 8:
            assert session.run(f'echo "$(echo {number})" | tr 0-9 a-j').exit_code == 0
        case 9:
            assert session.run("f() { local v=$1; echo $((v * 2)); }; f " + str(number)).output == f"{number * 2}\n"
        case 10:
            text = "x" * chance.randrange(6_000)
            assert session.run(f"echo {text}").output == f"{text}\n"
        case _:
            assert session.run("no_such_command_here").exit_code == 127


def usage() -> tuple[int, int, int]:
    """Return what must not grow: descriptors, threads, memory."""
    return descriptors(), threading.active_count(), resident()


@pytest.fixture(scope="module")
def old_session(bash: str) -> Iterator[tuple[BashSession, tuple[int, int, int]]]:
    """One session for all parts of the soak, a little used, and what this process used then."""
    with BashSession(shell=bash) as session:
        chance = random.Random(0)
        for number in range(200):
            check_one(session, number, chance)
        session.run("wait; true")
        session.run("true")
        yield session, usage()


@pytest.mark.parametrize("part", range(4))
def test_one_session_takes_thousands_of_commands_and_stays_as_it_was(
    old_session: tuple[BashSession, tuple[int, int, int]], part: int
) -> None:
    session, before = old_session
    chance = random.Random(part + 1)
    for number in range(COMMANDS // 4):
        check_one(session, number, chance)
    session.run("wait; true")
    # What was disowned is not waited for; its terminal is given back before the first command after its end.
    wait_until(lambda: session.run("true").ok and usage()[0] <= before[0], "all descriptors are given back")
    after = usage()
    assert after[1] <= before[1]
    assert after[2] - before[2] < 10_000_000
    assert session.run("ps -o stat= --ppid $$ | grep -c Z").output == "0\n"


def test_fifty_sessions_side_by_side_give_no_wrong_answer(bash: str) -> None:
    errors: list[BaseException] = []

    def use(number: int) -> None:
        try:
            chance = random.Random(number)
            with BashSession(shell=bash) as session:
                for step in range(int(12 * LENGTH)):
                    check_one(session, 1_000 * number + step, chance)
        except BaseException as error:  # noqa: BLE001  # it is raised below, in the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60 * max(1.0, LENGTH))
    assert not [thread for thread in threads if thread.is_alive()]
    if errors:
        raise errors[0]


class Chaos:
    """Sends random signals to random processes of a session, at random moments, from a thread of its own."""

    def __init__(self, session: BashSession, seed: int) -> None:
        self._session = session
        self._chance = random.Random(seed)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.sent: list[str] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._chance.uniform(0.001, 0.08)):
            shell = self._session.pid
            number = self._chance.choices(
                [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP], [8, 4, 1, 2]
            )[0]
            target = self._chance.choice([shell, *_children(shell)])
            self.sent.append(f"{number.name} to {'bash' if target == shell else 'a child'}")
            if target > 1:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(target, number)


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


CELLS = [
    "echo whole",
    "sleep 0.05; echo whole",
    "for i in 1 2 3 4 5 6 7 8; do sleep 0.01; done; echo whole",
    "seq 500 | tail -n 1; echo whole",
    "(sleep 0.02; exit 3)",
    "x=$(sleep 0.03; echo a); echo $x whole",
    "(sleep 0.02 & wait) | cat; echo whole",
    "while :; do :; done",
    "sleep 5",
]


def is_truthful(result: Result) -> bool:
    """Tell whether a result claims no more than can be: what is said to be completed is whole."""
    if result.end_reason == "completed" and result.exit_code == 0:
        return result.output.rstrip("\n").endswith("whole")  # bash prints a newline for a SIGINT that comes last
    return result.exit_code != 0 or result.end_reason in ("timed_out", "session_ended")


@pytest.mark.parametrize("seed", [0, 1])
def test_every_run_tells_the_truth_in_time_whatever_signals_come(bash: str, seed: int) -> None:
    chance = random.Random(seed)
    until = time.monotonic() + CHAOS_SECONDS / 2
    runs = 0
    with BashSession(shell=bash) as session:
        with Chaos(session, seed) as chaos:
            while time.monotonic() < until:
                cell = chance.choice(CELLS)
                began = time.monotonic()
                result = session.run(cell, timeout=0.4, ladder=QUICK)
                assert time.monotonic() - began < DEADLINE, (cell, chaos.sent[-5:])
                assert is_truthful(result), (result, chaos.sent[-5:])
                runs += 1
        session.run("true", timeout=5, ladder=QUICK)  # it may still find a signal that was on its way
        result = session.run("echo alive", timeout=5, ladder=QUICK)
        assert (result.output, result.exit_code, result.end_reason) == ("alive\n", 0, "completed")
    assert runs > 3
