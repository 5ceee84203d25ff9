"""Both ends of large output in memory, all of it in a file."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shellkernel.session.recording import Recording

__all__ = ()


def record(chunks: list[bytes], head: int, tail: int, file: Path) -> Recording:
    """Return a recording of chunks."""
    file.unlink(missing_ok=True)
    recording = Recording(head, tail, lambda: file)
    for chunk in chunks:
        recording.append(chunk)
    return recording


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    chunks=st.lists(st.binary(max_size=12), max_size=12),
    head=st.integers(0, 20),
    tail=st.integers(0, 20),
    size=st.integers(1, 30),
)
def test_what_is_kept_and_counted_is_right_at_every_size(
    tmp_path: Path, chunks: list[bytes], head: int, tail: int, size: int
) -> None:
    whole = b"".join(chunks)
    recording = record(chunks, head, tail, tmp_path / "file")
    kept = whole[:head] + (whole[head:][-tail:] if tail else b"")
    assert recording.raw() == kept
    assert recording.omitted == len(whole) - len(kept)
    assert recording.size == len(whole)
    recording.close()
    recording.close()
    if len(whole) > head:
        assert recording.path is not None
        assert recording.path.read_bytes() == whole
    else:
        assert recording.path is None
        assert not (tmp_path / "file").exists()


def test_memory_is_bounded_by_what_is_kept(tmp_path: Path) -> None:
    recording = record([], 1_000, 1_000, tmp_path / "file")
    chunk = b"x" * 4_096
    tracemalloc.start()
    try:
        for _ in range(1_000):
            recording.append(bytes(bytearray(chunk)))
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
        recording.close()
    assert recording.omitted == 1_000 * 4_096 - 2_000


def test_last_bytes_are_the_last_that_are_kept(tmp_path: Path) -> None:
    recording = record([b"abc", b"def"], 100, 10, tmp_path / "file")
    assert recording.last(4) == b"cdef"
    assert recording.last(100) == b"abcdef"
    recording = record([b"abc", b"defghijk"], 3, 4, tmp_path / "file")
    assert recording.last(2) == b"jk"
    recording.close()


def test_text_says_where_the_middle_is(tmp_path: Path) -> None:
    recording = record([b"head\n", b"middle\n" * 10, b"tail\n"], 5, 5, tmp_path / "file")
    recording.close()
    text = recording.text(80, 24)
    assert text.startswith("head\n")
    assert text.endswith("tail\n")
    assert "70 bytes" in text
    assert str(tmp_path / "file") in text


@pytest.mark.parametrize("place", ["/dev/full", "/no/such/folder/file"])
def test_file_that_can_not_be_written_is_an_error_in_words_and_memory_stays_right(place: str) -> None:
    recording = Recording(3, 3, lambda: Path(place))
    for chunk in (b"abc", b"def", b"ghi"):
        recording.append(chunk)
    recording.close()
    assert place in recording.error
    assert recording.raw() == b"abcghi"
    assert recording.omitted == 3
    assert "lost" in recording.text(80, 24)
    assert [recording.read(offset, 2) for offset in (0, 2, 4, 6, 7, 9)] == [b"ab", b"c", b"", b"gh", b"hi", b""]
