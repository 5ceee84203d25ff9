"""Where a cell's statements are: found by our reader, and proven by bash itself."""

from __future__ import annotations

import os

import pytest
from hypothesis import assume, given, settings

from shellkernel import CommandSyntaxError, IncompleteCommand
from shellkernel.syntax.plain import is_plainly_whole
from shellkernel.syntax.statements import split_statements
from shellkernel.syntax.statements_proof import is_proven
from tests.session.scripts import statements

__all__ = ()

pytestmark = pytest.mark.bashes

EXAMPLES = int(os.environ.get("SHELLKERNEL_ORACLE_EXAMPLES", "100"))

CELLS: list[tuple[str, list[str]]] = [
    ("a; b & c", ["a", "b &", "c"]),
    ("a && b || c; d | e", ["a && b || c", "d | e"]),
    ("a |\n  b\nc &&\n  d", ["a |\n  b", "c &&\n  d"]),
    ("# one\na # two 'x\n\n# three\nb;\n", ["a", "b"]),
    ("a \\\n  b; c", ["a \\\n  b", "c"]),
    ("cat <<A; echo b\nbody; x\nA\nc", ["cat <<A\nbody; x\nA", "echo b", "c"]),
    ("cat <<'A' <<-B && d; e # x 'y\nb $x\nA\n\tc\n\tB\nf", ["cat <<'A' <<-B && d\nb $x\nA\n\tc\n\tB", "e", "f"]),
    ("if a; then cat <<X; b\nx\nX\nc; fi; d", ["if a; then cat <<X; b\nx\nX\nc; fi", "d"]),
    ("cat <<A | sort; b\n1\nA", ["cat <<A | sort\n1\nA", "b"]),
    ("case $x in a) b;; c|d) e;& (f) g;;& *) h; esac; i", ["case $x in a) b;; c|d) e;& (f) g;;& *) h; esac", "i"]),
    ("[[ a =~ ^(b|c)$ && d < e ]] && f 'x\ny'; g", ["[[ a =~ ^(b|c)$ && d < e ]] && f 'x\ny'", "g"]),
    ("a=(1 2 # x;\n3)\nb[1 + 2]=4; c+=(5)", ["a=(1 2 # x;\n3)", "b[1 + 2]=4", "c+=(5)"]),
    ("(( i > 3 )); (a; b); { a; b; } | c", ["(( i > 3 ))", "(a; b)", "{ a; b; } | c"]),
    ("for ((i=0; i<3; i++)); do a; b; done; c", ["for ((i=0; i<3; i++)); do a; b; done", "c"]),
    ("for i in 1 2; do a; done; for j; do b; done", ["for i in 1 2; do a; done", "for j; do b; done"]),
    ("while a; do b; done <f >g; until c; do d; done", ["while a; do b; done <f >g", "until c; do d; done"]),
    ("time -p a; ! b; time { c; d; }; time", ["time -p a", "! b", "time { c; d; }", "time"]),
    ("coproc X { a; }\ncoproc cat; wait", ["coproc X { a; }", "coproc cat", "wait"]),
    ("select x in a b; do c; done; d", ["select x in a b; do c; done", "d"]),
    ("f() { g; h; }; f\nfunction k { a; }\nm() ( b; c )\nn() for i in 1; do d; done", [
        "f() { g; h; }", "f", "function k { a; }", "m() ( b; c )", "n() for i in 1; do d; done"]),
    ("echo $(a; b) `c; d` ${x:-y;z} $((1;2)) \"a; b\"; c".replace("$((1;2)) ", ""), [
        'echo $(a; b) `c; d` ${x:-y;z} "a; b"', "c"]),
    ("echo $((1 << 2)) $(( (1) )); b", ["echo $((1 << 2)) $(( (1) ))", "b"]),
    ("a=$(cat <<A\nx; y\nA\n); b", ["a=$(cat <<A\nx; y\nA\n)", "b"]),
    ("a & b & wait; c", ["a &", "b &", "wait", "c"]),
    ("a <<< 'x; y'; b < <(c; d) > >(e)", ["a <<< 'x; y'", "b < <(c; d) > >(e)"]),
    ("shopt -s extglob\necho @(a|b) !(c;d); e", ["shopt -s extglob", "echo @(a|b) !(c;d)", "e"]),
    ("trap 'a; b' EXIT; alias x='c; d'; e", ["trap 'a; b' EXIT", "alias x='c; d'", "e"]),
    ("echo é✓; b 'ü\n'; c", ["echo é✓", "b 'ü\n'", "c"]),
    ("export A=(1); declare -A m=([a]=b [c d]=e); f", ["export A=(1)", "declare -A m=([a]=b [c d]=e)", "f"]),
    ("a>b;c<d;e 2>&1|f", ["a>b", "c<d", "e 2>&1|f"]),
    ("{ a; b; } 2>&1 &\nc", ["{ a; b; } 2>&1 &", "c"]),
    ("if a; then b; elif c; then d; else e; fi; f", ["if a; then b; elif c; then d; else e; fi", "f"]),
    ("   \n# nothing", []),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "sources"), CELLS, ids=[cell[:30] for cell, _ in CELLS])
def test_statements_of_a_cell(cell: str, sources: list[str], bash: str) -> None:
    assert [piece.source for piece in split_statements(cell, shell=bash)] == sources


def test_lines_are_counted_with_here_documents(bash: str) -> None:
    pieces = split_statements("cat <<A; echo b\n1\n2\nA\n\n{ c\n}\nd", shell=bash)
    assert [(piece.first_line, piece.last_line) for piece in pieces] == [(1, 4), (1, 1), (6, 7), (8, 8)]


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("echo 'a\nb'", ["echo 'a", "b'"]),
        ('x="a; b"', ['x="a', 'b"']),
        ("cat <<A\na\nb\nA", ["cat <<A", "a", "b", "A"]),
        ("(a; b)", ["(a", "b)"]),
        ("{ a; b; }", ["{ a", "b; }"]),
        ("if a; then b; c; fi", ["if a; then b", "c; fi"]),
        ("x=$(a; b)", ["x=$(a", "b)"]),
        ("a # b; c", ["a # b", "c"]),
        ("case x in a) b;; c) d; esac", ["case x in a) b;; c) d", "esac"]),
        ("a \\\nb", ["a \\", "b"]),
        ("a &&\nb", ["a &&", "b"]),
        ("f() {\na\n}", ["f() {", "a", "}"]),
        ("echo ${x:-a; b}", ["echo ${x:-a", "b}"]),
        ("a | b", ["a |", "b"]),
    ],
)
def test_bash_does_not_prove_a_wrong_cut(text: str, statements: list[str], bash: str) -> None:
    found, position = [], 0
    for source in statements:
        position = text.index(source, position)
        found.append((position, source))
    assert not is_proven(text, found, shell=bash)


def test_a_text_that_no_bash_can_read_is_refused(bash: str) -> None:
    with pytest.raises(IncompleteCommand):
        split_statements("a; echo 'open", shell=bash)
    with pytest.raises(IncompleteCommand):
        split_statements("a\necho \\", shell=bash)
    with pytest.raises(CommandSyntaxError):
        split_statements("a; }", shell=bash)


@settings(max_examples=EXAMPLES, deadline=None)
@given(script=statements())
def test_cuts_are_where_whole_statements_end(bash: str, script: list[str]) -> None:
    cell = "\n".join(script)
    try:
        pieces = split_statements(cell, shell=bash)
    except CommandSyntaxError:
        assume(False)  # `case` in `$( )` is too much for bash 5.1
        raise
    ends = {0}
    for statement in script:
        ends.add(max(ends) + len(statement) + 1)
    starts = {piece.start for piece in pieces}
    assert ends - {max(ends)} <= starts, "each begins one"
    assert is_proven(cell, [(piece.start, piece.source) for piece in pieces], shell=bash)


def test_plain_cells_need_no_proof(bash: str) -> None:
    cell = "cd /tmp && ls; x='a; b' make | tee log\necho \"$x; y\"\nwait"
    assert is_plainly_whole(cell)
    pieces = split_statements(cell, shell="/nowhere")
    assert is_proven(cell, [(piece.start, piece.source) for piece in pieces], shell=bash)
