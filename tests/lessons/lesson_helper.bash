# lesson_helper.bash: what the tests of the lessons' checks share: mistakes that must be told, unusual answers that must
# not lose a point, and the starter. A test file sets LESSON and KINDS before it loads this.
#
#   tests/lessons/bugs/LESSON/NAME.patch   a mistake as a patch of the solution. Its head says which Task it spoils and what the
#                                  grader Says about it: words of a message or a note of a failed check.
#   tests/lessons/right/LESSON/NAME.*      a whole file that is right in an unusual way
# shellcheck shell=bash disable=SC2154  # status, output: set by Bats' run

bats_require_minimum_version 1.5.0
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
export ROOT LC_ALL=C.UTF-8
unset BACKEND WB_TIME_LIMIT MAKEFLAGS
source "$ROOT/tests/work.bash"
setup_file() { new_work "$WORK"; }
export WORK=${BATS_FILE_TMPDIR:-}/work

# is_true FILE FILTER OPTION...: whether the filter gives true. On an empty file jq 1.6 ends with 0 even with -e, so the
# word counts.
is_true() { [[ $(jq "${@:3}" "$2" "$1") == true ]]; }

source_name() { basename "$ROOT/lessons/$LESSON/.starter"/*; }

# head_of NAME FIELD: what the head of a patch says.
head_of() { sed -n "s/^$2: //p" "$ROOT/tests/lessons/bugs/$LESSON/$1.patch"; }

# spoil NAME DIR: makes DIR with the solution, patched.
spoil() {
  mkdir "$2"
  cp "$ROOT/solutions/$LESSON/$(source_name)" "$2/"
  (cd "$2" && patch -s -p1 <"$ROOT/tests/lessons/bugs/$LESSON/$1.patch")
}

# mistake NAME: grades the solution with the patch. Its task must lose points with a failed check whose message or note
# holds the words that the patch promises.
mistake() {
  local dir=$BATS_TEST_TMPDIR/$1 says task
  spoil "$1" "$dir"
  says=$(head_of "$1" Says)
  task=$(head_of "$1" Task)
  grade "$dir" 1 --task "${task/#0/further}"
  is_true "$dir/grade.json" 'any(.checks[]; .task == $task and .state == "fail" and (.message + "\n" + .note | contains($says)))' \
    --arg says "$says" --argjson task "$task" && return
  echo "no failed check says: $says"
  jq -c '.checks[] | [.sentence, .state, .note, .message]' "$dir/grade.json"
  return 1
}

# unrewarded NAME: as mistake, for one that only costs speed which a busy machine cannot show. There the check that would
# tell may be not measured; it never passes.
unrewarded() {
  local dir=$BATS_TEST_TMPDIR/$1 task
  spoil "$1" "$dir"
  task=$(head_of "$1" Task)
  timeout -k 2 120 "$ROOT/grader/check" "$LESSON" --submission "$dir" --format json --task "$task" >"$dir/grade.json" || true
  is_true "$dir/grade.json" '
    [.checks[] | select(.task == $task and (.state != "pass" or (.note | contains($says))))]
    | length > 0 and all(.[]; .state != "pass") and all(.[]; .state != "fail" or (.note | contains($says)))' \
    --arg says "$(head_of "$1" Says)" --argjson task "$task"
}

# reported NAME KIND: as mistake, but only by the program of that kind: for what would cost the grader a timing.
reported() {
  local dir=$BATS_TEST_TMPDIR/$1 task says
  spoil "$1" "$dir"
  task=$(head_of "$1" Task)
  says=$(head_of "$1" Says)
  program "$2" "$dir"
  run -1 "$dir/$LESSON-$2" --no-timing --task "${task/#0/further}"
  [[ $output == *"${says#"$2: "}"* ]] # the grader puts the kind before it
}

# grade DIR STATUS OPTION...: grades DIR's file on the CPU into DIR/grade.json; the exit status must be STATUS.
grade() {
  local dir=$1 want=$2 got=0
  shift 2
  timeout -k 2 120 "$ROOT/grader/check" "$LESSON" --backend cpu --submission "$dir" --format json "$@" \
    >"$dir/grade.json" 2>"$dir/messages" || got=$?
  [[ $got == "$want" ]] && return
  printf 'grader/check ended with %s instead of %s\n' "$got" "$want"
  cat "$dir/grade.json" "$dir/messages"
  return 1
}

# program KIND DIR: builds DIR's file; the compiler must have nothing to say.
program() {
  run -0 make -C "$ROOT" -s program LESSON="$LESSON" BACKEND="$1" SUBMISSION="$2" OUT="$2" WORK="$WORK"
  if grep -E 'warning|error' <<<"$output"; then return 1; fi
}

# right_answer FILE: right in every build, nothing found by sanitizers or the checker. Untimed. Of a CUDA lesson the driver's
# loops for the host must be right, too.
right_answer() {
  local dir=$BATS_TEST_TMPDIR/right kind
  mkdir "$dir"
  cp "$ROOT/tests/lessons/right/$LESSON/$1" "$dir/$(source_name)"
  for kind in $KINDS; do
    program "$kind" "$dir"
    WB_BASELINE=1 run -0 "$dir/$LESSON-$kind" --no-timing --output "$dir/run-$kind.json"
    [[ $LESSON == lesson01 || $output == *"the host's own loop is right on one core and on all"* ]]
    [[ $output != *"the host's own loop: "* ]]
    is_true "$dir/run-$kind.json" \
      '.verdict == "right" and (.tasks | length > 0) and all(.tasks[]; .state == "right" and .findings == [])' || {
      jq -c '.tasks[] | [.name, .state, .message, .findings]' "$dir/run-$kind.json"
      return 1
    }
  done
}

# full_marks FILE: FILE of tests/lessons/right/LESSON, or "solution", graded with everything that can be measured here, it loses no point. Points that could not be
# measured are nobody's loss.
full_marks() {
  local dir=$BATS_TEST_TMPDIR/marks
  mkdir "$dir"
  local file=$ROOT/tests/lessons/right/$LESSON/$1
  [[ $1 != solution ]] || file=$ROOT/solutions/$LESSON/$(source_name)
  cp "$file" "$dir/$(source_name)"
  timeout -k 2 300 "$ROOT/grader/check" "$LESSON" --backend cpu --submission "$dir" --format json >"$dir/grade.json" || true
  is_true "$dir/grade.json" '(.checks | length > 0) and all(.checks[]; .state != "fail") and any(.checks[]; .state == "pass")' &&
    return
  jq -c '.checks[] | select(.state == "fail") | [.sentence, .note, .message]' "$dir/grade.json"
  return 1
}

# starter_fails_every_task: it compiles without a warning, and of each task some check fails, none of its points is given
# for an answer that isn't there.
starter_fails_every_task() {
  local dir=$BATS_TEST_TMPDIR/starter kind
  mkdir "$dir"
  cp "$ROOT/lessons/$LESSON/.starter/$(source_name)" "$dir/"
  for kind in $KINDS; do program "$kind" "$dir"; done
  grade "$dir" 1
  is_true "$dir/grade.json" '.checks | group_by(.task) | all(.[]; any(.[]; .state == "fail"))'
  run -0 jq .points "$dir/grade.json"
  [ "$output" -eq 0 ]
}

# each_is_tested: every patch and every right answer has its test, here or in LESSON-speed.bats.
each_is_tested() {
  local file
  for file in "$ROOT/tests/lessons/bugs/$LESSON"/*.patch; do
    grep -Eq "\{ (mistake|unrewarded) $(basename "$file" .patch); \}" "$ROOT/tests/lessons/$LESSON"*.bats || { echo "untested: $file" && return 1; }
  done
  for file in "$ROOT/tests/lessons/right/$LESSON"/*; do
    grep -q "right_answer ${file##*/}" "$ROOT/tests/lessons/$LESSON"*.bats || { echo "untested: $file" && return 1; }
  done
}

# ---- The page ----

page() { cat "$ROOT/lessons/$LESSON/README.md"; }

# page_quotes_messages: each row of the page's common mistakes begins with what the grader says word for word. What the
# page leaves out is "…"; the longest piece of the rest must be what some patch Says, so a test has seen it.
page_quotes_messages() {
  page | awk '
    /^## / { here = /Common mistakes/ }
    here && /^\| `/ {
      split($0, code, "`"); n = split(code[2], piece, / *… */); longest = ""
      for (i = 1; i <= n; i++) if (length(piece[i]) > length(longest)) longest = piece[i]
      print longest
    }' >"$BATS_TEST_TMPDIR/quoted"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/quoted")" -ge 3 ]
  sed -n 's/^Says: //p' "$ROOT/tests/lessons/bugs/$LESSON"/*.patch >"$BATS_TEST_TMPDIR/said"
  run grep -vxFf "$BATS_TEST_TMPDIR/said" "$BATS_TEST_TMPDIR/quoted"
  [ -z "$output" ]
}

# task_1_alone DIR: makes DIR with the solution's task 1, and the starter's other tasks.
task_1_alone() {
  mkdir "$1"
  sed '/region task-[2-9f]/,/endregion task-[2-9f]/{/^ *\/\/:/!d;s/^\( *\)\/\/: \{0,1\}/\1/}' \
    "$ROOT/solutions/$LESSON/$(source_name)" >"$1/$(source_name)"
}
