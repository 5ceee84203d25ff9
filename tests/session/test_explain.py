"""`Result.explain` on real results."""

from __future__ import annotations

import pytest

from shellkernel import BashSession

__all__ = ()

pytestmark = pytest.mark.bashes


def test_the_options_tell_of_pipefail_at_the_end(session: BashSession) -> None:
    assert "|" not in session.run("set -o pipefail; set +o pipefail").options
    result = session.run("set -eo pipefail; true")
    assert {"e", "|"} <= set(result.options)
    assert "h" in result.options
    assert session.run("exit 3").options == ""  # nobody was left to tell them


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "no_such_command_zz",
            "Exit code 127: that of its one command, `no_such_command_zz`.\nbash gives 127 for a command",
        ),
        ("no_such_command_zz", ": no_such_command_zz: command not found`"),
        ("/etc", ": /etc: Is a directory`"),
        ("timeout 0.1 sleep 60", "timeout(1) ran (the cell is that command): it gives 124"),
        ("bash -c 'kill -TERM $$'", "the output has bash's word for that, `Terminated`"),
        ("false | (exit 3) | true", "Element 1, `false`, failed with 1 and element 2, `(exit 3)`, failed with 3."),
        (
            "false | true",
            "`pipefail` is off: a pipeline's exit code is that of the last element; element 1 did not count.",
        ),
        (
            "set -o pipefail; false | true",
            "`pipefail` is on: a pipeline's exit code is that of the last element that failed",
        ),
        ("yes | head -n 1", "141 in a pipe is 128 + 13, SIGPIPE by convention"),
        ("set -u; echo $no_such; echo no", "no_such: unbound variable`: bash's word for"),
        ("eval 'if'", "syntax error"),
        (
            "set -e; if false; then :; fi; (exit 2) && true",
            "`set -e` is on at the cell's end, and did not end the shell",
        ),
        ("set -e; false; echo no", "The session ended: `set -e` was on: bash ended at the first failure"),
        ("sleep 60 &", "that of starting a command in the background"),
    ],
)
def test_the_words(session: BashSession, command: str, expected: str) -> None:
    assert expected in session.run(command).explain()


def test_a_command_that_was_cut_short(session: BashSession) -> None:
    text = session.run("sleep 60", timeout=0.2).explain()
    assert text.startswith("Timed out: its timeout of 0.2 s was over. Exit code 130.\n130 is 128 + 2")
    assert "No exit code has arrived; it goes on." in session.run("sleep 60", timeout=0.1, on_timeout="keep").explain()
