#!/usr/bin/env bats
# What a learner types on a cluster, under a real Slurm: make lesson02 && sbatch jobs/run.sh. The GPUs are
# declared on device files that no CUDA program can open, so a job that gets one must end with 3 and the
# cause.
#
# `sbatch --wait` never returns in under two seconds and a grading takes some more, so setup_file submits all
# jobs, side by side, and waits for them once; each test looks at one job's status and log.
# bats file_tags=long

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
bats_require_minimum_version 1.5.0

setup_file() {
  ((EUID == 0)) || return 0 # each test is skipped, below
  unset MAKEFLAGS MAKELEVEL MFLAGS BACKEND WORK
  export ROOT CLUSTER_DIR RESULTS WORKBOOK EMPTY CHECKOUT STARTER SOLUTION
  ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
  CLUSTER_DIR=$(mktemp -d /tmp/slurm-t.XXXXXX)
  RESULTS=$BATS_FILE_TMPDIR/results
  WORKBOOK=$BATS_FILE_TMPDIR/workbook # the learner's WORK folder
  EMPTY=$BATS_FILE_TMPDIR/empty       # another, where nothing gradable was built
  mkdir -p "$RESULTS"
  "$BATS_TEST_DIRNAME/cluster" up --dir "$CLUSTER_DIR"
  eval "$("$BATS_TEST_DIRNAME/cluster" env --dir "$CLUSTER_DIR")"

  make_lesson "$ROOT/lessons/lesson02/.starter/kernels.cu"
  STARTER=$(newest_snapshot)
  submit gpu "$WORKBOOK" jobs/run.sh
  submit refused "$WORKBOOK" jobs/run.sh "$(refused_snapshot)"
  submit queued "$WORKBOOK" --hold --gres=none jobs/run.sh
  # Slurm looks at its limits every 30 seconds; the program itself would end a call after 20
  WB_TIME_LIMIT=600 submit limit "$WORKBOOK" --gres=none jobs/run.sh "$(endless_snapshot)"
  submit_small_ones
  end_soon limit

  sleep 1.1 # the snapshot of the next second is later than the submission of `queued`
  make_lesson "$ROOT/solutions/lesson02/kernels.cu" BACKEND=cpu
  SOLUTION=$(newest_snapshot)
  scontrol release "$(job queued)"
  submit cpu "$WORKBOOK" --gres=none jobs/run.sh
  BACKEND=cpu submit argument "$WORKBOOK" jobs/run.sh "build/snapshots/${STARTER##*/}"
  wait_for ''
  wait
}

setup() { ((EUID == 0)) || skip "needs root, for namespaces and device files"; }

teardown_file() {
  [[ -z ${CLUSTER_DIR-} ]] || "$BATS_TEST_DIRNAME/cluster" down --dir "$CLUSTER_DIR"
}

# make_lesson FILE [SETTING]: the learner writes FILE and types make lesson02.
make_lesson() {
  mkdir -p "$WORKBOOK/lessons/lesson02"
  cp "$1" "$WORKBOOK/lessons/lesson02/kernels.cu"
  make -s -C "$ROOT" --no-print-directory lesson02 WORK="$WORKBOOK" "${@:2}" >"$RESULTS/make.log" 2>&1 || {
    cat "$RESULTS/make.log" >&2
    return 1
  }
}

newest_snapshot() {
  local dirs=("$WORKBOOK"/build/snapshots/*-lesson02)
  echo "${dirs[-1]}"
}

# A snapshot whose first function never returns. Its name says that it is old, so that only an argument takes
# it.
endless_snapshot() {
  local dir=build/snapshots/20260101T000000.000-lesson02
  mkdir -p "$WORKBOOK/$dir"
  sed '/^cudaError_t scale_array/a\  for (volatile int forever = 1; forever;) {}' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$WORKBOOK/$dir/kernels.cu"
  echo "$dir"
}

refused_snapshot() {
  local dir=build/snapshots/20260101T000000.001-lesson02
  mkdir -p "$WORKBOOK/$dir"
  { echo '#include <iostream>' && cat "$ROOT/solutions/lesson02/kernels.cu"; } >"$WORKBOOK/$dir/kernels.cu"
  echo "$dir"
}

# submit NAME FOLDER ARGUMENT...: sbatch in that folder; leaves the job's number in NAME.id.
submit() { (cd "$2" && sbatch --parsable "${@:3}" >"$RESULTS/$1.id"); }

# The same by `sbatch --wait`, in the background; leaves its exit status in NAME.status. It looks after 2, 10
# and 42 seconds, so only a short job is submitted in this way.
submit_and_wait() {
  local name=$1 tick
  (
    status=0
    submit "$name" "$2" --wait "${@:3}" || status=$?
    echo "$status" >"$RESULTS/$name.status"
  ) </dev/null 3>&- &
  for ((tick = 0; tick < 100; tick++)); do # until it is submitted, so that the order is ours
    [[ ! -s $RESULTS/$name.id ]] || return 0
    sleep 0.05
  done
  return 1
}

# The exit status of a job that has ended.
status_of() {
  if [[ -e $RESULTS/$1.status ]]; then
    cat "$RESULTS/$1.status"
  else
    scontrol -o show job "$(job "$1")" | sed 's/.* ExitCode=\([0-9]*\):.*/\1/'
  fi
}

# A checkout whose grader only says how it was called; one job from it, and one whose batch script is gone
# before it starts.
submit_from_checkout() {
  CHECKOUT=$BATS_FILE_TMPDIR/checkout
  mkdir -p "$CHECKOUT"/{common,grader/checks,lessons/lesson02,jobs/logs}
  cp -r "$ROOT/jobs" "$CHECKOUT/"
  cp -r "$ROOT/common/shell" "$CHECKOUT/common/"
  touch "$CHECKOUT/grader/checks/lesson02.bats"
  cp "$ROOT/lessons/lesson02/lesson.yml" "$CHECKOUT/lessons/lesson02/"
  printf '#!/bin/sh\necho "called: $*"\nexit 3\n' >"$CHECKOUT/grader/check"
  chmod +x "$CHECKOUT/grader/check"
  submit checkout "$CHECKOUT" --gres=none jobs/run.sh lesson02
  cp "$CHECKOUT/jobs/run.sh" "$CHECKOUT/jobs/copy.sh"
  submit spool "$CHECKOUT" --hold --gres=none jobs/copy.sh lesson02
  rm "$CHECKOUT/jobs/copy.sh"
  scontrol release "$(job spool)"
}

# Jobs that grade nothing: what they ask for is wrong.
submit_small_ones() {
  local stub=$EMPTY/build/snapshots/20260101T000000.000-lesson02 # a snapshot without a file
  mkdir -p "$EMPTY"/{jobs/logs,build/snapshots} "$BATS_FILE_TMPDIR/elsewhere"
  cp "$ROOT/jobs/run.sh" "$EMPTY/jobs/"
  echo "$ROOT" >"$EMPTY/build/checkout"
  submit_from_checkout
  submit_and_wait lesson99 "$WORKBOOK" jobs/run.sh lesson99
  submit elsewhere "$BATS_FILE_TMPDIR/elsewhere" -o elsewhere.log "$WORKBOOK/jobs/run.sh"
  submit none "$EMPTY" jobs/run.sh
  submit late "$EMPTY" --hold jobs/run.sh
  wait_for none
  sleep 1.1
  mkdir "$EMPTY/build/snapshots/$(date -u +%Y%m%dT%H%M%S.%3N)-lesson02"
  scontrol release "$(job late)"
  wait_for late
  rm -r "$EMPTY"/build/snapshots/*
  mkdir "$stub"
  # A scontrol that can't reach its Slurm, first on PATH: the job inherits it.
  mkdir "$BATS_FILE_TMPDIR/bin"
  printf '#!/bin/sh\necho "slurm_load_jobs error: Unable to contact slurm controller" >&2\nexit 1\n' \
    >"$BATS_FILE_TMPDIR/bin/scontrol"
  chmod +x "$BATS_FILE_TMPDIR/bin/scontrol"
  PATH=$BATS_FILE_TMPDIR/bin:$PATH submit unreachable "$EMPTY" jobs/run.sh
}

wait_for() { # name of a job; "" for all
  local tick
  for ((tick = 0; tick < 3000; tick++)); do
    [[ -n $(squeue -h ${1:+-j "$(job "$1")"} 2>/dev/null) ]] || return 0
    sleep 0.1
  done
  return 1
}

# Moves the end of a job's time to now, once it is grading: limits themselves are whole minutes.
end_soon() {
  local tick
  for ((tick = 0; tick < 1200; tick++)); do
    ! grep -qs '^backend' "$(log "$1")" || break
    [[ -n $(squeue -h -j "$(job "$1")") ]] || break
    sleep 0.1
  done
  scontrol update JobId="$(job "$1")" EndTime=now+1 || {
    scontrol show job "$(job "$1")"
    cat "$(log "$1")"
    return 1
  }
}

job() { cat "$RESULTS/$1.id"; }
log() { echo "$WORKBOOK/jobs/logs/loops-to-warps-$(job "$1").log"; }

# expect NAME STATUS [LOG]: how that job ended; sets text, its log.
expect() {
  local file=${3:-$(log "$1")}
  text=$(<"$file")
  [[ $(status_of "$1") == "$2" && $(tail -n 1 "$file") == "Status $2: "* ]] || {
    printf 'job %s ended with %s, expected %s. Its log:\n%s\n' "$1" "$(status_of "$1")" "$2" "$text"
    return 1
  }
}

@test "a job whose GPU is unusable ends with 3 and the cause" {
  expect gpu 3
  [[ $text == *$'\nGPU       gpu:h100:1'* ]]
  [[ $text == *$'\nbackend   cuda '* ]]
  [[ $text == *"grader/check: --backend cuda: "* ]]
}

@test "on a GPU, too, a refused file ends with 1 and the line to remove" {
  if [[ -z $("$ROOT/common/make/find-cuda") ]]; then skip "nvcc is not installed"; fi
  expect refused 1
  [[ $text == *"kernels.cu:1: it includes <iostream>, which lesson02 does not need"* ]]
}

@test "without a GPU request it grades on the CPU, says so, and gives every point that the CPU can measure" {
  expect cpu 0
  [[ $text == *$'\nGPU       none granted'* ]]
  [[ $text == *$'\nbackend   cpu (the job did not ask for a GPU'* ]]
  [[ $text == *"$SOLUTION"* ]]
  grade=$WORKBOOK/build/jobs/test.$(job cpu)/grade.json
  jq -e '.measured_points > 0 and .points == .measured_points' "$grade"
}

@test "a starter ends with 1 and the failed checks" {
  expect queued 1
  [[ $text == *"kernels.cu"* ]]
  grade=$WORKBOOK/build/jobs/test.$(job queued)/grade.json
  jq -e '[.checks[] | select(.state == "fail")] | length > 0' "$grade"
}

@test "a job that waited grades the snapshot from before its submission" {
  [[ $STARTER != "$SOLUTION" ]]
  expect queued 1
  [[ $text == *"$STARTER"* && $text != *"$SOLUTION"* ]]
  [[ $text == *"the newest not later than the job's submission"* ]]
}

@test "an argument wins over the newest snapshot; BACKEND=cpu grades on the CPU although a GPU is granted" {
  expect argument 1
  [[ $text == *"$STARTER"*"(named on the command line)"* ]]
  [[ $text == *$'\nGPU       gpu:h100:1'* ]]
  [[ $text == *$'\nbackend   cpu (BACKEND=cpu is set'* ]]
}

@test "at the time limit the log says so and the job fails" {
  text=$(<"$(log limit)")
  printf "the log of the job:\n%s\n" "$text" # seen where this fails
  [[ $text == *"The job reached its time limit ("*"): nothing was graded"* ]]
  [[ $(status_of limit) != 0 ]]
  [[ $text == *"Status 3: "* ]]
  run -0 scontrol show job "$(job limit)"
  [[ $output == *"JobState=TIMEOUT"* ]]
}

@test "an unknown lesson lists the lessons, and sbatch --wait returns the status" {
  expect lesson99 2
  [[ $text == *"there is no lesson99. Lessons: "*lesson02* ]]
}

@test "without a snapshot the log says what to type" {
  expect none 2 "$EMPTY/jobs/logs/loops-to-warps-$(job none).log"
  [[ $text == *"there is no snapshot in $EMPTY/build/snapshots."* ]]
  [[ $text == *"make lesson05 && sbatch jobs/run.sh"* ]]
}

@test "names a snapshot later than the submission, but does not take it" {
  expect late 2 "$EMPTY/jobs/logs/loops-to-warps-$(job late).log"
  [[ $text == *"every snapshot is later than the job's submission"* ]]
  [[ $text == *"sbatch jobs/run.sh build/snapshots/"*-lesson02* ]]
}

@test "submitted from another folder, the log says from where to submit" {
  expect elsewhere 2 "$BATS_FILE_TMPDIR/elsewhere/elsewhere.log"
  [[ $text == *"/elsewhere is neither the workbook nor a WORK folder"* ]]
}

@test "a job submitted from the checkout grades there, also when only Slurm's copy of the script is left" {
  for name in checkout spool; do
    expect "$name" 3 "$CHECKOUT/jobs/logs/loops-to-warps-$(job "$name").log"
    [[ $text == *$'\n'"grading   $CHECKOUT/lessons/lesson02"$'\n'* ]]
    [[ $text == *$'\n'"called: --submission $CHECKOUT/lessons/lesson02 --backend cpu --keep "* ]]
    [[ $text == *" --backend cpu --keep $CHECKOUT/build/"* ]]
  done
}

@test "when scontrol does not answer, the job goes by its start; the GPU still counts as granted" {
  expect unreachable 2 "$EMPTY/jobs/logs/loops-to-warps-$(job unreachable).log"
  [[ $text == *"the newest at the job's start, as the time of submission is unknown (slurm_load_jobs "* ]]
  [[ $text == *$'\nbackend   cuda '* ]]
}

@test "every log is jobs/logs/loops-to-warps-JOB.log, and only jobs, lessons and build are left in WORK" {
  for name in gpu queued cpu argument limit lesson99; do
    [[ -s $(log "$name") ]]
  done
  run -0 ls -A "$WORKBOOK"
  [[ $output == $'build\njobs\nlessons' ]]
}

@test "outside Slurm it says so, grades here, and returns the grade's status" {
  run -2 env -u SLURM_JOB_ID bash "$EMPTY/jobs/run.sh"
  [[ ${lines[0]} == *"not in a Slurm job: grading here" ]]
  [[ $output == *"the newest there is"* ]]
  [[ $output == *"there is no build/snapshots/20260101T000000.000-lesson02/kernels.cu"* ]]
  run -2 bash "$EMPTY/jobs/run.sh" --verbose
  run -2 bash "$EMPTY/jobs/run.sh" lesson98 lesson99 # each is told, and a table sums them up
  [[ $output == *"there is no lesson98."*"there is no lesson99."*"==== All 2"* ]]
  [[ $output == *"==== All 2"*lesson98*"usage error"*lesson99*"usage error"* ]]
  run -0 bash "$EMPTY/jobs/run.sh" --help
}
