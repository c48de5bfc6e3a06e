# The rewriter alone: builds it, and compares what it writes.
# shellcheck shell=bash

load helper

setup_file() {
  export REWRITE=$BATS_FILE_TMPDIR/rewrite
  sanitized_rewriter "$REWRITE"
}

# sanitized_rewriter PROGRAM [FLAG OF rewrite.c, SOURCE...]: compiles the rewriter under gcc's sanitizers, one
# file at a time, so that a cache of compilations serves all test files.
sanitized_rewriter() {
  local source flags=(-std=gnu11 -g -O1 -Wall -Wextra -Werror "-fsanitize=address,undefined"
    -fno-sanitize-recover=all -I "$ROOT/common/harness")
  mkdir "$1.objects"
  for source in "$ROOT"/common/cpu/rewrite/*.c "$ROOT/common/harness/base/text.c" "${@:3}"; do
    local own=()
    [[ $source != */rewrite.c || -z ${2-} ]] || own=("$2")
    gcc "${flags[@]}" "${own[@]}" -c "$source" -o "$1.objects/$(basename "$source").o"
  done
  gcc "${flags[@]}" "$1.objects"/*.o -o "$1"
}

# The text on standard input, rewritten, without the first #line.
rewrite_raw() {
  cat >"$BATS_TEST_TMPDIR/in.cu"
  "$REWRITE" --source-name in.cu "$BATS_TEST_TMPDIR/in.cu" "$BATS_TEST_TMPDIR/out.cpp" || return
  tail -n +2 "$BATS_TEST_TMPDIR/out.cpp"
}

# ... without any #line, blanks and line ends squeezed.
rewrite() { rewrite_raw | grep -v '^#line' | tr -s ' \t\n' ' ' | sed 's/ $//'; }

# becomes TEXT EXPECTED, both inside a function
becomes() {
  run rewrite <<<"void f() { $1 }"
  if [ "$output" != "void f() { $2 }" ]; then
    printf '%s\n' "text:     $1" "expected: void f() { $2 }" "got:      $output"
    return 1
  fi
}

# unchanged TEXT
unchanged() {
  local got
  got=$(rewrite_raw <<<"$1")
  if [ "$got" != "$1" ]; then
    printf '%s\n' "text: $1" "got:  $got"
    return 1
  fi
}
