#!/usr/bin/env bats
# Every access of checked code reaches the checker, in whatever way the compiler or a library makes it:
# structures that are passed and returned by value, what lambdas keep, builtins, functions of the libraries.

load helper
load ../quick

setup_file() {
  "$CUCC" --print-libs >/dev/null
  "$CUCC" -std=c++20 -o "$BATS_FILE_TMPDIR/accesses" "$BATS_TEST_DIRNAME/programs/behaviour/accesses.cu"
}

@test "sees each of a hundred and fifty ways to read or write memory" {
  cd "$BATS_FILE_TMPDIR"
  ./accesses >names
  [ "$(wc -l <names)" -ge 150 ]
  # shellcheck disable=SC2016 # of the inner shell
  xargs -P 2 -n 1 bash -c './accesses "$0" 2>&1 | grep -qE "^memcheck:.* (past|beyond) the" || echo "$0"' \
    <names >unseen
  [ ! -s unseen ] || { echo "unseen: $(xargs <unseen)" && return 1; }
}
