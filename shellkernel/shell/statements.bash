# shellcheck shell=bash
# What a cell whose statements are told apart needs beside integration.bash, whose rules hold here too. It is read by a
# typed `source`, before the first such cell of a shell.
#
# A mark stands before each statement, in the text that is evaluated (sentinel/marks.py builds it):
#
#     { __shellkernel_mark NONCE "$LINENO" "$?" "${PIPESTATUS[@]}" "$_" && : "$__shellkernel_status" "$_" || case … esac;
#     } >/dev/null 2>&1; STATEMENT
#
# It prints what the statement before came to, and leaves $?, $_ and PIPESTATUS as they were. A function can only return
# $?, and each command sets PIPESTATUS anew. So `mark` returns 0 where the next statement is to find 0 and (0); elsewhere 1,
# and the `case` behind it, in the evaluated text, puts the rest right: PIPESTATUS by an assignment in the arithmetic of a
# `case` without clauses, a command that sets neither; 1 by a `!` before it; only another exit code beside a pipestatus of
# more than one element needs a pipeline, with its forks.

# Trace. `set -x` writes to a named pipe of Python's, through a descriptor of its own; PS4 holds what Python wants to know
# of each command. Both are the user's again when the cell is over: at the end line, at the prompt after an interrupt
# (`prompt`), and before a shell that ends writes its state (`save`). Where the cell itself has to do with `set -x`, Python
# says before which mark the trace ends.

# For the session, from one cell to the next.
__shellkernel_line=     # the mark, on its way to eval
__shellkernel_sign=     # what stands for it in the cell, likewise
__shellkernel_status=   # the last statement's exit code
__shellkernel_pipes=    # what puts PIPESTATUS right, as arithmetic, behind that exit code; empty: nothing to do
__shellkernel_codes=()  # PIPESTATUS
__shellkernel_stopped=() # once a statement has failed and the rest is not to run: CODE UNDERSCORE PIPESTATUS…
__shellkernel_errexit=  # `set -e`, off since then
__shellkernel_first=    # set until the first mark has run
__shellkernel_trace=()  # PIPE NONCE MARK, on their way to begin: trace until this mark (0: to the end)
__shellkernel_tracing=  # set while the trace is on
__shellkernel_until=0   # marks that are to come before it ends
__shellkernel_ps4=()    # the user's PS4, if it is set, meanwhile
__shellkernel_result=   # what a mark returned, while the trace is turned on again

# begin_marked NONCE FLAGS UNDERSCORE: as `begin`. The text was put together by then; nothing keeps the nonce in it.
__shellkernel_begin_marked() {
    __shellkernel_cell=${__shellkernel_cell//"$__shellkernel_sign"/}
    __shellkernel_line='' __shellkernel_sign='' __shellkernel_stopped=() __shellkernel_errexit='' __shellkernel_first=1
    if [[ ${#__shellkernel_trace[@]} -eq 0 ]]; then
        __shellkernel_begin "$@"
    else
        __shellkernel_begin "$@" || :
        __shellkernel_trace_on "${__shellkernel_trace[@]}" && \builtin set -x
        # shellcheck disable=SC2154 # integration.bash has it
        \builtin return "$__shellkernel_code"
    fi
}

# trace_on PIPE NONCE MARK. Fails, having done nothing, where the descriptor is somebody else's; Python hears of nothing then.
__shellkernel_trace_on() {
    __shellkernel_trace=()
    # A number that {name}> does not give out: the cell gets from it what it gets without a trace.
    \builtin local -
    \builtin set +u # @a of a variable that has no value
    if [[ -n ${BASH_XTRACEFD-} || -e /dev/fd/247 || $- == *x* || ${PS4@a}${BASH_XTRACEFD@a} == *r* ]]; then
        return 1
    fi
    if ! { \exec 247>"$1"; } 2>/dev/null; then
        return 1 # `ulimit -n`
    fi
    __shellkernel_until=$3 __shellkernel_tracing=1 __shellkernel_ps4=()
    if [[ -v PS4 ]]; then
        __shellkernel_ps4=("$PS4")
    fi
    # shellcheck disable=SC2016 # it is expanded before each command, and says nothing under `set -u`
    PS4=$'\036'$2$'\037''${LINENO-}'$'\037''${FUNCNAME[0]-}'$'\037''${FUNCNAME[0]+${#FUNCNAME[@]}}'$'\037''${BASHPID-}'
    # shellcheck disable=SC2016
    PS4+=$'\037''${BASH_SUBSHELL-}'$'\037''$?'$'\037''${PIPESTATUS[@]-}'$'\037''${EPOCHREALTIME-}'$'\037'
    # shellcheck disable=SC2016
    PS4+='${BASH_COMMAND-}'$'\035'
    BASH_XTRACEFD=247
}

# Make PS4 and the rest the user's again.
__shellkernel_trace_off() {
    \builtin set +x
    __shellkernel_tracing=
    \builtin unset -v BASH_XTRACEFD # that closes the descriptor
    \builtin unset -v PS4
    if [[ ${#__shellkernel_ps4[@]} -ne 0 ]]; then
        PS4=${__shellkernel_ps4[0]}
    fi
}

# traced NAME NONCE LINE CODE PIPESTATUS… UNDERSCORE: as NAME (`mark`, `stop`), of which nothing is traced.
__shellkernel_traced() {
    if [[ -z $__shellkernel_tracing ]]; then # over: `set -x` is the cell's own
        "__shellkernel_$1" "${@:2}"
        \builtin return
    fi
    \builtin set +x
    if [[ $__shellkernel_until -gt 0 && $((__shellkernel_until -= 1)) -eq 0 ]]; then
        __shellkernel_trace_off
    fi
    if "__shellkernel_$1" "${@:2}"; then
        __shellkernel_result=0
    else
        __shellkernel_result=$?
    fi
    if [[ -n $__shellkernel_tracing ]]; then
        \builtin set -x
    fi
    \builtin return "$__shellkernel_result"
}

# mark NONCE LINE CODE PIPESTATUS… UNDERSCORE
__shellkernel_mark() {
    if [[ $# -eq 5 && $3 == "$4" && -z ${__shellkernel_outputs-} ]]; then
        # shellcheck disable=SC1003
        \builtin printf '\e]7711;%s;S;%s;%s;%s;%s;%s\e\\' "$1" "$3" "$4" "${EPOCHREALTIME-}" "$2" "$1" >/dev/tty
        __shellkernel_status=$3 __shellkernel_pipes=''
        \builtin return "$3"
    fi
    __shellkernel_mark_rarely "$@"
    __shellkernel_mend
}

__shellkernel_mark_rarely() {
    __shellkernel_status=$3
    __shellkernel_codes=("${@:4:$#-4}")
    __shellkernel_tell "$1" "$2"
}

# Note what is to be put right behind a mark. Returns 1: something is.
__shellkernel_mend() {
    local __shellkernel_each
    __shellkernel_pipes=
    if [[ ${#__shellkernel_codes[@]} -ne 1 || ${__shellkernel_codes[0]} != "$__shellkernel_status" ]]; then
        __shellkernel_pipes=$__shellkernel_status,
        for __shellkernel_each in "${!__shellkernel_codes[@]}"; do
            __shellkernel_pipes+="PIPESTATUS[$__shellkernel_each]=${__shellkernel_codes[__shellkernel_each]},"
        done
        __shellkernel_pipes+=0
    fi
    \builtin return 1
}

# tell NONCE LINE: print the sentinel of a statement's end.
__shellkernel_tell() {
    local __shellkernel_each __shellkernel_all
    __shellkernel_all=
    for __shellkernel_each in "${__shellkernel_codes[@]}"; do
        __shellkernel_all+=,$__shellkernel_each
    done
    __shellkernel_print S "$1" "$__shellkernel_status;${__shellkernel_all#,};${EPOCHREALTIME-};$2"
}

# stop NONCE LINE CODE PIPESTATUS… UNDERSCORE: as `mark`; but where the statement has failed nothing behind it runs. An error of
# an expansion ends what bash has read as one: the mark that begins the next one ends that, and so on to the end line.
__shellkernel_stop() {
    if [[ ${#__shellkernel_stopped[@]} -ne 0 ]]; then
        : "${__shellkernel_stopped[0]:+${__shellkernel_never:?}}"
    fi
    __shellkernel_mark_rarely "$@"
    if [[ -z $__shellkernel_first && $3 -ne 0 ]]; then
        __shellkernel_stopped=("$3" "${@: -1}" "${__shellkernel_codes[@]}")
        if [[ -o errexit ]]; then
            __shellkernel_errexit=1
            \builtin set +e # it would end the shell
        fi
        : "${__shellkernel_never:?}"
    fi
    __shellkernel_first=
    __shellkernel_mend
}

# close NONCE CODE UNDERSCORE PIPESTATUS…: the last mark, and `end`.
__shellkernel_close() {
    if [[ -n $__shellkernel_tracing ]]; then
        __shellkernel_trace_off
    fi
    if [[ ${#__shellkernel_stopped[@]} -ne 0 ]]; then
        if [[ -n $__shellkernel_errexit ]]; then
            \builtin set -e
        fi
        __shellkernel_end "$1" "${__shellkernel_stopped[@]}"
        \builtin return 0
    fi
    __shellkernel_status=$2
    __shellkernel_codes=("${@:4}")
    __shellkernel_tell "$1" end
    __shellkernel_end "$@"
}

\builtin readonly -f __shellkernel_begin_marked __shellkernel_mark __shellkernel_mark_rarely __shellkernel_mend \
    __shellkernel_tell __shellkernel_stop __shellkernel_close __shellkernel_trace_on __shellkernel_trace_off \
    __shellkernel_traced
