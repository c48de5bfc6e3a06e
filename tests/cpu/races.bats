#!/usr/bin/env bats
# Pairs of kernels with and without a race or a skipped barrier (programs/races), each in two orders of
# threads and blocks, as the grader runs a task: what one of them shows counts.

load helper

# judge FILE PAIRS: judges PAIRS pairs, each part rightly.
judge() {
  local order out=$BATS_TEST_TMPDIR
  cd "$BATS_TEST_DIRNAME/programs/races" || return
  "$CUCC" -Wall -Wextra -Werror -o "$out/$1" "$1.cu"
  for order in forward reverse; do
    CUCC_ORDER=$order CUCC_WORKERS=1 timeout 60 "$out/$1" 2>"$out/findings" | sort >"$out/$order" || return
    if grep -e '^false alarm' -e '^the kernel ended' "$out/$order"; then return 1; fi
    grep -x "pairs: $2" "$out/$order" || return
  done
  run comm -12 "$out/forward" "$out/reverse"
  [ "$output" = "pairs: $2" ]
}

@test "43 races in global memory are found, and their twins are not accused" { judge global 43; }

@test "29 races in shared memory are found, and their twins are not accused" { judge shared 29; }

@test "12 barriers that threads skip or mistake are found, and their twins are not accused" {
  judge barriers 12
}

@test "35 updates that are no atomic ones are found, and threads that wait for each other are not accused" {
  judge volatile 35
}

@test "updates by an atomic load and an atomic store get lost, and are a warning" {
  cd "$BATS_TEST_TMPDIR"
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o lost "$BATS_TEST_DIRNAME/programs/behaviour/lost_updates.cu"
  for CUCC_ORDER in forward reverse random:3; do
    export CUCC_ORDER
    run ./lost
    ends_with 0
    shows "relaxed: some" "in order: some" "behind a lock: all" ", only warnings"
    shows_not "racecheck: thread"
  done
}
