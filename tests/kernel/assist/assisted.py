"""A session in a folder with files, and its helper: what completion and inspection are asked through."""

from __future__ import annotations

from pathlib import Path

from shellkernel import BashSession
from shellkernel.assist.completion import Completion, complete
from shellkernel.assist.helper import Helper
from shellkernel.assist.inspection import inspect
from shellkernel.assist.snapshot import take_snapshot
from shellkernel.assist.variables import attribute_letters

__all__ = ("PAGE", "Assisted")

SETUP = r"""
alias gst='git status'
colour=blue
declare -irx count_zq=3
declare -A pear=([taste]=sweet)
list=(1 'b c')
D='sub dir'
greet_zq() { echo hello; }
_words_zq() { COMPREPLY=($(compgen -W 'alpha beta gamma' -- "$2")); }
complete -F _words_zq mycmd_zq
"""

PAGE = """\
OPTIONS
       The option --all is the best.

       -a, --all
              do not leave out

              anything

       -l     use a long listing

       --all-or-nothing
              as it says
"""


class Assisted:
    """A session in a folder with files, and its helper."""

    def __init__(self, shell: str, folder: Path) -> None:
        self.session = BashSession(shell=shell, cwd=folder)
        self.session.run(SETUP)
        self.helper = Helper({"shell": shell})

    def complete(self, text: str) -> Completion:
        snapshot = take_snapshot(self.session)
        return complete(
            text, len(text), snapshot, lambda name, *words: self.helper.ask(snapshot, name, *words), self.text_of
        )

    def matches(self, text: str) -> list[str]:
        return [match.text for match in self.complete(text).matches]

    def inspect(self, text: str, cursor: int | None = None) -> str:
        snapshot = take_snapshot(self.session)
        return inspect(
            text,
            len(text) if cursor is None else cursor,
            snapshot,
            lambda name, *words: self.helper.ask(snapshot, name, *words),
            self.session.vars.get,
            lambda name: attribute_letters(self.session, name),
        )

    def text_of(self, name: str) -> str | None:
        value = self.session.vars.get(name)
        return value if isinstance(value, str) else None
