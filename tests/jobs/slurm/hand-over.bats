#!/usr/bin/env bats
# make lesson13 && sbatch jobs/run.sh: a job with one GPU, which the batch script asks for by default, submits
# another with two and grades nothing; under a real Slurm, with a stand-in for the grader. clusters.bats has
# the same for each cluster's profile.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
bats_require_minimum_version 1.5.0

setup_file() {
  ((EUID == 0)) || return 0 # each test is skipped, below
  unset MAKEFLAGS MAKELEVEL MFLAGS BACKEND WORK GPUS
  export ROOT CLUSTER_DIR CHECKOUT
  ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
  CLUSTER_DIR=$(mktemp -d /tmp/slurm-t.XXXXXX)
  CHECKOUT=$BATS_FILE_TMPDIR/checkout
  fake_checkout
  "$BATS_TEST_DIRNAME/cluster" up --dir "$CLUSTER_DIR"
}

setup() {
  ((EUID == 0)) || skip "needs root, for namespaces and device files"
  eval "$("$BATS_TEST_DIRNAME/cluster" env --dir "$CLUSTER_DIR")"
  FOLDER=$BATS_TEST_TMPDIR/work # a WORK folder as it is after `make lesson13`
  mkdir -p "$FOLDER/build"
  "$CHECKOUT/jobs/snapshot" lesson13 "$ROOT/solutions/lesson13/multigpu.cu" "$FOLDER/build"
  cd "$FOLDER" || return
  SNAPSHOT=$(echo "$FOLDER"/build/snapshots/*-lesson13)
}

teardown_file() {
  [[ -z ${CLUSTER_DIR-} ]] || "$BATS_TEST_DIRNAME/cluster" down --dir "$CLUSTER_DIR"
}

# A checkout whose grader finds everything right and says how it was called.
fake_checkout() {
  local lesson
  mkdir -p "$CHECKOUT"/grader
  cp -r "$ROOT/jobs" "$CHECKOUT/"
  mkdir -p "$CHECKOUT/common"
  cp -r "$ROOT/common/shell" "$CHECKOUT/common/"
  for lesson in lesson02 lesson13; do
    mkdir -p "$CHECKOUT"/{lessons,solutions}/$lesson
    cp "$ROOT/lessons/$lesson/lesson.yml" "$CHECKOUT/lessons/$lesson/"
    cp "$ROOT/solutions/$lesson"/*.cu "$CHECKOUT/solutions/$lesson/"
  done
  cat >"$CHECKOUT/grader/check" <<'SH'
#!/bin/bash
echo "called: $*"
env | grep -E '^(SLURM_|CUDA_VISIBLE|SBATCH_)' | sort
while (($# > 1)); do
  [[ $1 != --keep ]] || keep=$2
  shift
done
echo '{"backend": "cuda", "state": "graded", "checks": [{"state": "pass"}]}' >"$keep/grade.json"
SH
  chmod +x "$CHECKOUT/grader/check"
}

# job STATUS ARGUMENT...: submits, waits for the end; sets id and text, the log.
job() {
  id=$(timeout 20 sbatch --parsable "${@:2}") && look "$1"
}

# look STATUS: waits for the end of job id; sets text, its log.
look() {
  local record tick got
  for ((tick = 0; tick < 300; tick++)); do # sbatch --wait looks after 2, 10 and 42 seconds only
    record=$(timeout 20 scontrol -o show job "$id")
    [[ $record == *JobState=@(PENDING|CONFIGURING|RUNNING|COMPLETING|REQUEUED)* ]] || break
    sleep 0.2
  done
  got=${record##* ExitCode=} got=${got%%:*}
  text=$(cat jobs/logs/*-"$id".log)
  [[ $got == "$1" && ${text##*$'\n'} == "Status $1: "* ]] || {
    printf 'job %s ended with %s, expected %s. Its log:\n%s\n' "$id" "$got" "$1" "$text"
    return 1
  }
}

# The other job, which the log of job id names: waits for it and looks at its log.
other_job() {
  [[ $text =~ 'Job '([0-9]+)' asks for 2 and grades it.' ]] || { echo "no other job in: $text" && return 1; }
  id=${BASH_REMATCH[1]}
  look "$1"
}

# stays: the job with one GPU has graded, says what it has not measured, and was the last job submitted.
stays() {
  has 'GPUs      1 here; lesson13 is about 2. What needs more than 1 is not measured.' \
    'Status 0: every check that could run passed.'
  [[ $text == *$'\ncalled: '*' lesson13'$'\n'* ]]
  last_job
}

# No job was submitted after job id, or none that Slurm took.
last_job() {
  local record
  record=$(scontrol show job "$((id + 1))" 2>/dev/null) || return 0
  [[ $record == *'JobState=FAILED Reason=BadConstraints'* ]] || { printf '%s\n' "$record" && return 1; }
}

has() { # lines that must be in the log
  local line
  for line; do
    [[ $'\n'$text$'\n' == *$'\n'"$line"$'\n'* ]] || {
      printf 'no line "%s" in:\n%s\n' "$line" "$text"
      return 1
    }
  done
}

@test "a job of lesson13 with one GPU submits one with two for the same snapshot, says so, and ends with 0" {
  job 0 jobs/run.sh
  local first=$id
  has "GPU       gpu:h100:1" "grading   $SNAPSHOT" \
    "          To measure with 1: GPUS=1 sbatch jobs/run.sh lesson13"
  [[ $text != *called:* ]]
  [[ $text == *$'\nStatus 0: nothing was graded here; job '"$((id + 1))"' grades lesson13.' ]]
  [[ $text == *"once it has started: jobs/logs/loops-to-warps-$((id + 1)).log"* ]]
  # A later snapshot is not taken.
  "$CHECKOUT/jobs/snapshot" lesson13 "$ROOT/lessons/lesson13/.starter/multigpu.cu" "$FOLDER/build"
  other_job 0
  has "from      job $first, which had fewer GPUs than the lesson is about" "grading   $SNAPSHOT" \
    "SLURM_GPUS_ON_NODE=2" "CUDA_VISIBLE_DEVICES=0,1" "Status 0: every check that could run passed."
  [[ $text == *"called: --submission $SNAPSHOT --backend cuda "* ]]
}

@test "the other job never submits a third, even if it has one GPU, too" {
  sed -i 's/^# with two GPUs: .*/# with two GPUs: --gres=gpu:1/' jobs/run.sh
  job 0 jobs/run.sh
  other_job 0
  has "SLURM_GPUS_ON_NODE=1"
  stays
}

@test "a job that Slurm starts again names the other job that it has submitted, and submits no third" {
  job 0 jobs/run.sh
  local first=$id
  other_job 0
  scontrol requeue "$first"
  for _ in {1..100}; do
    [[ $(scontrol show job "$first") != *' Restarts=1 '*JobState=COMPLETED* ]] || break
    sleep 0.2
  done
  id=$first
  look 0
  [[ $(grep -c "Job $((first + 1)) asks for 2 and grades it." <<<"$text") == 1 ]]
  [[ $text == *$'\nStatus 0: nothing was graded here; job '"$((first + 1))"' grades lesson13.' ]]
  id=$((first + 1))
  last_job
}

@test "GPUS=1, or another request for GPUs than the script's, grades with one and says what asks for two" {
  GPUS=1 job 0 jobs/run.sh
  stays
  has '          With two: sbatch --gres=gpu:2 jobs/run.sh lesson13'
  job 0 --gres=gpu:h100:1 jobs/run.sh
  stays
  SBATCH_GRES=gpu:h100:1 job 0 jobs/run.sh
  stays
  BACKEND=cpu job 0 jobs/run.sh
  [[ $text == *' --backend cpu '*' lesson13'* && $text != *'GPUs '* ]]
  last_job
}

@test "a job with two GPUs on one node or on two grades at once" {
  job 0 --gres=gpu:2 jobs/run.sh
  has "SLURM_GPUS_ON_NODE=2" "Status 0: every check that could run passed."
  last_job
  job 3 -N 2 -n 2 --gres=gpu:1 jobs/run.sh # the stand-in leaves no program for the ranks
  has "SLURM_NNODES=2" "GPUs      1 here; lesson13 is about 2. What needs more than 1 is not measured."
  last_job
}

@test "srun and salloc measure with the GPU that they have" {
  for command in srun 'salloc --quiet srun'; do
    # shellcheck disable=SC2086 # words
    text=$(timeout 60 ${command/salloc/salloc --gres=gpu:1} --gres=gpu:1 bash jobs/run.sh 3>&-)
    id=$(sed -n 's/^job  *\([0-9]*\) .*/\1/p' <<<"$text")
    stays
  done
}

@test "the other job has the first one's account, partition, time limit, reservation and constraint" {
  scontrol create reservation ReservationName=monday StartTime=now Duration=60 Users=root Nodes=gn2
  job 0 --account=course1 --time=17 --reservation=monday -C h100 --exclude=gn1 -J mine jobs/run.sh
  has 'asked     partition batch, account course1, features h100, reservation monday'
  [[ $text == *'jobs/logs/mine-'* ]]
  other_job 0
  has 'asked     partition batch, account course1, features h100, reservation monday' SLURM_JOB_NODELIST=gn2 \
    SLURM_GPUS_ON_NODE=2
  run -0 scontrol show job "$id"
  [[ $output == *' TimeLimit=00:17:00 '*' ExcNodeList=gn1'* ]]
}

@test "where sbatch does not take the other job, the job measures with one GPU and says why" {
  local sbatch
  sbatch=$(command -v sbatch)
  mkdir bin
  printf '#!/bin/sh\necho "sbatch: error: no jobs from compute nodes" >&2\nexit 1\n' >bin/sbatch
  chmod +x bin/sbatch
  id=$(PATH=$PWD/bin:$PATH "$sbatch" --parsable jobs/run.sh)
  look 0
  stays
  has '          This job submitted no other one: sbatch: error: no jobs from compute nodes' \
    '          With two: sbatch --gres=gpu:2 jobs/run.sh lesson13'
  sed -i 's/^# with two GPUs: .*/# with two GPUs: --gres=gpu:9/' jobs/run.sh
  job 0 jobs/run.sh
  stays
  [[ $text == *'This job submitted no other one: sbatch: error: '*'not available'* ]]
  sed -i '/^# with two GPUs: /d' jobs/run.sh
  job 0 jobs/run.sh
  stays
  has '          The settings of this cluster have no options for two GPUs.'
}

@test "of several lessons and of an array, only the lesson about several GPUs is handed over" {
  "$CHECKOUT/jobs/snapshot" lesson02 "$ROOT/solutions/lesson02/kernels.cu" "$FOLDER/build"
  job 0 jobs/run.sh lesson13 lesson02
  local first=$id
  has 'Status 0: every check that could run passed; the jobs that the table names grade the rest.'
  grep -Eq "^lesson13 +job $((id + 1)) +- " <<<"$text"
  grep -Eq '^lesson02 +passed +cuda ' <<<"$text"
  other_job 0
  has "grading   $SNAPSHOT"
  ((id == first + 1)) && last_job
  id=$(sbatch --parsable --array=2,13 jobs/run.sh) # the last part has the array's own number
  first=$id
  look 0
  local part13=$text
  id=$((first + 1))
  look 0
  has "grading   $(echo "$FOLDER"/build/snapshots/*-lesson02)" 'Status 0: every check that could run passed.'
  text=$part13
  other_job 0
  [[ $text != *SLURM_ARRAY* && $id == $((first + 2)) ]]
  has "grading   $SNAPSHOT" SLURM_GPUS_ON_NODE=2
}

@test "hands over the reference solution, and a file without a snapshot as it is now" {
  job 0 jobs/run.sh --solution lesson13
  other_job 0
  has "grading   $CHECKOUT/solutions/lesson13"
  rm -r build/snapshots
  mkdir -p lessons/lesson13
  echo first >lessons/lesson13/multigpu.cu
  job 0 --export=ALL,SBATCH_WAIT=1 jobs/run.sh lesson13
  local first=$id
  echo second >lessons/lesson13/multigpu.cu
  other_job 0
  has "grading   $FOLDER/build/jobs/test.$first/file-lesson13"
  [[ $(<"build/jobs/test.$first/file-lesson13/multigpu.cu") == first ]]
}
