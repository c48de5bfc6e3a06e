#!/usr/bin/env bats
# Texts that a learner's program compiles while it runs: the look at them, their limits, and the socket that
# they come over. texts/refused holds hostile ones, each with the words of its refusal in the last line.

bats_require_minimum_version 1.5.0
load ../cpu/helper
source "$ROOT/tests/work.bash"

setup_file() {
  cd "$BATS_FILE_TMPDIR" || return
  LESSON=lesson02 GRADER_LIB=$ROOT/grader/lib PLAIN_C=false
  # shellcheck source=grader/lib/inspect.bash
  source "$GRADER_LIB/inspect.bash"
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

@test "an object that cannot be read, or only in part, is refused" {
  run -0 "$ROOT/grader/lib/look" object 2000 reference.o{,} ''
  shows_not incomplete
  mkdir -p partly
  cd partly
  head -c 3000 ../reference.o >module.o
  printf 'source\n' >source
  printf '%s\0' --source-name k.cu >arguments
  run -1 "$WB_LOOK" object
  shows "k.cu is too large or too strange to be inspected"
}

# Texts of the same length and name, which differ in one digit.
@test "each text gets its own module, compiled once, and no more texts are compiled than the limit" {
  local i
  for i in 1 2 3 4; do
    mkdir -p "$i"
    echo "extern \"C\" __global__ void value(int *p) { *p = $i; }" >"$i/k.cu"
  done
  run -0 ./ask --most 3 {1,2,3}/k.cu {4,1,3,2}/k.cu
  [[ $(grep '^value' <<<"$output" | tr -dc '0-9') == 123132 ]] || { echo "$output" && false; }
  shows "== k.cu NVRTC_ERROR_COMPILATION"$'\n'"nvrtc: error: more than 3 texts were compiled; no more are"
}

@test "texts beyond the limit take no memory of the process that compiles" {
  run -0 ./ask --fill 300
  ((output < 150)) || { echo "it took $output MB" && false; }
}

@test "a worker cannot change the modules that are kept, nor put others in their place" {
  local dir=$BATS_TEST_TMPDIR/poison
  mkdir "$dir"
  {
    printf '#include "jit.h"\n#define compile_module real_compile_module\n'
    cat "$ROOT/solutions/lesson12/jit.cu" "$BATS_TEST_DIRNAME/texts/poison.cu"
  } >"$dir/jit.cu"
  new_work "$BATS_FILE_TMPDIR/work"
  WORK=$BATS_FILE_TMPDIR/work run -0 make -C "$ROOT" -s program LESSON=lesson12 BACKEND=cpu \
    SUBMISSION="$dir" OUT="$dir"
  TMPDIR=$dir run "$dir/lesson12-cpu" --no-timing --task write_polynomial --output "$dir/run.json"
  ends_with 0
  shows "changed 0 of 1 modules"
  shows_not "changed 1"
}
