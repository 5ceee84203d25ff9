"""Inspection with a real helper bash: what is told, and that nothing is run for it."""

from __future__ import annotations

import os

import pytest

from shellkernel.assist.manual import option_text
from tests.kernel.assist.assisted import PAGE, Assisted

__all__ = ()

pytestmark = pytest.mark.bashes


@pytest.mark.parametrize(
    ("text", "cursor", "part"),
    [
        ("echo hi", 2, "echo [-neE]"),
        ("if true", 1, "if COMMANDS; then"),
        ("gst", 3, "git status"),
        ("greet_zq", 3, "echo hello"),
        ("echo $colour", 8, "colour=blue"),
        ("echo ${list[1]}", 8, "list=(1 'b c')"),
        ("echo ${pear[taste]}", 9, "[taste]=sweet"),
        ("echo $nothing_zq", 9, "not set"),
        ("echo $?", 7, "exit code"),
        ("exit 127", 7, "command not found"),
        ("kill -TERM 1", 8, "SIGTERM (15)"),
        ("kill -9 1", 7, "SIGKILL (9)"),
        ("unset colour", 9, "colour=blue"),
        ("echo $count_zq", 8, "integer, read-only, exported"),
        ("echo ${list[1]}", 8, "array of 2"),
        ("echo ${pear[taste]}", 9, "associative array of 1"),
        ("return 130", 9, "SIGINT"),
        ("trap x HUP", 9, "SIGHUP (1)"),
        ("[[ $? -eq 137 ]]", 12, "SIGKILL"),
        ('test "$?" = 2', 13, "wrong usage"),
        ("130", 3, "SIGINT"),
        ("SIGTERM", 3, "SIGTERM (15)"),
        ("! true", 1, "! PIPELINE"),
        ("tool_zq -a", 9, "do not leave out"),
        ("tool_zq sub --all", 16, "do not leave out"),
        ("tool_zq", 3, "OPTIONS"),
    ],
)
def test_inspection(assisted: Assisted, text: str, cursor: int, part: str) -> None:
    assert part in assisted.inspect(text, cursor)


@pytest.mark.parametrize("text", ["no_such_command_zq", "# echo", "", "   ", "999", "SIGNOTHING"])
def test_nothing_is_known_about_nothing(assisted: Assisted, text: str) -> None:
    assert assisted.inspect(text) == ""


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--all", "-a, --all\n       do not leave out\n\n       anything\n"),
        ("-l", "-l     use a long listing\n"),
        ("-la", "-l     use a long listing\n\n-a, --all\n       do not leave out\n\n       anything\n"),
        ("--no", ""),
        ("--all-or-nothing=x", "--all-or-nothing\n       as it says\n"),
    ],
)
def test_the_paragraph_of_an_option(option: str, text: str) -> None:
    assert option_text(PAGE, option) == text


def test_a_program_is_not_run_to_tell_about_it(assisted: Assisted) -> None:
    assisted.inspect("tool_zq --help", 3)
    assisted.inspect("tool_zq --help", 12)
    assisted.matches("tool_zq --he")
    assert "ran" not in os.listdir(assisted.session.cwd)
