"""`%bash_session`: the list and what is done to one session; and Tab."""

from __future__ import annotations

import os

from shellkernel_magics.options import OPTIONS
from tests.kernel.magics.notebook import Notebook


def test_without_sessions_the_list_says_how_to_start_one(notebook: Notebook) -> None:
    cell = notebook.run("%bash_session")
    assert cell.result == "No bash session is running; %%bash_session NAME starts one."


def test_the_list_tells_what_each_session_does(notebook: Notebook) -> None:
    notebook.run("%%bash_session idle_one\ncd /; (exit 3)")
    notebook.run("%%bash_session busy_one --bg --proc job\nsleep 60\n:")
    cell = notebook.run("%bash_session")
    head, *rows = cell.result.splitlines()
    assert head.split() == ["name", "state", "running", "directory", "last", "exit", "code", "pid"]
    by_name = {row.split()[0]: row for row in rows}
    assert by_name["idle_one"].split()[1:4] == ["idle", "/", "3"]
    assert " busy " in by_name["busy_one"]
    assert "sleep 60 … (" in by_name["busy_one"]
    assert "<th scope" in cell.html
    assert by_name["idle_one"].split()[-1] == str(notebook.value("__import__('shellkernel').sessions['idle_one'].pid"))
    notebook.run("job.kill(); job.wait(20)")


def test_show_tells_everything_about_one(notebook: Notebook) -> None:
    notebook.run("%%bash_session shown --err e\ncd /tmp\nfalse")
    told = notebook.run("%bash_session show shown").result
    for part in ("shown", "idle", "cd /tmp …", "exit code 1", "120 columns, 40 rows", "split", "none"):
        assert part in told


def test_history_lists_what_ran(notebook: Notebook) -> None:
    notebook.run("%%bash_session past\necho one")
    notebook.run("%%bash_session past\n(exit 4)")
    notebook.run("%%bash_session past --bg --proc job\necho three")
    notebook.run("job.wait(20)\nfrom shellkernel import sessions\nr = sessions['past'].run('echo four')")
    rows = notebook.run("%bash_session history past").result.splitlines()
    assert [" ".join(row.split()[-2:]) for row in rows[1:]] == ["echo one", "(exit 4)", "echo three", "echo four"]
    assert "exit code 4" in rows[2]


def test_restart_begins_again(notebook: Notebook) -> None:
    notebook.run("%%bash_session again --env KEPT=1\nx=1; cd /")
    assert notebook.run("%bash_session restart again").error is None
    assert notebook.run("%%bash_session again\necho [$x] $KEPT").stdout == "[] 1\n"


def test_close_ends_the_session_and_its_processes(notebook: Notebook) -> None:
    notebook.run("%%bash_session gone --get shell job\nsleep 600 &\njob=$! shell=$$")
    pids = [int(pid) for pid in notebook.value("(shell, job)")]
    assert notebook.run("%bash_session close gone").error is None
    assert "gone" not in notebook.run("%bash_session").result
    assert not any(os.path.exists(f"/proc/{pid}") and _state(pid) != "Z" for pid in pids)


def _state(pid: int) -> str:
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0]


def test_tab_offers_options_names_and_variables(notebook: Notebook) -> None:
    notebook.run("zebra = 1; zephyr = 2")
    notebook.run("%%bash_session tabbed\nshell_side=1")
    assert "tabbed" in notebook.complete("%%bash_session ")
    assert notebook.complete("%%bash_session tab") == ["tabbed"]
    assert set(notebook.complete("%%bash_session tabbed --ti")) == {"--timeout"}
    assert set(notebook.complete("%%bash_session --no")) == {"--no-input", "--no-raise-error"}
    assert notebook.complete("%%bash_session tabbed --var ze") == ["zebra", "zephyr"]
    assert notebook.complete("%%bash_session tabbed --var zebra ze") == ["zebra", "zephyr"]
    assert notebook.complete("%%bash_session tabbed --out ze") == ["zebra", "zephyr"]
    assert notebook.complete("%%bash_session tabbed --get shell_s") == ["shell_side"]
    assert notebook.complete("%%bash_session --stderr ") == ["merge", "split"]
    assert notebook.complete("%bash_session ") == ["close", "history", "restart", "show"]
    assert notebook.complete("%bash_session show tab") == ["tabbed"]
    assert notebook.complete("%interrupt tab") == ["tabbed"]
    assert notebook.complete("%interrupt --k") == ["--kill"]


def test_tab_inside_the_cell_completes_bash(notebook: Notebook) -> None:
    (notebook.folder / "a file of mine").touch()
    notebook.run("%%bash_session tabbed\na_variable_of_bash=1")
    for text, match in (
        ("echo $a_vari", "$a_variable_of_bash"),
        ('echo "${a_vari', "${a_variable_of_bash}"),
        ("comp", "complete"),
        (":\ncat a\\ fil", "a\\ file\\ of\\ mine"),
    ):
        assert match in [found.strip() for found in notebook.complete(f"%%bash_session tabbed\n{text}")], text


def test_tab_works_before_a_session_is_started_and_while_it_is_busy(notebook: Notebook) -> None:
    assert "comm" in [found.strip() for found in notebook.complete("%%bash_session not_yet\ncom")]
    assert "$HOME" in [found.strip() for found in notebook.complete("%%bash_session not_yet\necho $HOM")]
    assert "not_yet" not in notebook.run("%bash_session").result
    notebook.run("%%bash_session tabbed --bg --proc job\nsleep 60")
    assert "$a_variable_of_bash" in notebook.complete("%%bash_session tabbed\necho $a_vari")
    notebook.run("job.kill(); job.wait(20)")


def test_help_has_every_option(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session?")
    assert cell.reply is not None
    text = cell.reply["payload"][0]["data"]["text/plain"]
    assert [option for option in OPTIONS if option not in text] == []
    assert "Examples" in text
    assert "%%bash_session --var path limit --get total" in text


def test_unloading_takes_everything_away(notebook: Notebook) -> None:
    notebook.run("%unload_ext shellkernel")
    assert "not found" in notebook.run("%%bash_session\necho hi").stderr
    assert notebook.complete("%%bash_session tab") == []
    notebook.run("%load_ext shellkernel_magics")
    assert notebook.run("%%bash_session tabbed\necho back").stdout == "back\n"
