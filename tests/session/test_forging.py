"""Nothing that a program can list or print changes a command's exit code, or where it begins and ends."""

from __future__ import annotations

import pytest

from shellkernel import BashSession
from tests.session.watching import DEADLINE

__all__ = ()

pytestmark = pytest.mark.bashes

LISTINGS = [
    "declare -f",
    "declare -p",
    "set",
    "env",
    "export -p",
    "alias",
    "trap -p",
    "jobs; history | tail; hash",
    "cat /proc/$$/cmdline /proc/$$/environ",
    "cat /proc/self/environ",
    "cat /dev/fd/0 </dev/null; ls -l /dev/fd/",
]
"""What a program may look for a secret with."""


def shapes(nonce: str) -> list[str]:
    """Return every sentinel that there is, with a nonce of somebody's."""
    bodies = {"J": "[1]+  Done", "B": "", "E": "0;0;himBs;hook;/", "S": "0;0;1.0;1", "P": "/"}
    return [f"\x1b]7711;{nonce};{kind};{fields};{nonce}\x1b\\" for kind, fields in bodies.items()]


def quoted(text: str) -> str:
    """Return text in bash's quotes."""
    return "$'" + "".join(f"\\x{byte:02x}" for byte in text.encode()) + "'"


@pytest.mark.parametrize("nonce", ["0", "", "f" * 32, "last"])
@pytest.mark.parametrize("inside", [{}, {"statements": True}, {"trace": True}], ids=["plain", "statements", "trace"])
def test_printed_sentinels_are_output(session: BashSession, nonce: str, inside: dict[str, bool]) -> None:
    job = session.start("true")
    job.result(DEADLINE)
    forged = "".join(shapes(job.nonce.decode() if nonce == "last" else nonce))
    printed = f"printf %s {quoted(forged)}"
    cell = f"{printed}\n{printed} >/dev/tty\nsleep 0.05; echo still here\n(exit 3) | (exit 7)"
    result = session.run(cell, timeout=DEADLINE, **inside)  # type: ignore[arg-type]  # of these names
    assert (result.exit_code, result.pipestatus, result.end_reason) == (7, (3, 7), "completed")
    assert result.output.endswith("still here\n")
    assert result.raw.count(b"\x1b]7711;") == 2 * len(shapes(""))
    assert session.run('echo "$? ${PIPESTATUS[*]}"').output == "7 3 7\n"


@pytest.mark.parametrize("listing", LISTINGS)
def test_listings_hold_no_secret_and_can_be_printed_back(session: BashSession, listing: str) -> None:
    job = session.start(f"{listing}\n(exit 7)")
    listed = job.result(DEADLINE)
    assert job.nonce not in listed.raw
    assert listed.exit_code == 7
    session.vars["listed"] = listed.raw.replace(b"\0", b" ").decode("utf-8", "replace")
    again = session.run('printf %s "$listed"; sleep 0.05; echo; echo still here; (exit 5)', timeout=DEADLINE)
    assert (again.exit_code, again.end_reason) == (5, "completed")
    assert again.output.endswith("still here\n")
