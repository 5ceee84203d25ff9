"""The latch that callers wait on."""

from __future__ import annotations

import queue
import signal
import threading

import pytest

from shellkernel.session.latch import Latch

TRIES = 100


def test_it_happens_once_and_lets_everybody_go() -> None:
    latch = Latch()
    assert (latch.happened, latch.wait(0), latch.wait(0.01), latch.wait(-1)) == (False, False, False, False)
    passed: list[bool] = []
    threads = [threading.Thread(target=lambda: passed.append(latch.wait())) for _ in range(3)]
    for thread in threads:
        thread.start()
    latch.happen()
    latch.happen()
    for thread in threads:
        thread.join()
    assert passed == [True, True, True]
    assert latch.wait(0) is True


def _let_go_and_wait(go: queue.SimpleQueue[int], delay: int) -> None:
    go.put(delay)
    assert Latch().wait(10.0), "the signal came, and nobody looked for it"


@pytest.mark.slow
def test_signal_right_before_it_blocks_is_not_lost() -> None:
    main = threading.main_thread()
    if threading.current_thread() is not main:
        pytest.skip("signals come to the main thread")
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    go: queue.SimpleQueue[int] = queue.SimpleQueue()

    def press() -> None:
        for _ in range(TRIES):
            for _ in range(go.get()):  # hit every moment
                pass
            signal.pthread_kill(main.ident or 0, signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    try:
        for number in range(TRIES):
            with pytest.raises(KeyboardInterrupt):
                _let_go_and_wait(go, number % 50)
    finally:
        signal.signal(signal.SIGINT, old)
        thread.join()
