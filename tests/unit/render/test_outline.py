"""The structure of a cell, drawn."""

from __future__ import annotations

import pytest

from shellkernel.render.outline import outline, outline_bundle
from shellkernel.syntax.tree import read_tree

CELL = """if ! grep -q a f; then
  x=$(date | cut -c1) <<'E'
one
E
fi &
case $1 in a|b) c 2>&1;; *) (( n ));& esac"""

DRAWN = """1-5 │ if  & in the background
  1 │ ├─ condition
  1 │ │  └─ ! turns the exit code round
  1 │ │     └─ command  grep -q a f
2-4 │ └─ then
2-4 │    └─ assignment  x=$(date | cut -c1)
  2 │       ├─ $( ) substitution
  2 │       │  └─ pipeline of 2
  2 │       │     ├─ command  date
  2 │       │     └─ |  command  cut -c1
2-4 │       └─ redirection  <<'E'   (standard input from the lines below)
3-4 │          └─ here-document, as it is  1 line
  6 │ case  $1 in
  6 │ ├─ pattern  a|b)  ;;
  6 │ │  └─ command  c
  6 │ │     └─ redirection  2>&1   (standard error becomes a copy of standard output)
  6 │ └─ pattern  *)  ;&
  6 │    └─ (( )) arithmetic  (( n ))"""


def test_the_drawing() -> None:
    assert outline(read_tree(CELL)) == DRAWN


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (">f", "standard output to a file"),
        ("2>>f", "standard error to the end of a file"),
        ("3<f", "descriptor 3 from a file"),
        ("<<<f", "standard input from this word"),
        ("&>f", "standard output and standard error to a file"),
        (">&f", "standard output and standard error to a file"),
        (">&2", "standard output becomes a copy of standard error"),
        ("2>&-", "standard error is closed"),
        ("{fd}>f", "descriptor {fd} to a file"),
        ("<>f", "standard input to read and write a file"),
    ],
)
def test_redirections_in_words(text: str, words: str) -> None:
    assert f"redirection  {text}   ({words})" in outline(read_tree(f"a {text}"))


@pytest.mark.parametrize(
    "cell",
    [
        "a &&& b",
        "f() { a; }",
        "coproc X { a; }",
        "time a",
        "select x; do :; done",
        "for ((;;)); do :; done",
        "`a`",
        "<(a)",
    ],
)
def test_everything_is_drawn(cell: str) -> None:
    assert outline(read_tree(f"z {cell}" if cell[0] in "`<" else cell))


def test_the_bundle_is_escaped_and_says_the_same() -> None:
    bundle = outline_bundle(read_tree("echo '<script>' >f"))
    assert bundle["text/plain"] == outline(read_tree("echo '<script>' >f"))
    assert "<script" not in bundle["text/html"]
    assert "&lt;script&gt;" in bundle["text/html"]


def test_a_long_cell_is_cut() -> None:
    assert outline(read_tree("a\n" * 1_200)).endswith("… 200 more")
