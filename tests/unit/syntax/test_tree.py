"""The structure of a cell: what a person is shown of it. That it is bash's own is tests/session/test_tree.py's."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shellkernel.syntax.tree import Node, read_tree

__all__ = ()


def shape(node: Node) -> str:
    """Return a node in one line: its kind, and those of its children but for words."""
    inner = ", ".join(shape(child) for child in node.children if child.kind not in ("word", "assignment"))
    mark = f"{node.before} " if node.before else ""
    return f"{mark}{node.kind}{f'({inner})' if inner else ''}{node.after}"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", "cell"),
        ("a; b &\nc", "cell(command, command&, command)"),
        ("a && b | c || ! d", "cell(list(command, && pipeline(command, | command), || not(command)))"),
        ("cat <<E >f\nx\nE\n", "cell(command(redirection(heredoc), redirection))"),
        (
            "if a; then b; else c; fi | d",
            "cell(pipeline(if(block(command), block(command), block(command)), | command))",
        ),
        ("case x in a|b) c;; *) d;& esac", "cell(case(clause(command);;, clause(command);&))"),
        ("for ((;;)); do a; done", "cell(for(block(command)))"),
        ("f() { a; } 2>g", "cell(function(group(command, redirection)))"),
        (
            "coproc N (a); time b; [[ c ]]; (( d ))",
            "cell(coproc(subshell(command)), time(command), condition, arithmetic)",
        ),
    ],
)
def test_the_shape(cell: str, expected: str) -> None:
    assert shape(read_tree(cell)) == expected


def test_substitutions_stand_below_their_word() -> None:
    (command,) = read_tree('local x="$(false | `a`)" <(b)').children
    assert [child.kind for child in command.children] == ["word", "word", "word"]
    (substitution,) = command.children[1].children
    assert shape(substitution) == "substitution(pipeline(command, | command))"
    assert shape(command.children[2].children[0]) == "process substitution(command)"


def test_lines_and_places() -> None:
    cell = "é=1\n\ncat <<E | sort; b\nx\nE\n  c \\\n  d # e\n"
    found = [(node.text, node.first_line, node.last_line) for node in read_tree(cell).children]
    assert found == [("é=1", 1, 1), ("cat <<E | sort", 3, 5), ("b", 3, 3), ("c \\\n  d", 6, 7)]
    assert all(cell[node.start :].startswith(node.text) for node in read_tree(cell).walk())


@pytest.mark.parametrize(
    "rest", ["if a; then b", "echo 'open", ") b", "}", "fi", "a <<E\nx", "&& a", "(" * 5_000, "${ b; }"]
)
def test_what_is_not_understood_is_text_and_the_rest_stands(rest: str) -> None:
    (first, last) = read_tree(f"a | b\n{rest}").children
    assert shape(first) == "pipeline(command, | command)"
    assert (last.kind, last.text, last.first_line) == ("text", rest, 2)


@given(st.text(alphabet="a \n;&|()<>'\"$`{}#\\![]=:iftdone", max_size=60))
def test_any_text_has_a_structure_whose_parts_are_in_it(cell: str) -> None:
    assert_inside(read_tree(cell))


def assert_inside(node: Node) -> None:
    place = node.start
    for child in node.children:
        if child.kind != "heredoc":
            assert place <= child.start <= child.start + len(child.text) <= node.start + len(node.text)
        assert_inside(child)


def test_it_is_plain_values_for_tools() -> None:
    values = json.loads(json.dumps(read_tree("a | b &").to_dict()))
    assert values["children"][0]["after"] == "&"
    assert values["children"][0]["children"][1] == {
        "kind": "command",
        "text": "b",
        "lines": [1, 1],
        "before": "|",
        "children": [{"kind": "word", "text": "b", "lines": [1, 1]}],
    }
