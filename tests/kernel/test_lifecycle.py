"""Start, restart and end of a kernel: what is read, and that nothing of a session stays behind."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from time import monotonic

import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from shellkernel.kernel.app import OutputsThread
from tests.kernel.notebook import SECONDS, Notebook, Outcome, processes_of_session
from tests.kernel.transport import file_sockets

__all__ = ()

# Ordinary jobs, and those that survive the end of a terminal.
JOBS = "sleep 300 & nohup sleep 300 >/dev/null 2>&1 & sleep 300 & disown; trap '' HUP; echo $$"


def session_with_jobs(notebook: Notebook) -> int:
    """Start them; return the session's id. (bash says `[1] PID` of each before.)"""
    session = int(notebook.run(f"kept=yes; {JOBS}").text.split()[-1])
    assert len(processes_of_session(session)) == 4
    return session


def wait_until(holds: Callable[[], bool]) -> None:
    """Return when it holds; there is no message to wait for."""
    deadline = monotonic() + SECONDS
    while not holds():
        assert monotonic() < deadline, "it did not come to hold"


def test_shutdown_leaves_no_process_of_the_session() -> None:
    with Notebook() as notebook:
        session = session_with_jobs(notebook)
    assert processes_of_session(session) == []


def test_shutdown_of_a_busy_kernel_is_quick_and_leaves_nothing() -> None:
    notebook = Notebook()
    with notebook:
        session = session_with_jobs(notebook)
        notebook.submit("sleep 300")
        start = monotonic()
    assert monotonic() - start < 2.5  # after that Jupyter kills
    assert processes_of_session(session) == []


def test_restart_gives_a_fresh_shell_and_leaves_nothing() -> None:
    with Notebook() as notebook:
        session = session_with_jobs(notebook)
        notebook.manager.restart_kernel()
        notebook.client.wait_for_ready(timeout=SECONDS)
        assert processes_of_session(session) == []
        outcome = notebook.run("echo ${kept-fresh}")
        assert (outcome.text, outcome.reply["execution_count"]) == ("fresh\n", 1)


def test_sigterm_ends_kernel_and_session() -> None:
    notebook = Notebook()
    try:
        session = session_with_jobs(notebook)
        os.kill(notebook.manager.provisioner.process.pid, signal.SIGTERM)  # type: ignore[union-attr]
        wait_until(lambda: not notebook.manager.is_alive())
        assert processes_of_session(session) == []
    finally:
        notebook.close()


def test_the_users_rc_file_is_read_and_its_prompt_hooks_stay_silent(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text(
        "alias greet='echo hello'\nPROMPT_COMMAND='hooked=1; echo NOISE; PS1=\"> \"'\n", encoding="utf-8"
    )
    with Notebook(env={"HOME": str(tmp_path)}) as notebook:
        assert notebook.run("greet").text == "hello\n"
        assert notebook.run("echo ${hooked-no}").text == "1\n"


def test_settings_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text("from_rc=yes\n", encoding="utf-8")
    other = tmp_path / "other.bash"
    other.write_text("from_other=yes\n", encoding="utf-8")
    with Notebook(
        f"--ShellKernel.rcfile={other}",
        "--ShellKernel.columns=77",
        "--ShellKernel.rows=22",
        "--ShellKernel.stderr=split",
        "--ShellKernel.env=COLOUR=blue",
        env={"HOME": str(tmp_path)},
    ) as notebook:
        outcome = notebook.run('echo "${from_rc-no} ${from_other-no} $COLOUR"; stty size; echo err >&2; test -t 2')
        assert outcome.stream("stdout") == "no yes blue\n22 77\n"
        assert outcome.stream("stderr") == "err\n"


@pytest.mark.slow
def test_the_kernel_announces_no_debugger_and_loads_none(notebook: Notebook) -> None:
    notebook.client.kernel_info()
    info = notebook.client.get_shell_msg(timeout=SECONDS)["content"]
    assert info["supported_features"] == []
    assert (info["language_info"]["name"], info["language_info"]["file_extension"]) == ("bash", ".sh")
    assert "bash" in info["banner"]
    if sys.platform == "linux":
        pid = notebook.manager.provisioner.process.pid  # type: ignore[union-attr]
        assert "pydevd" not in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")


def detached_process(notebook: Notebook) -> int:
    """Start a process that leaves bash's session; return its id."""
    outcome = notebook.run("setsid bash -c 'echo $$; exec sleep 300' & read -r _ < <(sleep 0.5)")
    late = Outcome(msg_id=outcome.msg_id, outputs=outcome.outputs)
    while not (found := re.search(r"^(\d+)$", late.text, re.MULTILINE)):
        notebook.watch(late, lambda message: message["msg_type"] == "stream")
    return int(found[1])


def is_alive(pid: int) -> bool:
    return bool(processes_of_session(pid))  # it leads a session of its own


def test_shutdown_ends_processes_that_left_the_session_too() -> None:
    with Notebook() as notebook:
        pid = detached_process(notebook)
        assert is_alive(pid)
    wait_until(lambda: not is_alive(pid))


def test_restart_ends_them_too() -> None:
    with Notebook() as notebook:
        pid = detached_process(notebook)
        notebook.run("%restart")
        wait_until(lambda: not is_alive(pid))
        pid = detached_process(notebook)
        notebook.manager.restart_kernel()
        wait_until(lambda: not is_alive(pid))


def test_they_live_on_where_the_setting_says_so() -> None:
    with Notebook("--ShellKernel.detached=leave") as notebook:
        pid = detached_process(notebook)
    try:
        assert is_alive(pid)
    finally:
        os.kill(pid, signal.SIGKILL)


def test_bashs_own_history_file_is_left_alone(tmp_path: Path) -> None:
    with Notebook(env={"HOME": str(tmp_path), "HISTFILE": str(tmp_path / ".bash_history")}) as notebook:
        notebook.run("echo not-kept; history -w /dev/null")
    assert not (tmp_path / ".bash_history").exists()


@pytest.mark.usefixtures("_bash_under_test")
def test_the_first_cell_waits_for_who_listens() -> None:
    """A client connects its channels one by one; the outputs of a first cell that overtakes that would be lost."""
    manager = KernelManager(kernel_name="shellkernel", **file_sockets())
    manager.start_kernel()
    client: BlockingKernelClient = manager.blocking_client()
    try:
        client.start_channels(iopub=False)
        client.kernel_info(reply=True, timeout=SECONDS)
        msg_id = client.execute("echo heard")
        with pytest.raises(Empty):
            client.get_shell_msg(timeout=0.7)
        client.iopub_channel.start()
        text = ""
        while text != "heard\n":
            message = client.get_iopub_msg(timeout=SECONDS)
            if message["parent_header"].get("msg_id") == msg_id and message["msg_type"] == "stream":
                text += message["content"]["text"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
        manager.cleanup_resources()


def test_each_front_end_is_welcomed(notebook: Notebook) -> None:
    """Also one beside another (ZMQ_XPUB_VERBOSE): it knows then that no output of a cell will escape it."""
    other: BlockingKernelClient = notebook.manager.blocking_client()
    try:
        other.start_channels(shell=False, stdin=False, hb=False, control=False)
        assert other.get_iopub_msg(timeout=SECONDS)["msg_type"] == "iopub_welcome"
    finally:
        other.stop_channels()


def test_who_listens_before_the_kernel_is_ready_is_seen() -> None:
    """The subscription of a front end that has been waiting is there first; a cell would wait for it for 2 s."""
    with zmq.Context() as context, context.socket(zmq.XPUB) as outputs, context.socket(zmq.SUB) as front_end:
        port = outputs.bind_to_random_port("tcp://127.0.0.1")
        front_end.subscribe(b"")
        front_end.connect(f"tcp://127.0.0.1:{port}")
        assert outputs.poll(int(SECONDS * 1_000))
        thread = OutputsThread(outputs)

        async def wait() -> None:
            while not thread.listened.is_set():
                await asyncio.sleep(0)

        thread.io_loop.run_sync(wait, timeout=SECONDS)
        thread.io_loop.close(all_fds=True)


@pytest.mark.usefixtures("_bash_under_test")
def test_the_next_kernel_knows_what_the_last_one_ran(tmp_path: Path) -> None:
    setting = f"--ShellKernel.history_file={tmp_path / 'cells.sqlite'}"
    with Notebook(setting) as notebook:
        notebook.run("echo kept-zq")
    with Notebook(setting) as notebook:
        found = notebook.reply(notebook.client.history(hist_access_type="search", pattern="*kept-zq*", n=3))
        assert [code for _, _, code in found["history"]] == ["echo kept-zq"]
        before = notebook.reply(notebook.client.history(hist_access_type="range", session=-1, start=1, stop=9))
        assert before["history"] == found["history"]


@pytest.mark.usefixtures("_bash_under_test")
def test_limits_from_the_command_line() -> None:
    with Notebook("--ShellKernel.shown=1000", "--ShellKernel.timeout=1", "--ShellKernel.keep_head=100") as notebook:
        shown = notebook.run("seq 100000").text
        assert "characters are not shown here" in shown
        assert len(shown) < 200_000
        assert "timed out" in "\n".join(notebook.run("sleep 30").error["traceback"])


@pytest.mark.usefixtures("_bash_under_test")
def test_settings_from_a_file_in_the_configuration_folder(tmp_path: Path) -> None:
    settings = (
        'c.ShellKernel.columns = 66\nc.ShellKernel.env = {"COLOUR": "blue"}\nc.ShellKernel.on_nonzero = "continue"\n'
    )
    (tmp_path / "shellkernel_config.py").write_text(settings, encoding="utf-8")
    with Notebook(env={"JUPYTER_CONFIG_DIR": str(tmp_path)}) as notebook:
        outcome = notebook.run('echo "$(tput cols) $COLOUR"; false')
        assert (outcome.text, outcome.status) == ("66 blue\n", "ok")
