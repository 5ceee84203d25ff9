"""Requests that run no code, also beside a running cell."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.notebook import Message, Notebook

__all__ = ()


def request(notebook: Notebook, name: str, *arguments: Any, **options: Any) -> Message:
    """Send one request and return the reply's content."""
    return notebook.reply(getattr(notebook.client, name)(*arguments, **options))


def status_messages(notebook: Notebook, msg_id: str) -> list[str]:
    return [
        message["content"]["execution_state"]
        for message in notebook.stray
        if message["msg_type"] == "status" and message["parent_header"].get("msg_id") == msg_id
    ]


@pytest.mark.parametrize(
    ("code", "status"),
    [("echo hi", "complete"), ("echo 'open", "incomplete"), ("cat <<E\nx", "incomplete"), ("fi", "invalid")],
)
def test_is_complete(notebook: Notebook, code: str, status: str) -> None:
    assert request(notebook, "is_complete", code)["status"] == status


def test_requests_are_answered_while_a_cell_runs(notebook: Notebook) -> None:
    with notebook.busy("echo begin; read -r line < <(sleep 60; echo)", until="begin\n") as outcome:
        msg_id = notebook.client.is_complete("if")
        assert notebook.reply(msg_id)["status"] == "incomplete"
        assert request(notebook, "kernel_info")["status"] == "ok"
        assert request(notebook, "complete", "ec")["status"] == "ok"
        assert request(notebook, "inspect", "echo")["status"] == "ok"
        notebook.interrupt()
    assert status_messages(notebook, msg_id) == ["busy", "idle"]
    assert outcome.status == "error"


def test_history_of_this_kernel(notebook: Notebook) -> None:
    codes = ["echo first-zq", "echo second-zq\necho more", "echo third-zq"]
    for code in codes:
        notebook.run(code)
    notebook.run("echo not-kept-zq", store_history=False)
    tail = request(notebook, "history", hist_access_type="tail", n=3)["history"]
    assert [item[2] for item in tail] == codes
    session, line, _ = tail[0]
    found = request(notebook, "history", hist_access_type="range", session=session, start=line, stop=line + 2)
    assert [item[2] for item in found["history"]] == codes[:2]
    found = request(notebook, "history", hist_access_type="search", pattern="echo s*zq*", n=5, output=True)
    assert [item[2] for item in found["history"]] == [[codes[1], None]]


def test_user_expressions_are_variables(notebook: Notebook) -> None:
    outcome = notebook.run("colour=blue", user_expressions={"a": "colour", "b": "$colour", "c": "no_such_zz"})
    values = outcome.reply["user_expressions"]
    assert values["a"]["data"] == values["b"]["data"] == {"text/plain": "blue"}
    assert values["c"]["status"] == "error"


def test_completion(notebook: Notebook) -> None:
    notebook.run("colour_zq=blue; cd /")
    reply = request(notebook, "complete", "echo é $colour_z", 16)
    assert (reply["matches"], reply["cursor_start"], reply["cursor_end"]) == (["$colour_zq"], 7, 16)
    (kind,) = reply["metadata"]["_jupyter_types_experimental"]
    assert kind == {"start": 7, "end": 16, "text": "$colour_zq", "type": "variable", "signature": ""}
    assert request(notebook, "complete", "cat etc/passw")["matches"][0] == "etc/passwd"
    assert request(notebook, "complete", "%rest")["matches"] == ["%restart"]


def test_completion_beside_a_running_cell_knows_what_was_before(notebook: Notebook) -> None:
    notebook.run("other_zq=1; cd /")
    request(notebook, "complete", "ec")  # from here on the kernel looks after each cell
    notebook.run("third_zq=1")
    with notebook.busy("echo begin; sleep 60", until="begin\n"):
        assert request(notebook, "complete", "echo $third_z")["matches"] == ["$third_zq"]
        assert "unalias" in request(notebook, "complete", "unali")["matches"]
        assert request(notebook, "complete", "cat etc/passw")["matches"][0] == "etc/passwd"
        text = request(notebook, "inspect", "echo $third_zq", 10)["data"]["text/plain"]
        assert "busy" in text
        notebook.interrupt()


def test_inspection(notebook: Notebook) -> None:
    reply = request(notebook, "inspect", "echo hi", 2)
    assert reply["found"]
    assert "echo [-neE]" in reply["data"]["text/plain"]
    assert not request(notebook, "inspect", "no_such_zq", 3)["found"]


def test_help_on_a_name(notebook: Notebook) -> None:
    (payload,) = notebook.run("%help cd").reply["payload"]
    assert payload["data"]["text/plain"].startswith("cd: cd ")
    (payload,) = notebook.run("%help %timeout").reply["payload"]
    assert payload["data"]["text/plain"].startswith("%timeout [SECONDS|none]\n")
    assert notebook.run("%help no_such_zq").error["ename"] == "UsageError"


CELLS = {
    "complete": ["", "# note", "a && b", "a |\nb", "x='\n'", "f() {\n:\n}", "case x in\nx) ;;\nesac", "%timeout 5",
                 "%1", "cat <<E\nE", "echo \\\nx", "(( 1 + 2 ))", "[[ a == b ]]", "`date`", "%timeout 5\necho"],
    "incomplete": ["echo 'a", 'echo "a', "a &&", "a ||", "a |", "if a; then", "for i in 1; do", "while a", "f() {", "(",
                   "case x in", "cat <<E", "echo \\", "$(", "`date", "(( 1 +", "%timeout 5\nif a", "a=("],
    "invalid": ["fi", ")", "done", "}", "a ;; b", "if; then", "a | | b", "&& a"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("status", CELLS)
def test_is_complete_table(notebook: Notebook, status: str) -> None:
    found = {code: request(notebook, "is_complete", code)["status"] for code in CELLS[status]}
    assert {code: answer for code, answer in found.items() if answer != status} == {}


def test_completion_and_inspection_change_nothing_in_the_session(notebook: Notebook) -> None:
    volatile = "BASH|EPOCH|SRANDOM|RANDOM|SECONDS|LINENO|HISTCMD|_=|__shellkernel"
    look = f"set +o; shopt; declare -f; complete -p; alias; declare -p | grep -Ev '^declare -[^ ]* ({volatile})'"
    before = notebook.run(look).text
    notebook.run("(exit 3) | (exit 4)")
    for code in ("git comm", "ls --al", "echo $HOM", "cat `touch /tmp/not-here-zq`", "unali", "echo $(date) -"):
        request(notebook, "complete", code)
        request(notebook, "inspect", code)
    assert notebook.run('echo "$? ${PIPESTATUS[*]}"').text == "4 3 4\n"
    assert notebook.run(look).text == before
    listed = [line.split()[1] for line in notebook.run("history 4").text.splitlines()]
    assert listed == ["(exit", "echo", "set", "history"]


def test_a_completion_replaces_code_points(notebook: Notebook) -> None:
    notebook.run("colour_zq=blue")
    reply = request(notebook, "complete", "echo 😀 é $colour_z && true", 18)
    assert (reply["cursor_start"], reply["cursor_end"], reply["matches"]) == (9, 18, ["$colour_zq"])


@pytest.mark.parametrize("cursor", [-5, 99])
def test_a_cursor_outside_the_text_is_moved_into_it(notebook: Notebook, cursor: int) -> None:
    reply = request(notebook, "complete", "unalia", cursor)
    assert 0 <= reply["cursor_start"] <= reply["cursor_end"] <= 6
    assert request(notebook, "inspect", "unalias", cursor)["status"] == "ok"
