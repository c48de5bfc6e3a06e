#!/usr/bin/env bats
# The rewriter with damaged text: fuzz.c describes the texts and the conditions for the result.

load helper

setup_file() {
  export FUZZ=$BATS_FILE_TMPDIR/fuzz
  local source
  local -a flags=(-std=gnu11 -g -O1 -Wall -Wextra -Werror \
    "-fsanitize=address,undefined" -fno-sanitize-recover=all -I "$ROOT/common/harness")
  cd "$BATS_FILE_TMPDIR"
  for source in "$ROOT"/common/cpu/rewrite/*.c "$ROOT/common/harness/base/text.c"; do
    if [ "${source##*/}" = rewrite.c ]; then
      gcc "${flags[@]}" -Dmain=rewrite_main -c "$source"
    else
      gcc "${flags[@]}" -c "$source"
    fi
  done
  gcc "${flags[@]}" "$BATS_TEST_DIRNAME/fuzz.c" ./*.o -o "$FUZZ"
}

# fuzz SEED ROUNDS: three texts a round; the failing one is shown.
fuzz() {
  local -a files
  mapfile -t files < <(find "$ROOT/lessons" "$ROOT/solutions" "$ROOT/tests" "$ROOT/common" -name '*.cu' |
    sort)
  [ "${#files[@]}" -ge 80 ]
  if ! "$FUZZ" "$1" "$2" "$BATS_TEST_TMPDIR" "${files[@]}"; then
    head -c 4000 "$BATS_TEST_TMPDIR/in.cu"
    return 1
  fi
}

@test "1200 damaged texts do not crash or hang the rewriter, and lines stay where they are" {
  run fuzz 1 400
  ends_with 0
  [ "$output" = "1200 texts" ]
}

# bats test_tags=slow
@test "100000 more damaged texts do not crash or hang the rewriter" {
  run fuzz "${FUZZ_SEED:-$RANDOM}" 34000
  ends_with 0
}
