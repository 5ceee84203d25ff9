# shellcheck shell=bash
# The bash side of a session. It is read at a shell's start: as its rc file, or by a typed `source`. README.md beside it is
# the contract of both sides.
#
# Theory of operation. A cell arrives as one typed command (sentinel/typing.py builds it):
#
#     __shellkernel_frame NONCE FLAGS $'<the cell>'; \builtin eval "$__shellkernel_text"
#
# `frame` puts the cell between two lines of ours; begin takes the text out of the variable. Python types the whole text
# itself where the lines are others (PIPESTATUS, statements), which takes longer, since each byte is echoed; and where the
# cell was loaded before: here, a megabyte is copied for 0.1 s.
#
# Begin line: { __shellkernel_begin NONCE FLAGS "$__shellkernel_underscore" && : "$__shellkernel_underscore"; } >/dev/null \
#                 2>&"$((LINENO=0,1))"
# End line:   { __shellkernel_end NONCE "$?" "$_" "${PIPESTATUS[@]}"; } >/dev/null 2>&1
#
# Rules that hold here:
# 1. The nonce stands only in the text that is being evaluated. While a cell runs, no variable, function or file holds
#    it, so nothing that a cell can list or print forges its end.
# 2. Our lines have their redirections on a group: it hides them from `set -x` and from what a DEBUG trap prints.
# 3. Sentinels go to /dev/tty: `exec >file` and `exec 2>file` in a cell do not take them along.
# 4. No builtin gets an argument that looks like an assignment (`set -k` would put it into the environment).
# 5. Nothing here fails with a non-zero status outside a condition (`set -e`), expands an unset variable (`set -u`),
#    depends on IFS or globbing, forks, or calls a command that a user can shadow.
# 6. No variable of ours, local ones included, has a name that a user may have made readonly (IFS, name, REPLY).
# 7. `begin` returns the exit code of the cell before, so that `$?` is what a person expects; `end` returns 0, since a
#    non-zero return would fire the user's ERR trap once more, for our own line.
#
# 8. bash copies the whole body of a function at each call (execute_cmd.c, execute_function): what runs for each cell is
#    short, and leaves what is rare to functions of its own (…_rarely). Benchmark: round-trip.
#
# Facts this leans on (bash 5.1.4, 5.2.15, 5.3): tests/session/test_bash_facts.py.

if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then
    \builtin printf 'shellkernel needs bash 5.1 or newer (PROMPT_COMMAND as an array); this is %s\n' "$BASH_VERSION"
    \builtin exit 1
fi
if [[ $- != *i* || -n ${__shellkernel_loaded-} ]]; then
    \builtin return 0
fi
__shellkernel_loaded=1
__shellkernel_start=("${SHELLKERNEL_NONCE-}" "${SHELLKERNEL_RCFILE-}" "${SHELLKERNEL_CWD-}" "${SHELLKERNEL_RESTORE-}")
__shellkernel_state=${SHELLKERNEL_STATE-} # where this shell's state is written for the next one
__shellkernel_code=${SHELLKERNEL_CODE:-0} # exit code of the last cell, for the next one's $?
__shellkernel_output=/dev/tty # the terminal that output goes to
__shellkernel_outputs=(${SHELLKERNEL_STDERR:+"$SHELLKERNEL_STDERR"}) # terminals, beside /dev/tty, that get sentinels
\builtin unset -v SHELLKERNEL_NONCE SHELLKERNEL_RCFILE SHELLKERNEL_CWD SHELLKERNEL_RESTORE SHELLKERNEL_STATE SHELLKERNEL_CODE \
    SHELLKERNEL_STDERR

# State that outlives a cell.
__shellkernel_underscore=    # $_ of the last cell, for the next one's
__shellkernel_cell=          # the cell on its way to eval; empty while it runs
__shellkernel_text=          # the same between our lines, with its nonce; likewise
__shellkernel_loading=       # set while a long one is typed
__shellkernel_nonce=         # set between a cell's end and the next begin only (rule 1)
__shellkernel_ending=        # the fields of the end sentinel that the prompt hook is to print
__shellkernel_watching=      # set while the EXIT trap is known to be ours
__shellkernel_exit_trap=     # the user's own
__shellkernel_stdin=         # what the cells have made their standard input, if not the terminal: a descriptor, or - (closed)
__shellkernel_prompts=       # set while our PS1 and PS2 (empty ones) are in force
__shellkernel_ps1=           # the user's, meanwhile
__shellkernel_ps2=
__shellkernel_tmout=         # the user's TMOUT, likewise

# Print one sentinel: kind, nonce, fields. The last field may hold any byte: the nonce closes it again.
__shellkernel_print() {
    # shellcheck disable=SC1003 # the string ends in ESC and a backslash
    \builtin printf '\e]7711;%s;%s;%s;%s\e\\' "$2" "$1" "$3" "$2" >/dev/tty
    if [[ $1 == [BES] ]]; then
        local __shellkernel_each
        for __shellkernel_each in "${__shellkernel_outputs[@]}"; do
            # shellcheck disable=SC1003
            \builtin printf '\e]7711;%s;%s;%s;%s\e\\' "$2" "$1" "$3" "$2" >"$__shellkernel_each"
        done
    fi
}

# What `frame` puts around a cell, between the parts that vary.
# shellcheck disable=SC2016 # it is expanded later
__shellkernel_lines=(
    ' "$__shellkernel_underscore" && : "$__shellkernel_underscore"; } >/dev/null 2>&"$((LINENO=0,1))"'$'\n'
    $'\n''{ __shellkernel_end '
    ' "$?" "$_" "${PIPESTATUS[@]}"; } >/dev/null 2>&1'$'\n'
)

# What stands in PROMPT_COMMAND for our prompt hook. The redirections: rule 2.
__shellkernel_hook_command='{ __shellkernel_prompt; } >/dev/null 2>&1'

# Return a given status: the elements of the pipeline that rebuilds PIPESTATUS.
__shellkernel_return() { \builtin return "$1"; }

# See to it that bash calls our prompt hook, after the user's own. Cells and rc files replace PROMPT_COMMAND (virtualenv,
# starship, bash-preexec); an assignment to it as a scalar changes element 0 only and leaves ours alone.
__shellkernel_hook() {
    \builtin local -
    \builtin set +u # @a of a variable that is readonly and has no value
    if [[ ${PROMPT_COMMAND@a} == *r* ]]; then
        return 0 # assigning to a readonly variable would end this function; the end sentinel says that no prompt comes
    fi
    if [[ -z ${PROMPT_COMMAND[*]+set} ]]; then
        PROMPT_COMMAND=("" "$__shellkernel_hook_command")
        return 0
    fi
    if [[ ${#PROMPT_COMMAND[@]} -gt 1 && ${PROMPT_COMMAND[-1]} == "$__shellkernel_hook_command" ]]; then
        return 0
    fi
    local __shellkernel_index __shellkernel_others
    __shellkernel_others=()
    for __shellkernel_index in "${!PROMPT_COMMAND[@]}"; do
        if [[ ${PROMPT_COMMAND[__shellkernel_index]} != "$__shellkernel_hook_command" ]]; then
            __shellkernel_others+=("${PROMPT_COMMAND[__shellkernel_index]}")
        fi
    done
    PROMPT_COMMAND=("${__shellkernel_others[@]}" "$__shellkernel_hook_command")
}

# Between cells the prompts are empty: what stands between an end and the next begin then is no prompt's text; and an
# idle bash does not log out by itself (TMOUT).
__shellkernel_hide_prompts() {
    \builtin local -
    \builtin set +u
    if [[ -n ${TMOUT-} && ${TMOUT@a} != *r* ]]; then
        __shellkernel_tmout=$TMOUT
        TMOUT=
    fi
    if [[ -n $__shellkernel_prompts || ${PS1@a}${PS2@a} == *r* ]]; then
        return 0
    fi
    __shellkernel_prompts=hidden __shellkernel_ps1=${PS1-} __shellkernel_ps2=${PS2-} PS1='' PS2=''
}

__shellkernel_show_prompts() {
    if [[ -n $__shellkernel_tmout ]]; then
        TMOUT=$__shellkernel_tmout
        __shellkernel_tmout=
    fi
    if [[ -n $__shellkernel_prompts && -z ${PS1-}${PS2-} ]]; then
        PS1=$__shellkernel_ps1 PS2=$__shellkernel_ps2
    fi
    __shellkernel_prompts=
}

# Print the list of jobs as one sentinel, with \x01 for newlines: bash writes a terminal line by line, and what a job prints
# would come between.
__shellkernel_list_jobs() {
    local __shellkernel_words
    __shellkernel_words=()
    if \builtin jobs >|"$__shellkernel_state.jobs"; then # a cell may have removed the folder
        \builtin mapfile -d '' __shellkernel_words <"$__shellkernel_state.jobs" || :
    fi
    if [[ ${#__shellkernel_words[@]} -eq 0 ]]; then
        __shellkernel_words=("") # there is none: `set -u` would end the begin line
    fi
    __shellkernel_print J "$1" "${__shellkernel_words[0]//$'\n'/$'\x01'}"
}

# frame NONCE FLAGS CELL: put a cell between its begin and end line, for eval.
__shellkernel_frame() {
    __shellkernel_cell=$3
    __shellkernel_text="{ __shellkernel_begin $1 $2${__shellkernel_lines[0]}$3${__shellkernel_lines[1]}$1${__shellkernel_lines[2]}"
}

# begin NONCE FLAGS UNDERSCORE: the cell starts now. The last argument is what $_ will be.
# FLAGS: h: `history` lists the cell. j: list the jobs first, for those that end meanwhile. t: it may set traps. l: it may
# list them.
__shellkernel_begin() {
    if [[ $2 == h && -n $__shellkernel_prompts &&
        -z ${PS1-}${PS2-}$__shellkernel_tmout$__shellkernel_stdin${__shellkernel_outputs-} ]]; then
        PS1=$__shellkernel_ps1 PS2=$__shellkernel_ps2 __shellkernel_prompts='' __shellkernel_nonce='' __shellkernel_ending='' \
            __shellkernel_text=''
        \builtin jobs # to /dev/null: bash tells of those that are done here, and not where the cell runs
        \builtin history -s -- "$__shellkernel_cell"
        __shellkernel_cell=
        # shellcheck disable=SC1003
        \builtin printf '\e]7711;%s;B;;%s\e\\' "$1" "$1" >/dev/tty
    else
        __shellkernel_begin_rarely "$@"
    fi
    \builtin return "$__shellkernel_code"
}

__shellkernel_begin_rarely() {
    __shellkernel_text=
    __shellkernel_nonce=
    __shellkernel_ending=
    __shellkernel_show_prompts
    \builtin jobs >/dev/null # as in `begin`
    if [[ $2 == *j* && -n $__shellkernel_state ]]; then
        __shellkernel_list_jobs "$1"
    fi
    if [[ $2 == *h* ]]; then
        \builtin history -s -- "$__shellkernel_cell"
    fi
    if [[ $2 == *l* ]]; then
        __shellkernel_release_exit
    elif [[ $2 == *t* ]]; then
        __shellkernel_watching= # whether it still is, `end` finds out
    fi
    if [[ -n $__shellkernel_stdin ]]; then
        __shellkernel_give_stdin
    fi
    __shellkernel_cell=
    __shellkernel_print B "$1" ""
}

# end NONCE CODE UNDERSCORE PIPESTATUS…: the cell has run to its last line. Where all is as it mostly is (nobody else has a
# prompt hook, output goes to the terminal alone, no option asks for more), the prompt hook prints the end sentinel, which
# then tells that the cell is over and bash at its prompt.
__shellkernel_end() {
    __shellkernel_code=$2 __shellkernel_underscore=$3
    if [[ $# -eq 4 && ${#PROMPT_COMMAND[@]} -eq 2 && ${PROMPT_COMMAND[1]-} == "$__shellkernel_hook_command" &&
        -z ${PROMPT_COMMAND[0]-}${__shellkernel_outputs-} && (-n $__shellkernel_watching || -z $__shellkernel_state) &&
        ! (-o nounset || -o pipefail || -o verbose || -o xtrace || -o emacs || -o vi) && -t 0 ]] && ! \builtin read -t 0; then
        __shellkernel_ending="$2;$4;$-;prompt;${PWD-}" __shellkernel_nonce=$1
    else
        __shellkernel_end_rarely "$@"
    fi
    \builtin return 0
}

__shellkernel_end_rarely() {
    if [[ -o vi || -o emacs ]]; then
        \builtin set +o vi +o emacs # the line editor, which would read what is typed next; `read` crashes with it (5.2.15)
    fi
    __shellkernel_take_stdin
    __shellkernel_drain || :
    __shellkernel_hook
    __shellkernel_watch_exit || :
    local __shellkernel_each __shellkernel_codes
    __shellkernel_codes=$4
    for __shellkernel_each in "${@:5}"; do
        __shellkernel_codes+=,$__shellkernel_each
    done
    __shellkernel_finish "$1" "$2" "$__shellkernel_codes"
}

# bash reads what is typed from descriptor 0. A cell that has put a file there (`exec <file`), or closed it, means those after
# it: they get it back, and bash has the terminal in between; else it would take the file's lines for commands, or end.
__shellkernel_take_stdin() {
    if [[ -t 0 ]]; then
        return 0
    fi
    if { \exec {__shellkernel_stdin}<&0; } 2>/dev/null; then
        :
    else
        __shellkernel_stdin=-
    fi
    \exec </dev/tty || :
}

__shellkernel_give_stdin() {
    if [[ $__shellkernel_stdin == - ]]; then
        \exec <&-
    else
        \exec <&"$__shellkernel_stdin" {__shellkernel_stdin}<&-
    fi
    __shellkernel_stdin=
}

# Lines that were typed for a program which did not read them are no commands for bash.
__shellkernel_drain() {
    local __shellkernel_line
    while [[ -t 0 ]] && \builtin read -t 0 && \builtin read -r -t 0.05 __shellkernel_line; do
        :
    done
}

# finish NONCE CODE PIPESTATUS: print the end sentinel; the prompt sentinel that follows is proven.
__shellkernel_finish() {
    local __shellkernel_hooks __shellkernel_options
    __shellkernel_hooks=hook
    if [[ ${PROMPT_COMMAND[-1]-} != "$__shellkernel_hook_command" ]]; then
        __shellkernel_hooks=bare # no prompt sentinel will come
        __shellkernel_hide_prompts
    elif [[ ${#PROMPT_COMMAND[@]} -gt 2 || -n ${PROMPT_COMMAND[0]-} ]]; then
        __shellkernel_hooks=user # the user's hooks run between this and the prompt sentinel
    fi
    __shellkernel_options=$-
    if [[ -o pipefail ]]; then
        __shellkernel_options+='|' # it has no letter in $-
    fi
    __shellkernel_nonce=$1
    __shellkernel_print E "$1" "$2;$3;$__shellkernel_options;$__shellkernel_hooks;${PWD-}"
    \builtin return 0
}

# aside NONCE, aside_end NONCE CODE: begin and end of what is not the user's: questions, and set-up between two cells. The
# next cell finds $?, $_ and PIPESTATUS as the last one left them.
__shellkernel_aside() {
    \builtin jobs >/dev/null
    __shellkernel_print B "$1" ""
}

__shellkernel_aside_end() {
    __shellkernel_watch_exit || :
    __shellkernel_finish "$1" "$2" "$2"
}

# The prompt hook: bash is back at its prompt. If the cell was cut short (Ctrl-C), `end` has not run: the nonce is
# empty, this one is only a hint, and Python asks again with a nonce of its own (`probe`).
__shellkernel_prompt() {
    if [[ -n $__shellkernel_ending && -z ${TMOUT-}$__shellkernel_prompts && ${PS1@a}${PS2@a} != *r* ]]; then
        # shellcheck disable=SC1003
        \builtin printf '\e]7711;%s;E;%s;%s\e\\' "$__shellkernel_nonce" "$__shellkernel_ending" "$__shellkernel_nonce" \
            >/dev/tty
        __shellkernel_ending='' __shellkernel_prompts=hidden
        __shellkernel_ps1=${PS1-} __shellkernel_ps2=${PS2-} PS1='' PS2=''
        \builtin jobs # to /dev/null; see below
    else
        __shellkernel_prompt_rarely
    fi
}

__shellkernel_prompt_rarely() {
    if [[ -n ${__shellkernel_tracing-} ]]; then
        __shellkernel_trace_off # the cell was cut short
    fi
    {
        \builtin local -
        \builtin set +x
    } 2>/dev/null
    if [[ -z $__shellkernel_nonce ]]; then
        __shellkernel_take_stdin
        __shellkernel_drain || :
        __shellkernel_hook
        __shellkernel_watch_exit || :
    fi
    __shellkernel_hide_prompts
    if [[ -n $__shellkernel_ending ]]; then
        __shellkernel_print E "$__shellkernel_nonce" "$__shellkernel_ending"
        __shellkernel_ending=
    elif [[ -n $__shellkernel_nonce ]]; then
        __shellkernel_print P "$__shellkernel_nonce" "${PWD-}"
    else
        __shellkernel_print P 0 "" # a hint is the same for all
    fi
    \builtin jobs >/dev/null # bash tells of the jobs that are done here, and not where a cell runs
}

# probe NONCE CODE: typed at a prompt, CODE as "$?", after a cell was cut short. The answer is that cell's end.
__shellkernel_probe() {
    if [[ -n ${__shellkernel_tracing-} ]]; then
        __shellkernel_trace_off
    fi
    __shellkernel_end "$1" "$2" "$__shellkernel_underscore" "$2"
}

# move NONCE OLD_OUTPUT OLD_STDERR NEW_OUTPUT NEW_STDERR EXTRA…: what follows writes to other terminals. A stream that a cell has
# redirected itself (`exec >file`) stays where it is.
# `builtin exec` would undo the redirection: plain `exec` it is.
__shellkernel_move() {
    {
        \builtin local -
        \builtin set +x
    } 2>/dev/null
    if [[ /dev/fd/1 -ef $2 ]]; then
        \exec >"$4"
    fi
    if [[ /dev/fd/2 -ef $3 ]]; then
        \exec 2>"$5"
    fi
    __shellkernel_output=$4
    __shellkernel_outputs=("${@:6}")
    __shellkernel_finish "$1" 0 0
}

# What a shell leaves to the next one, in files that begin with $__shellkernel_state (empty: nothing is kept).
#
# When bash ends (exit, `set -e`, a fatal error) its EXIT trap writes them; Python also asks for them while bash idles, for
# the ends that no trap sees (SIGKILL, exec). The trap is ours, with the user's own command behind it. A cell may set another:
# `end` wraps that. One that may list traps finds only its own there: `begin` puts that back for the while.

# Ours; the user's own command comes behind it, on a line of its own. It is short, since a function can list it; and no
# function itself: in one, `trap -p` does not show all. The `&&` keeps `set -e` away from the status that the user's finds.
# shellcheck disable=SC2016 # the expansions are meant for later
__shellkernel_exit_command='{ \builtin eval "$__shellkernel_at_exit" && :; } >/dev/null 2>&1'
# shellcheck disable=SC2016,SC2034
__shellkernel_at_exit='__shellkernel_code=$?; \builtin trap - EXIT; \builtin trap -p >|"$__shellkernel_state.traps"
    __shellkernel_save; __shellkernel_leave_exit "$__shellkernel_code" && :'

# Make the EXIT trap ours, unless it is. The user's own is in __shellkernel_exit_trap.
__shellkernel_watch_exit() {
    if [[ -z $__shellkernel_state || -n $__shellkernel_watching ]]; then
        return 0
    fi
    local __shellkernel_words
    __shellkernel_words=()
    \builtin trap -p EXIT >|"$__shellkernel_state.exit"
    # `trap -p` prints __shellkernel_words in the shell's own quotes.
    \builtin mapfile -d '' __shellkernel_words <"$__shellkernel_state.exit"
    __shellkernel_exit_trap=
    if [[ ${#__shellkernel_words[@]} -ne 0 ]]; then
        \builtin eval "__shellkernel_words=(${__shellkernel_words[0]})"
        __shellkernel_users_exit "${__shellkernel_words[2]}"
    fi
    __shellkernel_set_exit
}

# users_exit TRAP: take ours out of an EXIT trap. A function that adds to the trap may have put its own behind it or before.
__shellkernel_users_exit() {
    local __shellkernel_rest
    __shellkernel_rest=${1#"$__shellkernel_exit_command"}
    case $__shellkernel_rest in
    "$1") __shellkernel_exit_trap=$1 ;;
    $'\n'*) __shellkernel_exit_trap=${__shellkernel_rest#$'\n'} ;;
    \;* | ' ;'*) __shellkernel_exit_trap=${__shellkernel_rest#*;} ;;
    *) __shellkernel_exit_trap=${__shellkernel_rest:+:$__shellkernel_rest} ;;
    esac
    __shellkernel_exit_trap=${__shellkernel_exit_trap//"$__shellkernel_exit_command"/:}
}

__shellkernel_set_exit() {
    \builtin trap -- "$__shellkernel_exit_command${__shellkernel_exit_trap:+$'\n'$__shellkernel_exit_trap}" EXIT
    __shellkernel_watching=1
}

# Put the user's own EXIT trap back, for a cell that may look at it.
__shellkernel_release_exit() {
    if [[ -z $__shellkernel_watching ]]; then
        return 0
    fi
    __shellkernel_watching=
    if [[ -n $__shellkernel_exit_trap ]]; then
        \builtin trap -- "$__shellkernel_exit_trap" EXIT
    else
        \builtin trap - EXIT
    fi
}

# The last of our part of the EXIT trap: what the user's own command finds as $?. It has run then: the next shell has none.
__shellkernel_leave_exit() {
    local __shellkernel_each __shellkernel_open
    __shellkernel_open=
    if [[ ! -t 0 ]]; then
        __shellkernel_open=' 0'
    fi
    for __shellkernel_each in 3 4 5 6 7 8 9; do # from 10 on they are bash's own, for its redirections
        if [[ -e /dev/fd/$__shellkernel_each ]]; then
            __shellkernel_open+=" $__shellkernel_each"
        fi
    done
    \builtin printf '%s' "$__shellkernel_open" >|"$__shellkernel_state.descriptors"
    \builtin printf '__shellkernel_exit_trap=\n' >>"$__shellkernel_state"
    \builtin printf '' >|"$__shellkernel_state.left" # Python's sign that bash ended by itself and left its state
    # No terminal: it hung up, Python was killed, and nobody else removes its folder (which is one that folder.py made).
    if [[ $__shellkernel_state == */shellkernel-????????/state ]] && ! { : >/dev/tty; }; then
        \command rm -rf -- "${__shellkernel_state%/*}"
    fi
    \builtin return "$1"
}

# The variables that are not written: ours, and what bash sets itself.
__shellkernel_own_names='@(__shellkernel_*|BASH|BASHOPTS|BASHPID|BASH_ALIASES|BASH_ARG*|BASH_CMDS|BASH_COMMAND|BASH_LINENO'
__shellkernel_own_names+='|BASH_MONOSECONDS|BASH_SOURCE|BASH_SUBSHELL|BASH_VERS*|COMP_WORDBREAKS|DIRSTACK|EPOCH*|EUID|FUNCNAME'
__shellkernel_own_names+='|GROUPS|HISTCMD|LINENO|PIPESTATUS|PPID|PWD|RANDOM|SECONDS|SHELLOPTS|SHLVL|SRANDOM|TMOUT|UID|_)'

# list_names PATTERN OPTION…: set the caller's __shellkernel_names to what `compgen` lists, without those of the pattern. A
# loop over them would take five times as long.
__shellkernel_list_names() {
    local __shellkernel_extglob
    __shellkernel_extglob=-s
    \builtin shopt -q extglob || __shellkernel_extglob=-u
    \builtin shopt -s extglob
    \builtin compgen "${@:2}" -X "$1" >|"$__shellkernel_state.list"
    \builtin shopt "$__shellkernel_extglob" extglob
    \builtin mapfile -t __shellkernel_names <"$__shellkernel_state.list"
}

# Write variables, functions, aliases, options, limits, umask and the directory. Traps are written by the caller: in a
# function `trap -p` does not show all of them.
__shellkernel_save() {
    if [[ -n ${__shellkernel_tracing-} ]]; then
        __shellkernel_trace_off # a cell ends the shell
    fi
    \builtin set +o >|"$__shellkernel_state.options"
    \builtin local -
    \builtin set +efuvxCk
    local __shellkernel_names __shellkernel_name
    \builtin compgen -v >|"$__shellkernel_state.names"
    {
        \builtin shopt -p
        \builtin umask -p
        for __shellkernel_name in c d e f l n s t u v x; do
            \builtin printf '\\builtin ulimit -S -%s ' "$__shellkernel_name"
            \builtin ulimit -S "-$__shellkernel_name"
        done
        __shellkernel_list_names "$__shellkernel_own_names" -v
        \builtin declare -p "${__shellkernel_names[@]}"
        __shellkernel_list_names '__shellkernel_*' -A function
        if [[ ${#__shellkernel_names[@]} -ne 0 ]]; then
            \builtin declare -f "${__shellkernel_names[@]}"
        fi
        \builtin declare -Fx
        \builtin alias -p
        # shellcheck disable=SC1003 # a backslash in quotes
        \builtin printf '__shellkernel_exit_trap=%q\n__shellkernel_underscore=%q\n\\builtin cd -- %q\n' \
            "$__shellkernel_exit_trap" "$__shellkernel_underscore" "${PWD-/}"
        if [[ -v OLDPWD ]]; then
            \builtin declare -p OLDPWD
        fi
    } >|"$__shellkernel_state"
}

# snapshot NONCE: write them now, between two cells; and see whether the EXIT trap is still ours, which a function may set.
__shellkernel_snapshot() {
    __shellkernel_watching=
    __shellkernel_watch_exit || :
    { \builtin trap -p >|"$__shellkernel_state.traps" && __shellkernel_save; } || :
    __shellkernel_finish "$1" 0 0
}

# Take back what the environment has and the last shell had unset.
__shellkernel_unset_others() {
    local __shellkernel_names __shellkernel_name
    local -A __shellkernel_known
    \builtin mapfile -t __shellkernel_names <"$__shellkernel_state.names"
    for __shellkernel_name in "${__shellkernel_names[@]}"; do
        __shellkernel_known[$__shellkernel_name]=1
    done
    \builtin compgen -e >|"$__shellkernel_state.exit"
    \builtin mapfile -t __shellkernel_names <"$__shellkernel_state.exit"
    for __shellkernel_name in "${__shellkernel_names[@]}"; do
        if [[ -z ${__shellkernel_known[$__shellkernel_name]-} ]]; then
            \builtin unset -v "$__shellkernel_name"
        fi
    done
}

# load NONCE [HEAD]: the text of a long cell was typed, into __shellkernel_cell; say so, with 1 where the line's head, which
# sets __shellkernel_loading to HEAD, was not read.
__shellkernel_load() {
    if [[ $# -eq 1 || $__shellkernel_loading == "$2" ]]; then
        __shellkernel_finish "$1" 0 0
    else
        __shellkernel_finish "$1" 1 1
    fi
    __shellkernel_loading=
}

# vars NAME: print a variable's attributes, keys and values, each ended by a NUL byte: values hold any byte but that. The
# redirection is here, and not at the call: what a DEBUG or RETURN trap prints is no answer.
__shellkernel_vars() {
    \builtin local -
    \builtin set +eu
    \builtin local -n __shellkernel_ref
    __shellkernel_ref=$1
    if [[ -v $1 || ${__shellkernel_ref@a} == *[aA]* ]]; then
        \builtin printf '%s\0' "${__shellkernel_ref@a}" "${!__shellkernel_ref[@]}" "${__shellkernel_ref[@]}" \
            >"$__shellkernel_output"
    fi
}

\builtin readonly -f __shellkernel_frame __shellkernel_begin_rarely __shellkernel_end_rarely __shellkernel_prompt_rarely \
    __shellkernel_print __shellkernel_return __shellkernel_hook __shellkernel_hide_prompts \
    __shellkernel_show_prompts __shellkernel_list_jobs __shellkernel_begin __shellkernel_end __shellkernel_drain __shellkernel_finish __shellkernel_aside __shellkernel_aside_end \
    __shellkernel_prompt __shellkernel_probe \
    __shellkernel_move __shellkernel_load __shellkernel_vars __shellkernel_watch_exit \
    __shellkernel_users_exit __shellkernel_set_exit __shellkernel_release_exit __shellkernel_leave_exit __shellkernel_save __shellkernel_snapshot \
    __shellkernel_unset_others __shellkernel_take_stdin __shellkernel_give_stdin __shellkernel_list_names

# Start: stderr's own terminal, the directory, the user's own rc file (at top level, as bash would run it), and then what
# must hold whatever the rc file did: no history file, no history expansion (`echo "a!b"`), no line editor, our prompt hook.
if [[ ${#__shellkernel_outputs[@]} -ne 0 ]]; then
    \exec 2>"${__shellkernel_outputs[0]}"
fi
if [[ -n ${__shellkernel_start[2]} ]]; then
    \builtin cd -- "${__shellkernel_start[2]}" && \builtin unset -v OLDPWD
fi
if [[ -n ${__shellkernel_start[3]} ]]; then
    # Instead of the rc file: all that the last shell had. What can not be set again (limits that were raised) stays away.
    __shellkernel_unset_others
    # shellcheck source=/dev/null
    \builtin source "$__shellkernel_state" >/dev/null 2>&1
    # shellcheck source=/dev/null
    \builtin source "$__shellkernel_state.traps" >/dev/null 2>&1
    __shellkernel_set_exit
elif [[ -n ${__shellkernel_start[1]} ]]; then
    # shellcheck source=/dev/null
    \builtin source "${__shellkernel_start[1]}"
fi
if [[ -v HISTFILE && ${HISTFILE@a} != *r* ]]; then
    \builtin unset -v HISTFILE
fi
\builtin set +o history +o histexpand +o vi +o emacs
\builtin history -c
__shellkernel_take_stdin
__shellkernel_hook
__shellkernel_watch_exit || :
__shellkernel_nonce=${__shellkernel_start[0]}
if [[ ${PROMPT_COMMAND[-1]-} != "$__shellkernel_hook_command" ]]; then
    __shellkernel_prompt # a readonly PROMPT_COMMAND: none will come at the prompt
fi
if [[ -n ${__shellkernel_start[3]} ]]; then
    # The last: `set -e`, `set -u` and `set -x` may be among them.
    # shellcheck source=/dev/null
    \builtin source "$__shellkernel_state.options" >/dev/null 2>&1
    \builtin set +o vi +o emacs +o onecmd
fi
\builtin unset -v __shellkernel_start
