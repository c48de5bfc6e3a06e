#!/usr/bin/env bats
# The profiles of jobs/clusters/, each on a Slurm that mirrors its cluster: make cluster NAME=...; make
# lesson05 && sbatch jobs/run.sh. Its GPUs are device files that no program can open, and a stand-in for the
# grader ends with 3, as the real one does there (slurm.bats); what Slurm gave the jobs is in their log, and
# in what a stand-in for nvidia-smi wrote down.

bats_require_minimum_version 1.5.0

setup_file() {
  ((EUID == 0)) || return 0 # each test is skipped, below
  unset MAKEFLAGS MAKELEVEL MFLAGS BACKEND
  export ROOT MODEL BIN
  ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
  MODEL=$BATS_FILE_TMPDIR/model # a WORK folder as it is after `make lesson05`
  BIN=$BATS_FILE_TMPDIR/bin
  # What make leaves for the job; slurm.bats has make itself.
  mkdir -p "$MODEL/build" "$BIN"
  "$ROOT/jobs/snapshot" lesson05 "$ROOT/solutions/lesson05/streams.cu" "$MODEL/build"
  cat >"$BIN/nvidia-smi" <<'SH'
#!/bin/sh
env | grep -E '^(CUDA_VISIBLE|SLURM_)' | sort >"$WORK/seen.$SLURM_JOB_ID"
case "$*" in
  *compute-apps*) [ ! -e "$WORK/busy" ] || echo '4711, python3' ;;
  *reasons*) [ ! -e "$WORK/hot" ] && echo 'Not Active, Not Active' || echo 'Not Active, Active' ;;
  *memory.total*) echo '0, NVIDIA Stand-in, 580.1, 24576 MiB, Default, 345 MHz, 32' ;;
esac
SH
  chmod +x "$BIN/nvidia-smi"
  fake_checkout "$BATS_FILE_TMPDIR/checkout"
}

# A checkout whose grader takes no time: it could not grade, or, as the test wants, a speed was missed.
fake_checkout() {
  local lesson
  mkdir -p "$1"/{grader/checks,common/tools}
  cp -r "$ROOT/jobs" "$1/"
  cp -r "$ROOT/common/shell" "$1/common/"
  for lesson in lesson02 lesson05 lesson13; do
    mkdir -p "$1"/{lessons,solutions}/$lesson
    touch "$1/grader/checks/$lesson.bats"
    cp "$ROOT/lessons/$lesson/lesson.yml" "$1/lessons/$lesson/"
  done
  cat >"$1/grader/check" <<'SH'
#!/bin/bash
while (($# > 1)); do [[ $1 != --keep ]] || keep=$2; shift; done
[[ -e $keep/../../../missed ]] || exit 3
cat >"$keep/grade.json" <<'JSON'
{"backend": "cuda", "state": "graded", "checks": [
  {"state": "fail", "message": "", "note": "0.4 × a device copy, pass is 0.8",
    "speed": {"ratio": 0.4, "to": "a device copy", "threshold": 0.8}}]}
JSON
exit 1
SH
  chmod +x "$1/grader/check"
  echo "$1" >"$MODEL/build/checkout"
}

setup() {
  ((EUID == 0)) || skip "needs root, for namespaces and device files"
  export WORK=$BATS_TEST_TMPDIR/work
  DIR=$(mktemp -d /tmp/slurm-c.XXXXXX)
  cp -a "$MODEL" "$WORK"
  cd "$WORK" || return
}

teardown() {
  [[ -z ${DIR-} ]] || "$BATS_TEST_DIRNAME/cluster" down --dir "$DIR"
}

# cluster LAYOUT: starts it and points sbatch at it.
cluster() {
  timeout 100 "$BATS_TEST_DIRNAME/cluster" up --dir "$DIR" --layout "$1"
  eval "$("$BATS_TEST_DIRNAME/cluster" env --dir "$DIR")"
  PATH=$BIN:$PATH
}

# set_to NAME OPTION=VALUE...: what the instructor types.
set_to() { make -s -C "$ROOT" --no-print-directory cluster WORK="$WORK" NAME="$1" "${@:2}"; }

# job STATUS ARGUMENT...: submits and waits; sets id, text, the log, and seen, the job's environment.
job() {
  id=$(timeout 20 sbatch --parsable "${@:2}")
  SLURM_CLUSTERS=''
  [[ $id != *';'* ]] || SLURM_CLUSTERS=${id#*;}
  id=${id%%;*}
  ended "$1"
}

# ended STATUS: the same for job id, which another job submitted.
ended() {
  local got record tick
  for ((tick = 0; tick < 300; tick++)); do # sbatch --wait looks after 2, 10 and 42 seconds only
    record=$(timeout 20 scontrol ${SLURM_CLUSTERS:+-M "$SLURM_CLUSTERS"} -o show job "$id")
    [[ $record == *JobState=@(PENDING|CONFIGURING|RUNNING|COMPLETING|REQUEUED)* ]] || break
    sleep 0.2
  done
  got=${record##* ExitCode=} got=${got%%:*}
  text=$(cat jobs/logs/*-"$id".log)
  seen=$(cat "seen.$id" 2>/dev/null) || true
  [[ $got == "$1" ]] || {
    printf 'job %s ended with %s, expected %s. Its log:\n%s\n' "$id" "$got" "$1" "$text"
    return 1
  }
}

has() { # lines that must be in the environment or the log
  local line
  for line; do
    [[ $'\n'$seen$'\n'$text$'\n' == *$'\n'"$line"$'\n'* ]] || {
      printf 'no line "%s" in:\n%s\n%s\n' "$line" "$seen" "$text"
      return 1
    }
  done
}

# lesson13 NODES [OPTION...]: make lesson13 && sbatch jobs/run.sh, as typed: the job gets one GPU, and the one
# that it submits two, on so many nodes.
lesson13() {
  local snapshot first
  "$(<build/checkout)/jobs/snapshot" lesson13 "$ROOT/solutions/lesson13/multigpu.cu" build
  snapshot=$(echo "$WORK"/build/snapshots/*-lesson13)
  job 0 "${@:2}" jobs/run.sh
  first=$id
  has "grading   $snapshot" 'SLURM_GPUS_ON_NODE=1'
  [[ $text =~ $'\nStatus 0: nothing was graded here; job '([0-9]+)' grades lesson13.'$ ]]
  id=${BASH_REMATCH[1]}
  ended 3
  has "from      job $first, which had fewer GPUs than the lesson is about" "grading   $snapshot" \
    "SLURM_NNODES=$1" "SLURM_GPUS_ON_NODE=$((2 / $1))"
  rm -r "$snapshot"
}

# Options for a job without a GPU, as the profile has them.
without_gpu() { sed -n 's/^# without a GPU: //p' jobs/run.sh; }

# without_gpu_has LINE...: a job submitted with those options gets none, and runs where no GPU is wasted.
without_gpu_has() {
  local words
  read -ra words < <(without_gpu)
  job 3 "${words[@]}" jobs/run.sh
  has 'GPU       none granted' "$@"
  [[ $text == *$'\nbackend   cpu (the job did not ask for a GPU'* && $seen != *CUDA_VISIBLE_DEVICES* ]]
}

# refused WORDS OPTION...: sbatch takes no such job.
refused() {
  run -1 timeout 20 sbatch "${@:2}"
  [[ $output == *"$1"* ]] || {
    echo "$output"
    return 1
  }
}

@test "juno: typed partition, memory, GPU and reservation; interactive slices, an array, a rehearsal" {
  cluster juno
  set_to juno RESERVATION=monday ACCOUNT=workshop
  job 3 jobs/run.sh
  has 'asked     partition a30, account workshop, reservation monday' 'SLURM_JOB_PARTITION=a30' \
    'CUDA_VISIBLE_DEVICES=0' \
    'SLURM_MEM_PER_NODE=256000' 'SLURM_CLUSTER_NAME=juno' 'throttle  none'
  [[ $text == *$'\nGPU       gpu:'*$'\ndevice    0, NVIDIA Stand-in'* ||
    $text == *"no \`module\` command"* ]]
  [[ $text == *$'\nmodules '*"gnu12 cuda/12.6"*$'\nbackend   cuda '* ||
    $text == *"no \`module\` command"*$'\nbackend   cuda '* ]]
  without_gpu_has SLURM_JOB_PARTITION=normal SLURM_MEM_PER_NODE=8192
  refused 'reservation' --reservation=tuesday jobs/run.sh
  refused 'node configuration' -p normal jobs/run.sh
  refused 'partition' -p a100 jobs/run.sh
  run -0 "$ROOT/jobs/interactive" --dry-run
  [[ $output == 'salloc --account=workshop -p a30-4.6gb --mem=2GB --nodes=1 --time=00:30:00 '\
'--reservation=monday' ]]
  # shellcheck disable=SC2016 # the job expands it
  run -0 timeout 60 bash -c "$output"' srun sh -c "echo on \$(uname -n) in \$SLURM_JOB_PARTITION"'
  [[ $output == *"on g-04-01 in a30-4.6gb"* ]]
  an_array_over_lessons
  run -1 timeout 100 "$ROOT/jobs/rehearse"
  for line in 'profile    juno  ACCOUNT=workshop  RESERVATION=monday' 'took       ' 'node       g-01-01' \
    'driver     580.1' 'Not ready: Status 3: '; do
    [[ $'\n'$output == *$'\n'"$line"* ]]
  done
  run -3 timeout 20 "$ROOT/jobs/rehearse" lesson05 --reservation=tuesday
  [[ $output == *"Slurm did not accept the job:"*reservation* ]]
  run -1 timeout 100 "$ROOT/jobs/rehearse" lesson13 # asks for two GPUs at once
  [[ $output == *$'\nGPU        gpu:a30:2'*$'\nNot ready: Status 3: '* ]]
  lesson13 1
}

@test "snowy: from Rackham, which has no GPU, jobs get to the other cluster with -M" {
  cluster snowy
  set_to snowy RESERVATION=monday ACCOUNT=root "MODULES=gcc/12 cuda/12"
  job 3 jobs/run.sh
  has 'SLURM_CLUSTER_NAME=snowy' 'CUDA_VISIBLE_DEVICES=0' 'SLURM_JOB_NODELIST=s195'
  [[ $text == *$'\nasked     partition core, account root, reservation monday'* ]]
  [[ $text == *', reservation monday'*$'\nGPU       gres/gpu=1'*$'\nbackend   cuda '* ]]
  [[ $text == *"the newest not later than the job's submission"* ]]
  without_gpu_has SLURM_CLUSTER_NAME=snowy
  refused '' -M rackham jobs/run.sh
  refused '' --gres=gpu:2 jobs/run.sh
  refused '' -M nowhere jobs/run.sh
  run -0 "$ROOT/jobs/interactive" --dry-run
  [[ $output == 'interactive -A root --reservation=monday -n 1 -M snowy --gres=gpu:1 -t 1:00:01' ]]
  run -1 timeout 100 "$ROOT/jobs/rehearse"
  [[ $output == *$'\nnode       s195'* ]]
  set_to snowy ACCOUNT=root "MODULES=gcc/12 cuda/12"
  lesson13 2
}

# A job for each lesson: that of lesson02 finds nothing that it could grade.
an_array_over_lessons() {
  local tick
  id=$(timeout 20 sbatch --parsable --array=2,5 jobs/run.sh)
  for ((tick = 0; tick < 300; tick++)); do
    [[ -n $(squeue -h -j "$id") ]] || break
    sleep 0.2
  done
  text=$(cat "jobs/logs/loops-to-warps-$id.log" "jobs/logs/loops-to-warps-$((id + 1)).log")
  [[ $text == *"there is no snapshot of lesson02"* && $text == *$'\ngrading   '*"-lesson05"$'\n'* ]]
}

# bats test_tags=slow
@test "kebnekaise: the constraint chooses the kind of GPU, and never AMD's" {
  cluster kebnekaise
  set_to kebnekaise ACCOUNT=hpc2n-course "MODULES=gcc/12 cuda/12" TYPE=h100 GPUS=2
  job 3 jobs/run.sh
  has 'asked     partition batch, account hpc2n-course, features h100' 'SLURM_JOB_NODELIST=b-h100' \
    'CUDA_VISIBLE_DEVICES=0,1' 'SLURM_GPUS=2'
  set_to kebnekaise ACCOUNT=hpc2n-course "MODULES=gcc/12 cuda/12" "TYPE=a40|l40s" RESERVATION=monday
  job 3 jobs/run.sh
  has 'SLURM_JOB_NODELIST=b-a40'
  without_gpu_has SLURM_JOB_NODELIST=b-cn1
  set_to kebnekaise ACCOUNT=hpc2n-course "MODULES=gcc/12 cuda/12"
  scontrol update NodeName=b-v100,b-a40,b-a6000,b-l40s,b-a100 State=DRAIN Reason=test
  job 3 jobs/run.sh
  has 'SLURM_JOB_NODELIST=b-h100' # rather than mi100
  refused 'feature' -C k80 jobs/run.sh
  refused 'node configuration' -C a100 --gpus=3 jobs/run.sh
  lesson13 1
}

# bats test_tags=slow
@test "cosmos: a whole node of gpua100, or a share of gpua100i" {
  cluster cosmos
  set_to cosmos ACCOUNT=lu2026 "MODULES=gcc/12 cuda/12"
  job 3 jobs/run.sh
  has 'asked     partition gpua100, account lu2026' 'CUDA_VISIBLE_DEVICES=0' 'SLURM_CPUS_ON_NODE=48'
  set_to cosmos ACCOUNT=lu2026 "MODULES=gcc/12 cuda/12" RESERVATION=monday
  lesson13 1
  set_to cosmos "MODULES=gcc/12 cuda/12" PARTITION=gpua100i GPUS=2 RESERVATION=monday
  job 3 jobs/run.sh
  has 'asked     partition gpua100i, reservation monday' 'CUDA_VISIBLE_DEVICES=0,1' 'SLURM_CPUS_ON_NODE=1' \
    'SLURM_JOB_NODELIST=ci02'
  without_gpu_has SLURM_JOB_PARTITION=lu48
  refused 'node configuration' -p gpua100 jobs/run.sh
  refused 'node configuration' -p lu48 jobs/run.sh
}

# bats test_tags=slow
@test "tetralith: one task, 32 cores, its T4" {
  cluster tetralith
  set_to tetralith "MODULES=gcc/12 cuda/12" RESERVATION=monday
  job 3 jobs/run.sh
  has 'asked     partition tetralith, reservation monday' 'CUDA_VISIBLE_DEVICES=0' 'SLURM_CPUS_PER_TASK=32' \
    'SLURM_GPUS_PER_TASK=1' 'SLURM_JOB_NODELIST=n1001'
  without_gpu_has SLURM_CPUS_PER_TASK=32
  refused 'node configuration' --gpus-per-task=2 jobs/run.sh
  set_to tetralith "MODULES=gcc/12 cuda/12"
  lesson13 2
}

# bats test_tags=slow
@test "pelle: L40S by default, H100, or T4s that are one a node" {
  cluster pelle
  set_to pelle ACCOUNT=uppmax2026-1-1 "MODULES=gcc/12 cuda/12" RESERVATION=monday
  job 3 jobs/run.sh
  has 'asked     partition gpu, account uppmax2026-1-1, reservation monday' 'SLURM_JOB_NODELIST=p501' \
    'CUDA_VISIBLE_DEVICES=0'
  lesson13 1
  without_gpu_has SLURM_JOB_PARTITION=pelle
  set_to pelle ACCOUNT=uppmax2026-1-1 "MODULES=gcc/12 cuda/12" TYPE=t4 PARTITION=haswell
  job 3 jobs/run.sh
  has 'SLURM_JOB_NODELIST=p2001'
  lesson13 2
}

# bats test_tags=slow
@test "arrhenius: GPUs and cores of a node with four" {
  cluster arrhenius
  set_to arrhenius ACCOUNT=naiss2026-1-1-gpu PARTITION=gpu "MODULES=gcc/14 cuda/13" RESERVATION=monday
  job 3 jobs/run.sh
  has 'asked     partition gpu, account naiss2026-1-1-gpu, reservation monday' 'SLURM_CPUS_PER_TASK=8' \
    'CUDA_VISIBLE_DEVICES=0'
  lesson13 1
  refused 'node configuration' --gpus=5 jobs/run.sh
}

# bats test_tags=slow
@test "a speed missed on a busy or throttled GPU is inconclusive: requeued once, then status 3" {
  cluster juno
  set_to juno RESERVATION=monday
  touch missed
  job 1 jobs/run.sh
  [[ $text != *Inconclusive* ]]
  touch busy
  job 3 jobs/run.sh
  [[ $text == *"the first run of this job was inconclusive: another process was on the GPU"* ]]
  [[ $text == *"another process was on the GPU"*"This happened twice."* ]]
  rm busy && touch hot
  job 3 --no-requeue jobs/run.sh
  [[ $text == *"Inconclusive: the GPU slowed itself down (hw_thermal_slowdown)"* ]]
  [[ $text == *"(hw_thermal_slowdown)"*"Slurm does not requeue it"* ]]
}
