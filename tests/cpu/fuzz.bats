#!/usr/bin/env bats
# The rewriter with damaged text: fuzz.c describes the texts and the conditions for the result.

load rewrite_helper

setup_file() {
  export FUZZ=$BATS_FILE_TMPDIR/fuzz
  sanitized_rewriter "$FUZZ" -Dmain=rewrite_main "$BATS_TEST_DIRNAME/fuzz.c"
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
