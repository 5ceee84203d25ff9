"""What each command of a trace came to.

Theory of operation. A record says what its process knew right before it ran a command. PIPESTATUS there is the exit
code of the command before, whatever stands around that one (`!`, `if`); a new process has inherited it from its parent,
and so tells of the parent's last command, too. A call (a function, `eval`) has its exit code when a record comes that
is no deeper than it. Of the processes of a pipeline, the parent's next record tells. What is not seen in one of these
ways is taken from the exit code of the process or call whose last command it was, where the text says that it must be
the same; and else it is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from shellkernel.trace.entries import Entry, Process, ProcessKind, assigned, first_word, leaving_code
from shellkernel.trace.records import Record
from shellkernel.trace.structure import Structure

__all__ = ("Codes",)

_SUBSTITUTES = re.compile(r"\$\(|`|\$\{[ |\n]")


class Codes:
    """Reads records, in their order.

    Args:
        records: All of them, ours too.
        shell: The process id of the session's shell.
        structure: The text that ran.
        code: The exit code of a shell that ended by itself with the cell; else None.
    """

    def __init__(self, records: Iterable[Record], shell: int, structure: Structure, code: int | None) -> None:
        self.structure = structure
        self.shell = Process(shell, 0, "shell", code=code)
        self.entries: list[Entry] = []
        self.processes: dict[int, Process] = {shell: self.shell}
        self.saw_end = False
        """Whether the records reach to the cell's end."""
        self._recent: list[Process] = [self.shell]
        self._begun = 0.0
        self._heads: set[Record] = set()
        for record in records:
            self._take(record)
        self._finish()

    def _take(self, record: Record) -> None:
        if record.is_head:
            # bash does not flush the heads of compound commands: each process that it forks then prints them again.
            if record in self._heads:
                return
            self._heads.add(record)
        self._begun = self._begun or record.time
        process = self.processes.get(record.process)
        if process is None:
            process = self._new_process(record)
        elif not record.is_ours and self._joins(process, record):
            return
        else:
            if process.children:
                self._children_ended(process, record)
            self._settle(process, record.depth, record.level, record)
        process.level, process.now_subshell = record.level, record.subshell
        if record.is_ours:
            self.saw_end = self.saw_end or "__shellkernel_close" in record.command
            if record.expanded.startswith("__shellkernel_traced "):
                self.shell.statement = self.structure.next_statement(self.shell.statement, record.expanded)
            return
        if self._recent[-1] is not process:
            if process in self._recent:
                self._recent.remove(process)
            self._recent.append(process)
        self._add(process, record)

    def _add(self, process: Process, record: Record) -> None:
        last = process.last
        call = process.calls[-1] if process.calls else None
        head = record.is_head and not self._is_arithmetic_command(record)
        floor = call.level + call.evaluates if call is not None else process.entries[0].level if last else record.level
        trap = not head and record.level > floor and last is not None
        name = assigned(record.expanded) if not head else ""
        entry = Entry(
            number=len(self.entries),
            line=record.line,
            depth=record.depth,
            level=record.level,
            function=record.function,
            process=process,
            command=record.expanded if head or trap else record.command,
            expanded=record.expanded,
            started=max(0.0, record.time - self._begun),
            statement=process.statement,
            call=call,
            is_head=head,
            in_trap=trap or (call is not None and call.in_trap),
            assigned=[name] if name else [],
            assigns=bool(name),
        )
        process.entries.append(entry)
        self.entries.append(entry)
        if not entry.in_trap:
            process.frames.setdefault(call, []).append(entry)

    def _joins(self, process: Process, record: Record) -> bool:
        """Take `a=1 b=2 make` for the one command that it is: bash prints its assignments as records of their own."""
        last = process.last
        if last is not None and record.command == last.command and first_word(last.command) in ("export", "readonly"):
            return last.duration is None and assigned(record.expanded) != ""  # they tell of their assignments once more
        if last is None or not last.assigns or record.command != last.command or record.line != last.line:
            return False
        name = assigned(record.expanded)
        if last.code is not None or name in last.assigned[:1]:
            return False
        last.expanded += " " + record.expanded
        last.assigned += [name] * bool(name)
        last.assigns = bool(name)
        return True

    # Processes.

    def _new_process(self, record: Record) -> Process:
        parent = self._parent_of(record)
        kind = self._kind_of(record, parent)
        process = Process(record.process, record.subshell, kind, parent, born=len(self.entries))
        process.statement = parent.statement
        waited = self.structure.agree(self._probe(record), lambda site: not site.in_background)
        if waited and kind != "unsure" and not (kind == "substitution" and self._goes_on(parent)):
            # Its parent waits for it, and so has run nothing since.
            self._settle(parent, record.depth, record.level - (kind == "substitution"), record)
        process.call = parent.calls[-1] if parent.calls else None
        process.after = parent.last
        if process.after is not None:
            process.after.followed = True
        parent.children.append(process)
        parent.frames.setdefault(process.call, []).append(process)
        self.processes[record.process] = process
        return process

    def _goes_on(self, process: Process) -> bool:
        """Whether bash is still at the assignments of the last command."""
        last = process.last
        return last is not None and last.assigns and not self.structure.agree(last, lambda site: site.assigns(last))

    def _kind_of(self, record: Record, parent: Process) -> ProcessKind:
        last = parent.last
        level = parent.level or record.level
        if last is not None and last.evaluates and last.code is None and last not in parent.calls:
            level += 1
        if record.level > level:
            return "substitution"
        if record.level == level > parent.entries[0].level if parent.entries else False:
            return "unsure"  # in evaluated text; or in a substitution behind it
        return "element" if record.subshell == parent.subshell else "subshell"

    def _parent_of(self, record: Record) -> Process:
        """The process that started this one: bash counts subshells, but not the simple elements of a pipeline."""
        element = record.subshell == 0 or self.structure.agree(self._probe(record), lambda site: site.is_element)
        wanted = record.subshell - (not element)
        for process in reversed(self._recent):
            if _subshell_in(process, record) == wanted:
                return process
        return self.shell

    def _is_arithmetic_command(self, record: Record) -> bool:
        """Whether `(( … ))` is a command of its own, and not in the head of a C-style `for`."""
        if not record.expanded.startswith("((") or not self.structure.sites(self._probe(record)):
            return False
        last = self.processes[record.process].last
        stale = last is not None and last.command == record.command
        return not stale or "".join(record.command.split()) == "".join(record.expanded.split())

    def _probe(self, record: Record) -> Entry:
        """Return an entry to ask the text with."""
        probe = Entry(-1, record.line, 0, 0, record.function, self.shell, record.command, record.expanded, 0.0)
        probe.statement = self.shell.statement
        return probe

    def _children_ended(self, process: Process, record: Record) -> None:
        """The record after a pipeline, a subshell or a substitution tells how these ended."""
        children, process.children = process.children, []
        waited = [each for each in children if not self._is_background(each)]
        for each in waited:
            each.waited = True
        same = [each for each in waited if each.kind in ("element", "subshell")]
        self._recent = [each for each in self._recent if each not in waited] or [self.shell]
        same.sort(key=lambda each: each.number)  # bash starts them from left to right
        if same and len(same) == len(record.pipestatus) and not any(each.kind == "unsure" for each in children):
            for child, code in zip(same, record.pipestatus, strict=True):
                child.code, child.group = code, same
        inside = [each for each in children if each.subshell == process.now_subshell + 1]
        alone = len(inside) == 1 and all(each.kind == "substitution" for each in children)
        if alone and not record.is_ours and _SUBSTITUTES.search(record.command):
            inside[0].code = record.status

    def _is_background(self, process: Process) -> bool:
        return not process.entries or not self.structure.agree(process.entries[0], lambda site: not site.in_background)

    # Codes.

    def _settle(self, process: Process, depth: int, level: int, record: Record) -> None:
        """A record of this process, or of a child of it, shows what its last commands came to."""
        last = process.last
        if last is None:
            return
        code = record.pipestatus[0] if len(record.pipestatus) == 1 else None
        if last.code is None and last not in process.calls and (depth > last.depth or level > last.level):
            if depth > last.depth or last.evaluates:
                process.calls.append(last)
                return
            self._close(last, code, record)  # a trap runs
        while process.calls and depth <= process.calls[-1].depth and level <= process.calls[-1].level:
            call = process.calls.pop()
            self._close(call, code, record)
            self._tail(process, call, call.code)
        here = process.calls[-1] if process.calls else None
        if last is not here and last.call is here and depth <= last.depth and level <= last.level:
            self._close(last, None if self.structure.hides(last) else code, record)

    def _close(self, entry: Entry, code: int | None, record: Record) -> None:
        if entry.duration is not None:
            return
        entry.duration = max(0.0, record.time - self._begun - entry.started)
        if not entry.is_head:  # nothing runs behind `exit` and `return` but traps, which find the code before
            leaves = first_word(entry.command) in ("exit", "return")
            entry.code = leaving_code(entry.expanded) if leaves else code

    def _tail(self, process: Process, call: Entry | None, code: int | None) -> None:
        """A call, or the process, is over: what it came to may be its last command's, and so on down."""
        frame: list[Entry | Process] | None = process.frames.get(call)
        while frame:
            last = next((item for item in reversed(frame) if isinstance(item, Entry)), None)
            if last is None or last.is_head:
                return
            if last.code is None:
                last.code = self._last_code(process, last, code, alone=last is process.entries[0])
            frame, code = process.frames.get(last), last.code
            if code is None:
                return

    def _last_code(self, process: Process, last: Entry, code: int | None, *, alone: bool) -> int | None:
        if first_word(last.command) in ("exit", "return"):
            named = leaving_code(last.expanded)
            return code if named is None else named
        if code is None or last.followed:
            return None
        if code >= 2 or (alone and process.kind == "element"):
            return code
        return code if self.structure.agree(last, lambda site: site.carries) else None

    def _finish(self) -> None:
        for process in self.processes.values():
            self._tail(process, None, process.code)
            if process.kind == "substitution" and process.parent is not None:
                entries = process.parent.entries
                after = next((entry for entry in entries if entry.number >= process.born), None)
                if after is not None and _SUBSTITUTES.search(after.command):
                    process.consumer = after


def _subshell_in(process: Process, record: Record) -> int:
    """Return bash's count of subshells for what a process runs; -1 for the simple element of a pipeline, which runs
    nothing else. In a function, an element is a subshell.
    """
    if process.kind != "element" or process.now_subshell > process.subshell:
        return process.now_subshell
    return process.subshell + 1 if process.entries and record.depth > process.entries[0].depth else -1
