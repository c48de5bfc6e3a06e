# messages.bash: what a script says to people, on standard error. Sourced; PROGRAM is the script's name in
# messages, SELF the command that the user typed.
# shellcheck shell=bash

# note LINE...: prints the program's name and the line, for each line that is not empty.
note() {
  local line
  for line; do
    [[ -z $line ]] || printf '%s: %s\n' "$PROGRAM" "$line" >&2
  done
}

# stop STATUS LINE...: prints the lines and exits.
stop() {
  has_said_why
  note "${@:2}"
  exit "$1"
}

# For a handler of EXIT: has_said_why notes that the script has printed why it ends, said_why asks that.
has_said_why() { SAID=yes; }
said_why() { [[ -n ${SAID-} ]]; }

bad_usage() { stop 2 "$@" "\`${SELF:-$PROGRAM} --help\` lists the options."; }

# words WORD...: prints "a, b or c".
words() {
  local text
  (($# > 1)) || { printf '%s' "$*" && return; }
  printf -v text '%s, ' "${@:1:$#-1}"
  printf '%s or %s' "${text%, }" "${!#}"
}

# ---- Progress: one line on a terminal, replaced by the next one ----

PROGRESS_LINE=

show_progress_line() { # text
  [[ $1 != "$PROGRESS_LINE" ]] || return 0
  PROGRESS_LINE=$1
  printf '\r\033[K%s' "$1" >&2
}

clear_progress_line() {
  [[ -n $PROGRESS_LINE ]] || return 0
  printf '\r\033[K' >&2
  PROGRESS_LINE=
}
