# shellcheck shell=bash
# What a cell whose statements are told apart needs beside integration.bash, whose rules hold here too. It is read by a
# typed `source`, before the first such cell of a shell.
#
# A mark stands before each statement, in the text that is evaluated (sentinel/marks.py builds it):
#
#     { __shellkernel_mark NONCE "$?" "${PIPESTATUS[@]}" "$_" && : "$_" || case … esac; } >/dev/null 2>&1; STATEMENT
#
# It prints what the statement before came to, and leaves $?, $_ and PIPESTATUS as they were. A function can only return
# $?, and each command sets PIPESTATUS anew. So `mark` returns 0 where the next statement is to find 0 and (0); elsewhere 1,
# and the `case` behind it, in the evaluated text, puts the rest right: PIPESTATUS by an assignment in the arithmetic of a
# `case` without clauses, a command that sets neither; 1 by a `!` before it; only another exit code beside a pipestatus of
# more than one element needs a pipeline, with its forks.

# For the session, from one cell to the next.
__shellkernel_line=     # the mark, on its way to eval
__shellkernel_sign=     # what stands for it in the cell, likewise
__shellkernel_status=   # the last statement's exit code
__shellkernel_pipes=    # what puts PIPESTATUS right, as arithmetic, behind that exit code; empty: nothing to do
__shellkernel_codes=()  # PIPESTATUS
__shellkernel_stopped=() # once a statement has failed and the rest is not to run: CODE UNDERSCORE PIPESTATUS…
__shellkernel_errexit=  # `set -e`, off since then
__shellkernel_first=    # set until the first mark has run

# begin_marked NONCE FLAGS UNDERSCORE: as `begin`. The text was put together by then; nothing keeps the nonce in it.
__shellkernel_begin_marked() {
    __shellkernel_cell=${__shellkernel_cell//"$__shellkernel_sign"/}
    __shellkernel_line='' __shellkernel_sign='' __shellkernel_stopped=() __shellkernel_errexit='' __shellkernel_first=1
    __shellkernel_begin "$@"
}

# mark NONCE CODE PIPESTATUS… UNDERSCORE
__shellkernel_mark() {
    if [[ $# -eq 4 && $2 == "$3" && -z ${__shellkernel_outputs-} ]]; then
        # shellcheck disable=SC1003
        \builtin printf '\e]7711;%s;S;%s;%s;%s;%s\e\\' "$1" "$2" "$3" "${EPOCHREALTIME-}" "$1" >/dev/tty
        __shellkernel_status=$2 __shellkernel_pipes=''
        \builtin return "$2"
    fi
    __shellkernel_mark_rarely "$@"
    __shellkernel_mend
}

__shellkernel_mark_rarely() {
    __shellkernel_status=$2
    __shellkernel_codes=("${@:3:$#-3}")
    __shellkernel_tell "$1"
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

# tell NONCE: print the sentinel of a statement's end.
__shellkernel_tell() {
    local __shellkernel_each __shellkernel_all
    __shellkernel_all=
    for __shellkernel_each in "${__shellkernel_codes[@]}"; do
        __shellkernel_all+=,$__shellkernel_each
    done
    __shellkernel_print S "$1" "$__shellkernel_status;${__shellkernel_all#,};${EPOCHREALTIME-}"
}

# stop NONCE CODE PIPESTATUS… UNDERSCORE: as `mark`; but where the statement has failed nothing behind it runs. An error of
# an expansion ends what bash has read as one: the mark that begins the next one ends that, and so on to the end line.
__shellkernel_stop() {
    if [[ ${#__shellkernel_stopped[@]} -ne 0 ]]; then
        : "${__shellkernel_stopped[0]:+${__shellkernel_never:?}}"
    fi
    __shellkernel_mark_rarely "$@"
    if [[ -z $__shellkernel_first && $2 -ne 0 ]]; then
        __shellkernel_stopped=("$2" "${@: -1}" "${__shellkernel_codes[@]}")
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
    if [[ ${#__shellkernel_stopped[@]} -ne 0 ]]; then
        if [[ -n $__shellkernel_errexit ]]; then
            \builtin set -e
        fi
        __shellkernel_end "$1" "${__shellkernel_stopped[@]}"
        \builtin return 0
    fi
    __shellkernel_status=$2
    __shellkernel_codes=("${@:4}")
    __shellkernel_tell "$1"
    __shellkernel_end "$@"
}

\builtin readonly -f __shellkernel_begin_marked __shellkernel_mark __shellkernel_mark_rarely __shellkernel_mend \
    __shellkernel_tell __shellkernel_stop __shellkernel_close
