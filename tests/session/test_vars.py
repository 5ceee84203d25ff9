"""The shell's variables, read from Python."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shellkernel import BashSession

__all__ = ()

pytestmark = pytest.mark.bashes

SET = r"""
scalar='a  b'; empty=; integer=5; declare -i counted=2+3; readonly fixed=9; export exported=1
newlines=$'end\n\n'; quotes=$'\'"`$x\\!'; text=é✓🎉; bytes=$'\xff\xfe'; control=$'\x01\x03\x04\e[31m\x7f'
array=(x 'y z' $'new\nline' ''); none=(); gaps=([5]=five [9]=nine); declare -a declared
declare -A map=([k]=v ['a b']=$'q\nr' [']']=1 ['$x']='"' [é]=✓); declare -A nothing=()
declare -n reference=scalar; declare valueless
"""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scalar", "a  b"),
        ("empty", ""),
        ("integer", "5"),
        ("counted", "5"),
        ("fixed", "9"),
        ("exported", "1"),
        ("newlines", "end\n\n"),
        ("quotes", "'\"`$x\\!"),
        ("text", "é✓🎉"),
        ("bytes", "\udcff\udcfe"),
        ("control", "\x01\x03\x04\x1b[31m\x7f"),
        ("array", ["x", "y z", "new\nline", ""]),
        ("none", []),
        ("gaps", ["five", "nine"]),
        ("map", {"k": "v", "a b": "q\nr", "]": "1", "$x": '"', "é": "✓"}),
        ("nothing", {}),
        ("reference", "a  b"),
    ],
)
def test_variable_is_str_list_or_dict(session: BashSession, name: str, value: object) -> None:
    session.run(SET)
    assert session.vars[name] == value
    assert name in session.vars
    assert session.vars.get(name, "default") == value


@pytest.mark.parametrize(
    "name",
    [
        "no_such",
        "valueless",
        "",
        "a b",
        "1a",
        "array[0]",
        "é",
        "$(echo x >file)",
        "x;y",
        "x=1",
        "-p",
        "*",
        "a\0",
        "a\nb",
    ],
)
def test_name_that_is_no_set_variable_is_a_key_error(session: BashSession, name: str) -> None:
    session.run(SET)
    assert name not in session.vars
    with pytest.raises(KeyError):
        session.vars[name]
    assert session.run("ls file").exit_code == 2


@pytest.mark.parametrize(
    "setting",
    [
        "set -eu",
        "set -u",
        "set -f",
        "set -xv",
        "set -C",
        "set -k",
        "set -o posix",
        "IFS=,",
        "IFS=x",
        "unset IFS",
        "shopt -s nocasematch extglob nullglob",
        "exec >/dev/null",
        "exec 2>&-",
        "trap 'echo D' DEBUG",
        "trap 'echo E' ERR; set -E",
        "set -T; trap 'echo R' RETURN",
        "printf() { :; }; declare() { :; }; test() { :; }",
        "alias printf=false declare=false builtin=false",
        "PROMPT_COMMAND='echo hook'; PS1='> '",
        "unset PROMPT_COMMAND",
        "readonly PROMPT_COMMAND",
        "LC_ALL=C",
        "unset PATH",
        "cd /; BASH_COMPAT=4.4",
    ],
)
def test_looking_changes_nothing_whatever_is_set(session: BashSession, setting: str) -> None:
    session.run(f"x=1; a=(1 2); {setting}")
    for _ in range(2):
        assert (session.vars["x"], session.vars["a"], "no_such" in session.vars) == ("1", ["1", "2"], False)
    result = session.run("exec >/dev/tty; y=$x; (exit 3)")
    assert (result.end_reason, result.exit_code) in (("completed", 3), ("session_ended", 3))
    assert session.vars["y"] == "1"


def test_looking_keeps_exit_code_pipestatus_and_last_argument(session: BashSession) -> None:
    session.run("false | (exit 3)")
    assert session.vars["HOME"]
    assert session.run('echo "$? ${PIPESTATUS[@]}"').output == "3 1 3\n"
    session.run("echo a b")
    assert session.vars["HOME"]
    assert session.run('echo "$_"').output == "b\n"
    assert session.last is not None
    assert session.last.command == 'echo "$_"'
    assert session.run("history | grep -c __shellkernel").output == "1\n"


def test_names_are_listed_without_ours(session: BashSession) -> None:
    session.run("mine=1; declare -A also_mine=([k]=v)")
    names = [*session.vars]
    assert {"mine", "also_mine", "HOME", "PATH", "BASH_VERSION"} <= {*names}
    assert len(session.vars) == len(names) == len({*names})
    assert {name for name in names if "shellkernel" in name.lower()} == {"SHELLKERNEL", "SHELLKERNEL_SESSION"}


@pytest.mark.slow
def test_large_value_comes_whole(session: BashSession) -> None:
    session.run("big=$(seq 100000); many=($(seq 20000))")
    assert session.vars["big"] == "\n".join(map(str, range(1, 100_001)))
    assert session.vars["many"] == [*map(str, range(1, 20_001))]


def test_value_that_looks_like_a_sentinel_is_a_value(session: BashSession) -> None:
    forged = "\x1b]7711;abc;E;0;0;e;hook;/;abc\x1b\\"
    session.run(f"x='{forged}'")
    assert session.vars["x"] == forged


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=st.text(
        st.characters(min_codepoint=1, exclude_categories=["Cs"]) | st.sampled_from("'\"\\$`!\n\t\r\x1b\x03\x7f")
    )
)
def test_any_value_goes_there_and_back(session: BashSession, value: str) -> None:
    value = value.replace("\r\n", "\n")
    session.run("x=" + "'" + value.replace("'", "'\\''") + "'", check=True)
    assert session.vars["x"] == value
