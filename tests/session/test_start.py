"""How sessions start: rc files of every kind, threads, and the newest Python's warnings."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from shellkernel import BashSession, SessionStartFailed, sessions
from tests.session.watching import DEADLINE, is_over

__all__ = ()

pytestmark = pytest.mark.bashes


@pytest.fixture
def rcfile(tmp_path: Path) -> Path:
    """Where a test writes its rc file."""
    return tmp_path / "rc file with 'quotes'"


@pytest.mark.parametrize(
    "text",
    [
        "PS1='$ '; PS2='more> '; PS0='running'",
        "PROMPT_COMMAND='echo hook; (exit 4)'",
        "PROMPT_COMMAND=('echo one' 'echo two')",
        "PROMPT_COMMAND='PS1=\"$(echo git) $ \"'; PS1=x",
        "readonly PROMPT_COMMAND",
        "readonly PROMPT_COMMAND='echo hook'",
        "readonly PS1='> ' PS2='> '",
        "PS1='$(echo expanded)\\$ \\w\\n'",
        "PS0='\\e]133;C\\a'; PS1='\\[\\e]133;A\\a\\]$ '",
        "set -o vi",
        "set -o emacs",
        "bind 'set bell-style none' 2>/dev/null",
        "trap 'echo debug $BASH_COMMAND' DEBUG",
        "trap 'echo err' ERR; set -E",
        "trap 'echo exit' EXIT",
        "set -x",
        "set -v",
        "set -u",
        "set -o noclobber; set -f",
        "set -o ignoreeof; TMOUT=100; IGNOREEOF=3",
        "HISTFILE=~/.other; HISTCONTROL=ignoreboth; shopt -s histappend; set -H",
        "IFS=,; shopt -s nocasematch extdebug nullglob failglob 2>/dev/null",
        "alias printf=false eval=false builtin=false echo='echo x' cd=zz source=false return=false",
        "printf() { return 1; }; echo() { command echo x; }; builtin_() { :; }",
        "cd /usr",
        "exec 3>/dev/null",
        "stty -echo; stty raw; stty sane",
        "echo printed; echo to stderr >&2; printf 'no newline'",
        "return 3",
        "false",
        "no_such_command",
        "sleep 600 & disown",
        "export PATH=/usr/bin:/bin LC_ALL=C",
        "unset HOME PATH",
        "eval 'syntax error ('",
    ],
)
def test_session_works_whatever_the_rc_file_does(bash: str, rcfile: Path, text: str) -> None:
    rcfile.write_text(text + "\n")
    with BashSession(shell=bash, rcfile=rcfile) as session:
        session.run("trap - DEBUG; set +xv; unalias -a; unset -f printf echo; exec 3>&-")
        assert session.run("builtin echo works").output == "works\n"
        assert session.run("(exit 3)").exit_code == 3
        assert session.run("while :; do :; done", timeout=0.05).end_reason == "timed_out"
        assert session.run("builtin echo $((6 * 7))").output == "42\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("echo last words; exit 4", ["last words", "exit code 4"]),
        ("echo last words; exec sleep 600", ["last words", "first prompt"]),
        ("echo last words; exec true", ["last words", "exit code 0"]),
        ("echo last words; sleep 600", ["last words", "first prompt"]),
        ("echo last words; read x", ["last words", "first prompt"]),
        ("echo last words; while :; do :; done", ["last words", "first prompt"]),
        ("echo last words; set -e; false", ["last words", "exit code 1"]),
        ("echo last words; kill -9 $$", ["last words", "9"]),
        ("echo last words; trap '' INT TERM HUP; sleep 600", ["last words", "first prompt"]),
    ],
)
def test_rc_file_that_never_comes_to_a_prompt_is_named_with_its_output(
    bash: str, rcfile: Path, text: str, words: list[str]
) -> None:
    rcfile.write_text(f"echo $$ >{rcfile.parent / 'pid'}\n{text}\n")
    with pytest.raises(SessionStartFailed) as caught:
        BashSession("failed", shell=bash, rcfile=rcfile, start_timeout=1.5)
    assert rcfile.name in str(caught.value)
    for word in words:
        assert word in str(caught.value)
    assert "last words" in caught.value.output
    assert "failed" not in sessions
    assert is_over(int((rcfile.parent / "pid").read_text()))


@pytest.mark.slow
def test_rc_file_that_becomes_another_bash_fails_or_works_but_never_hangs(bash: str, rcfile: Path) -> None:
    rcfile.write_text("exec bash --norc\n")
    with pytest.raises(SessionStartFailed):
        BashSession(shell=bash, rcfile=rcfile, start_timeout=1.5)


def test_variables_of_the_rc_file_are_there(bash: str, rcfile: Path) -> None:
    rcfile.write_text("x=1; f() { echo f; }; alias say='echo said'; shopt -s nullglob; cd /usr\n")
    with BashSession(shell=bash, rcfile=rcfile) as session:
        assert session.run("echo $x; f; say; shopt -p nullglob; pwd").output == "1\nf\nsaid\nshopt -s nullglob\n/usr\n"
        assert session.cwd == "/usr"


def test_prompt_hooks_of_the_rc_file_run_and_are_not_seen(bash: str, rcfile: Path) -> None:
    rcfile.write_text("PROMPT_COMMAND='((hooks += 1)); echo hook; last=$?; (exit 9)'\n")
    with BashSession(shell=bash, rcfile=rcfile) as session:
        session.run("hooks=0")
        assert session.run("(exit 5)").exit_code == 5
        result = session.run("echo $? $((hooks > 0))")
        assert result.output == "5 1\n"


def test_hook_that_is_replaced_in_mid_cell_still_runs(session: BashSession) -> None:
    session.run("PROMPT_COMMAND='((hooks += 1))'")
    session.run("true")
    session.run("PROMPT_COMMAND=('((others += 1))')")
    session.run("true")
    assert session.run("echo $((hooks > 0)) $((others > 0))").output == "1 1\n"


def test_greeting_of_the_rc_file_is_no_cells_output(bash: str, rcfile: Path) -> None:
    rcfile.write_text("echo hello; echo hello >&2; printf unfinished\n")
    with BashSession(shell=bash, rcfile=rcfile) as session:
        assert session.run("echo first").output == "first\n"


@pytest.mark.slow
def test_many_sessions_start_from_many_threads(bash: str) -> None:
    outputs: list[str] = []

    def use(number: int) -> None:
        with BashSession(shell=bash) as session:
            outputs.append(session.run(f"echo {number}").output)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    assert sorted(outputs) == [f"{number}\n" for number in range(8)]


THREADED = """
import sys, threading
from shellkernel import BashSession
def use():
    with BashSession(shell=sys.argv[1]) as session:
        session.run("exit 3")
        print(session.run("echo from a thread").output, end="")
thread = threading.Thread(target=use)
thread.start()
thread.join()
"""


@pytest.mark.slow
def test_start_from_a_thread_warns_of_nothing(bash: str) -> None:
    """Python 3.12 and newer warn of a fork in a process with threads: an error here."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", THREADED, bash],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("from a thread\n", "", 0)


def test_session_starts_with_descriptors_beyond_1023(bash: str) -> None:
    """select(2) can not wait for them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 1_200:
        pytest.skip(f"no more than {hard} descriptors allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1_200), hard))
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(1_050)]
    try:
        with BashSession(shell=bash, stderr="split") as session:
            assert session.run("echo works").output == "works\n"
            assert session.run("sleep 60", timeout=0.05).end_reason == "timed_out"
    finally:
        for descriptor in opened:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_start_without_a_free_descriptor_is_an_error_that_leaves_nothing(bash: str) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        while True:
            try:
                opened.append(os.open("/dev/null", os.O_RDONLY))
            except OSError:
                break
        os.close(opened.pop())
        with pytest.raises(SessionStartFailed):
            BashSession(shell=bash)
    finally:
        for descriptor in opened:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with BashSession(shell=bash) as session:
        assert session.run("echo works").output == "works\n"
