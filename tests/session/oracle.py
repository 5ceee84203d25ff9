"""What plain bash makes of a script: the right answer."""

from __future__ import annotations

import os
import re
import subprocess
import termios
from dataclasses import dataclass
from pathlib import Path

__all__ = ("STATE", "Outcome", "normalised", "run_file")

STATE = """
declare -p a b c n arr map exported 2>&1
declare -f f g
alias
trap -p
umask
set +o | grep -E 'noglob|nounset|pipefail|noclobber|allexport|errtrace|functrace'
shopt -p extglob nullglob nocasematch dotglob lastpipe globstar
echo "${PWD##*/} $# $* ${OPTIND}"
"""
"""Bash source that prints what a script may have changed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a script printed, and its exit code."""

    output: str
    exit_code: int


def run_file(bash: str, text: str, folder: Path) -> Outcome:
    """Run `bash FILE` in a folder, on a pseudoterminal."""
    file = folder.parent / "script.sh"
    file.write_text(text, "utf-8")
    master, slave = os.openpty()
    try:
        attributes = termios.tcgetattr(slave)
        attributes[1] &= ~termios.ONLCR
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        process = subprocess.Popen(
            ["env", "--default-signal", bash, str(file)],  # nohup(1) and `&` ignore some, and bash would tell
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            start_new_session=True,
        )
    finally:
        os.close(slave)
    output = b""
    ends = 0
    while ends < 2:  # EIO: nobody holds the terminal any more; what was written last may only come then (Linux n_tty)
        try:
            output += os.read(master, 65_536)
        except OSError:
            ends += 1
    os.close(master)
    return Outcome(output.decode("utf-8", "surrogateescape"), process.wait())


_TRACE = re.compile(r"^([+>])\1* ", re.MULTILINE)


def normalised(output: str, bash: str, folder: Path) -> str:
    """Take out what tells a file from a terminal: the name before an error, and the depth of a trace."""
    error = rf"(?:{re.escape(Path(bash).name)}|{re.escape(str(folder.parent))}/script\.sh): (?:line \d+: )?"
    return _TRACE.sub(r"\1 ", re.sub(error, "bash: ", output))
