"""The facts about bash that shell/integration.bash and sentinel/typing.py lean on, each on a bare bash without them.

One fails when a new bash changes the fact; the comment beside the code that leans on it then needs another answer.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from shellkernel.sentinel.typing import quote
from tests.session.bare import BareBash

__all__ = ()

pytestmark = pytest.mark.bashes


def at_prompt(bash: str, *lines: str) -> str:
    """Type lines at a bare interactive bash, one after the other, and return what it printed but echo and prompts."""
    with BareBash(bash) as bare:
        return "".join(bare.type(line) for line in lines)


def test_line_number_set_in_a_groups_redirection_counts_for_the_text_after_it(bash: str) -> None:
    cell = r"{ :; } >/dev/null 2>&\"$((LINENO=0,1))\"" + "\\necho $LINENO\\n\\necho $LINENO"
    assert at_prompt(bash, "true", "true", f"eval $'{cell}'".replace('\\"', '"')) == "1\n3\n"


def test_line_number_set_elsewhere_is_put_back(bash: str) -> None:
    assert at_prompt(bash, "true", "true", "eval $'LINENO=0\\necho $LINENO'") != "1\n"


def test_eval_takes_exit_code_and_last_argument_in(bash: str) -> None:
    assert at_prompt(bash, "(exit 7)", "eval 'echo $?'") == "7\n"
    assert at_prompt(bash, "f() { return 5; }", "eval $'{ f && :; } >/dev/null 2>&1\\necho $?'") == "5\n"
    assert at_prompt(bash, "u='a b'", 'eval $\'{ f && : "$u"; : "$u"; } >/dev/null 2>&1\\necho "$_"\'') == "a b\n"


def test_group_before_and_keeps_err_traps_and_errexit_away(bash: str) -> None:
    lines = ("f() { return 5; }", "trap 'echo ERR' ERR; set -e", "eval $'{ f && :; } >/dev/null 2>&1\\necho $?'")
    assert at_prompt(bash, *lines) == "5\n"


def test_whole_pipestatus_is_seen_inside_the_evaluated_text_only(bash: str) -> None:
    assert at_prompt(bash, "eval $'false | true | (exit 3)\\necho \"${PIPESTATUS[@]}\"'") == "1 0 3\n"
    assert at_prompt(bash, "eval $'false | true | (exit 3)'", 'echo "${PIPESTATUS[@]}"') == "3\n"


def test_pipestatus_and_exit_code_and_last_argument_are_all_there_in_one_call(bash: str) -> None:
    end = 'f() { echo "$@"; }', 'eval $\'false | (exit 3)\\n{ f "$?" "$_" "${PIPESTATUS[@]}"; }\''
    assert re.fullmatch(r"3 \S* ?1 3\n", at_prompt(bash, *end))


@pytest.mark.parametrize("option", ["set -x", "TRAP", "set -xT; TRAP"])
def test_redirection_of_a_group_hides_it_from_traces_and_debug_traps(bash: str, option: str) -> None:
    option = option.replace("TRAP", "trap 'echo \"D: $BASH_COMMAND\"' DEBUG")
    printed = at_prompt(bash, f"{option}; eval $'{{ : hidden; }} >/dev/null 2>&1\\n: seen'; trap - DEBUG; set +x")
    assert "+ : seen" in printed or "D: : seen" in printed
    assert "+ : hidden" not in printed
    assert "D: : hidden" not in printed


def test_attributes_of_prompt_command_are_told_while_it_is_readonly(bash: str) -> None:
    assert at_prompt(bash, "PROMPT_COMMAND=(: :)", 'echo "${PROMPT_COMMAND@a}"') == "a\n"
    assert "r" in at_prompt(bash, "readonly PROMPT_COMMAND=:", 'echo "${PROMPT_COMMAND@a}"')


def test_scalar_assignment_to_prompt_command_leaves_the_other_elements(bash: str) -> None:
    assert at_prompt(bash, "PROMPT_COMMAND=(: 'printf two,')", "PROMPT_COMMAND='printf one,'", "true").endswith(
        "one,two,"
    )
    assert (
        at_prompt(
            bash, "PROMPT_COMMAND=(: :)", "unset PROMPT_COMMAND", "PROMPT_COMMAND=:", 'echo "${#PROMPT_COMMAND[@]}"'
        )
        == "1\n"
    )


def test_hook_in_prompt_command_runs_with_the_commands_exit_code_and_keeps_it(bash: str) -> None:
    assert at_prompt(bash, "PROMPT_COMMAND=('false' 'printf \"<$?>\"; false')", "(exit 4)", "echo $?").endswith(
        "<4>4\n<0>"
    )


def test_assigning_to_a_readonly_variable_ends_the_function(bash: str) -> None:
    assert at_prompt(bash, "readonly r=1; f() { r=2; echo after; }", "f; echo rest").endswith(
        ": r: readonly variable\n"
    )


def test_terminal_is_reached_whatever_the_streams_are(bash: str) -> None:
    assert at_prompt(bash, "exec 3>&1 >/dev/null", "echo lost; echo seen >/dev/tty", "exec >&3") == "seen\n"


def test_redirections_fail_in_no_way_under_noclobber_and_noglob(bash: str) -> None:
    assert at_prompt(bash, "set -Cf", "{ echo no; } >/dev/null 2>&1; echo seen >/dev/tty") == "seen\n"


def test_backslash_before_builtin_passes_aliases(bash: str) -> None:
    lines = ("alias builtin=false eval=false printf=false", "\\builtin eval '\\builtin printf ok'")
    assert at_prompt(bash, *lines) == "ok"


def test_blank_before_a_line_keeps_it_out_of_the_history_only_where_asked_for(bash: str) -> None:
    lines = ("set -o history; history -c; HISTCONTROL=ignorespace", " echo hidden", "history | grep -c hidden")
    assert at_prompt(bash, *lines) == "hidden\n1\n"  # the grep itself


def test_text_of_eval_is_read_command_by_command(bash: str) -> None:
    """An alias, and extglob, count from the next line on."""
    assert at_prompt(bash, "eval $'alias x=\"echo aliased\"\\nx'") == "aliased\n"
    assert at_prompt(bash, "eval $'shopt -s extglob\\ncase ab in +(a|b)) echo yes;; esac'") == "yes\n"


def test_declare_in_eval_at_top_level_is_global(bash: str) -> None:
    assert at_prompt(bash, "eval 'declare -A m=([k]=v)'", "echo ${m[k]}") == "v\n"


@pytest.mark.parametrize("command", ["echo ${x:?gone}", "set -u; echo $nope", "echo $((1/0))", "${a b}"])
def test_fatal_error_drops_the_rest_of_its_line_and_goes_on_with_the_next(bash: str, command: str) -> None:
    assert at_prompt(bash, f"eval $'{command}; echo rest\\necho next line'").endswith("\nnext line\n")
    assert "rest" not in at_prompt(bash, f"eval $'{command}; echo rest\\n:'")


def test_set_v_prints_lines_as_eval_reads_them(bash: str) -> None:
    assert at_prompt(bash, "set -v", "eval $'echo one\\necho two'").endswith("echo one\none\necho two\ntwo\n")


def test_functions_can_be_made_readonly_and_a_cell_can_not_replace_them(bash: str) -> None:
    assert "readonly function" in at_prompt(bash, "f() { echo ours; }; readonly -f f", "f() { echo theirs; }")


def test_open_here_document_is_a_warning_of_bash_n(bash: str) -> None:
    done = subprocess.run([bash, "-n"], input="cat <<END\nx\n", capture_output=True, text=True, check=False)
    assert "here-document at line 1 delimited by end-of-file (wanted `END')" in done.stderr


# What marks and traces lean on (shell/statements.bash, trace/codes.py).


@pytest.mark.parametrize(("code", "before"), [(0, ""), (1, "! ")])
def test_arithmetic_in_a_case_without_clauses_sets_pipestatus_and_not_the_exit_code(
    bash: str, code: int, before: str
) -> None:
    cell = f'{{ {before}case $((p)) in esac; }} 2>/dev/null; echo "$? ${{PIPESTATUS[*]}}"'
    lines = ("p=PIPESTATUS[0]=3,PIPESTATUS[1]=0,PIPESTATUS[2]=7", f"eval 'true; {cell}'")
    assert at_prompt(bash, *lines) == f"{code} 3 0 7\n"


def test_errors_of_expansions_fire_no_trap_and_undo_the_redirections_of_their_group(bash: str) -> None:
    lines = ("trap 'echo ERR' ERR", "eval $'{ : ${never:?} && :; } >/dev/null 2>&1; echo rest\\necho next'", "echo a")
    assert at_prompt(bash, *lines) == "next\na\n"


def test_commands_that_are_printed_prettily_are_not_run(bash: str) -> None:
    text = "touch /no/such/folder/file; echo $(exit 3)\n:  mark\nx=$(a\n:  mark\nb)\n"
    command = [bash, "--norc", "--pretty-print", "-v"]
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert "No such file" not in done.stdout
    assert done.stdout.count(":  mark\n: mark\n") == 1, "in a substitution, the line is not followed by its normal form"


TRACED = "PS4=$'\\036${BASHPID}/$?/${PIPESTATUS[*]}/'; exec 3>&1; BASH_XTRACEFD=3; set -x; %s"


def traced(bash: str, text: str) -> list[str]:
    """Return what `set -x` prints of each command: $?, PIPESTATUS, the command."""
    done = subprocess.run([bash, "-c", TRACED % text], capture_output=True, text=True, check=False)
    return [line.split("/", 1)[1] for line in done.stdout.split("\n") if "\x1e" in line]


def test_conditions_and_negation_leave_the_exit_code_in_pipestatus(bash: str) -> None:
    assert traced(bash, "if false; then :; fi; : a; ! false; : b")[1::2] == ["0/1/: a", "0/1/: b"]


def test_processes_inherit_pipestatus_and_show_it(bash: str) -> None:
    assert "1/1/: a" in traced(bash, "false; : a | : b")
    assert "1/1/: a" in traced(bash, "false; (: a)")


def test_heads_of_compound_commands_are_not_flushed_and_printed_again_by_children(bash: str) -> None:
    assert traced(bash, "case x in x) (: a);; esac").count("0/0/case x in") == 2


@pytest.fixture(scope="module")
def echo(bash: str) -> Callable[[bytes], bytes]:
    """A function that has bash expand $'…' and returns what it makes of it."""

    def expand(quoted: bytes) -> bytes:
        command = b"printf %s $'" + quoted + b"'"
        return subprocess.run([bash, "-c", command], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}).stdout

    return expand


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace")))
@example(bytes(range(1, 256)))
@example(b"\\'\\n\\041!\x1b1\x7f7")
def test_quotes_hold_whatever_is_in_them(echo: Callable[[bytes], bytes], text: bytes) -> None:
    text = text.replace(b"\0", b"")
    assert echo(quote(text)) == text
