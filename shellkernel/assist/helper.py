"""The bash that answers for the session: its own process, so that nothing it does can change the session.

It starts as the session did (program, rc file, environment), on the first question. Before each question it is
brought to the session's directory, PATH, aliases and functions, as they were when the session was last idle. So it
answers while a cell runs too, and what completion functions load or leave behind does no harm.
"""

from __future__ import annotations

import atexit
import shlex
import threading
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any
from weakref import WeakSet

from shellkernel.assist.snapshot import Snapshot
from shellkernel.errors import SessionError, ShellKernelError
from shellkernel.session import BashSession, Ladder

__all__ = ("Helper",)

ANSWER_SECONDS = 1.0
"""Seconds that one question may take."""
_IMPATIENT = Ladder(interrupt=0.05, again=0.05, terminate=0.1, kill=0.1)


class Helper:
    """Questions to a second bash. Methods may be called from any thread; one question is asked at a time.

    Args:
        options: Arguments of `BashSession`, those of the session that is helped.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = {
            name: value for name, value in options.items() if name in ("shell", "env", "rcfile", "columns", "rows")
        }
        self._lock = threading.Lock()
        self._bash: BashSession | None = None
        self._closed = False
        self._applied: Snapshot | None = None
        _helpers.add(self)

    def ask(self, snapshot: Snapshot, function: str, *words: str, seconds: float = ANSWER_SECONDS) -> list[str]:
        """Call one of the functions of `assist.bash`.

        Args:
            snapshot: What the session was like.
            function: Its name, without our prefix.
            words: Its arguments; data, not bash.
            seconds: After these the question is given up.

        Returns:
            The lines it printed; none where it failed or took too long.
        """
        command = shlex.join([f"__shellkernel_assist_{function}", *words])
        with self._lock:
            try:
                bash = self._ready(snapshot)
                result = bash.run(command, timeout=seconds, ladder=_IMPATIENT)
            except ShellKernelError:  # no answer is an answer: the person goes on typing
                self._drop()
                return []
            if result.end_reason != "completed":
                self._drop()
                return []
        return result.raw.decode("utf-8", "replace").replace("\r\n", "\n").splitlines()

    def close(self) -> None:
        """End the process; there are no answers any more. May be called twice."""
        self._closed = True
        with self._lock:
            self._drop()

    def _ready(self, snapshot: Snapshot) -> BashSession:
        """Return the bash, as the snapshot says it must be."""
        if self._closed:
            raise SessionError("the helper is closed")
        if self._bash is None:
            self._bash = BashSession("helper", listed=False, **self._options)
            script = resources.files("shellkernel.assist") / "assist.bash"
            self._bash.run(f"source {shlex.quote(str(script))}; __shellkernel_assist_load")
            self._applied = None
        for command in _changes(self._applied, snapshot):
            self._bash.run(command, timeout=ANSWER_SECONDS, ladder=_IMPATIENT)
        self._applied = snapshot
        return self._bash

    def _drop(self) -> None:
        bash, self._bash = self._bash, None
        if bash is not None:
            bash.close()


_helpers: WeakSet[Helper] = WeakSet()


@atexit.register
def _close_all() -> None:
    """End those that nobody has closed: they are in no list of sessions."""
    for helper in [*_helpers]:
        helper.close()


def _changes(before: Snapshot | None, after: Snapshot) -> Iterator[str]:
    """Yield the commands that bring the helper from one snapshot to the other."""
    if before == after:
        return
    lines = [f"\\builtin cd -- {shlex.quote(after.cwd)}"]
    if after.path:
        lines.append(f"PATH={shlex.quote(after.path)}")
    if after.home:
        lines.append(f"HOME={shlex.quote(after.home)}")
    names = set(after.names) - set(before.names if before else ())
    if names:
        lines.append(shlex.join(["__shellkernel_assist_names", *sorted(names)]))
    yield "\n".join(lines)
    if before is None or (before.definitions, before.aliases) != (after.definitions, after.aliases):
        yield "\\builtin unalias -a"  # while they are there, bash would expand them in what it reads now
        yield after.definitions
        yield after.aliases
