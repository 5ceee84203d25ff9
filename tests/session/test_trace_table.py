"""What statements and trace say of the scripts in inside.json: each was compared with what bash does, on all versions.

`shell` are the commands that the session's own bash ran, in their order; `subshells` those of other processes, sorted,
since the elements of a pipeline run side by side. A line is `( ` for each subshell, the function, the command, `=` its
exit code (None: bash did not show it), what became of a failure, and why.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shellkernel import BashSession
from shellkernel.results import TraceRecord

__all__ = ()

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("inside.json").read_text("utf-8"))


@pytest.mark.bashes
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_statements_and_trace(case: dict[str, Any], session: BashSession) -> None:
    result = session.run(case["cell"], statements=True, trace=True, timeout=30)
    assert result.statements is not None
    assert result.trace is not None
    statements = [
        [each.source.split("\n")[0], each.exit_code if each.reached else "not reached", [*each.pipestatus]]
        for each in result.statements
    ]
    assert result.exit_code == case["exit_code"]
    assert statements == case["statements"]
    assert [in_short(each) for each in result.trace.records if not each.subshell] == case["shell"]
    assert sorted(in_short(each) for each in result.trace.records if each.subshell) == case["subshells"]
    assert (result.trace.note, result.trace.omitted) == (case["note"], 0)


def in_short(record: TraceRecord) -> str:
    """Return a record as the table writes it."""
    line = f"{record.command} = {record.exit_code}"
    if record.depth:
        line = f"{record.function}: {line}"
    if record.subshell:
        line = "(" * record.subshell + f" {line}"
    if record.fate not in ("", "succeeded"):
        line += f" {record.fate}"
    return f"{line}: {record.reason}" if record.reason else line


def test_there_are_enough() -> None:
    assert len(CASES) >= 60
    assert len({case["cell"] for case in CASES}) == len(CASES)
