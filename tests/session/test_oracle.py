"""A script cut into cells does what the script does: plain bash is the oracle.

More examples: SHELLKERNEL_ORACLE_EXAMPLES=20000.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from shellkernel import BashSession
from tests.session.oracle import STATE, normalised, run_file
from tests.session.scripts import PRELUDE, statements

__all__ = ()

EXAMPLES = int(os.environ.get("SHELLKERNEL_ORACLE_EXAMPLES", "100"))


def _make(folder: Path) -> None:
    """Make the folder that a script runs in, with the files that it reads."""
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("a\n")
    (folder / "file.txt").write_text("first line\nsecond\n")
    (folder / "lib.sh").write_text("echo sourced\nc=fromlib\n")


@pytest.mark.slow
@pytest.mark.bashes
@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(script=statements(), data=st.data())
def test_cells_do_what_the_script_does(bash: str, script: list[str], data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.booleans(), min_size=len(script) - 1, max_size=len(script) - 1), label="cut after")
    cells = [script[0]]
    for cut, statement in zip(cuts, script[1:], strict=True):
        cells[-1:] = [cells[-1], statement] if cut else [f"{cells[-1]}\n{statement}"]
    end = '\nprintf "\\n<%s|%s>\\n" "$?" "${PIPESTATUS[*]}"\n'
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "work"
        _make(folder)
        wanted = run_file(bash, "\n".join([PRELUDE, *script]) + end + STATE, folder)
        assume("syntax error" not in wanted.output)  # `case` in `$( )` is too much for bash 5.1
        shutil.rmtree(folder)
        _make(folder)
        seen = ""
        with BashSession(shell=bash, cwd=folder) as session:
            result = session.run(PRELUDE)
            for cell in [*cells, end + STATE]:
                if cell is not cells[0] and cell.startswith(end):
                    status = f"\n<{result.exit_code}|{' '.join(map(str, result.pipestatus))}>\n"
                    assert status in wanted.output
                result = session.run(cell, timeout=20)
                seen += result.output
                if result.end_reason == "session_ended":
                    break
            assert result.end_reason in ("completed", "session_ended")
            assert normalised(seen, bash, folder) == normalised(wanted.output, bash, folder)
            assert result.exit_code == wanted.exit_code
