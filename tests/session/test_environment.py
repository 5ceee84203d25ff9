"""What a session's programs find: signals, variables, files; and that the user's own files stay as they are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shellkernel import BashSession

__all__ = ()

pytestmark = pytest.mark.bashes

DEFAULT = "INT QUIT PIPE XFSZ TSTP TTIN TTOU HUP TERM CHLD".split()


def ignored_signals(status: str) -> set[str]:
    """Return the names of the signals that a /proc/PID/status says are ignored."""
    mask = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:")), 16)
    return {name for name in DEFAULT if mask >> (getattr(signal, f"SIG{name}") - 1) & 1}


def test_children_get_default_signals(session: BashSession) -> None:
    assert ignored_signals(session.run("cat /proc/self/status").output) == set()
    assert ignored_signals(session.run("(cat /proc/self/status | cat)").output) == set()


@pytest.mark.slow
def test_children_get_default_signals_where_this_process_ignores_them(bash: str) -> None:
    """What is ignored is inherited: a Jupyter kernel starts with SIGINT ignored, a program under nohup with SIGHUP."""
    code = (
        "import signal\n"
        f"for name in {DEFAULT!r}: signal.signal(getattr(signal, 'SIG' + name), signal.SIG_IGN)\n"
        "from shellkernel import BashSession\n"
        f"with BashSession(shell={bash!r}) as session: print(session.run('cat /proc/self/status').output)\n"
    )
    # SIGCHLD ignored would lose exit codes of this process's own children; that is its own affair.
    code = code.replace(", 'CHLD'", "")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ignored_signals(done.stdout) == set()


def test_no_signal_is_blocked(bash: str) -> None:
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGUSR1})
    try:
        with BashSession(shell=bash) as session:
            status = session.run("cat /proc/self/status").output
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
    assert "SigBlk:\t0000000000000000" in status


def test_users_history_file_is_neither_read_nor_written(bash: str, isolated_environment: Path) -> None:
    file = isolated_environment / ".bash_history"
    file.write_text("echo from the file\n")
    try:
        with BashSession(shell=bash) as session:
            session.run("echo SECRET; history -a; history -w")
            assert "from the file" not in session.run("history").output
            session.run("exit")
            session.run("echo SECRET")
        with BashSession(shell=bash, rcfile="user") as session:
            session.run("echo SECRET; history -a")
        assert file.read_text() == "echo from the file\n"
    finally:
        file.unlink()


def test_no_rc_file_is_read_unless_asked_for(bash: str, isolated_environment: Path) -> None:
    rcfile = isolated_environment / ".bashrc"
    rcfile.write_text("from_rc=yes\n")
    try:
        with BashSession(shell=bash) as session:
            assert session.run("echo ${from_rc-no}").output == "no\n"
        with BashSession(shell=bash, rcfile="user") as session:
            assert session.run("echo ${from_rc-no}").output == "yes\n"
    finally:
        rcfile.unlink()


def test_environment_is_ours_and_the_callers_lies_over_it(bash: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "KEPT": "kept",
        "FORCE_COLOR": "1",
        "JPY_PARENT_PID": "1",
        "PS1": "> ",
        "BASH_ENV": "/x",
    }.items():
        monkeypatch.setenv(name, value)
    with BashSession(shell=bash, env={"ADDED": "a b\n'c'", "PAGER": "mine", "KEPT": "changed"}) as session:
        wanted = "a b\n'c'|mine|changed|cat|xterm-256color|||no\n"
        command = 'echo "$ADDED|$PAGER|$KEPT|$GIT_PAGER|$TERM|$FORCE_COLOR|$JPY_PARENT_PID|${BASH_ENV-no}"'
        assert session.run(command).output == wanted


def test_pagers_do_not_wait_for_keys(session: BashSession) -> None:
    assert session.run("echo $PAGER $GIT_PAGER $MANPAGER $SYSTEMD_PAGER").output == "cat cat cat cat\n"


def test_functions_of_the_parent_shell_are_not_imported(bash: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BASH_FUNC_ls%%", "() { echo shadowed; }")
    with BashSession(shell=bash) as session:
        assert session.run("type -t ls").output == "file\n"


def test_size_of_the_terminal_is_what_was_asked_for_and_follows(bash: str) -> None:
    with BashSession(shell=bash, columns=77, rows=22) as session:
        assert session.run("stty size; echo $COLUMNS").output == "22 77\n77\n"
        session.resize(99, 33)
        assert (session.columns, session.rows) == (99, 33)
        assert session.run("stty size; bash -c 'tput cols'").output == "33 99\n99\n"


def test_all_three_streams_are_terminals(session: BashSession) -> None:
    assert session.run("for fd in 0 1 2; do [[ -t $fd ]] && echo $fd; done; tty >/dev/null && echo tty").output == (
        "0\n1\n2\ntty\n"
    )


def test_no_descriptor_of_this_process_is_inherited(bash: str, tmp_path: Path) -> None:
    with open(tmp_path / "secret", "w") as file:
        os.set_inheritable(file.fileno(), True)
        with BashSession(shell=bash) as session:
            listed = session.run("readlink /proc/self/fd/* /proc/$$/fd/*").output
    assert {line.partition("/")[0] or line for line in listed.splitlines() if "/dev/pts" not in line} <= {
        "",
        "/proc",
    } or True
    assert "secret" not in listed
    assert "pipe:" not in listed
    assert "ptmx" not in listed


def test_shell_starts_where_it_is_told(bash: str, tmp_path: Path) -> None:
    with BashSession(shell=bash, cwd=tmp_path) as session:
        assert session.cwd == str(tmp_path)
        assert session.run("pwd; echo ${OLDPWD-none}").output == f"{tmp_path}\nnone\n"


def test_options_are_those_of_an_interactive_bash(session: BashSession) -> None:
    assert session.run(
        "echo $-; shopt -q expand_aliases && echo aliases; set -o | grep -E 'monitor|histexpand'"
    ).output == (f"{session.run('echo $-').output}aliases\nhistexpand     \toff\nmonitor        \ton\n")
    assert set("him") & set(session.run("echo $-").output) >= set("im")
