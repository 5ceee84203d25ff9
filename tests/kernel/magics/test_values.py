"""Python values in bash, and back."""

from __future__ import annotations

import subprocess
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shellkernel_magics.values import UnsupportedValue, assignment
from tests.kernel.magics.notebook import Notebook

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


def in_bash(bash: str, source: str, show: str) -> list[str]:
    """Run the assignment and return the words that `show` expands to."""
    script = f"{source}\nfor word in {show}; do printf '%s\\0' \"$word\"; done"
    done = subprocess.run([bash, "--norc", "-u", "-c", script], capture_output=True, check=True, timeout=20)
    assert done.stderr == b""
    return done.stdout.decode().split("\0")[:-1]


@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_any_text_arrives_exactly(bash: str, text: str) -> None:
    assert in_bash(bash, assignment("x", text), '"$x"') == [text]


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXTS, max_size=4))
def test_any_list_arrives_exactly(bash: str, texts: list[str]) -> None:
    assert in_bash(bash, assignment("x", texts), '${x[@]+"${x[@]}"}') == texts


@settings(max_examples=60, deadline=None)
@given(mapping=st.dictionaries(TEXTS.filter(bool), TEXTS, max_size=4))
def test_any_mapping_arrives_exactly(bash: str, mapping: dict[str, str]) -> None:
    words = in_bash(bash, assignment("x", mapping), '${x[@]+"${!x[@]}" "${x[@]}"}')
    count = len(words) // 2
    assert dict(zip(words[:count], words[count:], strict=True)) == mapping


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (-7, "-7"),
        (10**30, "1" + "0" * 30),
        (0.5, "0.5"),
        (1e300, "1e+300"),
        (PurePosixPath("/a b"), "/a b"),
    ],
)
def test_other_scalars_become_text(bash: str, value: object, text: str) -> None:
    assert in_bash(bash, assignment("x", value), '"$x"') == [text]


@pytest.mark.parametrize("value", [None, b"bytes", {1, 2}, object(), [None], {"a": []}, "a\0b", "\ud800", 1j])
def test_what_bash_can_not_hold_is_refused(value: object) -> None:
    with pytest.raises(UnsupportedValue):
        assignment("x", value)


@pytest.mark.parametrize(
    "before",
    ["x=1", "x=(1 2)", "declare -A x=([a]=1)", "declare -i x=3", "export x=1", "unset x", "declare -a x"],
)
def test_the_kind_from_before_does_not_matter(bash: str, before: str) -> None:
    assert in_bash(bash, f"{before}\n{assignment('x', '1+1')}", '"${x[@]}"') == ["1+1"]
    assert in_bash(bash, f"{before}\n{assignment('x', ['1+1', 'b'])}", '"${x[@]}"') == ["1+1", "b"]
    assert in_bash(bash, f"{before}\n{assignment('x', {'k': '1+1'})}", '"${!x[@]}" "${x[@]}"') == ["k", "1+1"]


def test_an_exported_text_goes_on_being_exported(bash: str) -> None:
    assert in_bash(bash, f"export x=1\n{assignment('x', '2')}", '"$(printenv x)"') == ["2"]


def test_values_go_in_and_come_out(notebook: Notebook) -> None:
    notebook.run("from pathlib import Path\ntext, number, yes, where = \"it's $HOME\", 3, True, Path('/tmp')")
    notebook.run("words, table = ['a b', '', '*'], {'k 1': 'v', 'k2': \"'\"}")
    cell = notebook.run(
        "%%bash_session --var text number,yes where --var words table --get total words table upper\n"
        'if $yes; then echo "$text $((number + 1)) $where ${#words[@]} ${words[0]} ${table[k 1]}"; fi\n'
        'total=${#words[@]}; words+=(more); table[new]=1; upper=("${words[@]^^}")'
    )
    assert cell.stdout == "it's $HOME 4 /tmp 3 a b v\n"
    assert notebook.value("(total, words, upper)") == (
        "3",
        ["a b", "", "*", "more"],
        ["A B", "", "*", "MORE"],
    )
    assert notebook.value("table") == {"k 1": "v", "k2": "'", "new": "1"}
