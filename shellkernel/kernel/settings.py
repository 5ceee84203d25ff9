"""The kernel's settings, for `shellkernel_config.py` (`c.ShellKernel.columns = 100`) and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from traitlets import Bool, Dict, Enum, Float, Integer, Unicode
from traitlets.config import Configurable

from shellkernel.render.stream import LIMIT
from shellkernel.session.recording import KEEP_HEAD, KEEP_TAIL

__all__ = ("KernelSettings",)


class KernelSettings(Configurable):
    """What a person may choose. The first group acts when a shell starts, the second when a cell does."""

    shell = Unicode("bash", help="The bash to run: a path, or a name that is looked for on PATH.").tag(config=True)
    env: Dict[str, str] = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="""Environment variables for bash, laid over those of the kernel process and our defaults
        (TERM=xterm-256color, PAGER=cat and the like).""",
    ).tag(config=True)
    rcfile = Unicode(
        "user",
        help="""What bash reads when it starts: "user" is ~/.bashrc (and the system's), as in a terminal;
        "" is nothing; anything else is the path of a file.""",
    ).tag(config=True)
    columns = Integer(120, min=1, max=10_000, help="Width of the terminal that programs see.").tag(config=True)
    rows = Integer(40, min=1, max=10_000, help="Height of the terminal that programs see.").tag(config=True)
    stderr = Enum(
        ("merge", "split"),
        "merge",
        help=""""merge": both streams in the order in which they were written, as in a terminal.
        "split": stderr is a stream (and a terminal) of its own; the order between them is then approximate.""",
    ).tag(config=True)
    keep_head = Integer(
        KEEP_HEAD,
        min=0,
        help="Bytes kept of the beginning of a cell's output; a larger one goes to a file as well.",
    ).tag(config=True)
    keep_tail = Integer(KEEP_TAIL, min=0, help="Bytes kept of the end of a cell's output.").tag(config=True)
    detached = Enum(
        ("end", "leave"),
        "end",
        help="""What becomes of processes that left bash's session (`setsid`, daemons) when the kernel shuts down or
        restarts, and at %restart. "end": they are killed like all others. "leave": they live on, as after a terminal
        was closed.""",
    ).tag(config=True)

    on_nonzero = Enum(
        ("error", "continue"),
        "error",
        help="""What a non-zero exit code is. "error": the cell shows it, and Run All stops there. "continue":
        an answer, shown as the cell's value. Interrupted and timed out cells are errors in both cases.""",
    ).tag(config=True)
    statements = Bool(
        False,
        help="Whether a picture of the cell with its statements' exit codes follows its output.",
    ).tag(config=True)
    trace_limit = Integer(10_000, min=1, help="Commands of one cell that %%trace records at most.").tag(config=True)
    timeout = Float(None, allow_none=True, min=0.0, help="Seconds until a cell is interrupted; None: never.").tag(
        config=True
    )
    shown = Integer(
        LIMIT,
        min=1_000,
        help="Characters of a cell's output that the notebook shows; of more, the size and the end.",
    ).tag(config=True)

    def session_options(self) -> Mapping[str, Any]:
        """Return the arguments of `BashSession` that these settings stand for."""
        return {
            "shell": self.shell,
            "env": dict(self.env),
            "rcfile": self.rcfile or None,
            "columns": self.columns,
            "rows": self.rows,
            "stderr": self.stderr,
            "keep_head": self.keep_head,
            "keep_tail": self.keep_tail,
        }
