"""tests/cells.json, cells with their right values, through the kernel as through the engine (tests/session)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from shellkernel.text import plain
from tests.kernel.notebook import Notebook, Outcome
from tests.session.cells import make_tools, moved

__all__ = ()

pytestmark = [pytest.mark.slow, pytest.mark.bashes]

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "cells.json").read_text(encoding="utf-8"))
STUCK_SECONDS, OTHER_SECONDS = 3.0, 50.0
"""The limits of a case with a cell that its limit ends, and of all others: plenty, on a busy machine."""


@pytest.fixture(params=CASES, ids=lambda case: case["id"])
def case(request: pytest.FixtureRequest, notebook: Notebook, tmp_path: Path) -> dict[str, Any]:
    """One case, with a fresh shell for it, that sees its own processes and has its own files."""
    case: dict[str, Any] = request.param
    ended = any(step["exit_code"] == "timed_out" for step in case["steps"])
    seconds = STUCK_SECONDS if ended else OTHER_SECONDS
    make_tools(tmp_path / "tools")
    assert notebook.run(f"%timeout {seconds}\n%restart").status == "ok"
    assert notebook.run(f"PATH={tmp_path}/tools:$PATH").status == "ok"
    return case


def judged(outcome: Outcome) -> str:
    """The text that is judged: streams and errors, escape sequences removed, blank ends cut."""
    text = outcome.text
    for error in outcome.of_type("error"):
        if error["ename"] != "ExitCode":
            text += "\n" + "\n".join(error["traceback"])
    return plain(text).strip()


def code_of(outcome: Outcome) -> int | str | None:
    """The exit code as the file writes it."""
    if outcome.status == "ok":
        return 0
    if "timed out" in "\n".join(outcome.error["traceback"]):
        return "timed_out"
    return outcome.exit_code


def test_cell(case: dict[str, Any], notebook: Notebook, tmp_path: Path) -> None:
    for number, step in enumerate(case["steps"], 1):
        outcome = notebook.run(moved(step["cell"], tmp_path), seconds=60)
        place = f"step {number}: {outcome.reply}"
        text, wanted = judged(outcome), step["output"]
        if wanted and "equals" in wanted:
            assert text == wanted["equals"].strip(), place
        if wanted and "matches" in wanted:
            assert re.search(wanted["matches"], text), f"{place}: {text[-400:]!r}"
        code, wanted_code = code_of(outcome), step["exit_code"]
        if wanted_code == "nonzero":
            assert code != 0, place
        elif wanted_code is not None:
            assert code == wanted_code, place
