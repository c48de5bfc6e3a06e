#!/usr/bin/env bats
# The CPU backend as a whole: programs are compiled and run; `make test` takes a part of them, the slow tests
# all, in all orders of threads and blocks. Right ones must give the right answer and no finding; faulty ones,
# each a mistake that learners make, must be found, named and explained; and mended they must give no finding.
# try-program judges one program.
# bats file_tags=long

load helper

setup_file() {
  # The library, built once before programs are compiled at two a time.
  "$CUCC" --print-libs >/dev/null
  if [[ $(compilers) == *clang* ]]; then CUCC_CXX=clang++ "$CUCC" --print-libs >/dev/null; fi
}

# try KIND DIRECTORY COMPILER LEAST [ORDER...]: tries all programs of a directory, or with EVERY=8 each
# eighth; and that there are at least so many.
try() {
  local -a programs=("$BATS_TEST_DIRNAME/programs/$2"/*.cu)
  if [ "${#programs[@]}" -lt "$4" ]; then
    printf '%s programs in %s, at least %s expected\n' "${#programs[@]}" "$2" "$4"
    return 1
  fi
  local i; for i in "${!programs[@]}"; do ((i % ${EVERY:-1} == 0)) || unset "programs[i]"; done
  mkdir -p "$BATS_TEST_TMPDIR/programs"
  printf '%s\0' "${programs[@]}" |
    xargs -0 -P 2 -I '{}' "$BATS_TEST_DIRNAME/try-program" "$1" '{}' "$3" "$BATS_TEST_TMPDIR/programs" \
    "${@:5}"
}

RIGHT=135
FAULTY=200

@test "each fourth right program gives the right answer and no finding, compiled by g++" {
  EVERY=4 try right right g++ $RIGHT forward@2 random:7@1
}

# bats test_tags=slow
@test "right programs give the right answer and no finding, compiled by clang++" {
  command -v clang++ >/dev/null || skip "clang++ is not installed"
  try right right clang++ $RIGHT forward random:7
}

# bats test_tags=slow
@test "right programs are right in every order, with one worker and with two" {
  try right right g++ $RIGHT {forward,reverse,random:1,random:2}@{1,2}
}

# bats test_tags=slow
@test "right programs give the right answer when nothing is checked (--fast)" {
  try fast right g++ $RIGHT forward random:3
}

@test "finds each fourth faulty program's fault, with line, kernel and cause, compiled by g++" {
  EVERY=4 try faulty faulty g++ $FAULTY forward
}

# bats test_tags=slow
@test "finds each faulty program's fault in every order of its threads and blocks" {
  try faulty faulty g++ $FAULTY forward reverse random:7
}

# bats test_tags=slow
@test "finds each faulty program's fault, with line, kernel and cause, compiled by clang++" {
  command -v clang++ >/dev/null || skip "clang++ is not installed"
  try faulty faulty clang++ $FAULTY forward
}

@test "each eighth faulty program gives no finding once it is fixed, compiled by g++" {
  EVERY=8 try fixed faulty g++ $FAULTY reverse@2
}

# bats test_tags=slow
@test "each faulty program gives no finding in any order once it is fixed" {
  try fixed faulty g++ $FAULTY reverse@2 forward@2 random:7@1
}

@test "a program says in its first lines how it is compiled and run" {
  mkdir "$BATS_TEST_TMPDIR/programs"
  printf "%s\n" "// with: ANSWER=42 CUCC_ORDER=reverse" "// flags: -DASKED=1" "#include <stdlib.h>" \
    "int main(void) { return !(ASKED && getenv(\"ANSWER\") && getenv(\"CUCC_ORDER\")[0] == 'r'); }" \
    >"$BATS_TEST_TMPDIR/asks.cu"
  run "$BATS_TEST_DIRNAME/try-program" right "$BATS_TEST_TMPDIR/asks.cu" g++ "$BATS_TEST_TMPDIR/programs"
  ends_with 0
}

@test "try-program rejects a correct program declared as faulty, and the reverse" {
  mkdir "$BATS_TEST_TMPDIR/programs"
  for pair in "faulty right/vector_add.cu" "right faulty/missing_guard.cu"; do
    run "$BATS_TEST_DIRNAME/try-program" "${pair%% *}" "$BATS_TEST_DIRNAME/programs/${pair#* }" g++ \
      "$BATS_TEST_TMPDIR/programs"
    ends_with 1
  done
  sed '1s/: add$/: subtract/; s/ \/\/ <- at//' \
    "$BATS_TEST_DIRNAME/programs/faulty/missing_guard.cu" >"$BATS_TEST_TMPDIR/programs/marks.cu"
  cp "$BATS_TEST_DIRNAME/programs/program.h" "$BATS_TEST_TMPDIR"
  run "$BATS_TEST_DIRNAME/try-program" faulty "$BATS_TEST_TMPDIR/programs/marks.cu" g++ \
    "$BATS_TEST_TMPDIR/programs"
  ends_with 1
  shows 'which is not marked' 'not in kernel subtract'
}
