"""Random bash scripts, as lists of whole statements.

Left out is what has no one right answer, on a terminal or at all: the order between two writers at one time (only the
last element of a pipeline prints), background jobs, process ids, line numbers, SIGPIPE races (the last element reads
all); what runs no pipeline at all (`f() { :; }` alone leaves PIPESTATUS alone). Statements after which a script and a
terminal rightly differ (`set -u` and an unset variable) are in subshells.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ("PARTS", "PRELUDE", "in_parts", "make_folder", "statements")

EXAMPLES = int(os.environ.get("SHELLKERNEL_ORACLE_EXAMPLES", "100"))
PARTS = max(1, EXAMPLES // 100)
"""Tests of a minute at most, which run side by side (pytest -n)."""

PRELUDE = "shopt -s expand_aliases; a='one two'; b='x'; arr=(1 'two 3' four); declare -A map=([k]=v ['k 2']=w); n=3"

VARIABLES = st.sampled_from(["a", "b", "c", "n"])
NAMES = st.sampled_from(["f", "g"])
REDIRECTIONS = ["", "", "", "", " 2>&1", " >out.txt", " >>out.txt", " 2>/dev/null", " </dev/null", " 3>&1 >&3 3>&-"]

WORDS: SearchStrategy[str] = st.one_of(
    st.sampled_from(
        [
            "alpha",
            "'single  quoted'",
            '"double $a"',
            "$a",
            '"$a"',
            "$b",
            "${c:-default}",
            "${b:+set}",
            '"${#a}"',
            "${a%% *}",
            "${a/o/0}",
            '"${a^^}"',
            "$'tab\\tnew\\nline'",
            "$((n + 1))",
            '"${arr[@]}"',
            "${arr[1]}",
            '"${#arr[@]}"',
            '"${map[k]}"',
            "{x,y}{1,2}",
            "back\\ slash",
            "*.txt",
            "'*'",
            "[a-b].txt",
            "é✓",
            '""',
            "''",
            "$?",
            '"$#"',
            '"$@"',
            "$((n*2%5))",
            "a#b",
            "-n",
            "!",
            '"it\'s"',
            "'a!b'",
            "~+/x",
            "$(echo sub)",
            '"$(printf %s\\\\n 1 2)"',
            "`echo back`",
            "$(<file.txt)",
            "${arr[@]:1:1}",
            "${!map[@]}",
            '"${b@Q}"',
            "$(exit 4)",
            "%",
            "=",
            '"$(echo "$(echo nested)")"',
        ]
    ),
    VARIABLES.map(lambda name: f'"${{{name}-}}"'),
)

SIMPLE: SearchStrategy[str] = st.one_of(
    st.lists(WORDS, max_size=4).map(lambda words: " ".join(["echo", *words])),
    st.lists(WORDS, max_size=3).map(lambda words: " ".join(["printf '<%s>\\n'", *words])),
    st.sampled_from(
        [
            "true",
            "false",
            "(exit 3)",
            ":",
            "no_such_command",
            "[ a = b ]",
            "[[ $a == one* ]]",
            "[[ $b =~ ^(x) ]]",
            "let n+=1",
            "((n++))",
            "((n > 100))",
            "((0))",
            "unset c",
            "unset 'arr[1]'",
            "arr+=(more)",
            "map[new]=1",
            "export exported=e",
            "shift 2>/dev/null",
            "set -- p 'q r' s",
            "read -r c <<<'here string'",
            "read -r c _ < file.txt",
            "type -t echo f",
            "cd sub 2>/dev/null",
            "cd .. && cd work",
            "declare -i n",
            "n=7",
            "c=$(false)",
            "c=$(echo x; exit 5)",
            'a="$b $n"',
            "local z=1",
            "f",
            "g arg 'two words'",
            "command echo c",
            "builtin echo b",
            "eval 'echo evaluated $n'",
            "eval \"b='e v'\"",
            ". ./lib.sh",
            ". ./missing.sh",
            'cat <<< "$a"',
            "wc -l < file.txt",
            "cat missing.txt",
            "test -f file.txt",
            'echo "${PIPESTATUS[@]}"',
            'echo "$? ${PIPESTATUS[*]}"',
            'echo "<$?>"',
            "ls",
            "getopts ab o -a",
            "printf -v b '%03d' \"$n\"",
            "mapfile -t arr < file.txt",
            "echo out; echo err >&2",
            "echo $a | tr a-z A-Z",
            "! true",
            "declare -x exported",
            "readonly -p >/dev/null",
            "times >/dev/null",
            "hash -r",
            "wait",
            "umask 022",
        ]
    ),
)

OPTIONS = st.sampled_from(
    [
        "set -f",
        "set +f",
        "( set -u; echo $unset_one; echo not )",
        "set -o pipefail",
        "set +o pipefail",
        "set -C",
        "set +C",
        "set -a",
        "set +a",
        "shopt -s extglob",
        "shopt -u extglob",
        "shopt -s nullglob",
        "shopt -u nullglob",
        "shopt -s nocasematch",
        "shopt -s dotglob",
        "set -E",
        "trap 'echo E:$?' ERR",
        "trap - ERR",
        "alias say='echo said'",
        "say this",
        "unalias -a",
        "IFS=,",
        "IFS=$' \\t\\n'",
        "unset IFS",
        "set -x; echo traced $n; set +x",
        "trap 'echo hup' HUP",
        "trap - HUP",
        "PS4='> '",
        "set -T",
        "set +T",
        "trap 'echo R' RETURN",
        "trap - RETURN",
        "set -e",
        "set +e",
        "shopt -s extglob\necho @(a|file).txt !(*.txt)",
        "PROMPT_COMMAND=:",
        "PS1='p> '",
        "LC_ALL=C",
        "unset LC_ALL",
    ]
)


def _block(body: list[str]) -> str:
    return "\n".join(f"  {line}" if "\n" not in line else line for line in body)


def _compound(inner: SearchStrategy[str]) -> SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(_block)
    redirection = st.sampled_from(REDIRECTIONS)
    return st.one_of(
        st.builds("{{ {}; }}{}".format, inner.map(lambda text: "\n" + text + "\n:"), redirection),
        st.builds("(\n{}\n){}".format, body, redirection),
        st.builds("if {} >/dev/null; then\n{}\nelse\n{}\nfi{}".format, SIMPLE, body, body, redirection),
        st.builds("for x in {} {}; do\n{}\ndone{}".format, WORDS, WORDS, body, redirection),
        st.builds("for ((i = 0; i < 2; i++)); do\n{}\ndone".format, body),
        st.builds(
            "i=0; while ((i++ < 2)); do\n{}\n  ((i == 1)) && continue\n  break\ndone{}".format, body, redirection
        ),
        st.builds(
            "case {} in\n  o*)\n{}\n  ;;\n  x | [[:digit:]]) echo two ;;&\n  *)\n{}\n  ;;\nesac".format,
            WORDS,
            body,
            body,
        ),
        st.builds("{}() {{\n  local z=$1\n{}\n  return $n\n}}; true".format, NAMES, body),
        st.builds("function {} {{\n{}\n}}; true".format, NAMES, body),
        st.builds("cat <<END{}\n{}\n$a \\$b `echo t`\nEND".format, redirection, WORDS),
        st.builds("cat <<-'END'\n\t{}\n\t$a\n\tEND".format, WORDS),
        st.builds("{{ {}\n}} 2>/dev/null | {}".format, inner, READERS),
        st.builds("{{ {}\n}} 2>/dev/null | {} | {}".format, inner, READERS, READERS),
        st.builds("! {{ {}\n}} 2>/dev/null | {}".format, inner, READERS),
        st.builds("cat <({{ {}\n}} 2>/dev/null)".format, SIMPLE),
        st.builds("c=$(\n{}\n){}".format, body, st.just("")),
        st.builds("( set -e\n{}\n)".format, body),
        st.builds("{} && {}".format, SIMPLE, SIMPLE),
        st.builds("{} || {}".format, SIMPLE, SIMPLE),
        st.builds("{} # a comment with 'a quote".format, SIMPLE),
    )


READERS = st.sampled_from(
    ["cat", "tr a-z A-Z", "wc -l", 'while read -r l; do echo "[$l]"; done', "(cat; exit 4)", "sort", "grep o"]
)

STATEMENTS = st.one_of(SIMPLE, OPTIONS, st.recursive(SIMPLE, _compound, max_leaves=6))


OBSERVERS = st.sampled_from(
    [
        'echo "<$?>"',
        'echo "<$? ${PIPESTATUS[*]}>"',
        'echo "<$? $_>"',
        'echo "<$_>"',
        '(echo "<$? $_ ${PIPESTATUS[@]}>")',
        'c=$?; echo "<$c>"',
    ]
)
"""Statements that print what the one before left: between two cells, that is what is easily lost."""


def in_parts(part: int) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Give a property one part's share of the examples: others in each part, the same in every run."""

    def decorate(check: Callable[[], None]) -> Callable[[], None]:
        check = settings(max_examples=EXAMPLES // PARTS, deadline=None, suppress_health_check=[*HealthCheck])(check)
        if settings.default is not None and settings.default.derandomize:
            check = seed(part)(check)
        return check

    return decorate


def make_folder(folder: Path) -> None:
    """Make the folder that a script runs in, with the files that it reads."""
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("a\n")
    (folder / "file.txt").write_text("first line\nsecond\n")
    (folder / "lib.sh").write_text("echo sourced\nc=fromlib\n")


def statements() -> SearchStrategy[list[str]]:
    """Return lists of statements, each whole on its own."""
    pairs = st.lists(st.tuples(STATEMENTS, st.none() | OBSERVERS), min_size=1, max_size=6)
    return pairs.map(lambda pairs: [statement for pair in pairs for statement in pair if statement is not None])
