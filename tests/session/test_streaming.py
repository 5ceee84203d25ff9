"""Output while it comes: order, pieces, callbacks that fail, and redirections of the shell's own streams."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest

from shellkernel import BashSession
from tests.session.watching import DEADLINE, Heard

__all__ = ()


def test_output_is_heard_before_the_command_is_over(session: BashSession, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    heard = Heard()
    job = session.start(f"printf first; cat {tmp_path}/go; echo last", on_output=heard)
    assert heard.wait_for("first") == "first"
    assert not job.done
    assert job.output == "first"
    (tmp_path / "go").write_text("second\n")
    assert job.result(DEADLINE).output == heard.text == "firstsecond\nlast\n"


def test_all_is_heard_once_and_in_order(session: BashSession) -> None:
    heard = Heard()
    result = session.run("seq 20000; printf end", on_output=heard)
    assert heard.text == result.output == "".join(f"{number}\n" for number in range(1, 20_001)) + "end"
    assert all(heard.texts), "no call without text"


def test_callbacks_come_from_the_sessions_own_thread_and_before_the_result(session: BashSession) -> None:
    threads: set[threading.Thread] = set()
    session.run("for i in 1 2 3; do echo $i; done", on_output=lambda _: threads.add(threading.current_thread()))
    assert len(threads) == 1
    assert threads != {threading.current_thread()}


def test_character_is_never_heard_in_halves(session: BashSession, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    heard = Heard()
    job = session.start(f"printf 'a\\xc3'; cat {tmp_path}/go; printf '\\xa9b\\xff\\xe2\\x82'", on_output=heard)
    heard.wait_for("a")
    (tmp_path / "go").write_bytes(b"")
    assert job.result(DEADLINE).output == "aéb\ufffd\ufffd"
    assert heard.text == "aéb\ufffd\ufffd"


def test_escape_sequences_are_heard_as_they_are(session: BashSession) -> None:
    heard = Heard()
    result = session.run(r"printf '\e[31mred\e[0m 1%%\r2%%\n'", on_output=heard)
    assert heard.text == "\x1b[31mred\x1b[0m 1%\r2%\n"
    assert result.raw == heard.text.encode()
    assert result.output == "2%d 1%\n"


def test_line_ends_are_those_of_the_program(session: BashSession) -> None:
    assert session.run(r"printf 'a\nb\r\nc'").raw == b"a\nb\r\nc"


def test_error_of_a_callback_is_raised_when_the_command_is_over(session: BashSession) -> None:
    calls = []

    def fail(text: str) -> None:
        calls.append(text)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        session.run("echo one; sleep 0.01; echo two; done=yes", on_output=fail)
    assert len(calls) == 1
    assert session.last is not None
    assert session.last.output == "one\ntwo\n"
    assert session.run("echo $done").output == "yes\n"


@pytest.mark.parametrize("error", [SystemExit(3), asyncio.CancelledError(), KeyboardInterrupt()])
def test_no_error_of_a_callback_ends_the_session(session: BashSession, error: BaseException) -> None:
    def fail(_: object) -> None:
        raise error

    session.run("kept=1")
    with pytest.raises(type(error)):
        session.run("echo output; sleep 0.1; echo more", on_output=fail)
    job = session.start("true")
    job.add_done_callback(fail) if not job.wait(0) else None
    job.result(DEADLINE)
    assert session.run("echo $kept").output == "1\n"


def test_callback_can_not_run_commands_of_its_session(session: BashSession) -> None:
    errors: list[Exception] = []

    def run(_: str) -> None:
        try:
            session.run("true")
        except Exception as error:  # noqa: BLE001  # whatever it is, it is looked at below
            errors.append(error)

    assert session.run("echo once", on_output=run).ok
    assert [type(error).__name__ for error in errors] == ["SessionBusy"]


def test_callback_may_close_its_session(bash: str) -> None:
    with BashSession(shell=bash) as session:
        result = session.run("echo now; sleep 60", on_output=lambda _: session.close())
        assert (result.end_reason, result.exit_code) == ("session_ended", None)
        assert result.output == "now\n"
        assert session.state == "ended"


@pytest.mark.bashes
@pytest.mark.parametrize(
    ("away", "back"),
    [
        ("exec 3>&1 >{file}", "exec >&3 3>&-"),
        ("exec 3>&1 >{file} 2>&1", "exec >&3 2>&3 3>&-"),
        ("exec > >(cat >{file})", "exec >/dev/tty; wait $!"),
        ("exec 3>&1 >&-", "exec >&3 3>&-"),
    ],
)
def test_shells_own_output_can_go_elsewhere_and_come_back(
    session: BashSession, tmp_path: Path, away: str, back: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert session.run(away.format(file=file)).output == ""
    hidden = session.run("echo hidden; (exit 3)")
    assert hidden.exit_code == 3
    assert "hidden" not in hidden.output
    assert session.run(back).output == ""
    assert session.run("echo seen").output == "seen\n"
    assert file.read_text() == ("hidden\n" if ">&-" not in away else "")


@pytest.mark.bashes
def test_shells_own_stderr_can_be_closed(session: BashSession) -> None:
    assert session.run("exec 2>&-").ok
    assert session.run("echo out; no_such_command").exit_code == 127
    assert session.run("exec 2>&1; no_such_command").output.count("not found") == 1


@pytest.mark.bashes
def test_stdin_of_the_shell_from_a_file_ends_no_cell_early(session: BashSession) -> None:
    result = session.run("while read -r line; do echo \"<$line>\"; done <<'END'\na\nb\nEND\necho after")
    assert result.output == "<a>\n<b>\nafter\n"


def test_program_that_reads_stdin_eats_nothing_of_the_cell(session: BashSession) -> None:
    heard = session.run("cat </dev/null; head -c 0; echo after\necho more")
    assert heard.output == "after\nmore\n"
