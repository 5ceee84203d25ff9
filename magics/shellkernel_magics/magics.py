"""The IPython side: the two magics, their settings, and how they come and go."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import (
    Magics,
    line_cell_magic,
    line_magic,
    magics_class,
    no_var_expand,
)
from traitlets import Bool, CaselessStrEnum, Float, Integer, Unicode

from shellkernel import BashSession, Job, Result, sessions
from shellkernel_magics.completion import BashSessionMatcher
from shellkernel_magics.listing import Table, history_table, session_details, session_table
from shellkernel_magics.live import in_notebook
from shellkernel_magics.opening import Defaults, find_session, open_session, read_values
from shellkernel_magics.options import CellOptions, parse_cell_line, split_line
from shellkernel_magics.running import run_background, run_foreground
from shellkernel_magics.short import short_errors

if TYPE_CHECKING:
    from shellkernel_magics.structure import Structure

__all__ = ("BashSessionMagics", "load", "unload")


@magics_class
class BashSessionMagics(Magics):
    """`%%bash_session`, `%bash_session` and `%interrupt`."""

    default_session = Unicode("default", help="The session of a cell that names none.").tag(config=True)
    raise_error = Bool(False, help="Whether a result that is not ok raises, as with --check.").tag(config=True)
    timeout = Float(None, allow_none=True, help="--timeout of every cell, in seconds.").tag(config=True)
    idle_timeout = Float(None, allow_none=True, help="--idle-timeout of every cell, in seconds.").tag(config=True)
    stderr = CaselessStrEnum(("merge", "split"), "merge", help="--stderr of new sessions.").tag(config=True)
    rcfile = Unicode(None, allow_none=True, help="--rcfile of new sessions: 'user', or a path.").tag(config=True)
    columns = Integer(
        None, allow_none=True, min=1, help="Width of new sessions; None: the terminal's, 120 in a notebook."
    ).tag(config=True)
    rows = Integer(
        None, allow_none=True, min=1, help="Height of new sessions; None: the terminal's, 40 in a notebook."
    ).tag(config=True)
    statements = Bool(False, help="Whether every cell is shown with its statements, as with --statements.").tag(
        config=True
    )
    trace_limit = Integer(10_000, min=1, help="Commands of one cell that --trace records at most.").tag(config=True)
    interrupt_button = Bool(True, help="Whether --bg shows a button, where ipywidgets is.").tag(config=True)

    @no_var_expand
    @line_cell_magic
    def bash_session(self, line: str, cell: str | None = None) -> Result | Job | Table | Structure | None:
        """Run the cell in a bash session that lasts.

            %%bash_session [NAME] [options]
            bash commands ...

        The session NAME (if none is given: `default`) is started when it is first named. Its directory,
        variables, functions, aliases and options stay for the next cell. Output is shown live; then comes the
        Result, also in `_` and in `_bash`. The body goes to bash as it is; in the line, quotes group words as
        in a shell, and nothing is expanded. A program that waits for input asks through the notebook. The
        interrupt button interrupts bash's command first; a second press is stronger.

        Output and result
          --out VAR          set the Python variable VAR to the Result as well
          --err VAR          set VAR to what went to stderr (implies --stderr split)
          --quiet            show neither output nor result
          --check            raise CommandFailed and its kind when the result is not ok
          --no-raise-error   never raise for a result; by default only waiting for input in vain raises
          --timeout S        interrupt the command after S seconds
          --idle-timeout S   interrupt it after S seconds without output

        Exit codes inside of the cell
          --statements       draw the cell with the exit code, pipestatus and time of each of its statements
          --trace            the same, and every command that ran, also in functions, loops and subshells
          --stop-on-error    run nothing behind the first statement that fails
          --dry-run          show the structure of the cell, and run nothing

        Variables and input
          --var NAME ...     set shell variables to Python values first: str, int, float, Path, bool (true or
                             false), list (array), dict (associative array); also `--var a,b`
          --get NAME ...     set Python variables to shell variables afterwards: str, list or dict
          --env K=V          export a variable first; may be given several times
          --cwd DIR          change to DIR first
          --input TEXT       give TEXT, line by line, to a program that waits, then the end of the file; \\n
                             begins a new line; may be given several times, and with --bg
          --no-input         waiting for input is an error

        Background
          --bg               return a Job at once, with a live display; see job.result(), .wait(), .send(),
                             .interrupt()
          --proc VAR         set VAR to the Job; --out VAR is set when it is over

        The session (those of an existing session can not be changed: add --new)
          --new, --restart   end the session, if there is one, and begin with a fresh one
          --stderr split     keep stderr apart (or: merge, the default)
          --rcfile FILE      read FILE, or with `user` ~/.bashrc; default: none

        Examples

            %%bash_session build --check --timeout 600 --out made
            ./configure && make -j2

            %%bash_session --var path limit --get total
            total=$(head -n "$limit" "$path" | wc -l)

            %%bash_session server --bg --proc web
            python3 -m http.server 8000

            %%bash_session --input yes --input 'two words'
            ./ask-me.sh

        Without a cell

            %bash_session                  list the sessions
            %bash_session show NAME        everything about one
            %bash_session history NAME     what it has run, in cells and by session.run()
            %bash_session restart NAME     end it and begin again, with the same settings
            %bash_session close NAME       end it
            %interrupt [NAME] [--kill]     interrupt what runs in it
        """
        with short_errors():
            if cell is None:
                return self._manage(split_line(line))
            options = parse_cell_line(line)
            defaults = self._defaults()
            body = cell.removesuffix("\n")
            if options.dry_run:
                return self._show_structure(body, options)
            values = read_values(options, self._shell.user_ns)
            session = open_session(options, defaults, values, body)
            if options.bg:
                return run_background(self._shell, session, body, options, defaults, button=self.interrupt_button)
            result = run_foreground(self._shell, session, body, options, defaults)
            return None if options.quiet else result

    @no_var_expand
    @line_magic
    def interrupt(self, line: str) -> None:
        """Interrupt the command that runs in a bash session: `%interrupt [NAME] [--kill]`.

        Without NAME, the only session that runs something. Each further call for the same command is
        stronger. With --kill it is killed at once.
        """
        with short_errors():
            words = split_line(line)
            kill = "--kill" in words
            names = [word for word in words if word != "--kill"]
            for word in names:
                if word.startswith("-"):
                    raise UsageError(f"%interrupt: unknown option {word}")
            if len(names) > 1:
                raise UsageError(f"%interrupt: one session, not {' '.join(names)}")
            session = find_session(names[0]) if names else _only_running()
            job = session.running
            if job is None or not (job.kill() if kill else job.interrupt()):
                print(f"session {session.name!r} is idle")  # noqa: T201

    @property
    def _shell(self) -> InteractiveShell:
        assert self.shell is not None
        return self.shell

    def _defaults(self) -> Defaults:
        size = os.terminal_size((120, 40))
        if not in_notebook(self._shell):
            size = shutil.get_terminal_size(size)
        return Defaults(
            name=self.default_session,
            check=self.raise_error,
            timeout=self.timeout,
            idle_timeout=self.idle_timeout,
            stderr=self.stderr,
            rcfile=self.rcfile,
            columns=self.columns or size.columns,
            rows=self.rows or size.lines,
            statements=self.statements,
            trace_limit=self.trace_limit,
        )

    def _show_structure(self, body: str, options: CellOptions) -> Structure | None:
        from shellkernel_magics.structure import read_structure  # few ask for it

        structure = read_structure(body)
        if options.out:
            self._shell.user_ns.update({options.out: structure})
        return None if options.quiet else structure

    def _manage(self, words: list[str]) -> Table | None:
        if not words:
            return session_table(sessions.values())
        verb, *names = words
        if verb not in ("show", "history", "restart", "close"):
            raise UsageError(f"%bash_session: {verb!r} is not one of show, history, restart, close")
        if len(names) != 1:
            raise UsageError(f"%bash_session {verb}: expected one session name")
        session = find_session(names[0])
        if verb == "show":
            return session_details(session)
        if verb == "history":
            return history_table(session)
        if verb == "restart":
            session.restart()
        else:
            session.close()
        return None


def _only_running() -> BashSession:
    running = [session for session in sessions.values() if session.running is not None]
    if len(running) == 1:
        return running[0]
    names = ", ".join(session.name for session in running)
    raise UsageError(f"%interrupt: which one of {names}?" if running else "%interrupt: nothing is running")


_loaded: dict[int, BashSessionMatcher] = {}
"""The matcher of each shell that has the extension, by the shell's id()."""


def load(shell: InteractiveShell) -> None:
    """Register everything; a second call changes nothing."""
    if id(shell) in _loaded:
        return
    magics = BashSessionMagics(shell)
    shell.register_magics(magics)
    matcher = BashSessionMatcher(shell, lambda: magics.default_session)
    shell.Completer.custom_matchers.append(matcher)
    _loaded[id(shell)] = matcher


def unload(shell: InteractiveShell) -> None:
    """Take back everything that `load` registered."""
    matcher = _loaded.pop(id(shell), None)
    if matcher is None:
        return
    shell.Completer.custom_matchers.remove(matcher)
    matcher.close()
    for kind, name in (("cell", "bash_session"), ("line", "bash_session"), ("line", "interrupt")):
        shell.magics_manager.magics[kind].pop(name, None)
