"""Much output through a session, beside a pseudoterminal that is drained and thrown away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from benchmarks.contestants import floors
from benchmarks.model import Benchmark, Effort, NotHere, Outcome, Target
from benchmarks.race import Action, Contestant, race, timed
from shellkernel import BashSession

__all__ = ("BENCHMARK",)

LINE = "a line of output as a build prints it, of eighty characters with its line end.."


def _command(size: int) -> str:
    return f"yes '{LINE}' | head -c {size}"


def _rate(size: int, action: Action) -> Action:
    return lambda: size / action()


def _ours(size: int) -> Callable[[], AbstractContextManager[Action]]:
    @contextmanager
    def opened() -> Iterator[Action]:
        with BashSession() as session:

            def run() -> None:
                result = session.run(_command(size))
                if len(result.raw) + result.omitted != size:
                    raise NotHere(f"it has {len(result.raw) + result.omitted:,} bytes of {size:,}")

            yield _rate(size, timed(run))

    return opened


def _drained(size: int) -> Callable[[], AbstractContextManager[Action]]:
    @contextmanager
    def opened() -> Iterator[Action]:
        yield _rate(size, timed(lambda: floors.drain("-c", _command(size))))

    return opened


def measure(effort: Effort) -> Outcome:
    """Race the two."""
    size = effort.of(200_000_000, 20_000_000)
    contestants = (
        Contestant(name="bare pty, drained", open=_drained(size), unit="B/s"),
        Contestant(name="shellkernel session", open=_ours(size), unit="B/s"),
    )
    return race(contestants, rounds=effort.of(5, 3))


BENCHMARK = Benchmark(
    name="session-output",
    title="output through a session, 200 MB (20 MB with --quick)",
    targets=(
        Target(
            text="≥ 0.8 times draining the same pty with `os.read`",
            of="shellkernel session",
            relative_to="bare pty, drained",
            at_least=0.8,
        ),
    ),
    measure=measure,
)
