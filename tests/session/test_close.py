"""The end of a session leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from shellkernel import BashSession
from tests.leaks import Snapshot
from tests.session.watching import DEADLINE, Heard, is_over, wait_until

__all__ = ()


def pid_in(file: Path) -> int:
    """Return the process id that a cell writes to a file, sooner or later."""
    wait_until(lambda: file.exists() and file.read_text().endswith("\n"), "the process id is there")
    return int(file.read_text())


@pytest.mark.parametrize("options", [{}, {"stderr": "split"}, {"restore": False}], ids=str)
def test_nothing_of_a_closed_session_is_left(bash: str, options: dict[str, object]) -> None:
    before = Snapshot.take()
    session = BashSession(shell=bash, keep_head=100, keep_tail=100, **options)  # type: ignore[arg-type]  # each is right
    pid = session.pid
    session.run("seq 1000; sleep 600 & sleep 600 & disown; (sleep 600 &)")
    session.run("echo a >&2; sleep 600 | cat &")
    session.run("exit 3")
    session.run("sleep 600 &")
    assert Snapshot.take().beyond(before)
    session.close()
    assert Snapshot.take().beyond(before) == []
    assert is_over(pid)


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell",
    [
        "sleep 600 & echo $!",
        "nohup sleep 600 >/dev/null 2>&1 & echo $!",
        "sleep 600 & disown; echo $!",
        "bash -c 'trap \"\" HUP TERM INT; echo $$; exec >&-; while :; do sleep 600; done' &",
        "(sleep 600 & echo $!)",
        "set +m; sleep 600 & echo $!; set -m",
        "coproc sleep 600; echo $COPROC_PID",
    ],
)
@pytest.mark.bashes
def test_background_processes_end_with_the_session(bash: str, cell: str, tmp_path: Path) -> None:
    with BashSession(shell=bash) as session:
        session.run(f"{{ {cell}\n}} >{tmp_path}/pid")
        pid = pid_in(tmp_path / "pid")
        assert not is_over(pid, 0)
    assert is_over(pid)


@pytest.mark.bashes
def test_process_with_a_session_of_its_own_may_live_on(bash: str, tmp_path: Path) -> None:
    with BashSession(shell=bash) as session:
        session.run(f"setsid --fork bash -c 'echo $$ >{tmp_path}/pid; exec sleep 600 >/dev/null 2>&1 </dev/null'")
        pid = pid_in(tmp_path / "pid")
    try:
        assert not is_over(pid, 0)
    finally:
        os.kill(pid, signal.SIGKILL)
        is_over(pid)


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell", ["sleep 600", "while :; do :; done", "cat", "bash -c 'trap \"\" HUP INT TERM; sleep 600; sleep 600'"]
)
@pytest.mark.bashes
def test_closing_ends_what_runs(bash: str, cell: str) -> None:
    session = BashSession(shell=bash)
    heard = Heard()
    job = session.start(f"echo ready; {cell}", on_output=heard)
    heard.wait_for("ready")
    session.close()
    result = job.result(DEADLINE)
    assert (result.end_reason, result.exit_code) == ("session_ended", None)
    assert result.output.startswith("ready\n")
    assert "closed" in result.note


def test_closing_from_several_threads_at_once(bash: str) -> None:
    session = BashSession(shell=bash)
    threads = [threading.Thread(target=session.close) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    assert session.state == "ended"


def test_closing_wakes_whoever_waits(bash: str) -> None:
    session = BashSession(shell=bash)
    reasons: list[str] = []
    heard = Heard()
    waiter = threading.Thread(
        target=lambda: reasons.append(session.run("echo ready; sleep 600", on_output=heard).end_reason)
    )
    waiter.start()
    heard.wait_for("ready")
    session.close()
    waiter.join(DEADLINE)
    assert reasons == ["session_ended"]


def test_context_manager_closes_also_on_an_error(bash: str) -> None:
    started: list[BashSession] = []

    def fail() -> None:
        with BashSession(shell=bash) as session:
            started.append(session)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    (session,) = started
    pid = session.pid
    assert session.state == "ended"
    assert is_over(pid)


CHILD = """
import sys
from shellkernel import BashSession
session = BashSession(shell=sys.argv[1], keep_head=10, keep_tail=10, restore=len(sys.argv) == 2)
session.run("seq 1000")
job = session.start("sleep 600")
print(session.pid, flush=True)
sys.stdin.read()
"""


def _start_child(*arguments: str) -> tuple[subprocess.Popen[str], int]:
    child = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", CHILD, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    return child, int(child.stdout.readline())


@pytest.mark.slow
def test_session_that_nobody_closed_ends_with_the_program(bash: str) -> None:
    child, pid = _start_child(bash)
    with child:
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(DEADLINE) == 0
    assert is_over(pid)
    assert not [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("shellkernel-")]


@pytest.mark.slow
@pytest.mark.parametrize("restore", [True, False])
def test_nothing_is_left_when_the_program_is_killed(bash: str, restore: bool) -> None:
    """The terminal hangs up; bash's EXIT trap removes the folder, which the dead program can not."""
    child, pid = _start_child(bash, *([] if restore else ["afresh"]))
    with child:
        child.kill()
        child.wait(DEADLINE)
    assert is_over(pid)
    assert not [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("shellkernel-")]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["precious", "shellkernel-notes"])
def test_folder_that_is_not_ours_is_never_removed(bash: str, tmp_path: Path, name: str) -> None:
    """What a shell removes after a hang-up has the name that `folder.py` gives, whatever it was told."""
    precious = tmp_path / name
    precious.mkdir()
    patch = f"""
from pathlib import Path
from shellkernel.session.folder import PrivateFolder
PrivateFolder.file = lambda _, name: Path({str(precious)!r}, name)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", patch + CHILD, bash], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdout is not None
        pid = int(child.stdout.readline())
        child.kill()
        child.wait(DEADLINE)
    assert is_over(pid)
    assert (precious / "state").exists()


@pytest.mark.slow
def test_descriptors_and_threads_stay_flat_over_many_sessions(bash: str) -> None:
    def count() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    with BashSession(shell=bash):
        pass
    before = count()
    for _ in range(30):
        with BashSession(shell=bash) as session:
            session.run("echo x")
    wait_until(lambda: count() == before, "all is closed")
