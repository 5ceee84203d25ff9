"""A trace's records are read whole, also where those of several processes meet in one pipe."""

from __future__ import annotations

import pytest

from shellkernel.trace.records import RECORD_LIMIT, Records
from tests.unit.sentinel.bytes_for_tests import in_pieces

__all__ = ()

NONCE = b"0123456789abcdef"
LARGE = b"z" * 9_000


def record(process: int, expanded: bytes, command: bytes = b"x") -> bytes:
    """Return what bash writes of one command."""
    fields = (b"\x1e" + NONCE, b"1", b"", b"", b"%d" % process, b"0", b"0", b"0", b"1700000000.000001", command)
    return b"\x1f".join(fields) + b"\x1d" + expanded + b"\n"


def read(*pieces: bytes, limit: int = 100) -> Records:
    """Return what is read of pieces."""
    records = Records(NONCE, limit)
    for piece in pieces:
        records.feed(piece)
    records.end()
    return records


def told(records: Records) -> list[tuple[int, str]]:
    """Return the process and the text of each record."""
    return [(each.process, each.expanded) for each in records.all]


ONE_LINE = record(2, b"true")
TWO_LINES = record(3, b"echo 'a\nb' $'it\\'s\nc' \"d\n\" e\\\nf")
LARGE_ONE = record(1, b": " + LARGE + b" end")
IN_ORDER = [(1, f": {LARGE.decode()} end"), (2, "true"), (3, "echo 'a\nb' $'it\\'s\nc' \"d\n\" e\\\nf")]


@pytest.mark.parametrize(
    "written",
    [
        (LARGE_ONE, ONE_LINE, TWO_LINES),
        (LARGE_ONE[:4096], ONE_LINE, TWO_LINES, LARGE_ONE[4096:]),
        (LARGE_ONE[:4096], ONE_LINE, LARGE_ONE[4096:8192], TWO_LINES, LARGE_ONE[8192:]),
        (LARGE_ONE[:-1], ONE_LINE, TWO_LINES, b"\n"),
    ],
)
def test_records_that_meet_are_told_apart(written: tuple[bytes, ...]) -> None:
    """pipe(7): only up to PIPE_BUF bytes are written at once."""
    for pieces in in_pieces(b"".join(written)):
        records = read(*pieces)
        assert told(records) == IN_ORDER
        assert records.garbled == 0


def test_what_a_killed_process_began_is_told_as_far_as_it_came() -> None:
    records = read(LARGE_ONE[:4096], ONE_LINE, TWO_LINES)
    assert [process for process, _ in told(records)] == [1, 2, 3]
    assert told(records)[1:] == IN_ORDER[1:]


def test_two_large_records_that_meet_are_said_to_be_unreadable() -> None:
    records = read(LARGE_ONE[:4096], record(2, LARGE)[:4096], LARGE_ONE[4096:], record(2, LARGE)[4096:])
    assert records.garbled == 1
    assert [process for process, _ in told(records)] == [1, 2]


def test_a_record_beyond_its_limit_is_cut_and_the_next_one_is_whole() -> None:
    records = read(record(1, b"y" * RECORD_LIMIT), ONE_LINE, TWO_LINES)
    assert told(records)[1:] == IN_ORDER[1:]
    assert RECORD_LIMIT - 200 < len(records.all[0].expanded) < RECORD_LIMIT


def test_records_beyond_their_number_are_counted() -> None:
    records = read(ONE_LINE * 3, LARGE_ONE[:4096], ONE_LINE, LARGE_ONE[4096:], limit=2)
    assert told(records) == [(2, "true")] * 2
    assert records.omitted == 3
