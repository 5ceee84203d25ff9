"""A cell with marks: what is typed, and the sentinel that a mark prints."""

from __future__ import annotations

import pytest

from shellkernel.errors import SentinelError
from shellkernel.sentinel.events import StatementEnded
from shellkernel.sentinel.marks import Marking, mark, type_marked, with_signs
from shellkernel.sentinel.typing import CellStart
from tests.unit.sentinel.bytes_for_tests import NONCE, in_pieces, parse, sentinel

__all__ = ()


def test_a_sign_stands_at_each_place() -> None:
    assert with_signs(b"a; b\nc", [0, 3, 5]) == (b"\x01a; \x01b\n\x01c", b"\x01")
    assert with_signs(b"# x\na", [4]) == (b"# x\n\x01a", b"\x01")


def test_a_sign_is_a_character_that_the_cell_has_not() -> None:
    assert with_signs(b"a\x01\x02", [0]) == (b"\x03a\x01\x02", b"\x03")
    everything = bytes(range(1, 256))
    assert with_signs(everything, [0]) == (everything, b"")


def test_the_mark_is_typed_once_however_many_there_are() -> None:
    typed = type_marked(b"\x01a\n\x01b\n\x01c", NONCE, CellStart(), Marking(b"\x01"))
    assert typed.count(b"__shellkernel_mark ") == 1
    assert typed.count(b"\n") == 1
    assert b"__shellkernel_close" in typed


def test_pipelines_are_rebuilt_only_where_somebody_may_ask() -> None:
    assert b" | " not in mark(NONCE, Marking(b"\x01"))
    assert mark(NONCE, Marking(b"\x01", longest_pipeline=3)).count(b" | ") == 3
    assert mark(NONCE, Marking(b"\x01", longest_pipeline=1_000)) == mark(NONCE, Marking(b"\x01", longest_pipeline=16))


@pytest.mark.parametrize("point", [b".", b","])
def test_the_end_of_a_statement_is_an_event(point: bytes) -> None:
    for pieces in in_pieces(sentinel(b"S", b"3;1,3;1700000000%s250000;7" % point)):
        assert parse(pieces) == [StatementEnded(3, (1, 3), 1_700_000_000.25, 7)]
    assert parse([sentinel(b"S", b"0;0;;end")]) == [StatementEnded(0, (0,), 0.0, None)]
    assert parse([sentinel(b"S", b"0;0;;")]) == [StatementEnded(0, (0,), 0.0, 0)]


@pytest.mark.parametrize("fields", [b"", b"0;0", b"0;x;1;1", b"0;0;1;two", b"0;0;1;2;3"])
def test_one_that_can_not_be_read_is_our_bug(fields: bytes) -> None:
    with pytest.raises(SentinelError):
        parse([sentinel(b"S", fields)])
