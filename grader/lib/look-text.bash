# look-text.bash: looks at a text that a learner's program compiles while it runs, in the folder that
# common/cpu/cucc.d/module describes, as inspect.bash looks at the learner's file. That script runs it, by the
# script that texts.bash writes, which sets ROOT, LESSON, LEXER and REFERENCE:
#
#   look-text text     before it is compiled: the text, its headers, macros and name expressions
#   look-text object   module.o, before it is loaded
#
# Exit status: 0 nothing is refused; 1 refused, with a line for each reason in the form of a compiler's
# message. It runs under the limits of the program.
# shellcheck shell=bash
set -euo pipefail

GRADER_LIB=$ROOT/grader/lib
# shellcheck disable=SC2034 # inspect.bash asks for it
PLAIN_C=false
# shellcheck source=grader/lib/inspect.bash
source "$GRADER_LIB/inspect.bash"

make_lexer() { :; }
guard_look() { GUARD=(); }
stopped() { :; }
stop() { printf '%s\n' "${@:2}" && exit 3; }

# The text's name in messages: the argument after --source-name.
name_of_text() {
  local arguments=() i
  mapfile -d '' -t arguments <arguments
  for ((i = 0; i < ${#arguments[@]}; i++)); do
    [[ ${arguments[i]} != --source-name ]] || printf '%s' "${arguments[i + 1]//[^A-Za-z0-9_.-]/_}"
  done
}

# look_at_file FILE NAME: adds its refusals to SEEN.
look_at_file() {
  [[ -s $1 ]] || return 0
  NAME=$2
  [[ $NAME != *.c ]] || NAME+=u # or it would be read as C, which has no raw strings
  cp -- "$1" "$TMP/submission/$NAME"
  SHOWN=$NAME
  inspect_source || SEEN+=("${REFUSALS[@]}")
}

# Headers that came with the text, in both forms; includes of other files are refused.
look_at_texts() {
  local header
  while read -r header; do
    GIVEN+=("\"$header\"" "<$header>")
  done < <(cd headers && find . -type f -printf '%P\n')
  look_at_file source "$(name_of_text)"
  look_at_file options.h options
  look_at_file expressions expressions
  for header in "${GIVEN[@]}"; do
    [[ $header != \"* ]] || look_at_file "headers/${header//\"/}" "${header//[^A-Za-z0-9_.-]/_}"
  done
}

look_at_object() {
  NAME=$(name_of_text) REFUSALS=()
  cp -- source "$TMP/submission/$NAME"
  mapfile -t PERMITTED < <(permitted_words call)
  PERMITTED+=(__tls_get_addr) # of shared memory in code that is loaded
  mapfile -t REFUSED < <(permitted_words refuse)
  # shellcheck disable=SC2153 # the script that texts.bash writes sets it
  if ! look_with facts -- object "$MOST_LINES" module.o "$REFERENCE" module.o; then
    SEEN=("${REFUSALS[@]}")
    return
  fi
  FOUND=("${LOOKED[@]}")
  if has_fact many || has_fact unreadable; then
    add_refusal "$NAME: it defines and uses too many names, or names that cannot be read"
  else
    inspect_sections
    inspect_early
    inspect_references
    inspect_instructions
  fi
  SEEN=("${REFUSALS[@]}")
}

main() {
  local line
  SEEN=()
  TMP=$PWD/look
  mkdir -p "$TMP/submission"
  case $1 in text) look_at_texts ;; object) look_at_object ;; esac
  rm -rf "$TMP"
  for line in "${SEEN[@]}"; do
    if [[ $line =~ ^([^:]+):([0-9]+):\ (.*)$ ]]; then
      printf '%s(%s): error: %s\n' "${BASH_REMATCH[@]:1}"
    else
      printf 'nvrtc: error: %s\n' "$line"
    fi
  done
  ((${#SEEN[@]} == 0)) || { printf '\n%d reasons to refuse it.\n' "${#SEEN[@]}" && exit 1; }
}

main "$@"
