"""No faster than Jupyter's server lets output through."""

from __future__ import annotations

import threading
from time import monotonic

from shellkernel.kernel.pace import HEADERS, Pace, size_of

__all__ = ()

WINDOW = 0.3


def test_what_does_not_fit_into_the_window_waits_for_it_to_pass() -> None:
    pace = Pace(most=3 * HEADERS, window=WINDOW)
    start = monotonic()
    pace.wait("x" * HEADERS)
    early = monotonic() - start
    pace.wait("x" * HEADERS)
    assert early < WINDOW <= monotonic() - start


def test_what_is_too_large_for_any_window_goes_alone() -> None:
    pace = Pace(most=HEADERS, window=WINDOW)
    start = monotonic()
    pace.wait("x" * 10 * HEADERS)
    assert monotonic() - start < WINDOW


def test_the_end_lets_all_go() -> None:
    pace = Pace(most=HEADERS, window=60)
    pace.wait("x")
    waiting = threading.Thread(target=pace.wait, args=("x",))
    waiting.start()
    pace.end()
    waiting.join(5)
    assert not waiting.is_alive()


def test_the_size_is_that_of_the_json() -> None:
    assert size_of("é\n\x1b") == HEADERS + 2 + 2 + 6
