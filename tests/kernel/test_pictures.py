"""Rich output of programs, in order with their text."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from shellkernel.media.png import png
from tests.gate import Gate
from tests.kernel.notebook import Notebook, Outcome

__all__ = ()

PNG = png(3, 2, bytes(18))
BASE64 = base64.b64encode(PNG).decode()


@pytest.fixture(scope="module")
def folder(notebook: Notebook, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "dot.png").write_bytes(PNG)
    (folder / "cut.png").write_bytes(PNG[:40])
    (folder / "table.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    notebook.run(f"cd '{folder}'")
    return folder


def kinds(outcome: Outcome) -> list[str]:
    """Each output's text, or the richest type it shows."""
    found = []
    for message in outcome.outputs:
        content = message["content"]
        found.append(content["text"] if message["msg_type"] == "stream" else next(iter(content["data"])))
    return found


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("echo one; display dot.png; echo two", ["one\n", "image/png", "two\n"]),
        ("display dot.png table.csv", ["image/png", "text/html"]),
        ("display - < dot.png", ["image/png"]),
        ("cat dot.png | display", ["image/png"]),
        ("show() { display dot.png; }; show; (show) | cat", ["image/png", "image/png"]),
        ("bash -c 'display dot.png'", ["image/png"]),
        ("""python3 -c 'import subprocess; subprocess.run(["display", "dot.png"])'""", ["image/png"]),
        ("echo '# head' | display --mime text/markdown", ["text/markdown"]),
        ("echo '<b>x</b>' | displayHTML", ["text/html"]),
        ("echo 'x = 1' | displayJS", ["application/javascript"]),
        (rf"printf '\e]1337;File=inline=1:{BASE64}\a'", ["image/png"]),
        (rf"printf '\e_Ga=T,f=100;{BASE64}\e\\'", ["image/png"]),
        (r"printf '\ePq#0;2;100;0;0#0~\e\\'", ["image/png"]),
        ("display cut.png", ["[not shown: the PNG picture is broken or cut off]\n"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_shown(notebook: Notebook, code: str, expected: list[str]) -> None:
    outcome = notebook.run(code)
    assert outcome.status == "ok"
    assert kinds(outcome) == expected


@pytest.mark.usefixtures("folder")
def test_the_data_arrives_whole(notebook: Notebook) -> None:
    (content,) = notebook.run("display dot.png").of_type("display_data")
    assert content["data"]["image/png"] == BASE64
    assert "3 x 2" in content["data"]["text/plain"]


def test_a_name_is_shown_once_and_then_replaced(notebook: Notebook) -> None:
    first = notebook.run("echo '[1]' | display --id counter").of_type("display_data")
    assert first[0]["transient"] == {"display_id": "counter"}
    outcome = notebook.run("echo '[2]' | display counter")
    (content,) = outcome.of_type("update_display_data")
    assert (content["data"]["application/json"], content["transient"]) == ([2], {"display_id": "counter"})


def test_a_redraw_below_a_picture_keeps_it(notebook: Notebook, folder: Path, gate: Gate) -> None:
    code = rf"echo top; display dot.png; echo a; echo b; {gate.wait}; printf '\e[2A'; echo A; echo B"
    with notebook.busy(code, until="b\n") as outcome:
        gate.open()
    cleared = [place for place, message in enumerate(outcome.outputs) if message["msg_type"] == "clear_output"]
    outcome.outputs = outcome.outputs[cleared[-1] + 1 :]
    assert kinds(outcome) == ["top\n", "image/png", "A\nB\n"]


def test_printed_text_can_not_show_more_than_pictures(notebook: Notebook) -> None:
    html = base64.b64encode(b"<script>alert(1)</script>").decode()
    outcome = notebook.run(rf"printf '\e]1337;File=inline=1:{html}\a'; printf '\e]7712;guess;:{html}\e\\'; echo x")
    assert outcome.of_type("display_data") == []
    assert outcome.text.endswith("x\n")


def test_wrong_use_of_display(notebook: Notebook) -> None:
    assert "usage: display" in notebook.run("display --colour < /dev/null; true").text
    outcome = notebook.run("display /no/such/file </dev/tty")
    assert "can not be read" in outcome.text
    assert outcome.error["evalue"] == "1"


RECORDINGS = Path(__file__).parent / "media/recordings"


@pytest.mark.parametrize("path", sorted(RECORDINGS.iterdir()), ids=lambda path: path.stem)
def test_what_real_programs_print_is_shown(notebook: Notebook, path: Path) -> None:
    outcome = notebook.run(f"echo before; cat '{path}'; echo after")
    assert [kind.strip() for kind in kinds(outcome) if kind.strip()] == ["before", "image/png", "after"]


@pytest.mark.parametrize(
    "code",
    [
        r"printf '\e]1337;File=inline=1:%%%%\a'",
        r"printf '\e_Ga=T,f=24,s=9,v=9;QUJD\e\\'",
        r"printf '\ePq#0;2;0;0;0\e\\'",
        r"printf '\ePq!99999999~\e\\'",
        r"printf '\e]1337;File=inline=1:QUJD'",
        r"printf '\e]1337;File=inline=1:'; head -c 49000000 /dev/zero | tr '\0' A; printf '\a'",
        "head -c 100 /dev/urandom | display --mime image/png",
        "printf '<svg><' | display --mime image/svg+xml",
    ],
)
def test_data_that_can_not_be_shown_is_one_line(notebook: Notebook, code: str) -> None:
    outcome = notebook.run(f"{code}; true", seconds=60)
    assert re.fullmatch(r"\[not shown: [^\n]+\]\n", outcome.text), outcome.text[:200]
    assert (outcome.status, outcome.of_type("display_data")) == ("ok", [])
