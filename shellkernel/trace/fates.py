"""What became of each failure in a trace: it decided the cell's exit code, or was swallowed.

Only what is certain is said. What the cell's exit code is comes from its last command, and from that command's own
last one where it was a call or a subshell, and so on down: those decided. Another failure is swallowed where the text
says so (a condition, left of `||`, `!`), where the exit code is 0, or where a later command ran whose exit code took
its place. The rest has failed, and that is all that is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from shellkernel.results import TraceRecord
from shellkernel.trace.codes import Codes
from shellkernel.trace.entries import Entry, Process, first_word
from shellkernel.trace.structure import own_code

__all__ = ("records_of",)

_READS_CODE = re.compile(r"\$\?|\$\{\?|PIPESTATUS")
_LATER = "a later command ran"
_PIPE = "left of |, without pipefail"


def records_of(codes: Codes, exit_code: int | None, *, pipefail: bool | None) -> tuple[TraceRecord, ...]:
    """Return a trace's records with what became of their exit codes.

    Args:
        codes: What each came to.
        exit_code: The cell's.
        pipefail: Whether that option is on; None where that is not known.
    """
    fates = _Fates(codes, exit_code, pipefail=pipefail)
    if exit_code:
        fates.decide(codes.shell, None, exit_code)
    for entry in codes.entries:
        fates.judge(entry)
    return tuple(_record(entry, codes) for entry in codes.entries)


class _Frame:
    """What ran one after the other in a process, or in a call of it.

    Args:
        items: All of it.
        is_loop_condition: Whether a command's exit code is passed over in favour of what its loop did before.
    """

    def __init__(self, items: list[Entry | Process], is_loop_condition: Callable[[Entry], bool]) -> None:
        self.items = items
        self._places = {item: place for place, item in enumerate(items)}
        self._later: list[Entry | Process | None] = []
        sure = any_other = None
        for item in reversed(items):
            self._later.append(sure or any_other)
            if isinstance(item, Process) or not (item.is_head or is_loop_condition(item)):
                sure = item
            elif not item.is_head:
                any_other = item
        self._later.reverse()

    def later(self, *items: Entry | Process) -> Entry | Process | None:
        """Return what ran next behind the last of these, a loop's condition only where there is nothing else."""
        places = [self._places[item] for item in items if item in self._places]
        return self._later[max(places)] if places else None


class _Fates:
    def __init__(self, codes: Codes, exit_code: int | None, *, pipefail: bool | None) -> None:
        self._codes = codes
        self._structure = codes.structure
        self._exit_code = exit_code
        self._pipefail = pipefail
        self._frames: dict[tuple[Process, Entry | None], _Frame] = {}
        self._substitutions: dict[Entry, list[Process]] = {}
        for process in codes.processes.values():
            if process.consumer is not None:
                self._substitutions.setdefault(process.consumer, []).append(process)

    def decide(self, process: Process, call: Entry | None, code: int) -> None:
        """Mark what gave a process, or a call in it, its exit code, and what gave that its own."""
        while True:
            item = self._decisive(process, call)
            if isinstance(item, Process):
                self._decide_child(item, code)
            if not isinstance(item, Entry) or item.code != code or self._structure.swallowed(item):
                return
            item.fate = "decided"
            self._decide_substitution(item, code)
            call = item

    def _decisive(self, process: Process, call: Entry | None) -> Entry | Process | None:
        """The last that ran; a loop's exit code is its body's."""
        for item in reversed(self._frame(process, call).items):
            if isinstance(item, Process) or not (item.is_head or self._is_loop_condition(item)):
                return item
        return None

    def _decide_child(self, child: Process, code: int) -> None:
        group = child.group or [child]
        failing = (
            [each for each in group if each.code] if self._pipefail else [each for each in group[-1:] if each.code]
        )
        if failing and failing[-1].code == code and not (child.entries and self._leads_out(group[-1])):
            self.decide(failing[-1], None, code)

    def _leads_out(self, process: Process) -> str:
        """Why a pipeline's or subshell's failure goes no further."""
        sites = self._structure.sites(process.entries[0]) if process.entries else []
        reasons = {site.around for site in sites}
        return reasons.pop() if len(reasons) == 1 else ""

    def _decide_substitution(self, consumer: Entry, code: int) -> None:
        inside = self._substitutions.get(consumer, [])
        if consumer.assigns and len(inside) == 1 and inside[0].code == code:
            self.decide(inside[0], None, code)

    def _frame(self, process: Process, call: Entry | None) -> _Frame:
        frame = self._frames.get((process, call))
        if frame is None:
            items = [
                item
                for item in process.frames.get(call, [])
                if isinstance(item, Entry) or (item.waited and item.kind in ("element", "subshell"))
            ]
            frame = self._frames[process, call] = _Frame(items, self._is_loop_condition)
        return frame

    def _is_loop_condition(self, entry: Entry) -> bool:
        return self._structure.is_loop_condition(entry)

    def judge(self, entry: Entry) -> None:
        """Say what became of one command's exit code."""
        if entry.code is None or entry.fate:
            return
        if entry.code == 0:
            entry.fate = "succeeded"
            return
        reason = self._why_swallowed(entry)
        if reason or self._exit_code == 0:
            entry.fate, entry.reason = "swallowed", reason
        else:
            entry.fate = "failed"

    def _why_swallowed(self, entry: Entry) -> str:
        if entry.in_trap:
            return "in a trap"
        reason = self._structure.swallowed(entry)
        if reason:
            return reason
        later = self._frame(entry.process, entry.call).later(entry)
        if later is not None:
            return self._why_passed_over(entry, later)
        if entry.call is not None:  # the last of its call
            return self._inherited(entry.call)
        return self._why_process_swallowed(entry.process, entry)

    def _inherited(self, entry: Entry) -> str:
        """The reason of a command before, of which this one is a part."""
        self.judge(entry)
        return entry.reason

    def _why_passed_over(self, entry: Entry, later: Entry | Process) -> str:
        if isinstance(later, Entry) and _READS_CODE.search(later.command):
            return ""
        certain = self._exit_code == 0 or entry.code != self._exit_code
        if not certain and isinstance(later, Entry):
            certain = bool(self._structure.sites(later)) and not self._is_loop_condition(later)
        return _LATER if certain else ""

    def _why_process_swallowed(self, process: Process, entry: Entry) -> str:
        """Why the exit code of a process, which this was the last command of, goes no further."""
        parent = process.parent
        if parent is None:
            return ""
        if process.kind == "substitution":
            return self._why_substitution_swallowed(process)
        if self._structure.agree(entry, lambda site: site.in_background):
            return "in the background"
        group = process.group or [process]
        if self._pipefail is False and group[-1] is not process:
            return _PIPE
        if any(each.code for each in group[group.index(process) + 1 :]):
            return "left of a later failure in its pipeline"
        reason = self._leads_out(group[-1])
        if reason:
            return reason
        later = self._frame(parent, process.call).later(*group)
        if later is not None:
            return self._why_passed_over(entry, later)
        if process.call is not None:
            return self._inherited(process.call)
        return self._why_process_swallowed(parent, entry) if parent.parent is not None else ""

    def _why_substitution_swallowed(self, process: Process) -> str:
        consumer = process.consumer
        if consumer is None:
            return ""
        if not consumer.assigns:
            return own_code(first_word(consumer.command))
        return self._inherited(consumer) if process.code == consumer.code else ""


def _record(entry: Entry, codes: Codes) -> TraceRecord:
    process = entry.process
    subshell = 0 if process is codes.shell else max(1, process.subshell)
    return TraceRecord(
        line=entry.line,
        depth=entry.depth,
        function=entry.function,
        subshell=subshell,
        process=process.number,
        command=entry.command.rstrip("\n"),
        expanded=entry.expanded,
        exit_code=entry.code,
        started=entry.started,
        duration=entry.duration,
        fate=entry.fate,
        reason=entry.reason,
    )
