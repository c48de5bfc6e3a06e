# lesson_helper.bash: shared functions for the tests of the lessons' checks: mistakes that must be reported,
# unusual answers that must not lose a point, and the starter. A test file sets LESSON and KINDS before it
# loads this file.
#
#   tests/lessons/bugs/LESSON/NAME.patch   a mistake as a patch of the solution. Its head is described in
#                                          CONTRIBUTING.md.
#   tests/lessons/right/LESSON/NAME.*      a whole file that is correct in an unusual way
# shellcheck shell=bash disable=SC2154  # status, output: set by Bats' run

bats_require_minimum_version 1.5.0
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
export ROOT LC_ALL=C.UTF-8
unset BACKEND WB_TIME_LIMIT MAKEFLAGS
source "$ROOT/tests/work.bash"
source "$ROOT/tests/lessons/known.bash"
setup_file() { new_work "$WORK"; }
export WORK=${BATS_FILE_TMPDIR:-}/work CUCC_BUILD=$SHARED_CUCC # for programs that tests compile themselves

# is_true FILE FILTER OPTION...: succeeds if the filter gives true. Compares the output, since jq 1.6 -e ends
# with 0 for an empty file.
is_true() { [[ $(jq "${@:3}" "$2" "$1") == true ]]; }

source_name() { basename "$ROOT/lessons/$LESSON/.starter"/*; }

# head_of NAME FIELD: prints a field of a patch's head.
head_of() { sed -n "s/^$2: //p" "$ROOT/tests/lessons/bugs/$LESSON/$1.patch"; }

# task_of NAME: the task of a mistake, as --task takes it.
task_of() { head_of "$1" Task | sed 's/^0$/further/'; }

# spoil DIR NAME...: creates DIR with the solution and these mistakes, each in a task of its own.
spoil() {
  local dir=$1 name twice
  shift
  twice=$(for name; do task_of "$name"; done | sort | uniq -d)
  [[ -z $twice ]] || { echo "more than one mistake in task $twice: $*" && return 1; }
  mkdir "$dir"
  cp "$ROOT/solutions/$LESSON/$(source_name)" "$dir/"
  for name; do
    patch -s -p1 -d "$dir" <"$ROOT/tests/lessons/bugs/$LESSON/$name.patch" || return 1
  done
}

# mistake NAME...: grades the solution with these mistakes, each in a task of its own: several cost little
# more than one. Each task must lose points by a failed check whose message or note contains the words in the
# patch's head. A mistake in the table of known ones is recognised, too.
mistake() {
  local dir=$BATS_TEST_TMPDIR/$1 name only=()
  spoil "$dir" "$@" || return 1
  (($# > 1)) || only=(--task "$(task_of "$1")")
  grade "$dir" 1 "${only[@]}" || return 1
  for name; do blamed "$name" "$dir/grade.json" || return 1; done
}

# blamed NAME GRADE: a failed check of the mistake's task says the words in the patch's head.
blamed() {
  local says
  says=$(head_of "$1" Says)
  is_true "$2" 'any(.checks[]; .task == $task and .state == "fail"
    and (.message + "\n" + .note | contains($says)))' --arg says "$says" \
    --argjson task "$(head_of "$1" Task)" || {
    echo "no failed check says: $says"
    jq -c '.checks[] | [.sentence, .state, .note, .message]' "$2"
    return 1
  }
  recognised "$1" "$2"
}

# unrewarded NAME: as mistake, for a mistake that only costs speed. On a busy machine the check may be not
# measured, but it must never pass.
unrewarded() {
  local dir=$BATS_TEST_TMPDIR/$1 task
  spoil "$dir" "$1"
  task=$(head_of "$1" Task)
  timeout -k 2 120 "$ROOT/grader/check" "$LESSON" --submission "$dir" --format json --task "$task" \
    >"$dir/grade.json" || true
  is_true "$dir/grade.json" '
    [.checks[] | select(.task == $task and (.state != "pass" or (.note | contains($says))))]
    | length > 0 and all(.[]; .state != "pass") and all(.[]; .state != "fail" or (.note | contains($says)))' \
    --arg says "$(head_of "$1" Says)" --argjson task "$task"
}

# reported KIND NAME...: as mistake, but runs only the program of that kind: it finds the task wrong, or
# something in it, and says the words. This costs less than a grading. SEED: of the inputs, if it matters.
reported() {
  local kind=$1 dir=$BATS_TEST_TMPDIR/$2 name says
  shift
  spoil "$dir" "$@"
  program "$kind" "$dir"
  for name; do
    run "$dir/$LESSON-$kind" --no-timing --task "$(task_of "$name")" ${SEED:+--seed "$SEED"} \
      --output "$dir/run.json"
    says=$(head_of "$name" Says)
    says=${says#"$kind: "} # the grader puts the kind before it
    if [[ $output != *"$says"* ]] || ! is_true "$dir/run.json" \
      '.tasks[0] | .state != "right" or any(.findings[]; .severity != "warning")'; then
      printf '%s\n' "$name" "$output" && return 1
    fi
    recognised "$name" "$dir/run.json"
  done
}

# spoiled SED TASK WORDS...: the solution, changed by a sed command, is wrong in this task, or in several,
# and the CPU backend's program says why in these words. For mistakes without a patch. SEED: of the inputs, if
# it matters.
spoiled() {
  local dir task=''
  dir=$(mktemp -d "$BATS_TEST_TMPDIR/spoiled.XXXXXX")
  sed -e "$1" "$ROOT/solutions/$LESSON/$(source_name)" >"$dir/$(source_name)"
  if cmp -s "$dir/$(source_name)" "$ROOT/solutions/$LESSON/$(source_name)"; then
    echo "the command changes nothing" && return 1
  fi
  program cpu "$dir"
  while (($# > 1)); do
    [[ $2 == "$task" ]] || run -1 "$dir/$LESSON-cpu" --no-timing --task "$2" ${SEED:+--seed "$SEED"}
    task=$2
    [[ $output == *"$3"* ]] || { printf '%s\n' "$1" "$output" && return 1; }
    set -- "$1" "${@:4}"
  done
}

# named SED TASK WORDS...: the same for the grader: a failed check of the task says these words. WITH: names
# of mistakes, in other tasks, which are in the same file.
named() {
  local dir name only=()
  dir=$(mktemp -d "$BATS_TEST_TMPDIR/named.XXXXXX")/solution
  # shellcheck disable=SC2086  # names without blanks
  spoil "$dir" ${WITH:-} || return 1
  cp "$dir/$(source_name)" "$dir.before"
  sed -i -e "$1" "$dir/$(source_name)"
  if cmp -s "$dir/$(source_name)" "$dir.before"; then echo "the command changes nothing" && return 1; fi
  [[ $# -gt 3 || ${WITH:-} ]] || only=(--task "${2/#0/further}")
  grade "$dir" 1 "${only[@]}" || return 1
  for name in ${WITH:-}; do blamed "$name" "$dir/grade.json" || return 1; done
  while (($# > 1)); do
    is_true "$dir/grade.json" 'any(.checks[]; .task == $task and .state == "fail"
      and (.message | contains($says)))' --arg says "$3" --argjson task "${2/#further/0}" || {
      echo "no failed check says: $3"
      jq -c '.checks[] | [.sentence, .state, .note, .message]' "$dir/grade.json"
      return 1
    }
    set -- "$1" "${@:4}"
  done
}

# grade DIR STATUS OPTION...: grades DIR's file on the CPU and writes DIR/grade.json. The exit status must be
# STATUS. SEED: of the inputs, if it matters.
grade() {
  local dir=$1 want=$2 got=0
  shift 2
  timeout -k 2 120 "$ROOT/grader/check" "$LESSON" --backend cpu --submission "$dir" --format json \
    ${SEED:+--seed "$SEED"} "$@" >"$dir/grade.json" 2>"$dir/messages" || got=$?
  [[ $got == "$want" ]] && return
  if [[ $got == 0 ]]; then echo 'the grader passed it: no check failed'; else
    printf 'grader/check ended with %s instead of %s\n' "$got" "$want"
  fi
  jq -r '.message, (.checks[] | tojson)' "$dir/grade.json"
  cat "$dir/messages"
  return 1
}

# program KIND DIR: builds DIR's file without a compiler warning.
program() {
  run -0 make -C "$ROOT" -s program LESSON="$LESSON" BACKEND="$1" SUBMISSION="$2" OUT="$2" WORK="$WORK"
  if grep -E 'warning|error' <<<"$output"; then return 1; fi
}

# The solution as it is built where NCCL is missing: it is right in all that it can run. Leaves a run.json.
without_nccl() {
  local work=$BATS_TEST_TMPDIR/without-nccl
  new_work "$work"
  WORK=$work run -0 make -C "$ROOT" -s "${LESSON/lesson/solution}" BACKEND=cpu CC='gcc -DNO_NCCL' \
    CUCC="CUCC_BUILD=$SHARED_CUCC common/cpu/cucc -DNO_NCCL"
  run -0 "$work/build/cpu/${LESSON/lesson/solution}" --no-timing --output "$BATS_TEST_TMPDIR/run.json"
}

# Several assertions look at one grading: it keeps what its compilers and programs wrote in DIR/kept.

# quiet DIR: in a kept grading every kind of program was built, and no compiler warned.
quiet() {
  local kind
  for kind in $KINDS; do
    [[ -f $1/kept/build-$kind.log ]] || { echo "no build of $kind was kept" && return 1; }
    if grep -E 'warning|error' "$1/kept/build-$kind.log"; then return 1; fi
  done
}

# grade_right FILE: grades FILE of tests/lessons/right/LESSON, or the solution for "solution", with everything
# that can be measured here, once in a test. In a CUDA lesson the driver's host loops run, too.
grade_right() {
  local dir=$BATS_TEST_TMPDIR/right file=$ROOT/tests/lessons/right/$LESSON/$1 loops=(WB_BASELINE=1)
  [[ ! -d $dir/${1%.*} ]] || return 0
  [[ $1 != solution ]] || file=$ROOT/solutions/$LESSON/$(source_name)
  dir=$dir/${1%.*}
  mkdir -p "$dir"
  cp "$file" "$dir/$(source_name)"
  [[ $KINDS == cpu ]] || loops=()
  env "${loops[@]}" timeout -k 2 300 "$ROOT/grader/check" "$LESSON" --backend cpu --submission "$dir" \
    --format json --keep "$dir/kept" >"$dir/grade.json" 2>"$dir/messages" || true
}

# right_answer FILE: correct on the CPU backend, without warnings of the compiler or findings of the checker,
# and so are the driver's host loops, if the lesson has some.
right_answer() {
  local dir=$BATS_TEST_TMPDIR/right/${1%.*} kind output
  grade_right "$1"
  quiet "$dir" || { cat "$dir/messages" && return 1; }
  for kind in $KINDS; do
    output=$(<"$dir/kept/program-$kind.log")
    [[ $output == *"the host's own loop is right on one core and on all"* ]] ||
      ! grep -q '\.cpu = ' "$ROOT/lessons/$LESSON"/driver/*.c || { echo "$output" && return 1; }
    [[ $output != *"the host's own loop: "* ]] || { echo "$output" && return 1; }
    all_right "$dir/kept/run-$kind.json" || return 1
  done
}

# all_right REPORT: every task is right, without findings.
all_right() {
  is_true "$1" '.verdict == "right" and (.tasks | length > 0)
    and all(.tasks[]; .findings == [] and (.state == "right" or
      (.state == "not_run" and (.message | contains("does not have its function")))))' && return
  jq -c '.tasks[] | [.name, .state, .message, .findings]' "$1"
  return 1
}

# full_marks FILE: FILE of tests/lessons/right/LESSON, or "solution", loses no point. Points that cannot be
# measured do not count as lost.
full_marks() {
  local dir=$BATS_TEST_TMPDIR/right/${1%.*}
  grade_right "$1"
  is_true "$dir/grade.json" '(.checks | length > 0) and all(.checks[]; .state != "fail")
    and any(.checks[]; .state == "pass")' &&
    return
  jq -c '.checks[] | select(.state == "fail") | [.sentence, .note, .message]' "$dir/grade.json"
  return 1
}

# starter_fails_every_task: the starter compiles without a warning, fails a check in each task and gets no
# points.
starter_fails_every_task() {
  local dir=$BATS_TEST_TMPDIR/starter
  mkdir "$dir"
  cp "$ROOT/lessons/$LESSON/.starter/$(source_name)" "$dir/"
  grade "$dir" 1 --keep "$dir/kept"
  quiet "$dir"
  is_true "$dir/grade.json" '.checks | group_by(.task) | all(.[]; any(.[]; .state == "fail"))'
  run -0 jq .points "$dir/grade.json"
  [ "$output" -eq 0 ]
}

# warned_of_int TASK WORDS FROM TO: the solution with FROM replaced by TO is right, and the program warns,
# with a line, of an index in int that leaves its array at a size of the contract, or of a number that is cut
# there; the sentence contains WORDS.
warned_of_int() {
  local dir source
  dir=$(mktemp -d "$BATS_TEST_TMPDIR/int.XXXXXX")
  source=$(<"$ROOT/solutions/$LESSON/$(source_name)")
  [[ $source == *"$3"* ]]
  printf '%s\n' "${source//"$3"/"$4"}" >"$dir/$(source_name)"
  WB_TIME_LIMIT=600 grade "$dir" 0 --task "$1" --keep "$dir/kept" && quiet "$dir" &&
    is_true "$dir/kept/run-cpu.json" '.tasks[0] | .state == "right" and (.findings | length > 0 and
      all(.[]; .tool == "memcheck" and .severity == "warning" and .line > 0 and
        (.sentence | contains($says)) and (.cause | contains("in size_t"))))' --arg says "$2" &&
    is_true "$dir/grade.json" 'any(.checks[]; .state == "pass" and (.note | contains($says)))' \
      --arg says "${2%%,*}" && return
  jq -c '.tasks[0] | [.state, .findings]' "$dir/kept/run-cpu.json"
  return 1
}

# each_is_tested: every patch and every correct answer has its test: a rule of every lesson.
each_is_tested() (
  cd "$ROOT"
  source tests/lessons/rules.bash
  run rule_tested
  [[ -z $output ]] || { echo "$output" && return 1; }
)

# ---- The page ----

page() { cat "$ROOT/lessons/$LESSON/README.md"; }

# page_quotes_messages: each row of the page's common mistakes begins with the exact words of the grader. The
# page writes "…" for the parts it leaves out; the longest remaining part must be what some patch Says, so a
# test has seen it.
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

# task_1_alone DIR: creates DIR with the solution's task 1 and the starter's other tasks.
task_1_alone() {
  mkdir "$1"
  sed '/region task-[2-9f]/,/endregion task-[2-9f]/{/^ *\/\/:/!d;s/^\( *\)\/\/: \{0,1\}/\1/}' \
    "$ROOT/solutions/$LESSON/$(source_name)" >"$1/$(source_name)"
}
