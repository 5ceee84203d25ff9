"""The list of cells with their right values, and how a value is judged.

Each case is a fresh session; its steps are cells run one after the other. `output` is judged after escape sequences
are removed, `\\r\\n` is `\\n` and blank ends are cut: `equals` is the exact text, `matches` a regular expression to be
found in it, null is not judged. `exit_code` is a number, "nonzero", "timed_out" (the limit ended the command), or null.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

__all__ = ("CASES", "Case", "Step", "limit", "make_tools", "moved", "verdict")

RANDOM = re.compile(r"(?<=head -c )(\d+) /dev/urandom")
TEMPORARY = re.compile(r"/tmp\b")
PGREP = """#!/bin/sh
# The processes of this session alone: what else runs on the machine is nobody's business here.
exec {pgrep} -s 0 "$@"
"""
FILE = Path(__file__).parent.parent / "cells.json"


@dataclass(frozen=True, slots=True)
class Step:
    """One cell and what it must come to."""

    cell: str
    equals: str | None
    matches: str | None
    exit_code: int | str | None


@dataclass(frozen=True, slots=True)
class Case:
    """One session's cells."""

    id: str
    kind: str
    steps: tuple[Step, ...]


def make_tools(folder: Path) -> None:
    """Make a folder for PATH, with a pgrep that sees one session's processes."""
    folder.mkdir()
    if pgrep := shutil.which("pgrep"):
        (folder / "pgrep").write_text(PGREP.format(pgrep=pgrep))
        (folder / "pgrep").chmod(0o755)


def moved(cell: str, folder: Path) -> str:
    """Return a cell with a folder of its own in place of /tmp, and random bytes that are the same each time: 1 in 600
    times 3,000 of them save the cursor and restore it, and a terminal then has the last line elsewhere.
    """
    cell = TEMPORARY.sub(str(folder), cell)
    if found := RANDOM.search(cell):
        (folder / "random").write_bytes(random.Random(0).randbytes(int(found[1])))
        cell = RANDOM.sub(rf"\1 {folder}/random", cell)
    return cell


def limit(case: Case, step: Step) -> float:
    """Return the seconds that the caller gives a cell: few where they shall end it, plenty elsewhere."""
    if step.exit_code != "timed_out":
        return 60.0
    return 3.0 if case.kind == "stuck" else 12.0


def verdict(step: Step, output: str, exit_code: int | None, *, timed_out: bool) -> str:
    """Say what is wrong with a cell's outcome; "" when nothing is."""
    seen = output.replace("\r\n", "\n").strip()
    if step.equals is not None and seen != step.equals.strip():
        return f"the output is {seen!r}, not {step.equals!r}"
    if step.matches is not None and not re.search(step.matches, seen):
        return f"the output {seen!r} has no {step.matches!r}"
    match step.exit_code:
        case None:
            return ""
        case "timed_out":
            return "" if timed_out else f"it did not run into its limit; exit code {exit_code}"
        case "nonzero":
            return "" if exit_code != 0 else "the exit code is 0"
        case expected:
            return "" if exit_code == expected else f"the exit code is {exit_code}, not {expected}"


def _cases() -> tuple[Case, ...]:
    cases = []
    for case in json.loads(FILE.read_text("utf-8")):
        steps = []
        for step in case["steps"]:
            output = step["output"] or {}
            steps.append(Step(step["cell"], output.get("equals"), output.get("matches"), step["exit_code"]))
        cases.append(Case(case["id"], case["kind"], tuple(steps)))
    return tuple(cases)


CASES = _cases()
