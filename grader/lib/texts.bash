# texts.bash: programs that compile texts while they run (NVRTC on the CPU backend). The program's trusted
# part compiles them; before and after it asks look-text.bash, which refuses what inspect.bash refuses in a
# learner's file. Sourced by grader/check.
# shellcheck shell=bash

# look_at_texts: sets WB_LOOK, the program that looks at a text, and COMPILES, what must be visible for it and
# for the compiler. Does nothing in a lesson without NVRTC.
look_at_texts() {
  local libraries reference='' line
  libraries=$(libraries_of_lesson)
  [[ ${BUILT[cpu]:-} == here && $libraries == *nvrtc* ]] || return 0
  while read -r line; do
    [[ $line != */cpu/reference-* ]] || reference=$line
  done <"$TMP/out/references"
  write_look "$TMP/look-text" "$LEXER" "$reference"
  export WB_LOOK=$TMP/look-text
  COMPILES=("$TMP/look-text" "$GRADER_LIB" "$ROOT/common" "$WORK/build/cucc" "$LEXER" "$reference")
}

# write_look FILE LEXER REFERENCE: the program that looks at texts of LESSON. It has the lists of what is
# permitted (permitted_words in inspect.bash), which do not change while the learner's program runs.
write_look() {
  local field
  {
    printf '#!/usr/bin/env bash\n'
    printf 'ROOT=%q LESSON=%q LEXER=%q REFERENCE=%q\n' "$ROOT" "$LESSON" "$2" "$3"
    printf 'declare -A WORDS\n'
    for field in include word call refuse; do
      printf 'WORDS[%s]=%q\n' "$field" "$(permitted_words "$field")"
    done
    printf 'source %q\n' "$GRADER_LIB/look-text.bash"
  } >"$1"
  chmod +x "$1"
}
