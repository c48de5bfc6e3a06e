#!/usr/bin/env bats
# Texts that a learner's program compiles while it runs: the look at them, their limits, and the socket that
# they come over. texts/refused holds hostile ones, each with the words of its refusal in the last line.

load ../cpu/helper

setup_file() {
  cd "$BATS_FILE_TMPDIR" || return
  LESSON=lesson02 GRADER_LIB=$ROOT/grader/lib
  # shellcheck source=grader/lib/texts.bash
  source "$GRADER_LIB/texts.bash"
  "$CUCC" -o ask "$BATS_TEST_DIRNAME/texts/ask.cu" -lnvrtc -lcuda
  "$CUCC" -c -o reference.o "$GRADER_LIB/reference.cu"
  write_look "$PWD/look-text" "$CUCC_BUILD/g++/rewrite" "$PWD/reference.o"
}

setup() {
  cd "$BATS_FILE_TMPDIR" || return
  export WB_LOOK=$PWD/look-text
}

# ask FILE...: compiles them; what is said of each goes to said/FILE.
ask() {
  run ./ask "$@"
  ends_with 0
  rm -rf said
  mkdir said
  awk '/^== / { file = "said/" $2 } { print >file }' <<<"$output"
}

@test "refuses each hostile text by its reason, with the line where there is one" {
  local file words failed=0
  ask "$BATS_TEST_DIRNAME"/texts/refused/*.c*
  for file in "$BATS_TEST_DIRNAME"/texts/refused/*.c*; do
    words=$(tail -n 1 "$file")
    words=${words#// says: }
    if ! grep -qF -- "$words" "said/${file##*/}" ||
      ! grep -q 'NVRTC_ERROR_COMPILATION' "said/${file##*/}"; then
      printf '%s: expected %s\n%s\n' "${file##*/}" "$words" "$(<"said/${file##*/}")"
      failed=1
    fi
  done
  ((failed == 0))
}

@test "compiles ordinary texts, with no word in the log" {
  local file
  ask "$BATS_TEST_DIRNAME"/texts/accepted/*.cu
  for file in "$BATS_TEST_DIRNAME"/texts/accepted/*.cu; do
    [ "$(<"said/${file##*/}")" = "== ${file##*/} NVRTC_SUCCESS" ] || { cat "said/${file##*/}" && false; }
  done
}

@test "refuses a text of 10 MB, and says how many bytes are possible" {
  { echo '__global__ void k() {}' && head -c 10000000 /dev/zero | tr '\0' ' '; } >large.cu
  ask "$PWD/large.cu"
  shows NVRTC_ERROR_COMPILATION '1048576 are possible'
}

@test "what is written to the socket by hand ends the service or is no program, and crashes nothing" {
  run ./ask --garbage
  ends_with 0
  [ "$output" = $'-1\n-1\n0' ]
}
