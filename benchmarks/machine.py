"""Where it ran, and what a process uses."""

from __future__ import annotations

import compileall
import multiprocessing
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import ParamSpec, TypeVar

import shellkernel
import shellkernel_magics
from benchmarks.model import NotHere

__all__ = (
    "compile_packages",
    "describe",
    "descriptors",
    "in_fresh_process",
    "memory",
    "peak_memory",
    "reset_peak_memory",
)

P = ParamSpec("P")
T = TypeVar("T")

PACKAGES = "shellkernel ipykernel bash_kernel calysto_bash metakernel swe-rex pexpect ipython".split()


def describe() -> dict[str, str]:
    """Return what a reader has to know beside the figures."""
    bash = subprocess.run(["bash", "-c", 'echo "$BASH_VERSION"'], capture_output=True, text=True, check=True)
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()}",
        "load": f"{os.getloadavg()[0]:.1f}",
        "bash": bash.stdout.strip(),
        "Python": platform.python_version(),
        "packages": ", ".join(filter(None, map(_package, PACKAGES))),
    }


def compile_packages() -> None:
    """Compile this project's packages, as installing them does; else each import would (PYTHONDONTWRITEBYTECODE)."""
    for package in (shellkernel, shellkernel_magics):
        compileall.compile_dir(package.__path__[0], quiet=1)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _package(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return ""


def memory() -> int:
    """Return the bytes of memory that this process has in use (resident set)."""
    return _status("VmRSS")


def peak_memory() -> int:
    """Return the most that `memory` has been since the start, or since `reset_peak_memory`."""
    return _status("VmHWM")


def reset_peak_memory() -> None:
    """Let `peak_memory` begin anew (Linux proc(5), clear_refs)."""
    Path("/proc/self/clear_refs").write_text("5")


def _status(field: str) -> int:
    if sys.platform != "linux":
        raise NotHere("memory is measured on Linux only")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1_024 for line in lines if line.startswith(f"{field}:"))


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(os.listdir("/dev/fd")) - 1  # the listing's own


def in_fresh_process(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a module's function in a Python of its own, so that nothing measured before is in its memory."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()
