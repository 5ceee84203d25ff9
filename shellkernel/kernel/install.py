"""`python -m shellkernel install`: tell Jupyter where this kernel is.

`pip install` lists the kernel in its own environment already, as the kernelspec is part of the wheel. This
command is for a Jupyter that lives in another environment: it writes the same kernelspec, with the path of
the Python that runs it, to a place where that Jupyter looks.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import distribution
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager

__all__ = ("DISPLAY_NAME", "KERNEL_NAME", "install", "main")

KERNEL_NAME = "shellkernel"
DISPLAY_NAME = "Bash (shellkernel)"

# Jupyter's own pattern also takes "." and "..", and then removes a folder that holds more than a kernelspec.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def install(prefix: Path | None = None, *, name: str = KERNEL_NAME, display_name: str = DISPLAY_NAME) -> Path:
    """Write the kernelspec, with this Python in it, in place of one of ours that is there.

    Args:
        prefix: An environment's folder, such as `sys.prefix`; None is the user's own Jupyter folder.
        name: What Jupyter calls the kernel: ASCII letters, digits, `-`, `.` and `_`. It becomes lower case.
        display_name: What a person chooses in a launcher.

    Returns:
        The folder that now holds it.

    Raises:
        ValueError: The name is not a kernel's name, or the display name is empty. Nothing was changed.
        FileExistsError: Another program's kernel has this name there. Nothing was changed.
        FileNotFoundError: This installation of shellkernel has no kernelspec of its own. Nothing was changed.
        OSError: The folder can not be written.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a kernel: use ASCII letters, digits, '-', '.' and '_'")
    if not display_name.strip():
        raise ValueError("the display name is empty")
    manager = KernelSpecManager()
    kernels = Path(manager.user_kernel_dir) if prefix is None else prefix.absolute() / "share/jupyter/kernels"
    _refuse_other_kernel(kernels / name.lower())
    with tempfile.TemporaryDirectory() as folder:
        for file in _shipped():
            shutil.copy(file, folder)
        spec_file = Path(folder, "kernel.json")
        spec = json.loads(spec_file.read_text(encoding="utf-8"))
        spec["argv"][0] = sys.executable
        spec["display_name"] = display_name
        spec_file.write_text(json.dumps(spec, indent=2) + "\n", encoding="utf-8")
        where = None if prefix is None else str(prefix.absolute())
        return Path(manager.install_kernel_spec(folder, name, user=prefix is None, prefix=where))


def _shipped() -> list[Path]:
    """The files of the kernelspec that was installed with the package, `kernel.json` among them."""
    files = [
        Path(str(file.locate()))
        for file in distribution("shellkernel").files or ()
        if file.parts[-3:-1] == ("kernels", KERNEL_NAME)
    ]
    files = [file for file in files if file.is_file()]
    if not any(file.name == "kernel.json" for file in files):
        raise FileNotFoundError("this installation lacks its kernelspec; install shellkernel again with pip")
    return files


def _refuse_other_kernel(folder: Path) -> None:
    try:
        argv = json.loads((folder / "kernel.json").read_text(encoding="utf-8"))["argv"]
    except (OSError, ValueError, KeyError, TypeError):
        return  # no kernel, or none that Jupyter could start
    if "shellkernel" not in argv:
        raise FileExistsError(f"{folder} is another kernel; choose another --name")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: Its arguments; None takes those of the process.

    Returns:
        The process's exit code: 0, or 1 with one line on stderr. (A wrong option exits with 2.)
    """
    options = _parser().parse_args(argv)
    prefix: Path | None = Path(sys.prefix) if options.sys_prefix else options.prefix
    try:
        folder = install(prefix, name=options.name, display_name=options.display_name)
    except (ValueError, OSError) as error:
        print(f"shellkernel install: {_reason(error)}", file=sys.stderr)
        return 1
    print(f"Installed the kernel {options.display_name!r} in {folder}")
    print(f"It runs on {sys.executable}")
    return 0


def _reason(error: Exception) -> str:
    """The error in words, without errno's number when the system raised it."""
    if isinstance(error, OSError) and error.strerror:
        return f"can not write {error.filename}: {error.strerror}"
    return str(error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m shellkernel install",
        description="Tell Jupyter where this kernel is. Needed only for a Jupyter that is installed in "
        "another environment than shellkernel: pip lists the kernel in its own environment.",
        epilog="Undo it with: jupyter kernelspec remove NAME",
    )
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true", help="for every Jupyter of this user (the default)")
    place.add_argument("--sys-prefix", action="store_true", help=f"for this Python's environment ({sys.prefix})")
    place.add_argument("--prefix", metavar="P", type=Path, help="for the environment in the folder P")
    parser.add_argument("--name", metavar="N", default=KERNEL_NAME, help="the kernel's name (default: %(default)s)")
    parser.add_argument(
        "--display-name", metavar="D", default=DISPLAY_NAME, help="what launchers show (default: %(default)s)"
    )
    return parser
