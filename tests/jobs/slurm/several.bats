#!/usr/bin/env bats
# Several lessons in one job, under a real Slurm, on the CPU: the reference solutions of all lessons; a
# learner's files, some of which fail; and a job that its time limit ends in the middle. Minutes long, so all
# of it is slow.
#
# bats file_tags=slow

bats_require_minimum_version 1.5.0

setup_file() {
  ((EUID == 0)) || return 0 # each test is skipped, below
  unset MAKEFLAGS MAKELEVEL MFLAGS WORK
  export ROOT CLUSTER_DIR WORKBOOK BACKEND=cpu
  ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
  CLUSTER_DIR=$(mktemp -d /tmp/slurm-t.XXXXXX)
  WORKBOOK=$BATS_FILE_TMPDIR/workbook
  mkdir -p "$WORKBOOK"/{jobs/logs,build,lessons/lesson0{2,3,4}}
  cp "$ROOT/jobs/run.sh" "$WORKBOOK/jobs/"
  echo "$ROOT" >"$WORKBOOK/build/checkout"
  "$BATS_TEST_DIRNAME/cluster" up --dir "$CLUSTER_DIR"
  eval "$("$BATS_TEST_DIRNAME/cluster" env --dir "$CLUSTER_DIR")"
}

setup() {
  ((EUID == 0)) || skip "needs root, for namespaces and device files"
  cd "$WORKBOOK" || return
}

teardown_file() {
  [[ -z ${CLUSTER_DIR-} ]] || "$BATS_TEST_DIRNAME/cluster" down --dir "$CLUSTER_DIR"
}

# job STATUS ARGUMENT...: submits, waits, and sets text (the log) and grades (the folder of its results).
job() {
  local status=$1 got=0 id
  id=$(sbatch --parsable --wait --time=60 "${@:2}") || got=$?
  text=$(<"jobs/logs/loops-to-warps-$id.log")
  grades=build/jobs/test.$id
  [[ $got == "$status" && ${text##*$'\n'} == "Status $status: "* ]] && return
  printf 'job %s ended with %s, expected %s. Its log:\n%s\n' "$id" "$got" "$status" "$text"
  return 1
}

@test "one job grades the solutions of all lessons: a table sums them up, and every grade is kept" {
  job 0 jobs/run.sh --solution all
  for lesson in "$ROOT"/lessons/lesson[0-9][0-9]; do
    lesson=${lesson##*/}
    [[ $text == *$'\n'"==== $lesson"$'\n'* ]]
    grep -Eq "^$lesson +passed +(cpu|host) +[1-9][0-9]* of [1-9][0-9]* +[1-9][0-9]* +0 " <<<"$text"
    jq -e '.state == "graded"' "$grades/$lesson/grade.json"
  done
  local -a lessons=("$ROOT"/lessons/lesson[0-9][0-9])
  [[ $text == *$'\n'"==== All ${#lessons[@]}"$'\n'* ]]
}

@test "grades each of a learner's files whatever the results of the others; the job's status is the largest" {
  cp "$ROOT/solutions/lesson02/kernels.cu" lessons/lesson02/
  cp "$ROOT/lessons/lesson03/.starter/hierarchy.cu" lessons/lesson03/
  echo 'no C at all' >lessons/lesson04/transfers.cu
  job 1 jobs/run.sh all
  [[ $text == *$'\n'"==== All 3"$'\n'* ]]
  grep -Eq '^lesson02 +passed +cpu ' <<<"$text"
  grep -Eq '^lesson03 +failed +cpu ' <<<"$text"
  grep -Eq '^lesson04 +failed ' <<<"$text"
}

@test "at the time limit the table has the lessons graded so far" {
  endless=build/snapshots/20260101T000000.000-lesson02
  mkdir -p "$endless"
  sed '/^cudaError_t scale_array/a\  for (volatile int forever = 1; forever;) {}' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$endless/kernels.cu"
  cp "$ROOT/solutions/lesson02/kernels.cu" lessons/lesson02/
  export WB_TIME_LIMIT=600
  id=$(sbatch --parsable --time=60 jobs/run.sh lesson03 "$endless" lesson02)
  log=jobs/logs/loops-to-warps-$id.log
  for ((tick = 0; tick < 3000; tick++)); do
    ((tick % 10)) || [[ $(grep -cs '^backend' "$log") -lt 2 ]] || break
    sleep 0.1
  done
  scontrol update JobId="$id" EndTime=now+1
  for ((tick = 0; tick < 1200; tick++)); do
    [[ -n $(squeue -h -j "$id") ]] || break
    sleep 0.1
  done
  text=$(<"$log")
  [[ $text == *"The job reached its time limit ("*"): not all was graded"* && $text == *$'\n'"Status 3: "* ]]
  grep -Eq '^lesson03 +failed +cpu ' <<<"$text"
  grep -Eq '^20260101T000000.000-lesson02 +not graded ' <<<"$text"
  grep -Eq '^lesson02 +not graded ' <<<"$text"
}
