"""Is a cell whole? bash decides; what passes without asking it must pass it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shellkernel import BashSession, CommandSyntaxError, IncompleteCommand
from shellkernel.syntax import check_syntax
from shellkernel.syntax.plain import is_plainly_whole
from tests.session.scripts import statements

__all__ = ()

pytestmark = pytest.mark.bashes

EXAMPLES = int(os.environ.get("SHELLKERNEL_ORACLE_EXAMPLES", "100"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# a comment with an ' open",
        "# a comment that ends in \\",
        "echo a # it's \\",
        "echo 'a\nb'",
        "if true; then echo; fi",
        "cat <<END\n$(echo 'x)\nEND",
        "cat <<-'E' <<F\n\tx\n\tE\ny\nF\n",
        "case x in (a) echo;; b) ;; esac",
        "x=(1\n2\n)",
        "f() ( echo )",
        "echo $(( 1 + (2 * 3) ))",
        "[[ a =~ (b|c)$ ]]",
        "diff <(a) >(b)",
        "coproc X { cat; }",
        "time -p true",
        "select x in a b; do break; done",
        "shopt -s extglob\nls !(*.md) @(a|b)",
        "case x in !(a|b)) ;; esac",
        "echo \\\\",
        "echo 'a\\'",
        "echo a \\\n b",
        "alias x=y; x | y &",
        "echo !! a!b",
        'echo ${x:-\'a\'} "${y:-"b"}"',
        'echo "$(echo ")")"',
        "é() { echo é; }; é",
        "true &\n\n\n",
        "((x++)); for ((;;)); do break; done",
        "echo \udcff",
        "a=" + "x" * 200_000,
    ],
)
def test_whole_cell_passes(bash: str, text: str) -> None:
    check_syntax(text, shell=bash)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("echo 'a", 1, "single quote"),
        ('echo\necho "a\nb', 2, "double quote"),
        ("echo `a", 1, "back-quote"),
        ("echo $(a", 1, "parenthesis"),
        ("echo $((1 + 2", 1, "parenthesis"),
        ("echo ${a", 1, "brace"),
        ("true\nif true", 2, "open"),
        ("if true; then\necho", 2, "open"),
        ("while true; do", 1, "open"),
        ("for x in a b", 1, "open"),
        ("case x in", 1, "open"),
        ("f() {", 1, "open"),
        ("{ echo", 1, "open"),
        ("(echo", 1, "open"),
        ("[[ a == b", 1, "open"),
        ("[[ a &&", 1, "open"),
        ("x=(1 2", 1, "parenthesis"),
        ("true &&", 1, "open"),
        ("true |", 1, "open"),
        ("true\ncat <<END\nline", 2, "END"),
        ("cat <<'A B'\nline\nAB", 1, "A B"),
        ("echo a \\", 1, "backslash"),
        ("true\necho 'b' \\", 2, "backslash"),
    ],
)
def test_open_cell_is_incomplete(bash: str, text: str, line: int, words: str) -> None:
    with pytest.raises(IncompleteCommand, match=words) as caught:
        check_syntax(text, shell=bash)
    assert caught.value.line in range(line, text.count("\n") + 3)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (")", 1, "syntax error"),
        ("}", 1, "syntax error"),
        ("fi", 1, "syntax error"),
        ("true\ndone", 2, "syntax error"),
        ("echo a\n;;\necho b", 2, "syntax error"),
        ("| true", 1, "syntax error"),
        ("true && && true", 1, "syntax error"),
        ("if true; then fi", 1, "syntax error"),
        ("echo a\nf( {", 2, "syntax error"),
        ("case x in a) ;; esac)", 1, "syntax error"),
        ("]]", 1, "syntax error"),
        ("echo (a)", 1, "syntax error"),
    ],
)
def test_wrong_cell_is_an_error_that_names_the_line_and_shows_it(bash: str, text: str, line: int, words: str) -> None:
    with pytest.raises(CommandSyntaxError, match=words) as caught:
        check_syntax(text, shell=bash)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_check_runs_nothing_and_reads_nothing_of_the_users(
    bash: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "env").write_text(f"touch {tmp_path}/ran\n")
    monkeypatch.setenv("BASH_ENV", str(tmp_path / "env"))
    monkeypatch.setenv("SHELLOPTS", "xtrace")
    check_syntax(f"$(touch {tmp_path}/ran); (touch {tmp_path}/ran)", shell=bash)
    with pytest.raises(IncompleteCommand, match="nothing was run"):
        check_syntax(f"touch {tmp_path}/ran; (", shell=bash)
    assert not (tmp_path / "ran").exists()


def test_options_and_aliases_of_the_session_count(session: BashSession) -> None:
    session.run("shopt -s extglob; alias begin='if true; then' finish=fi")
    assert session.run("echo !(*)").ok
    assert session.run("case ab in +(a|b)) echo yes;; esac").output == "yes\n"


def test_cell_that_bash_can_not_read_after_all_says_so_and_harms_nothing(session: BashSession) -> None:
    """The check lets extglob pass, since the session may have it on; here it is off."""
    result = session.run("shopt -u extglob\necho @(a|b)\necho after")
    assert result.exit_code != 0
    assert "syntax error" in result.output
    assert "shellkernel" not in result.output
    assert session.run("echo next").output == "next\n"


def bash_accepts(bash: str, text: str) -> bool:
    """Tell whether `bash -n` takes the text without a word."""
    done = subprocess.run(
        [bash, "--norc", "-n"],
        input=text.encode() + b"\n",
        capture_output=True,
        check=False,
        timeout=30,
        env={"LC_ALL": "C.UTF-8"},
    )
    return done.returncode == 0 and not done.stderr


ALPHABET = st.sampled_from(
    [
        *" \n\t;&|()<>{}[]'\"\\$`#!*?~=+-/%,:.^@aif0123",
        *(
            " if ",
            " then ",
            " fi",
            " do ",
            "done",
            "while ",
            "for x in ",
            " case ",
            "esac",
            "function ",
            "time ",
            "coproc ",
            "select ",
        ),
        *(
            "$(",
            "${",
            "$((",
            "((",
            "[[ ",
            " ]]",
            "<<E\n",
            "\nE\n",
            "<<<",
            "&&",
            "||",
            "|&",
            ";;",
            ">|",
            "<>",
            ">&",
            "2>&1",
            "&>",
            "$'",
            '$"',
        ),
        *("echo", "a=(", "é", "${a}", "$a", "$?", "\\\n", "in", "!"),
    ]
)


@pytest.mark.slow
@settings(max_examples=20 * EXAMPLES, deadline=None)
@given(text=st.lists(ALPHABET, max_size=14).map("".join))
def test_what_looks_whole_is_whole_to_bash(bash: str, text: str) -> None:
    if is_plainly_whole(text):
        assert bash_accepts(bash, text)


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None)
@given(script=statements(), data=st.data())
def test_check_agrees_with_bash(bash: str, script: list[str], data: st.DataObject) -> None:
    """On whole scripts, and on scripts cut off anywhere."""
    text = "\n".join(script)
    text = text[: data.draw(st.integers(0, len(text)) | st.just(len(text)))]
    refused = ""
    try:
        check_syntax(text, shell=bash)
    except (IncompleteCommand, CommandSyntaxError) as error:
        refused = str(error)
    if bash_accepts(bash, text):
        assert not refused or "backslash" in refused
    else:
        assert refused or "(" in text, "extglob may be on in the session"
