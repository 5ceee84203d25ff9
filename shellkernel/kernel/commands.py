"""What the magics do (`magics` says which there are and how they are read)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shellkernel.kernel.cell import Cell
from shellkernel.kernel.magics import MAGICS, MagicCall, UsageError, assignments, setting, usage
from shellkernel.kernel.runner import Runner
from shellkernel.kernel.settings import KernelSettings

__all__ = ("Answer", "Commands")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a magic gives back, beside what it does."""

    value: str = ""
    """Shown as the cell's result."""
    page: str = ""
    """Shown in the pager."""


class Commands:
    """Carries magics out, in the thread that runs cells.

    Args:
        settings: What some of them change.
        runner: What some of them act on.
        help_on: Returns a help text for a name, or "".
    """

    def __init__(self, settings: KernelSettings, runner: Runner, help_on: Callable[[str], str]) -> None:
        self._settings = settings
        self._runner = runner
        self._help_on = help_on

    def call(self, call: MagicCall, cell: Cell) -> Answer:
        """Carry one out.

        Raises:
            UsageError: Its argument is wrong. Nothing was changed.
            ShellKernelError: A new shell could not be started.
        """
        arguments, _ = MAGICS[call.name]
        if call.argument and not arguments:
            raise UsageError(f"%{call.name} takes no argument, not {call.argument!r}")
        match call.name:
            case "restart":
                self._runner.restart()
            case "last":
                self._show_last(cell)
            case "env_file":
                if not call.argument:
                    raise UsageError("%env_file needs the name of a file")
                self._runner.export(assignments(call.argument))
            case "%statements" | "%trace" | "%dry_run":
                _look(call, cell)
            case "lsmagic":
                return Answer(value=usage())
            case "help":
                return Answer(page=self._help(call.argument))
            case _:
                return Answer(value=setting(self._settings, call) or "")
        return Answer()

    def _show_last(self, cell: Cell) -> None:
        if self._runner.last_output is not None:
            self._runner.last_output.replay(cell.publisher)

    def _help(self, name: str) -> str:
        if not name:
            return usage()
        if name.startswith("%") and name[1:] in MAGICS:
            arguments, text = MAGICS[name[1:]]
            return f"{name} {arguments}".rstrip() + f"\n    {text}\n"
        text = self._help_on(name)
        if not text:
            raise UsageError(f"%help: nothing is known about {name!r}")
        return text


def _look(call: MagicCall, cell: Cell) -> None:
    """Note what is to be shown of a cell beside its output."""
    if call.argument not in ("", "--stop-on-error"):
        raise UsageError(f"%{call.name} {MAGICS[call.name][0]}: not {call.argument!r}")
    cell.dry_run |= call.name == "%dry_run"
    cell.trace |= call.name == "%trace"
    cell.stop_on_error |= bool(call.argument)
    cell.statements |= not cell.dry_run
