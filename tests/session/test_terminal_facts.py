"""The facts about pseudoterminals and /proc that terminal/ and the watch for input lean on."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import termios
import time
from collections.abc import Iterator

import pytest

from shellkernel import BashSession
from shellkernel.terminal import foreground
from shellkernel.terminal.pty import Terminal, read_available
from tests.session.bare import BareBash
from tests.session.watching import DEADLINE, Heard, wait_until

__all__ = ()

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="/proc and the line discipline are Linux's"
)


@pytest.fixture
def bare(bash: str) -> Iterator[BareBash]:
    """A bash without our integration."""
    with BareBash(bash) as bare:
        yield bare


def test_bash_at_its_prompt_is_the_foreground_group_and_reads(bare: BareBash) -> None:
    assert bare.terminal.foreground_group() == bare.terminal.pid
    wait_until(lambda: _look(bare)[0] == "reading", "bash reads")


def _look(bare: BareBash) -> tuple[foreground.Waiting, foreground.Process | None]:
    terminal = bare.terminal
    return foreground.waiting_process(terminal.pid, terminal.foreground_group(), [terminal.path])[:2]


def _wait_for_program(bare: BareBash, name: str) -> None:
    """Wait until a program of this name runs in the foreground: bash has forked, and the child is past its exec."""

    def runs() -> bool:
        members = foreground.group_members(bare.terminal.foreground_group())
        return any(member.name.startswith(name) for member in members)

    wait_until(runs, f"{name} runs")


WAITING = [
    ("cat", "cat", "reading", False, False),
    ("head -n 1", "head", "reading", False, False),
    ("read x", "bash", "reading", False, False),
    ("read -s x", "bash", "reading", False, True),
    ("read -n 1 x", "bash", "reading", True, False),
    ("select x in a b; do break; done", "bash", "reading", False, False),
    ("python3 -c 'input()'", "python3", "reading", False, False),
    ("python3 -c 'import getpass; getpass.getpass()'", "python3", "reading", False, True),
    ("bash -c 'read x'", "bash", "reading", False, False),
    ("cat | cat", "cat", "reading", False, False),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "program", "waiting", "raw", "hidden"), WAITING, ids=[row[0] for row in WAITING])
def test_program_blocked_in_a_read_of_the_terminal_is_seen(
    bare: BareBash, command: str, program: str, waiting: str, raw: bool, hidden: bool
) -> None:
    bare.terminal.write(command.encode() + b"\n")
    bash = bare.terminal.pid

    def is_seen() -> bool:
        seen, process = _look(bare)
        if program == "bash" and "bash -c" not in command:
            # bash itself reads, as it does at its prompt before the command: the attributes tell the two apart.
            flags = bare.terminal.local_flags()
            attributes = (foreground.is_raw(flags), foreground.hides_typing(flags))
            return seen == waiting and process is not None and attributes == (raw, hidden)
        return seen == waiting and process is not None and process.name.startswith(program) and process.pid != bash

    wait_until(is_seen, f"{program} is seen {waiting}")
    flags = bare.terminal.local_flags()
    assert (foreground.is_raw(flags), foreground.hides_typing(flags)) == (raw, hidden)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["less /etc/passwd", "python3 -q", "bc -q", "top"])
def test_program_that_takes_the_keyboard_over_makes_the_terminal_raw_and_waits(bare: BareBash, command: str) -> None:
    if not shutil.which(command.partition(" ")[0]):
        pytest.skip(f"{command} is not installed")
    bare.terminal.write(command.encode() + b"\n")

    def is_seen() -> bool:
        _drain(bare.terminal.fd)
        waiting, process = _look(bare)
        return (
            foreground.is_raw(bare.terminal.local_flags()) and process is not None and waiting not in ("no", "unknown")
        )

    wait_until(is_seen, f"{command} waits for keys")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("sleep 60", "sleep"),
        ("tail -f /dev/null", "tail"),
        ("python3 -c 'while True: pass'", "python3"),
        ("sleep 60 | cat", "cat"),
    ],
)
def test_program_that_does_not_wait_for_the_terminal_is_not_said_to(bare: BareBash, command: str, program: str) -> None:
    bare.terminal.write(command.encode() + b"\n")
    _wait_for_program(bare, program)
    for _ in range(20):
        waiting, _ = _look(bare)
        assert waiting != "reading"
        assert not foreground.is_raw(bare.terminal.local_flags())


def _drain(fd: int) -> None:
    while read_available(fd):
        pass


def test_interrupt_character_drops_what_was_typed_and_not_read(bare: BareBash) -> None:
    """termios(3), NOFLSH."""
    bare.terminal.write(b"sleep 60\n")
    _wait_for_program(bare, "sleep")
    bare.terminal.write(b"echo typed ahead\n")
    bare.read_until("echo typed ahead\n")
    bare.terminal.write(b"\x03")
    assert bare.read_until("<prompt>")
    assert bare.type("echo next") == "next\n"


def test_lines_beyond_the_canonical_limit_are_cut_without_an_error(bare: BareBash) -> None:
    """So typed lines are kept short: sentinel/typing.py, LINE_LIMIT."""
    bare.terminal.write(b"stty -echo; read -r x; echo ${#x}; stty echo\n")
    wait_until(lambda: not bare.terminal.local_flags() & termios.ECHO, "the echo is off")
    _drain(bare.terminal.fd)
    bare.terminal.write(b"x" * 6_000 + b"\n")
    assert bare.read_until("<prompt>").split()[0] == "4095"


@pytest.mark.slow
@pytest.mark.bashes
@pytest.mark.parametrize(
    ("size", "line"), [(100_000, "{:09d} é'\\\t!\n"), (1_000_000, "{:09d} é'\\\t!\n"), (3_000_000, "{:014d}x\n")]
)
def test_cell_of_many_typed_lines_arrives_whole(session: BashSession, size: int, line: str) -> None:
    """The kernel holds lines back that bash has not read: nothing is lost, and no acknowledgement is needed."""
    text = "".join(map(line.format, range(size // 16)))
    result = session.run(f"sum=$(cat <<'END'\n{text}END\n); echo ${{#sum}}; cksum <<<\"$sum\"", timeout=50)
    assert result.output.split() == [str(len(text) - 1), str(_cksum(text.encode())), str(len(text.encode()))]


def _cksum(data: bytes) -> int:
    """Return POSIX cksum's number, as the program gives it."""
    return int(subprocess.run(["cksum"], input=data, capture_output=True, check=True).stdout.split()[0])


def test_output_is_byte_exact_with_onlcr_off(bash: str) -> None:
    terminal = Terminal([bash, "-c", r"read -r; printf 'a\nb\r\nc\0\xff'"], {}, columns=80, rows=24)
    try:
        terminal.write(b"typed\n")
        terminal.wait()
        data = b""
        while more := read_available(terminal.fd):
            data += more
        assert data == b"typed\na\nb\r\nc\0\xff"
        assert terminal.reap() == 0
    finally:
        terminal.close()


def test_end_of_the_program_is_read_before_it_can_be_reaped_or_after(bash: str) -> None:
    """Reading gives the end (EIO); the wait status may come a moment later: one must wait, not look once."""
    terminal = Terminal([bash, "-c", "exit 7"], {}, columns=80, rows=24)
    try:
        waiter = select.poll()
        waiter.register(terminal.fd, select.POLLIN)
        deadline = time.monotonic() + DEADLINE
        while read_available(terminal.fd) is not None:
            assert time.monotonic() < deadline
            waiter.poll(100)
        terminal.wait()
        assert os.waitstatus_to_exitcode(terminal.reap() or 0) == 7
    finally:
        terminal.close()


def test_interrupt_reaches_the_foreground_group_only(session: BashSession) -> None:
    heard = Heard()
    session.run("sleep 600 & job=$!")
    job = session.start("echo ready; sleep 60", on_output=heard)
    heard.wait_for("ready")
    job.interrupt()
    job.result(DEADLINE)
    assert session.run("kill -0 $job && echo alive").output == "alive\n"
