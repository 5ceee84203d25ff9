"""Jobs in the background: their output is theirs, and it reaches whoever asked for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shellkernel import BackgroundOutput, BashSession, InputRequest
from tests.session.watching import DEADLINE, Heard

__all__ = ()

pytestmark = pytest.mark.bashes


def test_command_with_a_job_returns_at_once(session: BashSession) -> None:
    result = session.run("sleep 600 &", timeout=DEADLINE)
    assert (result.end_reason, result.exit_code) == ("completed", 0)


def test_output_of_a_job_reaches_the_callback_and_no_other_cell(bash: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    heard = Heard()
    with BashSession(shell=bash, on_background_output=heard) as session:
        session.run("true")
        session.run(f"(cat {tmp_path}/go; echo from the job; echo its error >&2) &")
        assert session.run("echo cell").output == "cell\n"
        (tmp_path / "go").write_text("go\n")
        heard.wait_for("its error\n")
        assert session.run("echo cell").output == "cell\n"
        assert heard.text.replace("\r", "") == "go\nfrom the job\nits error\n"
        assert {*heard.serials} == {2}


def test_job_that_prints_while_a_cell_runs_is_told_apart(bash: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    os.mkfifo(tmp_path / "done")
    heard = Heard()
    with BashSession(shell=bash, on_background_output=heard) as session:
        session.run(f"(read < {tmp_path}/go; echo from the job; echo >{tmp_path}/done) &")
        result = session.run(f"echo before; echo >{tmp_path}/go; read <{tmp_path}/done; echo after", timeout=DEADLINE)
        assert result.output == "before\nafter\n"
        assert heard.wait_for("from the job\n") == "from the job\n"


def test_prompts_are_no_output_of_anything(bash: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    heard = Heard()
    with BashSession(shell=bash, on_background_output=heard) as session:
        session.run("PS1='PROMPT> '; PS2='MORE> '; PS0='BEFORE '")
        session.run(f"(read <{tmp_path}/go; echo from the job) &")
        for _ in range(3):
            assert session.run("echo a\necho b").output in ("a\nb\n", "BEFORE a\nb\n")
        (tmp_path / "go").write_text("\n")
        heard.wait_for("from the job\n")
        assert session.run("echo $PS1$PS2").output.endswith("PROMPT> MORE>\n")
        assert "PROMPT" not in heard.text
        assert "MORE" not in heard.text


def test_two_jobs_are_told_apart_by_the_command_that_started_them(bash: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        os.mkfifo(tmp_path / name)
    heard = Heard()
    with BashSession(shell=bash, on_background_output=heard) as session:
        for name in ("one", "two"):
            session.run(f"(read <{tmp_path}/{name}; echo {name}) &")
        (tmp_path / "two").write_text("\n")
        heard.wait_for("two\n")
        (tmp_path / "one").write_text("\n")
        heard.wait_for("one\n")
        assert [(text.strip(), serial) for text, serial in zip(heard.texts, heard.serials, strict=True)] == [
            *(("two", 2), ("one", 1)),
        ]


def test_chatty_job_never_blocks(session: BashSession, tmp_path: Path) -> None:
    """More than any terminal holds, while nobody runs a command and no callback is set."""
    session.run(f"(seq 200000; echo over >{tmp_path}/over) &")
    result = session.run(f"until [[ -e {tmp_path}/over ]]; do sleep 0.02; done; echo seen", timeout=DEADLINE)
    assert result.output == "seen\n"
    assert session.run("echo next").output == "next\n"


def test_failing_callback_does_no_harm(bash: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.mkfifo(tmp_path / "go")
    heard = Heard()

    def fail(output: BackgroundOutput) -> None:
        heard(output)
        raise ZeroDivisionError

    with BashSession(shell=bash, on_background_output=fail) as session:
        session.run(f"(read <{tmp_path}/go; echo once; echo twice) &")
        (tmp_path / "go").write_text("\n")
        heard.wait_for("twice")
        assert session.run("echo next").output == "next\n"
    assert "on_background_output" in caplog.text


def test_no_notice_of_an_ended_job_stands_in_a_later_cell(session: BashSession, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    session.run(f"read <{tmp_path}/go &")
    assert session.run(f"echo >{tmp_path}/go; sleep 0.1; echo mine; sleep 0.1; echo too").output == "mine\ntoo\n"
    session.run("false &")
    assert session.run("wait; echo mine").output == "mine\n"
    assert session.run("jobs; echo mine").output == "mine\n"


def test_jobs_are_those_of_the_shell(session: BashSession) -> None:
    session.run("sleep 600 & first=$!; sleep 601 &")
    assert session.run("jobs | grep -c Running").output == "2\n"
    # Not `wait %2`: where the job is over before that, bash 5.3 knows it by its process id only.
    assert session.run("kill %2; wait $!; echo $?").output == "143\n"
    assert session.run("jobs -p | wc -l").output == "1\n"
    assert session.run("kill %1; wait $first; echo $?").output == "143\n"


def test_job_can_be_waited_for_in_a_later_cell(session: BashSession) -> None:
    session.run("(sleep 0.1; exit 7) & pid=$!")
    assert session.run("wait $pid; echo $?", timeout=DEADLINE).output == "7\n"


def test_programs_beside_a_job_see_a_terminal_as_before(session: BashSession) -> None:
    look = "[[ -t 0 && -t 1 && -t 2 ]] && echo tty; stty size; stty -a | grep -o -- '-onlcr'; tput cols"
    alone = session.run(look).output
    session.run("sleep 600 &")
    beside = session.run(look).output
    assert sorted(beside.split()) == sorted(alone.split())
    session.resize(70, 20)
    assert session.run("stty size <&1; stty size").output == "20 70\n20 70\n"


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["read -p 'name? ' x; echo $x", "cat", "python3 -c 'print(input(\"n? \"))'"])
def test_programs_beside_a_job_can_be_answered(session: BashSession, cell: str) -> None:
    session.run("sleep 600 &")
    answers = iter(["answer", None])
    result = session.run(cell, on_input=lambda _: next(answers), timeout=DEADLINE)
    assert result.end_reason == "completed"
    assert "answer" in result.output


@pytest.mark.slow
def test_prompt_that_a_program_prints_on_the_controlling_terminal_is_known(session: BashSession) -> None:
    """The output of a cell beside a job is on another terminal; getpass, ssh and sudo ask on the controlling one."""
    session.run("sleep 600 &")
    prompts: list[str] = []

    def answer(request: InputRequest) -> str:
        prompts.append(request.prompt)
        return "secret"

    code = "import getpass; print(len(getpass.getpass('Secret? ')))"
    assert session.run(f'python3 -c "{code}"', on_input=answer, timeout=DEADLINE).output.endswith("6\n")
    assert prompts == ["Secret? "]


@pytest.mark.slow
def test_pager_beside_a_job_is_seen_to_wait(session: BashSession) -> None:
    session.run("sleep 600 &")
    result = session.run("less /etc/services", timeout=DEADLINE)
    assert result.end_reason == "awaiting_input"
    assert session.run("echo next").output == "next\n"


def test_terminals_of_jobs_that_are_over_are_given_back(session: BashSession) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd"))

    session.run("true")
    before = count()
    for _ in range(20):
        session.run("sleep 0.01 &")
        session.run("wait")
    session.run("true")
    assert count() <= before + 1


def test_coprocess_and_process_substitution_are_no_trouble(session: BashSession) -> None:
    session.run("coproc CAT { cat; }")
    assert session.run("echo hi >&${CAT[1]}; read -r x <&${CAT[0]}; echo $x").output == "hi\n"
    assert session.run("exec 4> >(cat); echo to the substitution >&4; exec 4>&-; wait $!; echo done").output.endswith(
        "done\n"
    )
    assert session.run("echo next").output == "next\n"


def test_cell_that_only_starts_and_stops_jobs_keeps_its_exit_code(session: BashSession) -> None:
    assert session.run("sleep 600 & kill $!; wait $!").exit_code == 143
    assert session.run("echo $?").output == "143\n"


@pytest.mark.bashes
@pytest.mark.parametrize("job", ["(sleep 600 &)", "sleep 600 & disown"])
@pytest.mark.parametrize("options", ["-u", "-euo pipefail"])
def test_process_that_is_no_listed_job_takes_no_output_under_strict_options(
    session: BashSession, job: str, options: str
) -> None:
    """The list of jobs is empty: an element that is not there would end the begin line under `set -u`."""
    session.run(f"set {options}; {job}")
    for _ in range(2):
        result = session.run("touch /dev/null; echo hi")
        assert (result.output, result.end_reason) == ("hi\n", "completed")


def test_removed_folder_does_not_cost_the_shell(session: BashSession) -> None:
    """`rm -rf /tmp/*` takes along what the list of jobs is written to."""
    folder = session._engine.folder.file("state").parent
    session.run(f"rm -rf {folder}")
    session.run("set -eu; kept=1")
    session.run("sleep 600 &")
    result = session.run("echo $kept")
    assert (result.output, result.end_reason) == ("1\n", "completed")


@pytest.mark.parametrize(
    "trap", ["trap 'echo D' DEBUG", "set -T; trap 'echo D $BASH_COMMAND' debug", "set -T; trap 'echo R' RETURN"]
)
def test_what_a_trap_prints_for_our_own_lines_is_no_output_of_a_job(bash: str, trap: str) -> None:
    heard = Heard()
    with BashSession(shell=bash, on_background_output=heard) as session:
        session.run(trap)
        for cell in ("echo one", "echo ${PIPESTATUS[@]}", ": " + "x" * 1_000):
            assert "__shellkernel" not in session.run(cell).output
        assert session.run("exit 3").exit_code == 3
        session.run("echo two")
    assert heard.text == ""
