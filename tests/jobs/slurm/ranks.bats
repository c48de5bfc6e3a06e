#!/usr/bin/env bats
# lesson13 with a process for each rank, on the two nodes of jobs/cluster-on-a-laptop: by srun, and in a job
# after the grade.

bats_require_minimum_version 1.5.0

setup_file() {
  export ROOT LAPTOP_CLUSTER CHECKOUT SOLUTION CUCC_WORKERS=1
  ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
  source "$ROOT/tests/work.bash"
  unset BACKEND WB_TIME_LIMIT MAKEFLAGS MAKELEVEL MFLAGS
  export WORK=$BATS_FILE_TMPDIR/work
  new_work "$WORK"
  SOLUTION=$(program)
  program send-without-a-group empty-rank-skips >/dev/null
  ((EUID == 0)) || return 0 # tests that need Slurm are skipped, below
  LAPTOP_CLUSTER=$(mktemp -d /tmp/slurm-l.XXXXXX)
  "$ROOT/jobs/cluster-on-a-laptop" up >"$BATS_FILE_TMPDIR/up.txt"
  fake_checkout
}

setup() { cd "$BATS_TEST_TMPDIR" || return; }

teardown_file() { [[ -z ${LAPTOP_CLUSTER-} ]] || "$ROOT/jobs/cluster-on-a-laptop" down; }

# program [MISTAKE...]: builds the solution, or those mistakes of it; prints the program.
program() {
  local name dir
  for name in "${@:-solution}"; do
    dir=$BATS_FILE_TMPDIR/$name
    mkdir "$dir"
    cp "$ROOT/solutions/lesson13/multigpu.cu" "$dir/"
    [[ $name == solution ]] || patch -s -p1 -d "$dir" <"$ROOT/tests/lessons/bugs/lesson13/$name.patch"
    make -s -C "$ROOT" --no-print-directory program WORK="$WORK" BACKEND=cpu LESSON=lesson13 \
      SUBMISSION="$dir" OUT="$dir"
    printf '%s\n' "$dir/lesson13-cpu"
  done
}

# A checkout whose grader takes no time, and leaves the program that $TAKEN names.
fake_checkout() {
  CHECKOUT=$BATS_FILE_TMPDIR/checkout
  mkdir -p "$CHECKOUT"/{grader/checks,lessons/lesson13,solutions/lesson13,common/tools}
  cp -r "$ROOT/jobs" "$CHECKOUT/"
  cp -r "$ROOT/common/shell" "$CHECKOUT/common/"
  touch "$CHECKOUT/grader/checks/lesson13.bats"
  cp "$ROOT/lessons/lesson13/lesson.yml" "$CHECKOUT/lessons/lesson13/"
  cp "$ROOT/solutions/lesson13/multigpu.cu" "$CHECKOUT/solutions/lesson13/"
  cat >"$CHECKOUT/grader/check" <<'SH'
#!/bin/bash
while (($# > 1)); do
  [[ $1 != --programs ]] || cp "$TAKEN" "$2/"
  [[ $1 != --keep ]] || echo '{"state": "graded", "checks": []}' >"$2/grade.json"
  shift
done
SH
  chmod +x "$CHECKOUT/grader/check"
}

on_slurm() {
  ((EUID == 0)) || skip "needs root, for namespaces and device files"
  eval "$("$ROOT/jobs/cluster-on-a-laptop" env)"
}

# tasks PROGRAM: four tasks on two nodes, each with a GPU of its own.
tasks() {
  run timeout 100 srun -N 2 --ntasks-per-node=2 --gpus-per-task=1 "$1" --as-rank 3>&-
}

# processes RANKS FILE [PROGRAM]: without Slurm.
processes() {
  local rank pids=() one
  for ((rank = 0; rank < $1; rank++)); do
    WB_RANK=$rank WB_RANKS=$1 WB_ID_FILE=$2 timeout 100 "${3:-$SOLUTION}" --as-rank >"$rank.txt" 2>&1 3>&- &
    pids+=($!)
  done
  statuses=''
  for rank in "${pids[@]}"; do
    one=0
    wait "$rank" || one=$?
    statuses+="${statuses:+ }$one"
  done
}

# job STATUS: the fake checkout's job with four tasks; sets text, its log.
job() {
  local id tick
  cd "$CHECKOUT" || return
  mkdir -p jobs/logs build/jobs
  id=$(WORK='' sbatch --parsable -N 2 -n 4 --ntasks-per-node=2 --gres=gpu:2 jobs/run.sh \
    --solution lesson13)
  for ((tick = 0; tick < 600; tick++)); do # sbatch --wait looks after 2, 10 and 42 seconds only
    text=$(cat "jobs/logs/loops-to-warps-$id.log" 2>/dev/null) || true
    [[ $text != *$'\nStatus '* ]] || break
    sleep 0.1
  done
  [[ $text == *$'\nStatus '"$1: "* ]] || { printf 'expected status %s:\n%s\n' "$1" "$text" && return 1; }
}

@test "ranks that are tasks on two nodes have the right plates, each on its own GPU" {
  on_slurm
  tasks "$SOLUTION"
  [[ $status == 0 ]]
  [[ $(sort <<<"$output") == "rank 0 of 4, node1, device 0: 31 plates right to the last bit
rank 1 of 4, node1, device 0: 31 plates right to the last bit
rank 2 of 4, node2, device 0: 31 plates right to the last bit
rank 3 of 4, node2, device 0: 31 plates right to the last bit" ]]
  [[ -z $(ls -A) ]]
}

@test "without Slurm, variables of the workbook say which rank a process is; one rank alone is right, too" {
  processes 3 id
  [[ $statuses == "0 0 0" ]]
  [[ $(<2.txt) == "rank 2 of 3, $(uname -n), device 2: 31 plates right to the last bit" && ! -e id ]]
  processes 1 id
  [[ $(<0.txt) == "rank 0 of 1, $(uname -n), device 0: 31 plates right to the last bit" ]]
}

@test "ranks that wait for each other are named with node and line, and end" {
  on_slurm
  tasks "$BATS_FILE_TMPDIR/send-without-a-group/lesson13-cpu"
  [[ $status == 86 ]]
  [[ $output == *'ranks wait for each other'*'rank 0 (process '*' on node node1) in ncclSend to rank 1 at '\
'multigpu.cu:'*'rank 3 (process '*' on node node2) in ncclSend to rank 2 at multigpu.cu:'* ]]
  [[ $output == *'rank 2 of 4, node2, device 0: wrong: sweeps_rank, 5 x 6 cells: '* ]]
}

@test "a rank without rows that skips a collective is named with its node by those that wait for it" {
  on_slurm
  tasks "$BATS_FILE_TMPDIR/empty-rank-skips/lesson13-cpu"
  [[ $status == 86 ]]
  [[ $output == *'ncclAllReduce at multigpu.cu:'*' of rank 0 waits for rank '[123]' (process '*' on node '\
'node'[12]'), '* ]]
}

@test "a wrong row is named with its place and both values" {
  mkdir starter
  cp "$ROOT/lessons/lesson13/.starter/multigpu.cu" starter/
  make -s -C "$ROOT" --no-print-directory program WORK="$WORK" BACKEND=cpu LESSON=lesson13 \
    SUBMISSION="$PWD/starter" OUT="$PWD/starter"
  processes 2 id starter/lesson13-cpu
  [[ $statuses == "1 1" ]]
  [[ $(<0.txt) =~ ^'rank 0 of 2, '.*': wrong: sweeps_rank, 5 x 6 cells: row 1, column 1 is '.*\
' and must be '.*'. --seed 0x'[0-9a-f]+' repeats it'$ ]]
}

@test "a folder in which rank 0 can't write: it says so, and the others do not wait for ever" {
  export WB_RANK_WAIT=1
  processes 2 none/id
  [[ $statuses == "3 3" ]]
  local node
  node=$(uname -n)
  [[ $(<0.txt) == "rank 0 of 2 on $node can't write the id of NCCL into none/id: No such file or directory" ]]
  [[ $(<1.txt) == "rank 1 of 2 on $node has waited 1 s (WB_RANK_WAIT) for none/id: rank 0, "*" has not "* ]]
}

@test "ranks that never come are named, or the time is limited; the file of the id does not stay" {
  WB_RANK=0 WB_RANKS=3 WB_ID_FILE=id CUCC_NCCL_WAIT=0.2 run -3 "$SOLUTION" --as-rank
  [[ $output == *'2 of 3 ranks did not come within 0.2 s (CUCC_NCCL_WAIT): rank 1 2'*\
'do not come together'* ]]
  WB_RANK=0 WB_RANKS=3 WB_ID_FILE=id CUCC_NCCL_WAIT=0 WB_RANK_WAIT=1 run -3 "$SOLUTION" --as-rank
  [[ $output == *': the ranks come together: no end after 1 s (WB_RANK_WAIT)'* ]]
  [[ -z $(ls -A) ]]
}

@test "a process that is no rank of a job says what it needs" {
  env -u SLURM_PROCID -u SLURM_NTASKS "$SOLUTION" --as-rank 2>says.txt && return 1
  [[ $? == 2 && $(<says.txt) == *srun*WB_RANK*WB_RANKS*WB_ID_FILE* ]]
}

@test "a job with several tasks runs the ranks after the grade; the log has their lines" {
  on_slurm
  TAKEN=$SOLUTION job 0
  [[ $text == *$'\nA process for each rank (srun): tasks 4, nodes 2\n'*\
'rank 3 of 4, node2, device 1: 31 plates right'*\
$'\nAll ranks are right.\nStatus 0: '* ]]
  [[ $text != *'With two: sbatch'* ]]
  TAKEN=$BATS_FILE_TMPDIR/empty-rank-skips/lesson13-cpu job 1
  [[ $text == *' of rank 0 waits for rank '*'The ranks are not right: see their lines.'$'\nStatus 1: '* ]]
}

@test "a node that does not see the workbook's folder is named" {
  on_slurm
  mkdir -p "$CHECKOUT/build/jobs"
  local node2
  node2=$(<"$LAPTOP_CLUSTER/slurmd.node2.pid")
  [[ $(readlink "/proc/$node2/ns/mnt") != "$(readlink /proc/self/ns/mnt)" ]] ||
    skip "the nodes have no mounts of their own"
  nsenter -t "$node2" -m mount -t tmpfs none "$CHECKOUT/build/jobs"
  TAKEN=$SOLUTION CUCC_NCCL_WAIT=0.2 job 3
  [[ $text == *"node2 does not see $CHECKOUT/build/jobs/"*'/lesson13-cpu: the workbook must be on '* ]]
  [[ $text == *'2 of 4 ranks did not come within 0.2 s (CUCC_NCCL_WAIT): rank 2 3'* ]]

}
