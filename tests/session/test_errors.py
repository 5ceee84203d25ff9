"""What is raised, when, with which data, and that nothing was sent."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from shellkernel import (
    BashSession,
    CommandError,
    CommandFailed,
    CommandInterrupted,
    CommandSyntaxError,
    CommandTimedOut,
    IncompleteCommand,
    InputRequired,
    InvalidCommand,
    SessionBusy,
    SessionClosed,
    SessionEnded,
    SessionExists,
    SessionNotFound,
    SessionStartFailed,
    ShellKernelError,
    sessions,
)
from shellkernel.errors import InternalError, ProtocolMisuse
from shellkernel.session.conversation import Conversation
from tests.session.watching import DEADLINE

__all__ = ()


def ran_nothing(session: BashSession) -> bool:
    """Tell whether the session's marker is where it was."""
    return session.run("echo $marker").output == "untouched\n"


@pytest.fixture
def marked(session: BashSession) -> BashSession:
    """A session with a marker that the cells of these tests would change."""
    session.run("marker=untouched")
    return session


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("marker=1; echo 'open", 1),
        ("marker=1\nif true; then\n", 3),
        ("marker=1\ncat <<END\ntext", 2),
        ("marker=1\necho $(", 2),
        ("marker=1; echo \\", 1),
        ("marker=1; f() {", 2),
    ],
)
@pytest.mark.bashes
def test_incomplete_cell_runs_nothing(marked: BashSession, cell: str, line: int) -> None:
    with pytest.raises(IncompleteCommand, match="nothing was run") as caught:
        marked.run(cell)
    assert isinstance(caught.value, ValueError)
    assert caught.value.line in (line, line + 1)
    assert f"line {caught.value.line}" in str(caught.value)
    assert ran_nothing(marked)


@pytest.mark.parametrize(
    ("cell", "line"), [("marker=1\n)", 2), ("marker=1\necho a\n;;", 3), ("marker=1; }", 1), ("marker=1; done", 1)]
)
@pytest.mark.bashes
def test_cell_that_bash_can_not_parse_runs_nothing(marked: BashSession, cell: str, line: int) -> None:
    with pytest.raises(CommandSyntaxError, match=rf"^line {line}: .*nothing was run") as caught:
        marked.run(cell)
    assert isinstance(caught.value, ValueError)
    assert caught.value.line == line
    assert ran_nothing(marked)


@pytest.mark.parametrize("cell", ["marker=1\necho a\0b", "marker=1\necho \ud800"], ids=["NUL", "surrogate"])
def test_text_that_bash_can_not_take_is_refused(marked: BashSession, cell: str) -> None:
    with pytest.raises(InvalidCommand, match=r"line 2 .*nothing was run") as caught:
        marked.run(cell)
    assert isinstance(caught.value, ValueError)
    assert ran_nothing(marked)


@pytest.mark.parametrize("cell", [None, 5, b"echo bytes", ["echo"]])
def test_command_is_a_str(marked: BashSession, cell: object) -> None:
    with pytest.raises(TypeError, match="str"):
        marked.run(cell)  # type: ignore[arg-type]  # that is the test
    assert ran_nothing(marked)


def test_busy_session_says_with_what_and_sends_nothing(marked: BashSession) -> None:
    job = marked.start("read -r line; echo $line $marker")
    try:
        for act in (lambda: marked.run("marker=1"), lambda: marked.start("marker=1"), lambda: marked.vars["marker"]):
            with pytest.raises(SessionBusy, match=r"read -r line; echo \$line \$marker.*nothing was sent") as caught:
                act()
            assert caught.value.session == marked.name
    finally:
        job.send("answer\n")
    assert job.result(DEADLINE).output.endswith("answer untouched\n")


def test_closed_session_refuses_all_but_closing(bash: str) -> None:
    session = BashSession(shell=bash)
    session.close()
    session.close()
    assert session.state == "ended"
    for act in (lambda: session.run("true"), lambda: session.start("true"), lambda: session.vars["HOME"]):
        with pytest.raises(SessionClosed, match="nothing was sent") as caught:
            act()
        assert caught.value.session == session.name
    assert session.interrupt() is False
    session.resize(80, 24)


def test_send_to_an_idle_session_is_misuse(session: BashSession) -> None:
    with pytest.raises(ProtocolMisuse, match="nothing was sent"):
        session.send("echo typed at the prompt\n")
    assert session.run("echo fine").output == "fine\n"


def test_send_to_a_job_that_is_over_is_misuse(session: BashSession) -> None:
    job = session.start("true")
    job.result(DEADLINE)
    with pytest.raises(ProtocolMisuse, match="nothing was sent"):
        job.send("late\n")


@pytest.mark.slow
def test_check_raises_by_the_way_it_ended(session: BashSession) -> None:
    assert session.run("true", check=True).ok
    kinds: list[tuple[type[CommandError], str, float | None]] = [
        (CommandFailed, "echo seen; (exit 4)", None),
        (CommandTimedOut, "echo seen; sleep 60", 0.1),
        (InputRequired, "echo seen; read -p 'name? ' x", None),
        (CommandInterrupted, "echo seen; kill -INT $$; sleep 60", 5),
        (SessionEnded, "echo seen; exit 4", None),
    ]
    kinds = [each for each in kinds if each[0] is not CommandInterrupted]  # see test_interrupt
    for kind, cell, timeout in kinds:
        with pytest.raises(kind) as caught:
            session.run(cell, timeout=timeout, check=True)
        assert caught.value.result is session.last
        assert "seen" in caught.value.result.output
        assert session.name in str(caught.value)
        assert cell in str(caught.value)


def test_result_has_no_truth_value_to_guess(session: BashSession) -> None:
    assert "__bool__" not in dir(session.run("false"))


@pytest.mark.parametrize(
    "options",
    [
        {"shell": "no-such-bash"},
        {"shell": ""},
        {"shell": "a\0b"},
        {"cwd": "/no/such/folder"},
        {"rcfile": "/no/such/rcfile"},
        {"env": {"A": 1}},
        {"env": {"A=B": "1"}},
        {"env": {"": "1"}},
        {"env": {"A": "nul\0"}},
    ],
    ids=str,
)
def test_start_that_can_not_be_names_the_session_and_frees_the_name(options: dict[str, object]) -> None:
    with pytest.raises(SessionStartFailed, match="nothing was started") as caught:
        BashSession("never", **options)  # type: ignore[arg-type]  # some are wrong on purpose
    assert caught.value.session == "never"
    assert "never" not in sessions


@pytest.mark.parametrize(
    "options",
    [
        {"columns": 0},
        {"rows": -1},
        {"keep_head": -1},
        {"keep_tail": -1},
        {"stderr": "both"},
        {"name": ""},
        {"name": "a\nb"},
    ],
    ids=str,
)
def test_argument_out_of_range_is_a_value_error(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="nothing was started"):
        BashSession(**options)  # type: ignore[arg-type]  # they are wrong on purpose
    assert len(sessions) == 0


@pytest.mark.parametrize("options", [{"timeout": -1}, {"idle_timeout": float("nan")}, {"on_timeout": "wait"}], ids=str)
def test_run_argument_out_of_range_runs_nothing(marked: BashSession, options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        marked.run("marker=1", **options)  # type: ignore[arg-type]  # they are wrong on purpose
    assert ran_nothing(marked)


def test_program_that_is_no_bash_fails_with_its_output(tmp_path: Path) -> None:
    shell = tmp_path / "nobash"
    shell.write_text("#!/bin/sh\necho I am no bash\nexit 3\n")
    shell.chmod(0o755)
    with pytest.raises(SessionStartFailed, match="exit code 3") as caught:
        BashSession(shell=str(shell))
    assert "I am no bash" in caught.value.output


def test_bug_of_ours_is_told_and_a_restart_helps(session: BashSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Conversation, "feed", fail)
    result = session.run("echo lost")
    assert result.end_reason == "session_ended"
    assert "a bug" in result.note
    with pytest.raises(InternalError, match="restart it"):
        session.run("echo again")
    monkeypatch.undo()
    session.restart()
    assert session.run("echo again").output == "again\n"


def test_every_error_survives_pickling(session: BashSession) -> None:
    result = session.run("false")
    errors: list[ShellKernelError] = [
        *(kind("text", "name") for kind in (SessionNotFound, SessionExists, SessionBusy, SessionClosed)),
        SessionStartFailed("text", "name", "output"),
        *(
            kind("text", result)
            for kind in (CommandFailed, CommandTimedOut, CommandInterrupted, InputRequired, SessionEnded)
        ),
        *(kind("text", 3) for kind in (IncompleteCommand, CommandSyntaxError)),
        InvalidCommand("text"),
    ]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error) == "text"
        assert again.args == error.args
        assert vars(again) == vars(error)
