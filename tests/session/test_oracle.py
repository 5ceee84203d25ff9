"""A script cut into cells does what the script does: plain bash is the oracle.

More examples: SHELLKERNEL_ORACLE_EXAMPLES=20000; others than in the last run: SHELLKERNEL_EXAMPLES=random.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shellkernel import BashSession
from tests.session.oracle import STATE, normalised, run_file
from tests.session.scripts import PARTS, PRELUDE, in_parts, make_folder, statements

__all__ = ()


@pytest.mark.slow
@pytest.mark.bashes
@pytest.mark.parametrize("part", range(PARTS))
def test_cells_do_what_the_script_does(bash: str, part: int) -> None:
    @in_parts(part)
    @given(script=statements(), data=st.data())
    def check(script: list[str], data: st.DataObject) -> None:
        cuts = data.draw(st.lists(st.booleans(), min_size=len(script) - 1, max_size=len(script) - 1), label="cut after")
        cells = [script[0]]
        for cut, statement in zip(cuts, script[1:], strict=True):
            cells[-1:] = [cells[-1], statement] if cut else [f"{cells[-1]}\n{statement}"]
        _compare(bash, script, cells)

    check()


def _compare(bash: str, script: list[str], cells: list[str]) -> None:
    end = '\nprintf "\\n<%s|%s>\\n" "$?" "${PIPESTATUS[*]}"\n'
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "work"
        make_folder(folder)
        wanted = run_file(bash, "\n".join([PRELUDE, *script]) + end + STATE, folder)
        assume("syntax error" not in wanted.output)  # `case` in `$( )` is too much for bash 5.1
        shutil.rmtree(folder)
        make_folder(folder)
        with BashSession(shell=bash, cwd=folder) as session:
            result = session.run(PRELUDE)
            seen = ""
            for cell in cells:
                result = session.run(cell, timeout=20)
                seen += result.output
                if result.end_reason == "session_ended":
                    break
            else:
                assert f"\n<{result.exit_code}|{' '.join(map(str, result.pipestatus))}>\n" in wanted.output
                result = session.run(end + STATE, timeout=20)
                seen += result.output
            assert result.end_reason in ("completed", "session_ended")
            seen = normalised(seen, bash, folder)
            assert (seen, result.exit_code) == (normalised(wanted.output, bash, folder), wanted.exit_code)
