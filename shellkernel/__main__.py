"""`python -m shellkernel`: start the kernel, or install its kernelspec.

Jupyter starts the kernel with `-f CONNECTION_FILE`; everything but the words below is the kernel's.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

__all__ = ("main",)

HELP = """\
usage: python -m shellkernel [-f FILE] [OPTION...]    start the kernel; Jupyter does this
       python -m shellkernel install [OPTION...]      list the kernel in another Jupyter (install --help)
       python -m shellkernel --version
       python -m shellkernel --help-all               the kernel's own options

In a notebook choose the kernel "Bash (shellkernel)". `jupyter kernelspec list` tells whether it is there.
"""


def main() -> int:
    """Do what the command line says and return the process's exit code."""
    match sys.argv[1:]:
        case ["install", *options]:
            from shellkernel.kernel import install

            return install.main(options)
        case ["--version" | "-V"]:
            print("shellkernel", version("shellkernel"))
        case ["--help" | "-h"]:
            print(HELP, end="")
        case [word, *_] if not word.startswith("-"):
            print(f"python -m shellkernel: there is no {word!r}\n{HELP}", end="", file=sys.stderr)
            return 2
        case _:
            from shellkernel.kernel.app import main as start

            start()
    return 0


if __name__ == "__main__":
    sys.exit(main())
