"""Text that patterns look through: no process, literal text, whole, character by character and split at random."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from shellkernel.session.recording import Recording
from shellkernel.session.unmatched import SEARCH_WINDOW, UNMATCHED_LIMIT, Found, Literal, Source, Unmatched
from shellkernel.text import plain

__all__ = ()

PROMPT = "one\r\n\x1b[?2004h\x1b[1;32m(gd\x1b[0mb) \x1b]0;title\x07two\r20%\n\x1b[K(gdb) "


def chunked(data: bytes) -> Iterator[list[bytes]]:
    """The same bytes in several ways."""
    yield [data]
    yield [data[at : at + 1] for at in range(len(data))]
    chance = random.Random(1)  # the same in every run
    for _ in range(20):
        cuts = sorted(chance.sample(range(len(data)), 5))
        yield [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def matches(chunks: Iterable[bytes], patterns: list[Literal | None]) -> list[Found]:
    """All that is met, one after the other, while the output comes."""
    recording = Recording(10_000, 10_000, lambda: Path("/never"))
    source, text = Source(recording), Unmatched(plain)
    found = []
    for chunk in chunks:
        recording.append(chunk)
        while (page := source.read(to_the_end=False)) is not None:
            text.append(page)
        while (met := text.search(patterns)) is not None:
            found.append(met)
    return found


def test_chunks_do_not_matter() -> None:
    for chunks in chunked(PROMPT.encode()):
        found = [(met.index, met.before, met.text) for met in matches(chunks, [None, "(gdb) "])]
        assert found == [(1, "one\n", "(gdb) "), (1, "20%\n", "(gdb) ")], chunks


def test_first_in_the_text_goes_before_first_among_the_patterns() -> None:
    found = matches([b"abc"], ["c", re.compile("b"), "bc"])
    assert [(met.index, met.before, met.text) for met in found] == [(1, "a", "b"), (0, "", "c")]
    assert found[0].match is not None
    assert found[1].match is None


def test_other_patterns_see_what_one_has_passed_over() -> None:
    text = Unmatched(plain)
    text.append("needle and thread")
    assert text.search(["nothing", "never"]) is None
    met = text.search(["thread", "needle"])
    assert met is not None
    assert met.text == "needle"
    assert text.take() == (" and thread", 0)


def test_what_is_kept_is_bounded_and_what_is_dropped_is_counted() -> None:
    text = Unmatched(plain)
    line = "0123456789" * 10 + "\n"
    for _ in range(10 * UNMATCHED_LIMIT // len(line)):
        text.append(line)
        assert text.search(["needle"]) is None
    text.append("the needle")
    met = text.search(["needle"])
    assert met is not None
    assert len(met.before) <= UNMATCHED_LIMIT
    assert met.omitted + len(met.before) == 10 * UNMATCHED_LIMIT // len(line) * len(line) + len("the ")


def test_match_of_an_expression_may_begin_in_the_window() -> None:
    text = Unmatched(plain)
    text.append("begin" + "x" * (SEARCH_WINDOW - 10))
    assert text.search([re.compile("begin.*end")]) is None
    text.append("end")
    met = text.search([re.compile("begin.*end")])
    assert met is not None
    assert met.before == ""


def test_output_that_its_file_has_lost_is_read_from_what_is_kept(tmp_path: Path) -> None:
    recording = Recording(10, 20, lambda: tmp_path / "no/such/folder")
    recording.append(b"0123456789 lost " + b"." * 100 + b" the end")
    source = Source(recording)
    read = "".join(page for _ in range(3) if (page := source.read(to_the_end=True)))
    assert recording.error
    assert read.endswith("the end")
