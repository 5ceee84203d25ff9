"""The `bash` tool for models that call functions."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from shellkernel import BashSession, sessions
from shellkernel.agents.tool import BashTool
from tests.session.watching import DEADLINE, is_over, wait_until

__all__ = ()


@pytest.fixture
def tool(bash: str) -> Iterator[BashTool]:
    with BashTool(shell=bash, timeout=DEADLINE) as tool:
        yield tool


def facts(text: str) -> list[str]:
    """The lines in brackets at the end."""
    return re.findall(r"^\[(.*)\]$", text, re.MULTILINE)


def output(text: str) -> str:
    """What stands before them."""
    return re.sub(r"(?m)^\[.*\]\n?", "", text)


# What a model is told of it, and how it calls.


def test_schema_is_one_that_models_can_be_given() -> None:
    openai, anthropic = BashTool.openai_tool(), BashTool.anthropic_tool()
    schema = openai["function"]["parameters"]
    assert (openai["type"], openai["function"]["name"], anthropic["name"]) == ("function", "bash", "bash")
    assert anthropic["input_schema"] == schema
    assert openai["function"]["description"] == anthropic["description"]
    assert set(schema["properties"]) == {"command", "session", "timeout", "restart", "input", "background"}
    assert {each["type"] for each in schema["properties"].values()} == {"string", "number", "boolean"}
    assert schema["additionalProperties"] is False
    json.dumps([openai, anthropic])


def test_schema_is_valid() -> None:
    import jsonschema

    schema = BashTool.openai_tool()["function"]["parameters"]
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"command": "ls", "timeout": 2.5, "background": False}, schema)
    for wrong in ({"command": 3}, {"timeout": -1}, {"nothing": 1}, {"restart": "yes"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


@pytest.mark.parametrize("as_object", [False, True])
def test_openai_calls(tool: BashTool, as_object: bool) -> None:
    arguments = json.dumps({"command": "echo hi"})
    call: Any = {"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": arguments}}
    if as_object:
        call = SimpleNamespace(id="call_1", function=SimpleNamespace(name="bash", arguments=arguments))
    message = tool.answer_openai(call)
    assert (message["role"], message["tool_call_id"]) == ("tool", "call_1")
    assert message["content"].startswith("hi\n[exit code 0: success]\n")


@pytest.mark.parametrize("as_object", [False, True])
def test_anthropic_calls(tool: BashTool, as_object: bool) -> None:
    block: Any = {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "echo hi; false"}}
    if as_object:
        block = SimpleNamespace(**block)
    result = tool.answer_anthropic(block)
    assert (result["type"], result["tool_use_id"], "is_error" in result) == ("tool_result", "toolu_1", False)
    assert result["content"].startswith("hi\n[exit code 1: ")
    refused = tool.answer_anthropic({"type": "tool_use", "id": "toolu_2", "name": "bash", "input": {"cmd": "ls"}})
    assert refused["is_error"] is True


def test_another_tool_is_none(tool: BashTool) -> None:
    answer = tool.answer_openai({"id": "1", "function": {"name": "python", "arguments": "{}"}})
    assert answer["content"] == "[error: there is no tool 'python', only 'bash'; nothing was run]"
    assert "agent" not in sessions


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("{", "not JSON"),
        ("[]", "an object"),
        (["ls"], "an object"),
        ({}, "no session 'agent'"),
        ("", "no session 'agent'"),
        ({"cmd": "ls"}, "no argument 'cmd'"),
        ({"command": ["ls"]}, "`command` is a string"),
        ({"command": "ls", "timeout": "5"}, "`timeout` is a number"),
        ({"command": "ls", "timeout": True}, "`timeout` is a number"),
        ({"command": "ls", "timeout": -1}, "0 or more"),
        ({"command": "ls", "background": 1}, "`background` is a boolean"),
        ({"command": "ls", "input": "x"}, "not both"),
        ({"background": True}, "needs a `command`"),
        ({"input": "x\n"}, "no session 'agent'"),
        ({"input": "x\n", "session": "other"}, "no session 'other'"),
        ({"command": "ls", "session": "\x07"}, "printable"),
    ],
)
def test_call_that_makes_no_sense_is_an_error_and_runs_nothing(tool: BashTool, arguments: Any, why: str) -> None:
    answer = tool.call(arguments)
    assert answer.is_error
    assert why in answer.text
    assert "nothing was" in answer.text
    assert "exit code: none" in answer.text
    assert list(sessions) == []


def test_text_that_is_no_bash_is_an_error(tool: BashTool) -> None:
    answer = tool(command="echo a\nif true; then")
    assert answer.is_error
    assert "line 3" in answer.text
    assert sessions["agent"].last is None


def test_nulls_are_not_there(tool: BashTool) -> None:
    assert tool.call('{"command": "echo hi", "input": null, "session": null, "timeout": null}').exit_code == 0


# What it answers.


def test_state_stays_and_the_exit_code_is_always_said(tool: BashTool) -> None:
    assert facts(tool(command="cd /; x=1").text)[0] == "exit code 0: success"
    answer = tool(command="echo $x in $PWD; (exit 3)")
    assert (output(answer.text), answer.exit_code, answer.is_error) == ("1 in /\n", 3, False)
    assert facts(answer.text)[0].startswith("exit code 3: ")
    assert facts(answer.text)[-1].startswith("session agent, now in /; took ")
    assert facts(tool(command="nothing_12345").text)[0].startswith("exit code 127: command not found")
    assert facts(tool(command="kill -9 $$").text)[0].startswith("exit code 137: ended by SIGKILL")
    assert "a new shell took over" in tool(command="exit 2").text


def test_pipeline_tells_what_its_exit_code_hides(tool: BashTool) -> None:
    said = facts(tool(command="false | (exit 3) | true").text)
    assert said[:2] == ["exit code 0: success", "exit codes of the last pipeline, left to right: 1 3 0"]


def test_timeout_is_said_and_the_output_until_then_is_there(tool: BashTool) -> None:
    answer = tool(command="echo begun; sleep 60; echo never", timeout=1)
    assert output(answer.text).startswith("begun\n")
    assert facts(answer.text)[:2] == [
        "exit code 130: interrupted (SIGINT)",
        "timed out: it was still running after 1 s, and was interrupted",
    ]
    assert tool(command="echo next").text.startswith("next\n")


def test_timeout_is_cut_to_the_largest(bash: str) -> None:
    with BashTool(shell=bash, max_timeout=0.2) as tool:
        assert "after 0.2 s" in tool(command="sleep 60", timeout=1e9).text
        assert "after 0.2 s" in tool(command="sleep 60").text


def test_waiting_for_input_is_said_and_answered(tool: BashTool, bash: str) -> None:
    answer = tool(command="read -p 'Your name? ' name; echo hi $name; (exit 4)")
    assert answer.text.startswith("Your name? \n[exit code: none yet, it has not ended]\n")
    assert f"[{Path(bash).name} waits for input at its prompt 'Your name?': answer with `input`" in answer.text
    assert answer.exit_code is None
    answer = tool(input="Ada\n")
    assert (output(answer.text), answer.exit_code) == ("Ada\nhi Ada\n", 4)
    assert "waits for a password" in tool(command="read -s x").text
    assert facts(tool(restart=True).text) == ["exit code: none", "session agent begins afresh"]


def test_program_is_talked_to(tool: BashTool) -> None:
    assert "python3 waits for input at its prompt '>>>'" in tool(command="python3 -q").text
    answer = tool(input="6*7\n")
    assert "\n42\n" in answer.text
    assert tool(command="echo no").is_error
    assert tool(input="raise SystemExit(5)\n").exit_code == 5


def test_input_that_takes_long_leaves_the_program(tool: BashTool) -> None:
    tool(command="read x; echo begun; sleep 60")
    answer = tool(input="\n", timeout=1)
    assert output(answer.text) == "\nbegun\n"
    assert facts(answer.text)[0] == "exit code: none yet, it is still running"
    assert tool(input="\x03").exit_code == 130


def test_background_command_is_looked_at_later(tool: BashTool) -> None:
    answer = tool(command="echo one; read x; echo two; (exit 6)", background=True)
    assert facts(answer.text)[0] == "exit code: none yet, it is still running"
    assert "one" in tool().text
    sessions["agent"].send("\n")
    wait_until(lambda: sessions["agent"].state == "idle", "it has ended")
    answer = tool()
    assert (output(answer.text), answer.exit_code) == ("\ntwo\n", 6)
    assert tool().is_error


def test_sessions_run_side_by_side(tool: BashTool) -> None:
    tool(command="read x", session="one", background=True)
    assert tool(command="echo two", session="two").exit_code == 0
    busy = tool(command="echo one", session="one")
    assert busy.is_error
    assert "busy" in busy.text
    assert set(sessions) == {"one", "two"}


def test_restart_ends_what_runs_and_begins_afresh(tool: BashTool) -> None:
    pid = int(output(tool(command="x=1; echo $$").text))
    tool(command="sleep 60", background=True)
    assert output(tool(command="echo ${x-unset}", restart=True).text) == "unset\n"
    assert is_over(pid)


def test_sessions_of_others_are_out_of_reach(bash: str) -> None:
    with BashSession("mine", shell=bash) as mine, BashTool(shell=bash, share=["shared"], max_sessions=2) as tool:
        answer = tool(command="echo no", session="mine")
        assert (answer.is_error, "not yours" in answer.text, mine.last) == (True, True, None)
        with BashSession("shared", shell=bash) as shared:
            assert tool(command="x=1", session="shared").exit_code == 0
            tool.close()
            assert shared.run("echo $x").output == "1\n"
        for name in ("a", "b"):
            assert tool(command="true", session=name).exit_code == 0
        assert "no more" in tool(command="true", session="c").text
    assert list(sessions) == []


def test_session_that_somebody_closed_is_started_again(tool: BashTool) -> None:
    tool(command="x=1")
    sessions["agent"].close()
    assert output(tool(command="echo ${x-unset}").text) == "unset\n"


# Length, control characters, secrets.


@pytest.mark.parametrize("limit", [500, 1_000, 10_000])
@pytest.mark.parametrize(
    "command",
    [
        "seq 100000",
        "head -c 300000 /dev/zero | tr '\\0' x",
        "printf '%s\\n' {1..90}",
        "seq 1 400000",
        "echo; printf 'x%.0s\\n\\n' {1..5000}",
    ],
)
def test_answer_has_no_more_than_so_many_characters(bash: str, command: str, limit: int) -> None:
    with BashTool(shell=bash, limit=limit, timeout=DEADLINE) as tool:
        text = tool(command=command).text
    assert len(text) <= limit
    assert "[exit code 0: success]" in text
    assert len(text) > limit * 0.6 or "left out" not in text


def test_head_and_tail_stand_around_what_is_left_out_which_is_counted(bash: str) -> None:
    with BashTool(shell=bash, limit=1_000) as tool:
        text = tool(command="seq 10000").text
    head, marker, tail = re.split(r"(\[… .* …\])\n", output_with_marker(text))
    assert head.startswith("1\n2\n")
    assert tail.endswith("9999\n10000\n")
    lines, characters = (int(n.replace(",", "")) for n in re.findall(r"[\d,]+\d", marker))
    whole = "".join(f"{n}\n" for n in range(1, 10_001))
    assert lines + head.count("\n") + tail.count("\n") == 10_000
    assert characters + len(head) + len(tail) == len(whole)


def output_with_marker(text: str) -> str:
    return text[: text.index("[exit code")]


def test_control_codes_are_gone(tool: BashTool) -> None:
    text = tool(command=r"printf '\e[31mred\e[0m\a \b\e]0;title\a\n10%%\r20%%\n\tx\n\x01\x7f'").text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    assert "20%\n\tx\n" in text


def test_programs_write_plainly(tool: BashTool) -> None:
    assert output(tool(command="echo $TERM $NO_COLOR").text) == "dumb 1\n"


def test_secrets_are_replaced_wherever_they_came_from(bash: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FROM_PROCESS", "s3cret.*one")
    names = ["FROM_PROCESS", "FROM_TOOL", "FROM_SHELL", "NOT_SET"]
    with BashTool(shell=bash, env={"FROM_TOOL": "two\ntwo"}, secrets=names, timeout=DEADLINE) as tool:
        tool(command="FROM_SHELL=(thr33 f0ur)")
        text = tool(
            command='echo "$FROM_PROCESS $FROM_TOOL ${FROM_SHELL[*]} s3cret one"; cd /; echo "x$FROM_PROCESS" >&2'
        ).text
        assert (
            output_with_marker(text)
            == "[FROM_PROCESS] [FROM_TOOL] [FROM_SHELL] [FROM_SHELL] s3cret one\nx[FROM_PROCESS]\n"
        )
        tool(command="FROM_SHELL=new_value_5")
        assert "thr33" not in tool(command="echo thr33 new_value_5").text
        asked = tool(command='read -p "$FROM_PROCESS? " x').text
        assert "s3cret" not in asked
        failed = tool(command=f"{os.environ['FROM_PROCESS']} (", session="other").text
        assert "s3cret" not in failed


def test_secret_is_not_cut_into_view(bash: str) -> None:
    secret = "k" * 300
    with BashTool(shell=bash, env={"SECRET": secret}, secrets=["SECRET"], limit=500, timeout=DEADLINE) as tool:
        assert "kkk" not in tool(command="for i in {1..50}; do echo $SECRET; done").text


@pytest.mark.parametrize("wrong", [{"limit": 10}, {"max_sessions": 0}, {"timeout": -1}])
def test_limits_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="characters"):
        BashTool(**wrong)
