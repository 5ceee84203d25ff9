"""bash's words on jobs of earlier commands are taken out, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shellkernel.session.notices import NoticeFilter
from tests.unit.sentinel.bytes_for_tests import in_pieces

__all__ = ()

LISTING = (
    b"[1]-  Running                 sleep 5 &\n"
    b"[2]+  Running                 ( read < /tmp/go; echo x ) &\n"
    b"[12]   Stopped                 cat  (wd: /usr)\n"
)

CASES = {
    "a notice": (b"[1]-  Done                    sleep 5\n", b""),
    "a notice between output": (b"a\n[1]-  Done                    sleep 5\nb\n", b"a\nb\n"),
    "a signal": (b"[2]+  Killed                  ( read < /tmp/go; echo x )\n", b""),
    "an exit code": (b"[1]   Exit 3                  sleep 5\n", b""),
    "another command": (b"[1]-  Done                    sleep 6\n", b"[1]-  Done                    sleep 6\n"),
    "another number": (b"[3]-  Done                    sleep 5\n", b"[3]-  Done                    sleep 5\n"),
    "in mid-line": (b"x [1]-  Done                    sleep 5\n", b"x [1]-  Done                    sleep 5\n"),
    "what jobs says of one that runs": (
        b"[1]-  Running                 sleep 5 &\n",
        b"[1]-  Running                 sleep 5 &\n",
    ),
    "an unfinished line": (b"[1]-  Done       ", b"[1]-  Done       "),
    "brackets": (b"[1] [2] [x]\n[\n[1\n", b"[1] [2] [x]\n[\n[1\n"),
    "nothing": (b"", b""),
}


@pytest.mark.parametrize(("data", "wanted"), CASES.values(), ids=CASES.keys())
def test_notices_of_listed_jobs_are_taken_out_however_they_are_cut(data: bytes, wanted: bytes) -> None:
    for pieces in in_pieces(data):
        notices = NoticeFilter(LISTING)
        assert b"".join(map(notices.feed, pieces)) + notices.flush() == wanted


@given(st.lists(st.sampled_from([b"[1]", b"-  Done", b"   sleep 5", b"\n", b" ", b"x", b"[", b"\xff"])).map(b"".join))
def test_without_jobs_nothing_changes_and_nothing_is_held_back(data: bytes) -> None:
    notices = NoticeFilter(b"")
    assert notices.feed(data) == data
    assert notices.flush() == b""


@pytest.mark.slow
@given(
    data=st.binary(max_size=60)
    | st.lists(st.sampled_from([*CASES])).map(lambda names: b"".join(CASES[name][0] for name in names))
)
def test_cuts_do_not_matter(data: bytes) -> None:
    outcomes = set()
    for pieces in in_pieces(data):
        notices = NoticeFilter(LISTING)
        outcomes.add(b"".join(map(notices.feed, pieces)) + notices.flush())
    assert len(outcomes) == 1
