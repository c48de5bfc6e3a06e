#!/usr/bin/env bats
# CUCC_PROFILE: what kernels ask of memory. The programs in programs/profile say what must be counted, worked out by hand.

load helper

setup_file() { "$CUCC" --print-libs >/dev/null; }

# count_all COMPILER [ENVIRONMENT...]: compiles each program, runs it, and compares its figures.
count_all() {
  local -a programs=("$BATS_TEST_DIRNAME"/programs/profile/*.cu)
  if [ "${#programs[@]}" -lt 24 ]; then echo "only ${#programs[@]} programs" && return 1; fi
  export COMPILER=$1 CUCC
  shift
  # shellcheck disable=SC2016
  printf '%s\0' "${programs[@]}" | xargs -0 -P 2 -I '{}' env "$@" bash -c '
    name=$(basename "$1" .cu) folder=$(dirname "$1")
    CUCC_CXX=$COMPILER "$CUCC" -Wall -Wextra -Werror -o "$2/$name" "$1" || exit 1
    CUCC_PROFILE=json:$2/$name.json "$2/$name" || { echo "$name ends with $?"; exit 1; }
    "$folder/compare-figures" "$1" "$2/$name.json"' - '{}' "$BATS_TEST_TMPDIR"
}

@test "requests, sectors, wavefronts, conflicts and atomics are those worked out by hand" {
  count_all g++
}

# bats test_tags=slow
@test "the same figures in reverse order, on one worker" {
  count_all g++ CUCC_ORDER=reverse CUCC_WORKERS=1
}

# bats test_tags=slow
@test "the same figures with clang++, in a random order" {
  command -v clang++ >/dev/null || skip "clang++ is not installed"
  count_all clang++ CUCC_ORDER=random:5
}
