"""Every cell of tests/cells.json comes to its right value in a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from shellkernel import BashSession, CommandSyntaxError, IncompleteCommand
from tests.session.cells import CASES, Case, limit, make_tools, moved, verdict

__all__ = ()


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH with tools that see one session."""
    make_tools(tmp_path / "tools")
    return tmp_path / "tools"


@pytest.mark.slow
@pytest.mark.bashes
@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_cell_comes_to_its_right_value(case: Case, bash: str, tools: Path, tmp_path: Path) -> None:
    """Judge each step of one case.

    Each case is a fresh session; its steps are cells run one after the other. `output` is judged after escape sequences
    are removed, `\\r\\n` is `\\n` and blank ends are cut: `equals` is the exact text, `matches` a regular expression to
    be found in it, null is not judged. `exit_code` is a number, "nonzero", "timed_out" (the caller's limit, 3 s for
    kind `stuck`, 12 s otherwise, ended the command), or null.

    A cell that the syntax check refuses has the error's text for its output and, like bash's own word on it, exit code
    2. The cells name files in /tmp; each test has its own instead.
    """
    with BashSession(shell=bash) as session:
        session.run(f"PATH={tools}:$PATH")
        for number, step in enumerate(case.steps, 1):
            timed_out = False
            exit_code: int | None
            try:
                result = session.run(moved(step.cell, tmp_path), timeout=limit(case, step))
            except (IncompleteCommand, CommandSyntaxError) as error:
                output, exit_code = str(error), 2
            else:
                output, exit_code = result.output, result.exit_code
                timed_out = result.end_reason == "timed_out"
            wrong = verdict(step, output, exit_code, timed_out=timed_out)
            assert not wrong, f"step {number}, {step.cell[:200]!r}: {wrong}"
