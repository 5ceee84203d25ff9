# shellcheck shell=bash
# The bash side of completion and inspection, read by a helper bash of its own (helper.py): never by the session whose
# cells are completed. It prints lines; the words that it is given are data, and are never evaluated here.

# Options of the completion in progress, each between blanks; completion functions change them through `compopt`.
__shellkernel_assist_options=

# bash's own compopt works only while readline completes. With names it changes their compspecs, as ever.
compopt() {
    local sign names=()
    local -a arguments=("$@")
    while (($#)); do
        case $1 in
        -o | +o)
            sign=$1
            __shellkernel_assist_options=${__shellkernel_assist_options// $2 / }
            if [[ $sign == -o ]]; then
                __shellkernel_assist_options+=" $2 "
            fi
            shift 2 || return 2
            ;;
        -[DEI]) return 0 ;;
        *)
            names+=("$1")
            shift
            ;;
        esac
    done
    if ((${#names[@]})); then
        builtin compopt "${arguments[@]}"
    fi
}

# Load the machine's bash-completion where the rc file has not; where there is none, the builtins' arguments must do.
__shellkernel_assist_load() {
    local file
    if declare -F _comp_complete_load _completion_loader >/dev/null; then
        return 0
    fi
    if [[ -n ${BASH_COMPLETION_VERSINFO-} ]]; then
        return 0
    fi
    for file in /usr/share/bash-completion/bash_completion /usr/local/share/bash-completion/bash_completion \
        /opt/homebrew/etc/profile.d/bash_completion.sh /usr/local/etc/profile.d/bash_completion.sh /etc/bash_completion; do
        if [[ -r $file ]]; then
            # shellcheck source=/dev/null
            source "$file"
            return 0
        fi
    done
    complete -d cd pushd rmdir
    complete -v export readonly unset
    complete -A function declare typeset
    complete -A command command exec man nohup sudo time type which
    complete -A helptopic help
    complete -A signal kill trap
    complete -A setopt set
    complete -A shopt shopt
    complete -a alias unalias
    complete -j bg disown fg jobs wait
}

# names NAME…: have these variables, so that `unset` and the like can be completed; their values do not matter.
__shellkernel_assist_names() {
    local __shellkernel_name
    for __shellkernel_name in "$@"; do
        if [[ $__shellkernel_name != @(BASH*|DIRSTACK|FUNCNAME|GROUPS|_) && ! -v $__shellkernel_name ]]; then
            builtin declare -g "$__shellkernel_name=" 2>/dev/null
        fi
    done
    return 0
}

# complete LINE POINT CWORD WORD…: first the options in force, then the matches, one to a line: `w` and a word to insert as
# it is, `f` and the name of a file, to be quoted.
__shellkernel_assist_complete() {
    local line=$1 point=$2 cword=$3
    shift 3
    local -a words=("$@")
    local command=${words[0]} current=${words[cword]} previous=
    if ((cword > 0)); then
        previous=${words[cword - 1]}
    fi
    local spec _
    for _ in 1 2 3; do
        spec=$(__shellkernel_assist_spec "$command") || spec=$(complete -p -D 2>/dev/null) || return 0
        __shellkernel_assist_run_spec "$spec"
        if (($? != 124)); then # 124: the function has loaded a compspec; look again
            break
        fi
    done
}

# spec COMMAND: print its compspec; that of its last component where the command is a path.
__shellkernel_assist_spec() {
    complete -p -- "$1" 2>/dev/null || complete -p -- "${1##*/}" 2>/dev/null
}

# run_spec SPEC: act as `complete -p` says. The variables line, point, cword, words, command, current, previous are the caller's.
__shellkernel_assist_run_spec() {
    local -a arguments others=() COMPREPLY=()
    local action="" program="" status=0 match kind=w
    __shellkernel_assist_options=
    builtin eval "arguments=(${1#complete})" # bash itself has quoted this
    set -- "${arguments[@]}"
    while (($#)); do
        case $1 in
        -o)
            __shellkernel_assist_options+=" $2 "
            shift
            ;;
        -F)
            action=$2
            shift
            ;;
        -C)
            program=$2
            shift
            ;;
        -[AGWPSX])
            others+=("$1" "$2")
            shift
            ;;
        -[abcdefgjksuv]) others+=("$1") ;;
        esac
        shift
    done
    if [[ -n $action ]]; then
        __shellkernel_assist_call "$action"
        status=$?
        if ((status == 124)); then
            return 124
        fi
    fi
    printf 'o%s\n' "$__shellkernel_assist_options"
    if [[ " $__shellkernel_assist_options " == *" filenames "* ]]; then
        kind=f
    fi
    for match in "${COMPREPLY[@]}"; do
        printf '%s%s\n' "$kind" "${match//$'\n'/ }"
    done
    if [[ -n $program ]]; then
        __shellkernel_assist_call_program "$program"
    fi
    if ((${#others[@]})); then
        compgen "${others[@]}" -- "$current" 2>/dev/null | while IFS= read -r match; do
            printf '%s%s\n' "$kind" "$match"
        done
    fi
    return 0
}

# call FUNCTION: as readline would; see "Programmable Completion" in the manual. The function fills COMPREPLY.
__shellkernel_assist_call() {
    # shellcheck disable=SC2034 # for the function
    local COMP_LINE=$line COMP_POINT=$point COMP_CWORD=$cword COMP_TYPE=9 COMP_KEY=9
    # shellcheck disable=SC2034
    local -a COMP_WORDS=("${words[@]}")
    "$1" "$command" "$current" "$previous" 2>/dev/null </dev/null
}

# call_program COMMAND: it prints its matches. Its words are those of the compspec.
__shellkernel_assist_call_program() {
    local match
    # shellcheck disable=SC2086
    COMP_LINE=$line COMP_POINT=$point COMP_TYPE=9 COMP_KEY=9 $1 "$command" "$current" "$previous" 2>/dev/null </dev/null |
        while IFS= read -r match; do
            printf 'w%s\n' "$match"
        done
}

# commands PREFIX: what can stand first in a command: its kind's letter (keyword, builtin, alias, function, program) and name.
__shellkernel_assist_commands() {
    local pair name
    for pair in k:keyword b:builtin a:alias n:function c:command; do
        compgen -A "${pair#*:}" -- "$1" | while IFS= read -r name; do
            printf '%s%s\n' "${pair%%:*}" "$name"
        done
    done
}

# describe NAME: what a word in command position is: a line with its kinds as `type -at` tells them, then its text.
__shellkernel_assist_describe() {
    local kind
    kind=$(type -t -- "$1") || return 0
    printf '%s\n' "$kind"
    case $kind in
    alias) alias -- "$1" ;;
    function) declare -f -- "$1" ;;
    keyword | builtin) help -- "$1" 2>/dev/null ;;
    file) type -P -- "$1" ;;
    esac
}
