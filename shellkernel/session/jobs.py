"""The background jobs of a shell, as bash lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ("BackgroundJob", "parse_jobs")

_ENTRY = re.compile(
    r"^\[(?P<number>\d+)\](?P<mark>[-+ ]) +(?P<group>\d+) (?P<state>\S+(?: \([^)\n]*\))?(?: \d+)?) +(?P<command>.*?)"
    r"(?=^\[\d+\][-+ ]|\Z)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundJob:
    """One entry of bash's job table (bash manual, Job Control Basics)."""

    number: int
    """What stands behind % in `kill %1`."""
    process_group: int
    state: str
    """`Running`, `Stopped`, … in bash's words."""
    command: str


def parse_jobs(listing: str) -> tuple[BackgroundJob, ...]:
    """Read what `jobs -l` prints."""
    return tuple(
        BackgroundJob(
            number=int(entry["number"]),
            process_group=int(entry["group"]),
            state=entry["state"],
            command=_command(entry["command"]),
        )
        for entry in _ENTRY.finditer(listing)
    )


def _command(text: str) -> str:
    """Join what `jobs -l` prints of a pipeline, a process a line; take the `&` and the directory off."""
    lines = [re.sub(r"^ +\d+ +(?=\|)", "", line) for line in text.rstrip("\n").split("\n")]
    joined = lines[0].rstrip()
    for line in lines[1:]:
        joined += f" {line.strip()}" if line.startswith("|") else f"\n{line}"
    return re.sub(r"  \(wd: [^\n]*\)$", "", joined).removesuffix("&").rstrip()
