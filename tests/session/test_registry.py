"""The live sessions of this process, by name."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from shellkernel import BashSession, SessionExists, SessionNotFound, SessionStartFailed, sessions
from tests.session.watching import DEADLINE

__all__ = ()


@pytest.fixture(autouse=True)
def _close_all() -> Iterator[None]:
    yield
    sessions.close_all()


def test_session_is_there_while_it_lives(bash: str) -> None:
    assert "build" not in sessions
    session = BashSession("build", shell=bash)
    assert sessions["build"] is session
    assert "build" in sessions
    assert [*sessions] == ["build"]
    assert len(sessions) == 1
    assert dict(sessions.items()) == {"build": session}
    assert sessions.get("build") is session
    session.close()
    assert [*sessions] == []
    assert "build" not in sessions
    assert sessions.get("build") is None


def test_unknown_name_is_an_error_that_names_the_others(bash: str) -> None:
    with BashSession("build", shell=bash), pytest.raises(SessionNotFound, match=r"'biuld'.*'build'") as caught:
        sessions["biuld"]
    assert isinstance(caught.value, LookupError)
    assert caught.value.session == "biuld"


def test_name_is_taken_while_its_session_lives(bash: str) -> None:
    first = BashSession("build", shell=bash)
    with pytest.raises(SessionExists, match="nothing was started") as caught:
        BashSession("build", shell=bash)
    assert isinstance(caught.value, ValueError)
    assert first.run("echo fine").output == "fine\n"
    first.close()
    BashSession("build", shell=bash).close()


def test_closing_an_old_session_does_not_take_the_name_of_a_new_one(bash: str) -> None:
    old = BashSession("build", shell=bash)
    old.close()
    new = BashSession("build", shell=bash)
    old.close()
    assert sessions["build"] is new


def test_sessions_without_a_name_are_numbered(bash: str) -> None:
    one, two = BashSession(shell=bash), BashSession(shell=bash)
    assert one.name != two.name
    assert {one.name, two.name} == {*sessions}
    assert all(name.startswith("bash-") for name in sessions)
    one.close()
    three = BashSession(shell=bash)
    assert three.name not in (one.name, two.name), "a name is not given twice"


def test_number_that_is_taken_is_passed_over(bash: str) -> None:
    session = BashSession(shell=bash)
    number = int(session.name.removeprefix("bash-"))
    BashSession(f"bash-{number + 1}", shell=bash)
    assert BashSession(shell=bash).name == f"bash-{number + 2}"


def test_get_or_start_gives_the_one_that_lives(bash: str) -> None:
    first = sessions.get_or_start("build", shell=bash)
    assert sessions.get_or_start("build", shell="no-such-bash") is first
    with pytest.raises(SessionStartFailed):
        sessions.get_or_start("other", shell="no-such-bash")
    assert [*sessions] == ["build"]


def test_get_or_start_from_many_threads_gives_one_session(bash: str) -> None:
    barrier = threading.Barrier(6)
    found: list[BashSession] = []

    def get() -> None:
        barrier.wait(DEADLINE)
        found.append(sessions.get_or_start("build", shell=bash))

    threads = [threading.Thread(target=get) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    assert len(found) == 6
    assert len(set(map(id, found))) == 1


def test_close_all_closes_all(bash: str) -> None:
    started = [BashSession(shell=bash) for _ in range(3)]
    sessions.close_all()
    assert [session.state for session in started] == ["ended"] * 3
    assert len(sessions) == 0
    sessions.close_all()


def test_names_may_hold_any_printable_text(bash: str) -> None:
    for name in ("with blank", "été ✓", "a/b", "*", "x" * 300):
        with BashSession(name, shell=bash) as session:
            assert sessions[name] is session
            assert session.run("true").session == name


def test_restart_keeps_the_name(bash: str) -> None:
    session = BashSession("build", shell=bash)
    session.restart()
    assert sessions["build"] is session


def test_restart_of_a_closed_session_whose_name_is_taken_is_an_error(bash: str) -> None:
    old = BashSession("build", shell=bash)
    old.close()
    new = BashSession("build", shell=bash)
    with pytest.raises(SessionExists):
        old.restart()
    assert sessions["build"] is new
    assert old.state == "ended"
    assert new.run("echo fine").output == "fine\n"
