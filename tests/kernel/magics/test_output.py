"""A cell's output while it runs: live, coloured, redrawn in place, in one stream or two."""

from __future__ import annotations

from tests.kernel.magics.notebook import Notebook


def test_quiet_shows_nothing(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session --quiet --out r\necho hidden")
    assert (cell.stdout, cell.results) == ("", [])
    assert notebook.value("r.output") == "hidden\n"


def test_err_keeps_the_streams_apart(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session splitted --out r --err e\necho good; echo bad >&2")
    assert (cell.stdout, cell.stderr) == ("good\n", "bad\n")
    assert notebook.value("(r.output, r.stderr, e)") == ("good\n", "bad\n", "bad\n")


def test_stderr_split_shows_both_streams(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session apart --stderr split --out r\necho good; echo bad >&2")
    assert (cell.stdout, cell.stderr) == ("good\n", "bad\n")
    assert notebook.value("(r.output, r.stderr)") == ("good\n", "bad\n")


def test_colours_are_kept(notebook: Notebook) -> None:
    assert "\x1b[31mred\x1b[" in notebook.run("%%bash_session\nprintf '\\e[31mred\\e[0m\\n'").stdout


def test_a_progress_bar_is_redrawn_in_place(notebook: Notebook) -> None:
    cell = notebook.run(
        "%%bash_session --out r\nfor i in 1 2 3; do printf '\\r%d of 3' $i; read -t 0.1 <> <(:); done; echo"
    )
    assert notebook.value("r.output") == "3 of 3\n"
    assert cell.stdout.startswith("1 of 3\r2 of 3")
    assert cell.clears == 0


def test_lines_above_are_redrawn_too(notebook: Notebook) -> None:
    script = "printf 'a 1\\nb 1'; read -t 0.3 <> <(:); printf '\\e[1A\\ra 2\\nb 2\\n'"
    cell = notebook.run(f"%%bash_session --out r\n{script}")
    assert notebook.value("r.output") == "a 2\nb 2\n"
    assert cell.screen == "a 2\nb 2\n"
    assert cell.clears == 1


def test_both_streams_stay_when_one_is_redrawn(notebook: Notebook) -> None:
    script = "echo out; printf 'a 1\nb 1' >&2; read -t 0.3 <> <(:); printf '\\e[1A\ra 2\nb 2\n' >&2"
    cell = notebook.run(f"%%bash_session redrawn --err e\n{script}")
    assert notebook.value("e") == "a 2\nb 2\n"
    assert cell.stdout == "out\n"
    assert cell.stderr.startswith("a 2\nb ")
    assert cell.clears == 1


def test_output_can_be_captured(notebook: Notebook) -> None:
    notebook.run(
        "from IPython.utils.capture import capture_output\n"
        "with capture_output() as captured:\n"
        "    r = get_ipython().run_cell_magic('bash_session', '', 'echo caught')\n"
    )
    assert notebook.value("(captured.stdout, r.output)") == ("caught\n", "caught\n")


def test_output_arrives_while_the_command_runs(notebook: Notebook) -> None:
    (notebook.folder / "go").unlink(missing_ok=True)
    cell = notebook.start("%%bash_session live --cwd .\nprintf .; until [ -e go ]; do read -t 0.02 <> <(:); done")
    notebook.until(lambda: cell.stdout == ".")
    assert not cell.done
    (notebook.folder / "go").touch()
    notebook.until(lambda: cell.done)


def test_many_lines_are_few_messages(notebook: Notebook) -> None:
    cell = notebook.run("%%bash_session\nseq 200000")
    assert cell.stdout.endswith("199999\n200000\n")
    assert len(cell.stdout.splitlines()) == 200_000
    assert len(cell.streams) < 100
