"""Completion with a real helper bash: what is found, where it goes, and that nothing is evaluated."""

from __future__ import annotations

import grp
import os
import re
import shlex
import subprocess
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from signal import SIGSEGV

import pytest

from shellkernel.assist.files import complete_file
from shellkernel.assist.quoting import quoted
from tests.kernel.assist.assisted import Assisted

__all__ = ()

pytestmark = pytest.mark.bashes

LONGOPT = """source /usr/share/bash-completion/bash_completion
COMP_LINE='cat k=' COMP_POINT=6 COMP_WORDS=(cat k = '') COMP_CWORD=3
_longopt cat '' ="""
"""What bash-completion does for `cat k=`."""


@pytest.mark.parametrize(
    ("text", "start", "match"),
    [
        ("cat my", 4, r"my\ file.txt"),
        ('cat "my', 5, "my file.txt"),
        ("cat 'my", 5, "my file.txt"),
        ("cat su", 4, r"sub\ dir/"),
        (r"cat sub\ dir/", 4, r"sub\ dir/it\'s"),
        ('cat "sub dir/', 5, "sub dir/it's"),
        ("cat 'sub dir/", 5, r"sub dir/it'\''s"),
        ('cat "$D"/', 4, r'"$D"/it\'s'),
        (r"cat \$", 4, r"\$dollar"),
        ("X=my", 2, r"my\ file.txt"),
        ("wc < my", 5, r"my\ file.txt"),
        ("./pro", 0, "./prog_zq"),
        ("cd su", 3, r"sub\ dir/"),
        ("export X=my", 9, r"my\ file.txt"),
        ("dd if=my", 6, r"my\ file.txt"),
        ("cat k", 4, "k=v"),
        ("cat k=", 6, "v"),
        ("cat '$dol", 5, "$dollar"),
    ],
)
def test_names_of_files(assisted: Assisted, bash: str, text: str, start: int, match: str) -> None:
    if text == "cat k=" and _crashes(bash, LONGOPT):
        pytest.skip("bash-completion's _longopt ends this bash with SIGSEGV (Debian's bash-static 5.3)")
    completion = assisted.complete(text)
    assert [found.text for found in completion.matches] == [match]
    assert (completion.start, completion.end) == (start, len(text))


def test_nothing_is_expanded_between_single_quotes(assisted: Assisted) -> None:
    assert assisted.matches("cat '$colo") == assisted.matches("cat '~/") == []


def _crashes(bash: str, source: str) -> bool:
    return subprocess.run([bash, "--norc", "-ic", source], capture_output=True, check=False).returncode == -SIGSEGV


def _said_by(bash: str, source: str) -> str:
    return subprocess.run([bash, "-c", source], capture_output=True, text=True, check=False).stdout


def test_users_and_groups_of_chown(assisted: Assisted, bash: str) -> None:
    if not Path("/usr/share/bash-completion/completions/chown").exists():
        pytest.skip("there is no bash-completion with chown's")
    if not _said_by(bash, "compgen -u"):
        pytest.skip("this bash, linked statically, knows no users")
    group = grp.getgrgid(os.getgid()).gr_name  # who is not root is given the groups that are theirs
    completion = assisted.complete(f"chown root:{group[:-1]}")
    assert completion.start == 11
    assert group in [match.text for match in completion.matches]


def test_hidden_files_when_their_dot_is_typed(assisted: Assisted) -> None:
    assert ".hidden" not in assisted.matches("cat > ")
    assert assisted.matches("cat > .hi") == [".hidden"]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("echo $colo", "$colour"),
        ("echo ${colo", "${colour}"),
        ('echo "$colo', "$colour"),
        ("echo ${#pea", "${#pear}"),
        ("unset colo", "colour"),
        ("gst", "gst"),
        ("unali", "unalias"),
        ("unalias gs", "gst"),
        ("greet_", "greet_zq"),
        ("mycmd_zq al", "alpha"),
        ("x=1 mycmd_zq be", "beta"),
    ],
)
def test_names_of_bash(assisted: Assisted, text: str, match: str) -> None:
    assert match in assisted.matches(text)


def test_kinds(assisted: Assisted) -> None:
    kinds = {
        match.text: match.kind for text in ("whi", "ech", "gst", "bas") for match in assisted.complete(text).matches
    }
    assert (kinds["while"], kinds["echo"], kinds["gst"], kinds["bash"]) == ("keyword", "builtin", "alias", "command")


def test_users(assisted: Assisted) -> None:
    assert "~root/" in assisted.matches("ls ~roo")


@pytest.mark.parametrize(
    "text", ["echo `touch ev`", "echo $(touch ev)", "cat `touch ev`/", "cat $(touch ev) my", "`touch ev` -"]
)
def test_nothing_of_the_cell_is_evaluated(assisted: Assisted, text: str) -> None:
    for cursor in range(len(text) + 1):
        assisted.matches(text[:cursor])
        assisted.inspect(text, cursor)
    assert "ev" not in os.listdir(assisted.session.cwd)


def test_the_session_is_not_changed(assisted: Assisted) -> None:
    assisted.session.run("(exit 3) | (exit 4)")
    assisted.matches("git comm")
    assisted.matches("cat my")
    assisted.inspect("echo $colour")
    result = assisted.session.run('echo "$? ${PIPESTATUS[*]}"')
    assert result.output == "4 3 4\n"


def test_nothing_is_written_to_where_the_sessions_output_goes(assisted: Assisted, tmp_path: Path) -> None:
    file = tmp_path / "all"
    assisted.session.run(f"exec >'{file}'; echo mine")
    try:
        assert assisted.matches("echo $colo") == ["$colour"]
        assert "blue" in assisted.inspect("echo $colour")
        assert "read-only" in assisted.inspect("echo $count_zq")
    finally:
        assisted.session.run("exec >/dev/tty")
    assert file.read_text(encoding="utf-8") == "mine\n"


def test_a_slow_completion_is_given_up_and_the_next_one_works(assisted: Assisted) -> None:
    assert assisted.matches("unali") == ["unalias"]
    assisted.helper._bash.run("slow() { sleep 30; }; complete -F slow crawl")  # type: ignore[union-attr]
    assert assisted.matches("crawl my") == [r"my\ file.txt"]
    assert assisted.matches("unali") == ["unalias"]


def test_a_new_directory_is_followed(assisted: Assisted) -> None:
    assisted.session.run("cd 'sub dir'")
    assert assisted.matches("cat it") == [r"it\'s"]
    assisted.session.run("cd ..")


@pytest.mark.parametrize(
    "name",
    ["plain", "a b", "it's", 'a"b', "a$b", "a`b", "a\\b", "a&b;c|d", "~a", "#a", "a*?[b", "a!b", "ä", "a\nb", "(x)"],
)
def test_bash_reads_a_quoted_name_as_the_name(bash: str, name: str) -> None:
    single, double = quoted(name, "'"), quoted(name, '"')
    words = [quoted(name, ""), f"'{single}'", f'"{double}"']
    said = subprocess.run([bash, "-c", f"printf '%s\\0' {' '.join(words)}"], capture_output=True, text=True, check=True)
    assert said.stdout.split("\0")[:-1] == [name] * 3


def test_a_folder_that_can_not_be_known_yields_nothing(tmp_path: Path) -> None:
    listed: Callable[[str], list[object]] = lambda raw: list(complete_file(raw, "", cwd=str(tmp_path), values={}))  # noqa: E731
    assert listed("$UNKNOWN/") == listed("`ls`/") == listed("/no/such/folder/") == listed("~no_such_user_zq/") == []


def test_options_and_branches_by_bash_completion(assisted: Assisted) -> None:
    if not Path("/usr/share/bash-completion/completions/git").exists():
        pytest.skip("there is no bash-completion with git's")
    assisted.session.run("git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; git branch topic_zq")
    assert "--all" in assisted.matches("ls --al")
    assert "commit" in assisted.matches("git comm")
    assert assisted.matches("git checkout topic") == ["topic_zq"]


def test_without_bash_completion_the_builtins_arguments_are_known(bash: str, tmp_path: Path) -> None:
    """The helper's script, as it is on a machine without bash-completion."""
    text = (resources.files("shellkernel.assist") / "assist.bash").read_text(encoding="utf-8")
    text = re.sub(r"/(?:usr|opt|etc)/[\w./-]*bash_completion(?:\.sh)?", str(tmp_path / "absent"), text)
    script = tmp_path / "assist.bash"
    script.write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    asked = {
        "cd fol": "folder",
        "export HOM": "HOME",
        "unalias gs": "gst",
        "kill -TER": "",
        "trap x SIGTER": "SIGTERM",
        "shopt extgl": "extglob",
        "help ech": "echo",
        "type unali": "unalias",
    }
    for line, match in asked.items():
        words = line.split()
        call = shlex.join(["__shellkernel_assist_complete", line, str(len(line)), str(len(words) - 1), *words])
        source = f"source '{script}'; alias gst=git; __shellkernel_assist_load; {call}"
        said = subprocess.run([bash, "--norc", "-c", source], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert match in [line[1:] for line in said.stdout.splitlines()] or not match, (line, said)
        assert said.stderr == ""
