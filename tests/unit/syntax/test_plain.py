"""Which cells are whole at a glance; tests/session/test_syntax.py holds it against bash."""

from __future__ import annotations

import pytest

from shellkernel.syntax import is_blank
from shellkernel.syntax.plain import is_plainly_whole

__all__ = ()


@pytest.mark.parametrize(
    "text",
    [
        "echo hi",
        "ls -la /tmp",
        "x=5",
        "x='a b' y=\"c $d\" make -j2",
        'echo \'it is\' "quoted $x ${y} \\" end"',
        "a | b || c && d; e\nf",
        "cd ..\npwd\n",
        "make 2>&1 >log <in",
        "sleep 1 &",
        "echo $? $# $1 $_",
        "[ a = b ]",
        "git commit -m 'two\nlines'",
        "echo \\' \\\" \\$",
    ],
)
def test_lists_of_simple_commands_are_plainly_whole(text: str) -> None:
    assert is_plainly_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "echo 'open",
        'echo "open',
        "echo `id`",
        "echo $(id)",
        "echo \\",
        "cat <<E\nE",
        "(true)",
        "{ true; }",
        "if true; then true; fi",
        "for x in a; do :; done",
        "[[ a ]]",
        "]]",
        "true; ]]",
        "a &&",
        "a |",
        "| a",
        "; a",
        "a ;; b",
        "a & & b",
        "f() { :; }",
        "x=(1 2)",
        "function f",
        "time true",
        "! true",
        "echo ${x:-'}",
        "echo # 'comment",
        "case x in esac",
        "then",
        "done",
        "a > > b",
        "a >",
    ],
)
def test_all_else_is_left_to_bash(text: str) -> None:
    assert not is_plainly_whole(text)


@pytest.mark.parametrize(
    "text", ["x" * 19_999, "echo '" + "a" * 10_000, "a " * 9_999 + "(", "\\" * 9_999, "[" * 19_000, "a=" * 9_000 + "'"]
)
def test_long_texts_take_no_long_time(text: str) -> None:
    """A regular expression that backtracks would not come to an end here."""
    is_plainly_whole(text)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "# comment", " # a\n\t# b 'open\n", "#"])
def test_blanks_and_comments_are_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["true", "# a\ntrue", ":", "'#'", "\\\n"])
def test_what_runs_something_is_not_blank(text: str) -> None:
    assert not is_blank(text)
