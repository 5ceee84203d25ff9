"""What Python asks and does between two commands: set-up, functions, jobs, variables, history; no command can tell."""

from __future__ import annotations

import pytest

from shellkernel import BashSession, CommandFailed, CommandSyntaxError, IncompleteCommand, SessionBusy
from tests.session.watching import DEADLINE, is_over, wait_until

__all__ = ()

pytestmark = pytest.mark.bashes


def snapshot(session: BashSession) -> str:
    """Return what a command could see of anything that ran before it."""
    return session.run('echo "$? ${PIPESTATUS[@]} <$_> $LINENO $-"; history | tail -n 2; jobs; set +o | cksum').output


def prepared(session: BashSession) -> None:
    """Set the session up so that a command has something to see."""
    session.run("set -o pipefail; history -c")
    session.run("echo a b >/dev/null; : last | (exit 3)")


def ask_everything(session: BashSession) -> None:
    """Use all that asks or acts between two commands."""
    assert session.vars["HOME"]
    assert session.vars.get("no_such") is None
    assert len(session.vars) > 3
    session.vars["set_from_python"] = ["a", "b"]
    assert isinstance(session.functions, tuple)
    assert session.jobs() == ()
    session.check("echo whole")
    session.prepare("false | false; echo a b c; (exit 9)")


def test_commands_can_not_tell_that_something_was_asked_between(session: BashSession) -> None:
    prepared(session)
    untouched = snapshot(session)
    prepared(session)
    ask_everything(session)
    assert snapshot(session) == untouched
    assert untouched.startswith("3 0 3 ")


def test_set_up_is_no_command(session: BashSession) -> None:
    first = session.run("true")
    result = session.prepare("x=1; echo printed; cd /usr; (exit 4)")
    assert (result.exit_code, result.output) == (4, "printed\n")
    assert session.last == first
    assert session.run("echo $x $PWD").output == "1 /usr\n"
    job = session.start("true")
    job.result(DEADLINE)
    assert job.serial == 3


def test_set_up_that_can_not_be_parsed_runs_nothing(session: BashSession) -> None:
    for source, error in (("x=1; echo 'open", IncompleteCommand), ("x=1; )", CommandSyntaxError)):
        with pytest.raises(error):
            session.prepare(source)
        with pytest.raises(error):
            session.check(source)
    assert "x" not in session.vars


def test_functions_are_the_users(session: BashSession) -> None:
    session.run("f() { :; }; g-h() { :; }; unset -f f; b.c() { :; }")
    assert sorted(session.functions) == ["b.c", "g-h"]


def test_jobs_are_listed_and_can_be_ended(session: BashSession) -> None:
    session.run("sleep 600 & sleep 601 | cat & cd /usr; sleep 602 &")
    one, two, three = session.jobs()
    assert [one.number, two.number, three.number] == [1, 2, 3]
    assert [one.command, two.command, three.command] == ["sleep 600", "sleep 601 | cat", "sleep 602"]
    assert {one.state, two.state, three.state} == {"Running"}
    session.kill_job(2)
    assert is_over(two.process_group)
    session.kill_job(3, "KILL")
    assert is_over(three.process_group)
    session.run("wait %2 %3 2>/dev/null")
    assert [job.number for job in session.jobs()] == [1]
    session.kill_job(1, "STOP")
    wait_until(lambda: session.jobs()[0].state.startswith("Stopped"), "bash heard that its job was stopped")


def test_job_or_signal_that_is_not_there_is_an_error(session: BashSession) -> None:
    with pytest.raises(LookupError, match="nothing was sent"):
        session.kill_job(1)
    session.run("sleep 600 &")
    for signal in ("NOSUCH", "", "TERM; echo x", "-9 1"):
        with pytest.raises(ValueError, match=r"nothing was sent|no signal"):
            session.kill_job(1, signal)
    assert session.jobs()[0].state == "Running"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "a  b",
        "quotes ' \" ` $HOME \\ !",
        "é✓\n\n",
        "\x01\x1b\x7f\t",
        "\udcff",
        [],
        [""],
        ["a b", "c\nd"],
        {},
        {"k": "v w", "a b": ""},
    ],
    ids=repr,
)
def test_variable_that_is_set_is_read_back_and_seen_by_the_next_command(
    session: BashSession, value: str | list[str] | dict[str, str]
) -> None:
    session.vars["x"] = value
    assert session.vars["x"] == value
    length = session.run('echo "${#x[@]}"').output
    assert length == f"{1 if isinstance(value, str) else len(value)}\n"
    del session.vars["x"]
    assert "x" not in session.vars


def test_variable_changes_its_kind(session: BashSession) -> None:
    for value in ("text", ["list"], {"a": "dict"}):
        session.vars["x"] = value
        assert session.vars["x"] == value


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [("a b", "x", ValueError), ("x", "nul\0", ValueError), ("x", 5, TypeError), ("x", ["a", 1], TypeError)],
)
def test_value_that_can_not_be_changes_nothing(
    session: BashSession, name: str, value: object, error: type[Exception]
) -> None:
    session.run("x=before")
    with pytest.raises(error):
        session.vars[name] = value  # type: ignore[assignment]  # that is the test
    assert session.vars["x"] == "before"


def test_readonly_variable_is_refused_in_bashs_words(session: BashSession) -> None:
    session.run("readonly x=1")
    with pytest.raises(CommandFailed, match="readonly"):
        session.vars["x"] = "2"
    with pytest.raises(CommandFailed, match="readonly"):
        del session.vars["x"]
    with pytest.raises(KeyError):
        del session.vars["no_such"]
    assert session.run("echo $x").output == "1\n"


def test_nothing_is_asked_while_a_command_runs(session: BashSession) -> None:
    job = session.start("sleep 600")
    for act in (session.jobs, lambda: session.functions, lambda: session.prepare("x=1"), lambda: session.vars["HOME"]):
        with pytest.raises(SessionBusy):
            act()
    job.kill()
    job.result(DEADLINE)


def test_history_has_the_results_of_the_commands_alone(session: BashSession) -> None:
    session.run("echo one")
    session.prepare("echo hidden")
    session.run("(exit 3)")
    assert [(result.command, result.exit_code, result.output) for result in session.history] == [
        *(("echo one", 0, ""), ("(exit 3)", 3, "")),
    ]


def test_detached_processes_are_known_and_end_when_asked_for(bash: str) -> None:
    session = BashSession(shell=bash)
    session.run("setsid --fork sleep 600 >/dev/null 2>&1 </dev/null")
    try:
        # It is forked, leaves its session, and becomes the program: the command does not wait for that.
        wait_until(lambda: [each.partition(" ")[0] for each in session.detached()] == ["sleep"], "it is detached")
        (detached,) = session.detached()
    finally:
        session.close(detached="end")
    assert is_over(int(detached.partition("(")[2].rstrip(")")))
