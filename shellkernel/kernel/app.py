"""The kernel's process: `python -m shellkernel -f CONNECTION_FILE`.

Settings come from `shellkernel_config.py` in Jupyter's configuration folders (`~/.jupyter`) or in the
IPython profile, and from the command line (`--ShellKernel.columns=100`).
"""

from __future__ import annotations

import logging
import sys
import threading
from typing import Any

import zmq
from ipykernel import kernelapp
from ipykernel.iostream import IOPubThread
from ipykernel.kernelapp import IPKernelApp, kernel_aliases
from ipykernel.kernelbase import Kernel
from IPython.core.profiledir import ProfileDir
from jupyter_client.session import Session
from jupyter_core.paths import jupyter_config_path
from traitlets import Bool, Dict, Type, default

__all__ = ("OutputsThread", "ShellKernelApp", "main")

NOT_ENCRYPTED = "Kernel is running over TCP without encryption"


class OutputsThread(IOPubThread):
    """Sends what goes to front ends, and welcomes each of them. One that has been waiting subscribes the moment that it
    starts (seen: before anything can be added to it).
    """

    def __init__(self, socket: Any, *args: Any, **kwargs: Any) -> None:
        self.listened = threading.Event()
        """Set once somebody has subscribed; and where ipykernel's own does not hear of that."""
        if socket.type == zmq.XPUB:
            socket.xpub_verbose = True  # else it tells of the first one only, while that is there
        super().__init__(socket, *args, **kwargs)  # type: ignore[no-untyped-call]
        if not hasattr(self, "_xpub_stream"):
            self.listened.set()

    def _handle_subscription(self, frames: list[bytes]) -> None:
        self.listened.set()
        super()._handle_subscription(frames)  # type: ignore[no-untyped-call]


class ShellKernelApp(IPKernelApp):
    """Starts a `ShellKernel` and serves it until it is shut down."""

    name = "shellkernel"
    description = "A Jupyter kernel for bash. Jupyter starts it; -f names the connection file."
    examples = "python -m shellkernel -f kernel.json --ShellKernel.rcfile= --ShellKernel.columns=100"
    classes = [ProfileDir, Session]  # type: ignore[assignment]  # noqa: RUF012  # as ipykernel's
    subcommands = Dict()
    kernel_class = Type(Kernel, help="The kernel to serve: a ShellKernel.")
    capture_fd_output = Bool(
        False, help="Show what the kernel process itself writes to its stdout and stderr in the running cell."
    ).tag(config=True)

    def parse_command_line(self, argv: list[str] | None = None) -> None:
        """Read the options; the kernel's own are known once it is imported, which is put off where there are none."""
        words = sys.argv[1:] if argv is None else argv
        if words[::2] != ["-f"]:
            from shellkernel.kernel.kernel import ShellKernel

            self.classes = [ShellKernel, *self.classes]
        super().parse_command_line(argv)

    @default("aliases")
    def _aliases_default(self) -> dict[str, Any]:
        """ipykernel's, without those for classes that this application has not: `--help-all` fails on them."""
        ours = ("IPKernelApp.", "ProfileDir.", "Session.")
        return {alias: trait for alias, trait in kernel_aliases.items() if str(trait).startswith(ours)}

    @default("config_file_paths")
    def _config_file_paths_default(self) -> list[str]:
        return jupyter_config_path()

    def init_sockets(self) -> None:
        """Open the channels, without ipykernel's warning at each start that they are not encrypted."""

        def other(record: logging.LogRecord) -> bool:
            return not record.getMessage().startswith(NOT_ENCRYPTED)

        log: Any = self.log
        logger: logging.Logger = getattr(log, "logger", log)  # traitlets allows an adapter
        logger.addFilter(other)
        try:
            super().init_sockets()  # type: ignore[no-untyped-call]
        finally:
            logger.removeFilter(other)

    def init_control(self, context: Any) -> None:
        """Open the control channel, and switch subshells off: bash runs one command at a time."""
        super().init_control(context)  # type: ignore[no-untyped-call]
        self.shell_channel_thread = None

    def init_iopub(self, context: Any) -> None:
        """Open the channel of outputs, and have the kernel know when the first front end listens to it."""
        module: Any = kernelapp
        module.IOPubThread = OutputsThread  # the one that it makes and starts, in one go
        try:
            super().init_iopub(context)  # type: ignore[no-untyped-call]
        finally:
            module.IOPubThread = IOPubThread

    def init_kernel(self) -> None:
        """Make the kernel."""
        from shellkernel.kernel.kernel import ShellKernel  # once clients can connect, which takes them some 0.1 s

        self.kernel_class = ShellKernel
        super().init_kernel()  # type: ignore[no-untyped-call]
        self.kernel.listened = self.iopub_thread.listened

    def start(self) -> None:
        """Serve until shut down, then end the control thread.

        Its last flush needs the thread that sends on iopub, which ipykernel ends first, at exit (7.4: the flush then
        waits for 10 s, and Jupyter kills the kernel after 5).
        """
        super().start()  # type: ignore[no-untyped-call]
        if self.control_thread is not None and self.control_thread.is_alive():
            self.control_thread.stop()
            self.control_thread.join()

    def init_shell(self) -> None:
        """There is no InteractiveShell; ipykernel would take the trait `shell` for one."""

    def init_pdb(self) -> None:
        """Leave Python's debugger alone."""


def main() -> None:
    """Run the kernel until it is shut down."""
    ShellKernelApp.launch_instance()
