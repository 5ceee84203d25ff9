"""Other programs that use the kernel: papermill, nbconvert and jupyter console, each as a person calls it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat as untyped_nbformat
import pytest

from tests.kernel.test_notebooks import FOLDER, comparable, read
from tests.kernel.transport import execute

__all__ = ()

nbformat: Any = untyped_nbformat  # it ships types for some of its functions

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_bash_under_test")]

SECONDS = 40
TOUR = FOLDER / "tour.ipynb"


def run(module: str, *arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Call one of them; in the folder of this Python, not from PATH."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=SECONDS)


def notebook_of(*cells: str, **tags: list[str]) -> Any:
    """Return a notebook for the kernel; the first cell has the tags of `first`."""
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]
    made[0].metadata["tags"] = tags.get("first", [])
    spec = {"name": "shellkernel", "display_name": "Bash (shellkernel)", "language": "bash"}
    return nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": spec})


def write(notebook: Any, path: Path) -> Path:
    nbformat.write(notebook, path)
    return path


@pytest.fixture(scope="module")
def converted(_bash_under_test: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An executed notebook with what is hard to convert: colours, an error, a picture, a progress line."""
    notebook = notebook_of(
        r"printf '\e[31mred\e[0m and plain <&>\n'",
        r"for i in 10 100; do printf '\r%d%%' $i; sleep 0.1; done; echo",
        "echo '<b>bold</b>' | displayHTML",
        "no_such_command_zq",
    )
    execute(notebook, timeout=SECONDS, kernel_name="shellkernel", allow_errors=True)
    return write(notebook, tmp_path_factory.mktemp("converted") / "hard.ipynb")


def test_papermill_gives_parameters_and_stores_the_outputs(tmp_path: Path) -> None:
    source = write(notebook_of("who=nobody", 'echo "hello, $who"', first=["parameters"]), tmp_path / "in.ipynb")
    done = run("papermill", "--no-progress-bar", "-p", "who", "it's Ada", source, tmp_path / "out.ipynb")
    assert done.returncode == 0, done.stderr
    assert comparable(read(tmp_path / "out.ipynb").cells[-1]) == [("stream", "stdout", "hello, it's Ada\n")]


def test_papermill_stops_at_a_failure_and_says_which(tmp_path: Path) -> None:
    source = write(notebook_of("echo fine", "no_such_command_zq", "echo not-here"), tmp_path / "in.ipynb")
    done = run("papermill", "--no-progress-bar", source, tmp_path / "out.ipynb")
    assert done.returncode == 1
    assert "exit code 127: command not found" in done.stderr
    assert read(tmp_path / "out.ipynb").cells[-1].outputs == []


def test_papermill_executes_the_tour(tmp_path: Path) -> None:
    done = run("papermill", "--no-progress-bar", TOUR, tmp_path / "out.ipynb")
    assert done.returncode == 0, done.stderr
    stored = [cell for cell in read(TOUR).cells if cell.cell_type == "code"]
    executed = [cell for cell in read(tmp_path / "out.ipynb").cells if cell.cell_type == "code"]
    for old, new in zip(stored, executed, strict=True):
        assert comparable(new) == comparable(old), old.source


def test_converted_to_html_it_looks_right(converted: Path) -> None:
    done = run("nbconvert", "--to", "html", "--stdout", "--log-level=ERROR", converted)
    assert done.returncode == 0, done.stderr
    html = done.stdout
    assert '<span class="ansi-red-fg">red</span> and plain &lt;&amp;&gt;' in html
    assert '<span class="ansi-red-fg">exit code 127: command not found</span>' in html
    assert "<b>bold</b>" in html
    assert re.search(r'<span class="nv">\$i</span>|<span class="k">for</span>', html)  # highlighted as bash
    assert "\x1b" not in html


def test_converted_to_a_script_it_is_plain_bash(converted: Path, bash: str, tmp_path: Path) -> None:
    done = run("nbconvert", "--to", "script", "--log-level=ERROR", "--output-dir", tmp_path, converted)
    assert done.returncode == 0, done.stderr
    (script,) = tmp_path.iterdir()
    assert script.name == "hard.sh"
    assert all(cell.source in script.read_text(encoding="utf-8") for cell in read(converted).cells)
    assert subprocess.run([bash, "-n", script], check=False).returncode == 0


def test_the_console_runs_what_is_piped_into_it() -> None:
    stdin = "x=5; cd /\necho $((x + 1)) $PWD\nread -p 'name? ' name\nAda\necho hi $name\nno_such_command_zq\necho $?\n"
    done = run("jupyter_console", "--kernel", "shellkernel", "--simple-prompt", stdin=stdin)
    assert done.returncode == 0, done.stderr
    said = done.stdout
    assert "shellkernel" in said.partition("In [1]")[0]  # the banner
    assert re.search(r"\b6 /\n.*name\? .*hi Ada\n.*command not found.*\b127\n", said, re.DOTALL)
    assert "exit code 127: command not found" in done.stderr
