"""The structure of a cell against bash itself: what is written anew from it alone is the same text to bash.

bash's own reading is what `declare -f` prints of a function with the text as its body: comments and blanks are gone,
structure and words stand. bashlex is asked as well, where it parses.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import bashlex
import pytest
from hypothesis import given, settings

from shellkernel.syntax.tree import Node, read_tree
from tests.session.cells import CASES
from tests.session.scripts import statements
from tests.unit.syntax.rewriting import rewritten

__all__ = ()

pytestmark = pytest.mark.bashes

EXAMPLES = int(os.environ.get("SHELLKERNEL_ORACLE_EXAMPLES", "100"))

ODD = [
    "a | b |& c && ! d || e; f &",
    "! ! a; ! ( b ); ! { c; }",
    "case $x in (a|b) echo 1;; *) foo ;& c) ;;& d ) x; esac >f",
    "case x in esac; case $(echo in) in in) x;; esac",
    "cat <<'E' | sort; echo b\nhi $(\nE\necho c",
    "cat <<-A <<B >f && echo d\n\tone\n\tA\ntwo\nB\necho e",
    'cat <<E\\F\n$(x\n"\nEF\n',
    "cat <<E\nfoo \\\nE\nE\necho d",
    "time -p a | b; time; time ! y",
    "select x in a b; do echo; done; select y; do :; done",
    "for x in a \\\n b; do echo; done; for y; do :; done; for z do :; done",
    "for w in; do :; done\nfor v\nin a\ndo :; done",
    "for ((i=0;i<3;i++)); do :; done; for ((;;)) { break; }",
    "while a; b; do c; done <f | d; until (( x > 3 )); do let x++; done &",
    "coproc N { a; b; }; coproc cat; coproc (c); coproc while a; do b; done; coproc M ( d )",
    "x=(1 2 'c d' # e\n  $(f)) y+=(3) z[1 + 2]=3 cmd >f 2>&1 <<<\"$a b\"",
    "declare -A m=([a b]=c ['d']=e); local -a n=(1 2)",
    "[[ a == b* && ( c || ! d ) ]] && (( x > 3 )) || [[ -n $y && $z =~ ^(a|b c)[[:space:]]+\\$$ ]]",
    "[[ a < b\n&& c > d ]]; [[ $x != !(a|b) ]]; [[ ! -e x ]]",
    "if ! a; then b; elif c; d; then e; else f; fi >g; if a; then b; fi | c",
    "f() { a; } >out; function g { b; }; function h () ( c ); i ()\n\n{ d; }",
    "j() if a; then b; fi; k() for x; do :; done",
    'é() { echo é | tr é e; }; é; echo 中文 $(false | true) `ls -l` "${x:-$(a; b)}"',
    "echo $((1 + (2 * 3))) $( (a); b) $((a); (b)) $[1+2]",
    "((a; b)); ( (c); d )",
    "diff <(a | b) >(c; d) 2> >(e) x<(f)",
    "ls !(*.md) @(a|b) +(c) *(d) ?(e) a?(b|c)d",
    'echo "a $(echo "b `c` \\" )") d" "${x:-"a b"}" "${y#\'}\'}" ${z:-\'}\'} $\'it\\\'s\' $"l"',
    "echo a#b # c ' d\n#e\n\necho \\# f \\\n  g",
    "{ a; b; } | (c; d) &\n{ e; } 2>&1 | tee f",
    "exec {fd}>f 3<&0 4>&- &>g &>>h >|i <>j; echo 12>k; echo a>l",
    "a && {\n b\n} || c &&\n\n d |\n e",
    "a &\nb & c & # d\n(e &)",
    "while read -r x; do { a; } done <f; if (a) then (b) fi",
    "echo if then fi; a if; x=if",
    "a=b; c=d e; f= g; h=$(i) j=`k`; export l=m n",
    "echo $(cat <<E\n$x )\nE\n) y",
    "echo $(case x in a) b;; esac) $(# it's\n c)",
    "cat <<E | $(a\n b) | c\nhi\nE\ncat <<E | (\nhi\nE\nd\n)",
    "coproc <f a; coproc x=1 b",
    "echo }; echo {a,b} {1..3}; echo '}' \"{\"",
]

UNKNOWN = ("<<", "((", "${x:-$(")
"""What bashlex 0.18 takes for something else: text behind a here-document, `((`; or does not look into."""


def normal(text: str, bash: str) -> tuple[str, str]:
    """Return bash's own form of a text, and what it says against it."""
    source = f"shellkernel_f() {{\n{text}\n}}\ndeclare -f shellkernel_f\n"
    done = subprocess.run(
        [bash, "--norc", "-O", "extglob"],
        input=source.encode("utf-8", "surrogateescape"),
        capture_output=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        check=False,
    )
    return done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def is_whole(tree: Node) -> bool:
    return all(node.kind != "text" for node in tree.walk())


def assert_same(text: str, bash: str) -> None:
    tree = read_tree(text)
    wanted, complaint = normal(text, bash)
    assert not complaint
    assert is_whole(tree), tree
    assert normal(rewritten(tree), bash) == (wanted, "")


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_read_as_bash_reads_them(text: str, bash: str) -> None:
    assert_same(text, bash)


@pytest.mark.slow
def test_the_cells_with_right_values_are_read_as_bash_reads_them(bash: str) -> None:
    refused = []
    for step in [step for case in CASES for step in case.steps]:
        text = step.cell.replace("\r\n", "\n")
        if len(text) > 100_000:
            continue
        wanted, complaint = normal(text, bash)
        if complaint or not wanted:
            refused.append(text)
            continue
        tree = read_tree(text)
        assert is_whole(tree), text
        assert normal(rewritten(tree), bash)[0] == wanted, text
    assert len(refused) < 20, refused


@pytest.mark.slow
def test_random_scripts_are_read_as_bash_reads_them(bash: str) -> None:
    @given(script=statements())
    @settings(max_examples=EXAMPLES, deadline=None)
    def holds(script: list[str]) -> None:
        assert_same("\n".join(script), bash)

    holds()


def test_bashlex_sees_the_same_commands_where_it_parses() -> None:
    parsed = 0
    for text in [text for text in ODD if not any(mark in text for mark in UNKNOWN)]:
        try:
            trees = bashlex.parse(text)
        except Exception:  # noqa: BLE001, S112  # it fails in many ways, and then says nothing
            continue
        parsed += 1
        theirs = [text[node.pos[0] : node.pos[1]] for tree in trees for node in commands(tree)]
        ours = [node.text for node in read_tree(text).walk() if node.kind == "command"]
        assert sorted(ours) == sorted(theirs), text
    assert parsed > 10


def commands(tree: bashlex.ast.node) -> list[bashlex.ast.node]:
    found: list[bashlex.ast.node] = []

    class Visitor(bashlex.ast.nodevisitor):  # type: ignore[misc]
        def visitcommand(self, node: bashlex.ast.node, *_: object) -> None:
            found.append(node)

    Visitor().visit(tree)
    return found


def test_a_machine_s_own_scripts_are_read_as_bash_reads_them(bash: str) -> None:
    """Scripts that come with the operating system, as many as there are among these."""
    folders = ("/etc/init.d", "/usr/lib/git-core", "/etc/profile.d")
    scripts = [file for folder in folders if Path(folder).is_dir() for file in sorted(Path(folder).iterdir())]
    for script in [file for file in scripts if is_shell(file)][:20]:
        text = script.read_text(encoding="utf-8", errors="surrogateescape")
        wanted, complaint = normal(text, bash)
        if wanted and not complaint:
            assert normal(rewritten(read_tree(text)), bash)[0] == wanted, script


def is_shell(file: Path) -> bool:
    if not file.is_file() or file.stat().st_size > 100_000:
        return False
    with file.open("rb") as opened:
        return opened.read(9) == b"#!/bin/sh"
