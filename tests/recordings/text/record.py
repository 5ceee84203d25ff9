"""Record what real programs print on a terminal: NAME.bytes and, as we render it, NAME.txt.

Usage: python tests/recordings/text/record.py [NAME…]      (all that are installed, without names)

A recording is 120 columns and 40 rows, with ONLCR off, as sessions have it. Look at every NAME.txt before you keep
it: it is what the tests expect from then on. NAME.alternate.txt is the last alternate screen, where there was one.

Recorded with: Debian 12, bash 5.2, coreutils 9.1, grep 3.8, gcc 12.2, git 2.39, curl 7.88, wget 1.21, ncurses 6.4,
vim 9.0, less 590, procps 4.0, npm 11.19, Python 3.11, tqdm 4.70, pip 23.2 (its progress bar), rich 15.0. `docker`
is typed after what `docker pull` prints.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import tempfile
import termios
from pathlib import Path
from typing import NamedTuple

from shellkernel.text import Decoder, Renderer

__all__ = ()

HERE = Path(__file__).parent
COLUMNS, ROWS = 120, 40
QUIET = 0.6
"""Seconds without output after which the next keys are typed."""
PROGRAM_LIMIT = 30.0
"""Seconds without output after which a program is given up."""


class Program(NamedTuple):
    command: str
    keys: tuple[bytes, ...] = ()


SETUP = r"""
seq 60 | sed 's/$/ green bottles hanging on the wall/' > song.txt
printf '#include <stdio.h>\nint main(void) { char *p = 3; printf("%%d\\n", "x"); return y; }\n' > bad.c
mkdir -p folder/inner npm && touch folder/{file.txt,tool,a.tar.gz} && chmod +x folder/tool && ln -s file.txt folder/link
echo '{"name": "x", "version": "1.0.0"}' > npm/package.json
git init -q source && cd source && for i in 1 2 3; do
    echo $i > file$i; git add .; git -c user.name=a -c user.email=a@b commit -qm "change $i"
done && cd .. && head -c 3000000 /dev/zero > zeros
"""

TQDM = """
import time
from tqdm import trange
for i in trange(12, desc='single', mininterval=0): time.sleep(.01)
for i in trange(3, desc='outer', mininterval=0):
    for j in trange(4, desc='inner', leave=False, mininterval=0): time.sleep(.01)
for i in trange(2, desc='A', mininterval=0):
    for j in trange(4, desc='B', mininterval=0): time.sleep(.01)
print('end')
"""

PIP = """
import time
from pip._internal.cli.progress_bars import get_download_progress_renderer as renderer
for part in renderer(bar_type='on', size=3000000)([b'x' * 100000] * 30): time.sleep(.02)
print('end')
"""

RICH = """
import time
from rich.console import Console
from rich.progress import Progress
console = Console(force_terminal=True)
console.print('[bold red]start[/] [link=https://example.org/page]a [b]bold[/b] link[/link]')
with Progress(console=console) as progress:
    tasks = [progress.add_task(name, total=6) for name in ('[red]first', '[green]second')]
    for step in range(6):
        time.sleep(.1)
        progress.update(tasks[0], advance=1)
        progress.update(tasks[1], advance=.5)
        if step == 3: console.print('a message in between')
with console.status('working'): time.sleep(.3)
print('end')
"""

CURSES = """
import curses
def main(screen):
    for y, x, text in ((0, 0, 'first'), (1, 4, 'second'), (5, 20, 'far'), (6, 20, 'below'), (7, 0, 'left')):
        screen.addstr(y, x, text)
        screen.refresh()
    screen.box()
    screen.getch()
curses.wrapper(main)
"""

DOCKER = r"""
printf 'Pulling from library/x\n'; printf '%s: Pulling fs layer \n' a1 b2 c3
for i in 1 5 9; do for up in 3 2 1; do
    printf '\033[%sA\033[2K\r%s: Downloading [%s]\033[%sB\r' $up l$up "$i" $up
done; done
for up in 3 1 2; do printf '\033[%sA\033[2K\r%s: Pull complete \033[%sB\r' $up l$up $up; done
printf 'Digest: sha256:0\nStatus: Downloaded\n'
"""


def python(source: str) -> str:
    return f'{sys.executable} -c "{source}"'


PROGRAMS = {
    "clear": Program("echo before; clear; echo after"),
    "curl-bar": Program("curl -# -o /dev/null file://$PWD/zeros"),
    "curl-table": Program("curl -o /dev/null file://$PWD/zeros"),
    "curses": Program(python(CURSES), (b"q",)),
    "docker": Program(DOCKER),
    "gcc": Program("gcc -fdiagnostics-color=always -Wall -c bad.c -o /dev/null"),
    "git-clone": Program("git clone --progress file://$PWD/source cloned 2>&1"),
    "git-log": Program(
        "cd source; git -c color.ui=always -c core.pager=cat log --graph --format='%C(yellow)%s%C(auto)%d'"
    ),
    "grep": Program("grep --color=always -n '[12].*bottles' song.txt"),
    "less": Program("less song.txt", (b" ", b"q")),
    "ls": Program("ls --color=always -C folder"),
    "npm": Program("cd npm && npm install is-odd"),
    "pip": Program(python(PIP)),
    "rich": Program(python(RICH)),
    "top": Program("sleep 9 & exec -a shell top -n1 -p $!; kill %1"),
    "tput": Program(
        "tput bold; echo bold; tput sgr0; tput setaf 1; echo red; tput sgr0; tput smacs; echo lqqk; tput rmacs"
    ),
    "tput-reset": Program("echo before; tput reset; echo after"),
    "tqdm": Program(python(TQDM)),
    "vim": Program("vim -u NONE -N song.txt", (b"ihello\x1b", b":q!\r")),
    "wget": Program(
        "python3 -m http.server -b 127.0.0.1 8934 >&/dev/null & sleep 1; "
        "wget --progress=bar -O /dev/null http://127.0.0.1:8934/zeros; kill %1"
    ),
}


def main(names: list[str]) -> None:
    for name in names or PROGRAMS:
        data = recorded(PROGRAMS[name])
        renderer = Renderer(COLUMNS, ROWS, colours=False)
        renderer.feed(Decoder().feed(data))
        (HERE / f"{name}.bytes").write_bytes(data)
        (HERE / f"{name}.txt").write_text(renderer.done().text)
        if renderer.alternate_screen is not None:
            (HERE / f"{name}.alternate.txt").write_text(renderer.alternate_screen)


def recorded(program: Program) -> bytes:
    """Run a program in a new folder, type its keys when it is quiet, and return all that it printed."""
    with tempfile.TemporaryDirectory() as folder:
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execvp("bash", ["bash", "--norc", "-c", f"{SETUP}\nread -rs\n{program.command}"])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        modes = termios.tcgetattr(terminal)
        modes[1] &= ~termios.ONLCR
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
        output = all_output(terminal, [b"\n", *program.keys])
        os.waitpid(pid, 0)
    return output


def all_output(terminal: int, keys: list[bytes]) -> bytes:
    output = b""
    while select.select([terminal], [], [], QUIET if keys else PROGRAM_LIMIT)[0] or keys:
        if not select.select([terminal], [], [], 0)[0]:
            os.write(terminal, keys.pop(0))
            continue
        try:
            data = os.read(terminal, 65536)
        except OSError:  # Linux: the last program closed the terminal
            break
        output += data
    os.close(terminal)
    return output


if __name__ == "__main__":
    main(sys.argv[1:])
