"""What is left of the sessions when their kernel ends."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import monotonic

import pytest

from tests.kernel.magics.notebook import PATIENCE, Notebook


def alive(pid: int) -> bool:
    """Tell whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for_end(pid: int) -> None:
    """Wait until the process is over, which needs no polling: a pidfd becomes readable then."""
    import select

    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ready, _, _ = select.select([descriptor], [], [], PATIENCE)
        assert ready, f"process {pid} is still there"
    finally:
        os.close(descriptor)


def descendants(pid: int) -> set[int]:
    """Return the processes below one."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found |= {child} | descendants(child)
    return found


def start_things(notebook: Notebook) -> list[int]:
    """Start a session with jobs in it, a large output, and what completes; return the pids of the first's."""
    notebook.run(
        "%%bash_session one --get bash plain detached\nbash=$$\n"
        "sleep 600 & plain=$!\nnohup sleep 600 >/dev/null 2>&1 & detached=$!"
    )
    notebook.run("%%bash_session two --bg --proc job\nsleep 600")
    notebook.run("%%bash_session large --quiet --out r\nseq 300000")
    assert "$plain" in notebook.complete("%%bash_session one\necho $plai")
    pids = [int(pid) for pid in notebook.value("(bash, plain, detached)")]
    assert all(map(alive, pids))
    return pids


@pytest.mark.parametrize("way", ["shutdown", "restart"])
def test_nothing_is_left_behind(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))  # the kernel's; this process knows its own already
    notebook = Notebook(tmp_path)
    try:
        started_pids = start_things(notebook)
        assert any(path.name.startswith("shellkernel-") for path in temporary.iterdir())
        pids = descendants(notebook.value("__import__('os').getpid()"))
        assert set(started_pids) <= pids
        started = monotonic()
        if way == "restart":
            notebook.manager.restart_kernel()
        else:
            notebook.manager.shutdown_kernel()
        assert monotonic() - started < 5, "it had to be forced"
        for pid in pids:
            wait_for_end(pid)
        assert [path.name for path in temporary.iterdir() if path.name.startswith("shellkernel-")] == []
    finally:
        notebook.close()


def test_a_killed_kernel_hangs_up(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path)
    try:
        bash, plain, detached = start_things(notebook)
        os.kill(notebook.value("__import__('os').getpid()"), signal.SIGKILL)
        wait_for_end(bash)
        wait_for_end(plain)
        if alive(detached):  # nobody could end what `nohup` protects
            os.kill(detached, signal.SIGKILL)
    finally:
        notebook.close()
