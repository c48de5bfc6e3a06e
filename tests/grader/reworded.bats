#!/usr/bin/env bats
# No program reads another's prose: in a copy of the checkout the sentences that programs once read are random
# words, and every verdict is the same.

bats_require_minimum_version 1.5.0
load grader_helper

setup_file() {
  export WORK=$BATS_FILE_TMPDIR/work COPY=$BATS_FILE_TMPDIR/copy NO_COMPILER=$BATS_FILE_TMPDIR/bin
  new_work "$WORK"
  without "$NO_COMPILER" gcc g++ cc c++ make nvcc
  make -s -C "$ROOT" --no-print-directory WORK="$WORK" rewriter
  copy_checkout "$COPY"
  reword grader/lib/verdicts.jq 'something else is running on this machine' 'covers the threshold' \
    'not measured while the pass threshold is not reached' 'not measured while the task is wrong' \
    'not measured: ' '(?<=\)) × ' 'this task was not timed' 'the answer is wrong'
  reword grader/lib/pretty.jq 'shown by' ' not measured(?=")'
  reword common/openmp/tsan_openmp.c 'race at %s: a thread %s '
  reword common/cpu/cucc.d/build-runtime.bash "the library Boost.Context is missing"
}

# reword FILE PATTERN...: puts random words in the place of each pattern in the copy's FILE; an error where
# there is none. What printf or jq puts into the sentence stays.
reword() {
  local file=$COPY/$1 pattern
  for pattern in "${@:2}"; do
    grep -qP -- "$pattern" "$file" || { echo "$1 does not say: $pattern" >&2 && return 1; }
    WORDS="$(words)" perl -pi -e '
      s{('"$pattern"')}{my $s = $1; my @kept = $s =~ /%s/g; join(" ", $ENV{WORDS}, @kept)}ge' "$file"
  done
}

words() { tr -dc '[:lower:]' </dev/urandom | head -c 24 | sed 's/.\{6\}/& /g'; }

setup() {
  load grader_helper
  export TMPDIR=$BATS_TEST_TMPDIR
}

# verdicts FOLDER: what programs may read of a grade.
verdicts() {
  jq -c '[.verdict, .points, .measured_points],
    (.checks[] | [.number, .state, .reason, .points, .speed, .where])' "$1/grade.json"
}

# alike OPTION...: grades with the checkout and with the copy: the same status and verdicts, by other words.
alike() {
  local tree before=$ROOT
  for tree in "$before" "$COPY"; do
    rm -f "$BATS_TEST_TMPDIR"/brought/bin/*.runs
    ROOT=$tree run check "$@" --keep "$BATS_TEST_TMPDIR/$(basename "$tree")-kept"
    statuses+=("$status")
    [ -s "$BATS_TEST_TMPDIR/$(basename "$tree")-kept/grade.json" ] || { echo "$output" && return 1; }
  done
  [ "${statuses[0]}" = "${statuses[1]}" ]
  diff <(verdicts "$BATS_TEST_TMPDIR/$(basename "$before")-kept") <(verdicts "$BATS_TEST_TMPDIR/copy-kept")
  ! cmp -s <(jq .checks "$BATS_TEST_TMPDIR/$(basename "$before")-kept/grade.json") \
    <(jq .checks "$BATS_TEST_TMPDIR/copy-kept/grade.json")
}

# a_device CUDA-REPORT-FILTER: a submission with made programs, as if from a GPU.
a_device() {
  cp -r "$ROOT/lessons/lesson02/.starter" "$BATS_TEST_TMPDIR/brought"
  program "$BATS_TEST_TMPDIR/brought/bin/lesson02-cpu" "$(report cpu .)"
  program "$BATS_TEST_TMPDIR/brought/bin/lesson02-cuda" "$(report cuda "$1")"
}

@test "speeds met, missed, noisy and disturbed end alike in other words" {
  local filter statuses only=(--task 3) # the task that the filter is about
  for filter in '.t3 |= ratio($threshold3.pass; ($threshold3.pass + $threshold3.excellent) / 2)' \
    '.t2 |= ratio($threshold2.pass - 0.2; $threshold2.pass - 0.1)' \
    '.t2 |= ratio($threshold2.pass - 0.1; $threshold2.excellent + 0.1)' \
    '.t2 |= (ratio($threshold2.pass - 0.2; $threshold2.pass - 0.1) | .timing.noise_percent = 40)'; do
    rm -rf "$BATS_TEST_TMPDIR"/{brought,*-kept} && statuses=()
    a_device "$filter"
    PATH=$NO_COMPILER alike lesson02 --submission "$BATS_TEST_TMPDIR/brought" --backend cuda "${only[@]}"
    only=(--task 2)
  done
}

@test "a job sees a disturbed GPU and missed speeds in other words too" {
  local tree
  a_device '.t2 |= (ratio($threshold2.pass - 0.2; $threshold2.pass - 0.1) | .timing.noise_percent = 40)'
  for tree in "$ROOT" "$COPY"; do
    ROOT=$tree PATH=$NO_COMPILER run check lesson02 --backend cuda --task 2 \
      --submission "$BATS_TEST_TMPDIR/brought" --keep "$BATS_TEST_TMPDIR/kept"
    run bash -c 'measures_here() { :; }; end_watch() { :; }; requeue_once() { echo requeue; }; DISTURBED=
      eval "$(sed -n "/^unpassed()/,/^}/p
        /^judge_device()/,/^}/p" "$1/jobs/lib/device.bash")"; judge_device "$2" 0' \
      bash "$tree" "$BATS_TEST_TMPDIR/kept"
    [ "$status" = 3 ]
    [[ $output == *Inconclusive*requeue* ]]
  done
}

@test "a race in plain C is reported with the finding that names both places, in other words too" {
  local statuses=()
  mkdir "$BATS_TEST_TMPDIR/plain"
  cp "$ROOT/solutions/lesson01/loops.c" "$BATS_TEST_TMPDIR/plain/"
  local bug
  bug=$(grep -l 'race' "$ROOT"/tests/lessons/bugs/lesson01/*.patch | head -n 1)
  (cd "$BATS_TEST_TMPDIR/plain" && patch -s -p1 <"$bug")
  alike lesson01 --submission "$BATS_TEST_TMPDIR/plain" --task "$(sed -n 's/^Task: //p' "$bug")"
}
