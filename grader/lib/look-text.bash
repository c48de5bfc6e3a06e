# look-text.bash: looks at a text that a learner's program compiles while it runs, in the folder that
# common/cpu/cucc.d/module describes, as inspect.bash looks at the learner's file. That script runs it, by the
# script that texts.bash writes, which sets ROOT, LESSON, LEXER, REFERENCE and WORDS:
#
#   look-text text     before it is compiled: the text, its headers, macros and name expressions
#   look-text object   module.o, before it is loaded
#
# Exit status: 0 nothing is refused; 1 refused, with a line for each reason in the form of a compiler's
# message. It runs under the limits of the program, once or twice for each text, so it starts few processes.
# shellcheck shell=bash
set -euo pipefail

GRADER_LIB=$ROOT/grader/lib
# shellcheck disable=SC2034 # inspect.bash asks for it
PLAIN_C=false
# shellcheck source=grader/lib/inspect.bash
source "$GRADER_LIB/inspect.bash"
# shellcheck source=grader/lib/look
source "$GRADER_LIB/look"

make_lexer() { :; }

# Those that the grader has read (texts.bash).
# shellcheck disable=SC2153 # the script that texts.bash writes sets WORDS
permitted_words() { [[ -z ${WORDS[$1]} ]] || printf '%s\n' "${WORDS[$1]}"; }

# In this process, which has limits already. A fact that is missing, for whatever reason, is a refusal.
look_with() { # NAME VISIBLE... -- WORD...
  while [[ $1 != -- ]]; do shift; done
  mapfile -t LOOKED < <(set -euo pipefail; look_and_end "${@:2}" </dev/null)
  if ((${#LOOKED[@]} > 0)) && [[ ${LOOKED[-1]} == end ]]; then
    unset 'LOOKED[-1]'
    return 0
  fi
  add_refusal "$NAME is too large or too strange to be inspected"
  return 1
}

# Sets NAME to the text's name in messages: the argument after --source-name.
name_of_text() {
  local arguments=() i
  mapfile -d '' -t arguments <arguments
  for ((i = 0; i < ${#arguments[@]}; i++)); do
    [[ ${arguments[i]} != --source-name ]] || NAME=${arguments[i + 1]//[^A-Za-z0-9_.-]/_}
  done
}

# look_at_file FILE NAME: adds its refusals to SEEN.
look_at_file() {
  [[ -s $1 ]] || return 0
  NAME=$2
  # shellcheck disable=SC2034 # inspect.bash asks for it
  INSPECTED=$1
  SHOWN=$NAME
  inspect_source || SEEN+=("${REFUSALS[@]}")
}

# Headers that came with the text, in both forms; includes of other files are refused. A header is read by
# another name: that of one.c would have it read as C, which has no raw strings.
look_at_texts() {
  local header
  shopt -s globstar dotglob nullglob
  for header in headers/**; do
    [[ -d $header ]] || GIVEN+=("\"${header#headers/}\"" "<${header#headers/}>")
  done
  name_of_text
  look_at_file source "$NAME"
  look_at_file options.h options
  look_at_file expressions expressions
  for header in "${GIVEN[@]}"; do
    [[ $header == \"* ]] || continue
    cp -- "headers/${header//\"/}" work/looked.cu
    look_at_file work/looked.cu "${header//[^A-Za-z0-9_.-]/_}"
    rm work/looked.cu
  done
}

look_at_object() {
  # shellcheck disable=SC2034 # inspect.bash asks for it
  INSPECTED=source REFUSALS=()
  name_of_text
  mapfile -t PERMITTED < <(permitted_words call)
  PERMITTED+=(__tls_get_addr) # of shared memory in code that is loaded
  mapfile -t REFUSED < <(permitted_words refuse)
  # shellcheck disable=SC2153 # the script that texts.bash writes sets it
  if ! look_with facts -- object "$MOST_LINES" module.o "$REFERENCE" ''; then
    SEEN=("${REFUSALS[@]}")
    return
  fi
  FOUND=("${LOOKED[@]}")
  if has_fact incomplete; then
    add_refusal "$NAME is too large or too strange to be inspected"
  elif has_fact many || has_fact unreadable; then
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
  case $1 in text) look_at_texts ;; object) look_at_object ;; esac
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
