"""One `%%bash_session` cell, from its checked line to its Result or Job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from shellkernel import BashSession, Job, Result
from shellkernel.errors import CommandError, InputRequired
from shellkernel_magics.asking import ask_person, give_lines, person_can_answer
from shellkernel_magics.background import JobView
from shellkernel_magics.live import LiveOutput
from shellkernel_magics.short import interrupted

if TYPE_CHECKING:
    from shellkernel_magics.asking import OnInput
    from shellkernel_magics.opening import Defaults
    from shellkernel_magics.options import CellOptions

__all__ = ("run_background", "run_foreground")


def run_foreground(
    shell: InteractiveShell, session: BashSession, body: str, options: CellOptions, defaults: Defaults
) -> Result:
    """Run a cell to its end, showing its output live, and set its variables.

    Raises:
        KeyboardInterrupt: The person interrupted it; its command is over; the variables hold what there is.
        CommandError: Its result is not ok and the cell checks; or it waited for input that nobody could give,
            and the cell does not say `--no-raise-error`. The variables are set.
        UsageError: `--get` names a variable that the session does not have. All the rest is set.
    """
    before = session.last
    live = None if options.quiet else LiveOutput(shell, session.columns, session.rows)
    checks = defaults.check if options.check is None else options.check
    try:
        result = session.run(
            body,
            timeout=defaults.timeout if options.timeout is None else options.timeout,
            idle_timeout=defaults.idle_timeout if options.idle_timeout is None else options.idle_timeout,
            check=checks,
            on_output=live.stdout if live else None,
            on_stderr=live.stderr if live else None,
            on_input=_on_input(shell, options, live),
            **_inside(options, defaults),
        )
    except CommandError as error:
        _store(shell, options, error.result)
        raise
    except KeyboardInterrupt:
        partial = session.last if session.last is not before else None
        if partial is not None:
            _store(shell, options, partial)
        raise interrupted(partial) from None
    finally:
        if live:
            live.close()
    _store(shell, options, result)
    if result.end_reason == "awaiting_input" and options.check is None:
        raise InputRequired(result.note or "the command waited for input", result)
    _get_variables(shell, session, options)
    return result


def run_background(
    shell: InteractiveShell,
    session: BashSession,
    body: str,
    options: CellOptions,
    defaults: Defaults,
    *,
    button: bool,
) -> Job:
    """Start a cell's command, show it live in the cell, and return at once."""
    view = None if options.quiet else JobView(shell, session, button=button)
    job = session.start(
        body,
        timeout=defaults.timeout if options.timeout is None else options.timeout,
        idle_timeout=defaults.idle_timeout if options.idle_timeout is None else options.idle_timeout,
        on_output=view.feed if view else None,
        on_stderr=view.feed if view else None,
        on_input=None if options.input is None else give_lines(options.input, view.feed if view else None),
        on_waiting="interrupt" if options.no_input else "keep",
        **_inside(options, defaults),
    )
    if options.proc:
        shell.user_ns.update({options.proc: job})
    if options.out or options.err:
        job.add_done_callback(lambda done: _store_names(shell, options, done.result()))
    if view:
        view.follow(job)
    return job


def _inside(options: CellOptions, defaults: Defaults) -> dict[str, Any]:
    """Return what is asked of the session beside the command's end."""
    inside: dict[str, Any] = {}
    if options.statements or defaults.statements:
        inside["statements"] = True
    if options.stop_on_error:
        inside["stop_on_error"] = True
    if options.trace:
        inside |= {"trace": True, "trace_limit": defaults.trace_limit}
    return inside


def _on_input(shell: InteractiveShell, options: CellOptions, live: LiveOutput | None) -> OnInput | None:
    if options.no_input:
        return None
    if options.input is not None:
        return give_lines(options.input, live.stdout if live else None)
    if not person_can_answer(shell):
        return None
    return ask_person(shell, live)


def _store(shell: InteractiveShell, options: CellOptions, result: Result) -> None:
    shell.user_ns.update({"_bash": result})
    _store_names(shell, options, result)


def _store_names(shell: InteractiveShell, options: CellOptions, result: Result) -> None:
    if options.out:
        shell.user_ns.update({options.out: result})
    if options.err:
        shell.user_ns.update({options.err: result.stderr or ""})


def _get_variables(shell: InteractiveShell, session: BashSession, options: CellOptions) -> None:
    missing = []
    for name in options.get:
        try:
            shell.user_ns.update({name: session.vars[name]})
        except KeyError:
            missing.append(name)
    if missing:
        raise UsageError(f"--get: session {session.name!r} has no variable {', '.join(missing)}")
