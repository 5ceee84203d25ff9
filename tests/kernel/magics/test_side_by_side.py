"""One session from several places: cells, threads, and asyncio in a cell."""

from __future__ import annotations

import re

from tests.kernel.magics.notebook import Notebook

WAIT_FOR_GO = "until [ -e go ]; do read -t 0.02 <> <(:); done"


def test_a_second_thread_is_told_what_runs_and_for_how_long(notebook: Notebook) -> None:
    notebook.run("%%bash_session threads --bg --proc job\nsleep 60")
    notebook.run(
        "import threading\n"
        "from shellkernel import SessionBusy, sessions\n"
        "def other():\n"
        "    try:\n"
        "        sessions['threads'].run('echo no')\n"
        "    except SessionBusy as error:\n"
        "        told = str(error); seen.append(told)\n"
        "seen = []\n"
        "thread = threading.Thread(target=other); thread.start(); thread.join()\n"
        "job.kill(); job.wait(20)\n"
    )
    assert re.search(r"'threads' is busy for [\d.]+ s with 'sleep 60'", notebook.value("seen[0]"))


def test_of_two_threads_at_once_one_runs_and_one_is_refused(notebook: Notebook) -> None:
    notebook.run(
        "from shellkernel import SessionBusy, sessions\n"
        "import threading\n"
        "s, barrier, seen = sessions.get_or_start('both'), threading.Barrier(2), []\n"
        "def go():\n"
        "    barrier.wait()\n"
        "    try:\n"
        "        seen.append(s.run('read -t 0.5 <> <(:); echo ran').output)\n"
        "    except SessionBusy:\n"
        "        seen.append('busy')\n"
        "threads = [threading.Thread(target=go) for _ in range(2)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
    )
    assert notebook.value("sorted(seen)") == ["busy", "ran\n"]


def test_run_async_does_not_block_the_loop(notebook: Notebook) -> None:
    notebook.run(
        "import asyncio, pathlib\n"
        "from shellkernel import sessions\n"
        "one, other = (sessions.get_or_start(name) for name in ('async1', 'async2'))"
    )
    cell = notebook.run(
        "async def let_go():\n"
        "    pathlib.Path('go').touch()\n"
        f"a, b, _ = await asyncio.gather(one.run_async({WAIT_FOR_GO + '; echo 1'!r}), "
        f"other.run_async({WAIT_FOR_GO + '; echo 2'!r}), let_go())"
    )
    assert cell.status == "ok"
    assert notebook.value("(a.output, b.output)") == ("1\n", "2\n")


def test_a_background_job_can_be_awaited(notebook: Notebook) -> None:
    notebook.run("%%bash_session awaited --bg --proc job\necho begun; (exit 3)")
    assert notebook.run("r = await job").status == "ok"
    assert notebook.value("(r.exit_code, r.output, r is job.result())") == (3, "begun\n", True)


def test_cancelling_interrupts_the_command(notebook: Notebook) -> None:
    notebook.run("import asyncio\nfrom shellkernel import sessions\ns = sessions.get_or_start('cancelled')")
    cell = notebook.run(
        "try:\n"
        "    await asyncio.wait_for(s.run_async('echo begun; sleep 60'), 0.3)\n"
        "except TimeoutError:\n"
        "    ended = s.last.end_reason, s.last.output.split()[0], s.state\n"
    )
    assert cell.status == "ok"
    assert notebook.value("ended") == ("interrupted", "begun", "idle")
    assert notebook.run("%%bash_session cancelled\necho alive").stdout == "alive\n"
