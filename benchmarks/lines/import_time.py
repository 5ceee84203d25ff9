"""What `import shellkernel`, with its sessions, costs, and what it does not bring along."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.model import Benchmark, Effort, Figure, Outcome, Target, single
from benchmarks.race import Action, Contestant, race

__all__ = ("BENCHMARK",)

HEAVY = ("ipykernel", "IPython", "bashlex", "pydantic")
IMPORT = "import shellkernel; shellkernel.BashSession"  # its names are imported when they are asked for
SECONDS = f"import time; start = time.perf_counter(); {IMPORT}; print(time.perf_counter() - start)"
COUNT = f"import sys; {IMPORT}; print(sum(name in sys.modules for name in {HEAVY}))"


def _print(code: str) -> float:
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


@contextmanager
def _import() -> Iterator[Action]:
    yield lambda: _print(SECONDS)


def measure(effort: Effort) -> Outcome:
    """Import it in fresh Pythons."""
    seconds = race([Contestant(name="import shellkernel", open=_import)], rounds=effort.of(15, 5))
    heavy: Figure = single("heavy modules with it", _print(COUNT), "modules")
    return Outcome((*seconds.figures, heavy))


BENCHMARK = Benchmark(
    name="import",
    title="`import shellkernel`",
    targets=(
        Target(text="≤ 60 ms", of="import shellkernel", at_most=0.06),
        Target(text="without ipykernel, IPython, bashlex, pydantic", of="heavy modules with it", at_most=0),
    ),
    measure=measure,
)
