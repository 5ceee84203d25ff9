"""The magics in a plain IPython terminal, and the package in a script."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import shellkernel
import shellkernel_magics

PATHS = os.pathsep.join(str(Path(module.__path__[0]).parent) for module in (shellkernel, shellkernel_magics))


def python(*arguments: str, stdin: str = "") -> str:
    """Run a Python to its end and return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONPATH": PATHS, "TERM": "dumb"},
    )
    return done.stdout


def test_a_terminal_shows_output_and_result() -> None:
    cells = (
        "get_ipython().run_line_magic('load_ext', 'shellkernel')\n"
        "get_ipython().run_cell_magic('bash_session', 'term', 'echo hello; (exit 3)')\n"
        "get_ipython().run_line_magic('bash_session', '')\n"
    )
    shown = python("-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor", stdin=cells)
    assert "hello\n" in shown
    assert "exit code 3 · " in shown
    assert "term  idle" in shown


def test_a_background_job_prints_its_start_and_its_end() -> None:
    cells = (
        "get_ipython().run_line_magic('load_ext', 'shellkernel')\n"
        "job = get_ipython().run_cell_magic('bash_session', 'term --bg', 'echo hello')\n"
        "job.result(20).exit_code\n"
        "import threading; [t.join() for t in threading.enumerate() if t.name == 'shellkernel-job']\n"
    )
    shown = python("-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor", stdin=cells)
    assert "[term] runs in the background: echo hello" in shown
    assert "[term] exit code 0 · " in shown


def test_a_program_in_a_terminal_asks_there() -> None:
    cells = (
        "get_ipython().run_line_magic('load_ext', 'shellkernel')\n"
        "r = get_ipython().run_cell_magic('bash_session', '', \"read -p 'Name: ' name; echo hi $name\")\n"
        "Ada\n"
        "print(r.output.splitlines()[-1] == 'hi Ada')\n"
    )
    shown = python("-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor", stdin=cells)
    assert "Name: " in shown
    assert "hi Ada" in shown
    assert "True" in shown


def test_ctrl_c_in_a_terminal_interrupts_bash_first() -> None:
    cells = (
        "get_ipython().run_line_magic('load_ext', 'shellkernel')\n"
        "get_ipython().run_cell_magic('bash_session', '--out r', 'echo begun; sleep 60')\n"
    )
    command = [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": PATHS, "TERM": "dumb"},
    ) as terminal:
        assert terminal.stdin is not None
        assert terminal.stdout is not None
        terminal.stdin.write(cells)
        terminal.stdin.flush()
        for line in terminal.stdout:
            if line.endswith("begun\n"):
                break
        terminal.send_signal(signal.SIGINT)
        shown, _ = terminal.communicate("print(r.end_reason, r.exit_code)\n", timeout=60)
    assert "KeyboardInterrupt" in shown
    assert "interrupted 130" in shown


def test_a_script_needs_no_ipython() -> None:
    script = (
        "import sys, shellkernel_magics\n"
        "from shellkernel import BashSession\n"
        "with BashSession() as s: print(s.run('echo from a script').output, end='')\n"
        "print([m for m in ('IPython', 'ipykernel', 'traitlets') if m in sys.modules])\n"
    )
    assert python("-c", script) == "from a script\n[]\n"
