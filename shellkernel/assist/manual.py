"""Manual pages as text."""

from __future__ import annotations

import os
import re
import subprocess
from functools import lru_cache

__all__ = ("manual_page", "option_text")

WIDTH = 100
SECONDS = 3.0
"""Seconds that a manual page may take to be formatted."""
_NO_PAGES = "This system has been minimized"


@lru_cache(maxsize=64)
def manual_page(name: str, path: str = "") -> str:
    """Return the page of this name, or "" when there is none (or no `man`). Nothing but `man` is run.

    Args:
        name: Of a command.
        path: The PATH in force; man looks for pages beside its folders.
    """
    environment = {**os.environ, "MANWIDTH": str(WIDTH), "MANPAGER": "cat", "MAN_KEEP_FORMATTING": ""}
    if path:
        environment["PATH"] = path
    try:
        said = subprocess.run(
            ["man", "--", name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    text = re.sub(r".\x08", "", said.stdout.decode("utf-8", "replace"))
    return "" if said.returncode or _NO_PAGES in text else text.strip("\n") + "\n"


def option_text(page: str, option: str) -> str:
    """Return the paragraph of a manual page that tells what an option does, or "".

    Args:
        page: The page.
        option: `--long`, `-s`, or several letters, `-sx`, of which each is looked for.
    """
    option = option.partition("=")[0]
    found = _paragraph(page, option)
    if not found and re.fullmatch(r"-\w{2,}", option):
        found = "\n".join(filter(None, (_paragraph(page, f"-{letter}") for letter in option[1:])))
    return found


def _paragraph(page: str, option: str) -> str:
    """Return the first paragraph that begins with the option; better one with text further in, or beside it."""
    named = re.compile(rf"(?<![\w-]){re.escape(option)}(?![\w-])")
    lines = page.split("\n")
    mentioned = ""
    for number, line in enumerate(lines):
        head = line.lstrip()
        if head.startswith("-") and named.search(head.split("   ")[0]):
            text = _from(lines, number, len(line) - len(head))
            if "   " in head or text.count("\n") > 1:
                return text
            mentioned = mentioned or text
    return mentioned


def _from(lines: list[str], number: int, indent: int) -> str:
    """Return the lines from one on that belong to it: those further in."""
    end = number + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    return "\n".join(line[indent:].rstrip() for line in lines[number:end]).rstrip() + "\n"
