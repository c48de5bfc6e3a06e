# class_helper.bash: what tests/class/class.bats and tests/class/files.bats share.
# shellcheck shell=bash disable=SC2154  # output and status come from run

load ../grader/grader_helper

# stub_checkout: STUB is a checkout whose grader/check is tests/class/check-stub; it logs to STUB_LOG.
stub_checkout() {
  export STUB=$BATS_FILE_TMPDIR/checkout
  mkdir -p "$STUB/common"
  cp -r "$ROOT/grader" "$ROOT/lessons" "$ROOT/solutions" "$ROOT/jobs" "$STUB/"
  ln -s "$ROOT/node_modules" "$STUB/node_modules" 2>/dev/null || true
  cp -r "$ROOT/common/shell" "$STUB/common/"
  cp "$ROOT/tests/class/check-stub" "$STUB/grader/check"
}

# Each test has its own folder S of submissions, and its own output O.
class_setup() {
  export STUB_LOG=$BATS_TEST_TMPDIR/graded TMPDIR=$BATS_TEST_TMPDIR/tmp
  S=$BATS_TEST_TMPDIR/handed-in O=$BATS_TEST_TMPDIR/out
  mkdir -p "$S" "$TMPDIR"
  : >"$STUB_LOG"
  cd "$BATS_TEST_TMPDIR" || return
}

# hand_in PATH WORDS...: a file that the stub grades.
hand_in() {
  local path=$S/$1
  mkdir -p "${path%/*}"
  printf '%s\n' "// ${*:2}" >"$path"
}

# class STATUS OPTION...: grader/class of the stub's checkout on S, into O.
class() {
  local expected=$1
  shift
  run timeout -k 5 "${CLASS_LIMIT_S:-120}" "$STUB/grader/class" \
    "$S" --lesson lesson02 --output "$O" --backend cpu "$@"
  [[ $status == "$expected" ]] || {
    printf 'status %s, not %s:\n%s\n' "$status" "$expected" "$output"
    return 1
  }
}

# is_entry NAME JQ-EXPR...: each is true of the entry of class.json with this name.
is_entry() {
  local name=$1 expression
  shift
  for expression; do
    jq -e --arg n "$name" "[.submissions[] | select(.name == \$n)] | length == 1 and (.[0] | $expression)" \
      "$O/class.json" >/dev/null || {
      printf 'not true of %s: %s\n' "$name" "$expression"
      jq -c '.submissions[]' "$O/class.json"
      return 1
    }
  done
}

# are_entries NAME JQ-EXPR NAME JQ-EXPR...: the same for several entries, by one jq.
are_entries() {
  local words=("$@") names=() all=true
  while (($#)); do
    names+=("$1")
    all+=" and (entry(${#names[@]}) | $2)"
    shift 2
  done
  if jq -e "def entry(\$n): [.submissions[] | select(.name == \$ARGS.positional[\$n - 1])]
      | if length == 1 then .[0] else error(\"not one entry\") end; $all" "$O/class.json" \
    --args "${names[@]}" >/dev/null 2>&1; then return; fi
  set -- "${words[@]}"
  while (($#)); do
    is_entry "$1" "$2" || return 1
    shift 2
  done
  echo "not true of all together, but of each: ${names[*]}"
  return 1
}

# How often the stub was called.
gradings() { wc -l <"$STUB_LOG"; }

# until_true SECONDS COMMAND...: waits, no longer than that.
until_true() {
  local turn
  for ((turn = 0; turn < $1 * 10; turn++)); do
    if "${@:2}"; then return 0; fi
    sleep 0.1
  done
  echo "not true after $1 s: ${*:2}"
  return 1
}
