"""A cell whose statements are told apart, or that is traced, does what the cell does: a session without is the oracle.

More examples: SHELLKERNEL_ORACLE_EXAMPLES=20000; others than in the last run: SHELLKERNEL_EXAMPLES=random.
"""

from __future__ import annotations

import shutil
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shellkernel import BashSession, CommandSyntaxError, Result
from shellkernel.session.options import Inside
from tests.session.oracle import STATE
from tests.session.scripts import PARTS, PRELUDE, in_parts, make_folder, statements

__all__ = ()


@pytest.mark.slow
@pytest.mark.bashes
@pytest.mark.parametrize("inside", [{"statements": True}, {"trace": True}], ids=["statements", "trace"])
@pytest.mark.parametrize("part", range(PARTS))
def test_a_cell_does_the_same_when_it_is_looked_into(bash: str, part: int, inside: Inside) -> None:
    @in_parts(part)
    @given(script=statements(), data=st.data())
    def check(script: list[str], data: st.DataObject) -> None:
        joins = st.sampled_from(["\n", "\n", "; ", "\n\n# a 'comment\n"])
        cell = script[0]
        for last, statement in pairwise(script):
            join = data.draw(joins)
            cell += ("\n" if "\n" in last or "#" in last else join) + statement
        assert _run(bash, cell, inside) == _run(bash, cell, {})

    check()


def _run(bash: str, cell: str, inside: Inside) -> tuple[object, ...]:
    """Return all that can be seen of a cell, and of what it leaves."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "work"
        make_folder(folder)
        with BashSession(shell=bash, cwd=folder) as session:
            session.run(PRELUDE)
            try:
                result = session.run(cell, timeout=20, **inside)
            except CommandSyntaxError:
                assume(False)  # `case` in `$( )` is too much for bash 5.1
                raise
            _check(result)
            after = session.run('printf "\\n<%s|%s|%s>\\n" "$?" "$_" "${PIPESTATUS[*]}"\n' + STATE, timeout=20)
        shutil.rmtree(folder)
        seen = (result.output, result.exit_code, result.pipestatus, result.end_reason, result.note, after.output)
        return tuple(each.replace(temporary, "") if isinstance(each, str) else each for each in seen)


def _check(result: Result) -> None:
    """What a result says of its parts must agree with what it says of the whole, and with what is known of bash."""
    last = result.statements[-1] if result.statements else None
    if last is not None and result.end_reason == "completed" and last.exit_code is not None:
        assert result.statements is not None
        assert (last.exit_code, last.pipestatus) == (result.exit_code, result.pipestatus)
        assert "".join(each.output for each in result.statements).replace("\n", "") == result.output.replace("\n", "")
    for record in result.trace.records if result.trace is not None else ():
        assert "__shellkernel" not in record.command
        assert record.exit_code in (CONSTANT.get(record.command, record.exit_code), None), record
        assert record.fate != "decided" or record.exit_code == result.exit_code, record


CONSTANT = {
    "true": 0,
    ":": 0,
    "false": 1,
    "exit 3": 3,
    "exit 4": 4,
    "exit 5": 5,
    "no_such_command": 127,
    "[ a = b ]": 1,
    "((n > 100))": 1,
    "((0))": 1,
}
"""Commands that come to the same wherever they stand."""
