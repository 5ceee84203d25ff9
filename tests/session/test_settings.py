"""A cell may set almost anything; the next one works, and its exit code and output are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from shellkernel import BashSession
from tests.session.watching import DEADLINE, wait_until

__all__ = ()

pytestmark = pytest.mark.bashes

SETTINGS = [
    "set -u",
    "set -f",
    "set -C",
    "set -a",
    "set -b",
    "set -h",
    "set -k",
    "set -m",
    "set +m",
    "set -p",
    "set -B",
    "set -H",
    "set -E",
    "set -T",
    "set -P",
    "set -o posix",
    "set -o noexec",
    "set -o ignoreeof",
    "set -o nolog",
    "set -o pipefail",
    "set -o history",
    "set -euo pipefail; set +e",
    "IFS=,",
    "IFS=",
    "unset IFS",
    "readonly IFS=$'\\n\\t'",
    "readonly PS1 PS2 PS4 TMOUT HISTFILE PWD REPLY",
    "readonly PROMPT_COMMAND",
    "readonly PROMPT_COMMAND='true'",
    "unset PROMPT_COMMAND",
    "PROMPT_COMMAND=; PROMPT_COMMAND[7]=true",
    "declare -x PROMPT_COMMAND='(exit 9)'",
    "PS1='$(echo prompt; exit 5)'; PS2=; PS4='+$(true) '",
    "PS0='$(echo before >/dev/null)'",
    "TMOUT=1",
    "LC_ALL=C",
    "unset HOME PATH PWD OLDPWD SHELL TERM LANG",
    "PATH=",
    "BASH_COMPAT=4.3",
    "POSIXLY_CORRECT=1",
    "GLOBIGNORE='*'; FIGNORE=x; HISTIGNORE='*'; HISTSIZE=0; HISTFILESIZE=0; HISTCONTROL=erasedups",
    "EXECIGNORE='*'",
    "shopt -s extglob nullglob failglob dotglob nocaseglob globstar nocasematch",
    "shopt -s lastpipe inherit_errexit localvar_inherit localvar_unset expand_aliases",
    "shopt -u expand_aliases sourcepath promptvars",
    "shopt -s extdebug",
    "shopt -s checkjobs checkwinsize cdspell autocd huponexit xpg_echo compat44",
    "alias echo=false printf=false builtin=false eval=false local=false cd=false history=false",
    "echo() { false; }; printf() { false; }; local() { false; }; history() { false; }; trap() { false; }",
    ":() { false; }; true() { false; }; test() { false; }; [() { false; }",
    "trap 'false' ERR",
    "trap ':' DEBUG; trap ':' RETURN; trap ':' CHLD; trap ':' WINCH",
    "trap '' INT; trap '' TERM; trap '' HUP; trap - INT TERM HUP",
    "trap 'true' EXIT",
    "enable -n echo",
    "exec 3<&0 4>&1 5>&2 9</dev/null",
    "exec 2>/dev/null",
    "exec 0</dev/tty 1>/dev/tty 2>/dev/tty",
    "stty raw -echo",
    "stty -onlcr -isig; stty rows 5 cols 5",
    "printf '\\e[?1049h\\e[2J\\e(0'",
    "umask 777",
    "ulimit -S -u 500 -n 64 -f 1000 -c 0",
    "ulimit -t 3000",
    "cd /; pushd /usr; pushd /tmp; dirs -c",
    "unset -f __shellkernel_begin; unset __shellkernel_cell __shellkernel_code __shellkernel_underscore",
    "set -- a b c; shift 2; OPTIND=5; OPTARG=x",
    "hash -r; disown -a; jobs -x true; bind -x '\"\\C-t\": true' 2>/dev/null",
    "history -c; history -s x; fc -l >/dev/null",
    "coproc sleep 600",
    "sleep 600 & sleep 600 &",
]


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_next_cells_work_whatever_was_set(session: BashSession, setting: str) -> None:
    first = session.run(setting, timeout=DEADLINE)
    assert first.end_reason == "completed", first.note
    assert session.run("(exit 7)", timeout=DEADLINE).exit_code == 7
    result = session.run("\\builtin printf '%s\\n' \"$?\" >/dev/tty", timeout=DEADLINE)
    assert (result.end_reason, result.exit_code) == ("completed", 0)
    if "coproc" not in setting and "&" not in setting:  # beside a job, /dev/tty is not the cell's own terminal
        assert result.output == "7\n"
    assert session.run("while \\builtin :; do \\builtin :; done", timeout=0.2).end_reason == "timed_out"
    result = session.run("kept=yes; (exit 3)", timeout=DEADLINE)
    assert (result.end_reason, result.exit_code) == ("completed", 3)
    assert session.vars["kept"] == "yes"


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting", ["enable -n printf", "builtin() { :; }", "ulimit -n 3", "set -r", "shopt -s extdebug; trap false DEBUG"]
)
def test_shell_that_can_not_be_talked_to_any_more_is_replaced(session: BashSession, setting: str) -> None:
    """These take from bash what it needs to answer; the truth is then that the shell was lost."""
    pid = session.pid
    first = session.run(setting, timeout=1)
    assert first.exit_code != 0
    assert first.end_reason != "completed"
    assert session.run("echo next", timeout=DEADLINE).output == "next\n"
    assert session.pid != pid


@pytest.mark.parametrize("cell", ["set -o vi", "set -o emacs", "set -o vi\necho y"])
def test_line_editor_that_is_turned_on_may_cost_the_shell_and_no_more(bash: str, cell: str) -> None:
    """bash 5.2.15 dies of SIGSEGV when its line editor comes up in evaluated text."""
    with BashSession(shell=bash) as session:
        session.run("kept=1")
        assert session.run(cell, timeout=60).end_reason in ("completed", "session_ended")
        assert session.run("echo $kept", timeout=60).output == "1\n"


def test_limit_on_the_size_of_files_does_not_cost_the_idle_shell(session: BashSession) -> None:
    """bash writes its state while it idles; beyond the limit that would kill it (SIGXFSZ)."""
    session.run("kept=1; ulimit -f 1")
    wait_until(lambda: not session._engine.unsaved, "the idle shell was looked at")
    assert session.run("echo $kept").output == "1\n"


def test_file_that_turns_verbose_on_shows_no_line_of_ours(session: BashSession, tmp_path: Path) -> None:
    (tmp_path / "v.sh").write_text("set -v\n")
    assert session.run(f"source {tmp_path}/v.sh").output == ""
    assert session.run("echo hi").output == "echo hi\nhi\n"
