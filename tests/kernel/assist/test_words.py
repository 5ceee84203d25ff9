"""What is under the cursor: read, never run. Pure."""

from __future__ import annotations

import pytest

from shellkernel.assist.words import Kind, context_at, unquote

__all__ = ()


@pytest.mark.parametrize(
    ("text", "kind", "words", "start"),
    [
        ("", "command", [""], 0),
        ("ec", "command", ["ec"], 0),
        ("echo ", "argument", ["echo", ""], 5),
        ("echo hi; gi", "command", ["gi"], 9),
        ("git commit -m x", "argument", ["git", "commit", "-m", "x"], 14),
        ("a && b || c", "command", ["c"], 10),
        ("a | b x", "argument", ["b", "x"], 6),
        ("a & b", "command", ["b"], 4),
        ("echo one\necho tw", "argument", ["echo", "tw"], 14),
        ("echo \\\n  tw", "argument", ["echo", "tw"], 9),
        ("cat my\\ fi", "argument", ["cat", "my\\ fi"], 4),
        ("if tr", "command", ["tr"], 3),
        ("while ! te", "command", ["te"], 8),
        ("for i in a b; do ec", "command", ["ec"], 17),
        ("case x in a) ec", "command", ["ec"], 13),
        ("f() { ec", "command", ["ec"], 6),
        ("function f { ec", "command", ["ec"], 13),
        ("(cd x && l", "command", ["l"], 9),
        ("[[ -f fo", "argument", ["[[", "-f", "fo"], 6),
        ("FOO=1 ma", "command", ["ma"], 6),
        ("FOO=ba", "file", ["FOO=ba"], 0),
        ("ls > ou", "file", ["ls", "ou"], 5),
        ("ls 2>/de", "file", ["ls", "/de"], 5),
        ("ls 2>&1 > ou", "file", ["ls", "ou"], 10),
        ("echo a>&2 ; g", "command", ["g"], 12),
        ("echo $PA", "variable", ["echo", "$PA"], 5),
        ("echo ${PA", "variable", ["echo", "${PA"], 5),
        ("echo ${#PA", "variable", ["echo", "${#PA"], 5),
        ('echo "a $HO', "variable", ["echo", '"a $HO'], 5),
        ("echo ${x[1]} a", "argument", ["echo", "${x[1]}", "a"], 13),
        ("x=$(git st", "argument", ["git", "st"], 8),
        ("echo `da", "command", ["da"], 6),
        ('echo "$(ls my', "argument", ["ls", "my"], 11),
        ('echo "$(ls)" my', "argument", ["echo", '"$(ls)"', "my"], 13),
        ("diff <(so", "command", ["so"], 7),
        ("diff <(sort a) <(so", "command", ["so"], 17),
        ("echo a # com", "nothing", ["echo", "a", ""], 12),
        ("echo a#b", "argument", ["echo", "a#b"], 5),
        ("cat <<E\nab", "nothing", [""], 10),
        ("cat <<E\nab\nE\necho x", "argument", ["echo", "x"], 18),
        ("cat <<'E' | wc\nfoo\nE\nwc ", "argument", ["wc", ""], 24),
        ("cat <<-E\n\tab\n\tE\nec", "command", ["ec"], 16),
        ("echo $(( 1 + PA", "nothing", ["echo", "$(( 1 + PA"], 5),
        ("echo $((1+1)) x", "argument", ["echo", "$((1+1))", "x"], 14),
    ],
)
def test_context(text: str, kind: Kind, words: list[str], start: int) -> None:
    context = context_at(text, len(text))
    assert (context.kind, [word.raw for word in context.words], context.current.start) == (kind, words, start)
    assert context.quote == ('"' if text == 'echo "a $HO' else "")


@pytest.mark.parametrize(
    ("text", "quote"), [("cat 'my fi", "'"), ('cat "my fi', '"'), ("cat $'my fi", "$'"), ("cat 'a' b", "")]
)
def test_open_quotes(text: str, quote: str) -> None:
    assert context_at(text, len(text)).quote == quote


def test_no_variable_in_single_quotes() -> None:
    assert context_at("echo 'a $PA", 11).kind == "argument"


def test_what_is_behind_the_cursor_does_not_matter() -> None:
    assert context_at("ec && 'open", 2) == context_at("ec", 2)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("plain", "plain"),
        ("my\\ file", "my file"),
        ("'a b'c", "a bc"),
        ('"a \\$b"', "a $b"),
        ("'open", "open"),
        ("a\\", "a"),
    ],
)
def test_unquote(raw: str, value: str) -> None:
    assert unquote(raw) == value


@pytest.mark.parametrize(
    "text", ["'", '"', "$(", "`", "${", "$'", "\\", "<<", "<<E\n", "((", "))", "}", "$((", ">(", "a=("]
)
def test_any_text_is_read_to_its_end(text: str) -> None:
    for cursor in range(len(text) + 1):
        assert context_at(text, cursor).words
