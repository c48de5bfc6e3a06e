#!/usr/bin/env bats
# CUDA's kernel language on the CPU: what programs in programs/right cannot show, because they are silent and
# compile.

load helper

# builds NAME [FLAGS...]: compiles programs/behaviour/NAME.cu to $BATS_TEST_TMPDIR/NAME.
builds() {
  "$CUCC" "${@:2}" -o "$BATS_TEST_TMPDIR/$1" "$BATS_TEST_DIRNAME/programs/behaviour/$1.cu"
}

@test "rejects a shuffle without _sync and names the one to use" {
  run builds old_shuffle
  ends_with 1
  shows 'old_shuffle.cu:2:' '__shfl_down is gone from CUDA: use __shfl_down_sync'
}

@test "a failed assertion prints file, line, function, block and thread as CUDA does, and gives error 710" {
  builds assertion --fast
  run "$BATS_TEST_TMPDIR/assertion"
  shows 'all hold: 0' 'one fails: 710' \
    'assertion.cu:5: void check(int): block: [0,0,0], thread: [3,0,0] Assertion `threadIdx.x < limit` failed.'
}
