"""A session's round trip: `echo hi`, there and back."""

from __future__ import annotations

from benchmarks.contestants import floors, sessions
from benchmarks.model import Benchmark, Effort, Outcome, Target
from benchmarks.race import Contestant, race

__all__ = ("BENCHMARK",)

CONTESTANTS = (
    Contestant(name="bare pipe, read/eval loop", open=sessions.echo(floors.pipe), calls=50),
    Contestant(name="bare pty, typed eval", open=sessions.echo(floors.typed), calls=50),
    Contestant(name="bare pty, typed eval with marks", open=sessions.echo(floors.marked), calls=50),
    Contestant(name="shellkernel session", open=sessions.echo(sessions.ours), calls=50),
    Contestant(name="bash -c", open=sessions.echo(sessions.bash_c), calls=5),
    Contestant(name="IPython %%bash", open=sessions.echo(sessions.ipython_bash), calls=2),
    Contestant(name="pexpect REPLWrapper", open=sessions.echo(sessions.replwrap)),
    Contestant(name="SWE-ReX LocalRuntime", open=sessions.echo(sessions.swe_rex)),
)


def measure(effort: Effort) -> Outcome:
    """Race all of them."""
    return race(CONTESTANTS, rounds=effort.of(40, 5))


BENCHMARK = Benchmark(
    name="round-trip",
    title="session round trip, `echo hi`",
    targets=(
        Target(
            text="≤ 1.5 times a minimal typed `eval` line on a bare pty",
            of="shellkernel session",
            relative_to="bare pty, typed eval",
            at_most=1.5,
        ),
        Target(
            text="≤ 1.5 times the same with the marks that a session needs",
            of="shellkernel session",
            relative_to="bare pty, typed eval with marks",
            at_most=1.5,
        ),
        Target(
            text="≥ 300 times faster than SWE-ReX",
            of="SWE-ReX LocalRuntime",
            relative_to="shellkernel session",
            at_least=300,
        ),
    ),
    measure=measure,
)
