#!/usr/bin/env bats
# jobs/cluster-on-a-laptop: ranks of NCCL as tasks of Slurm on two nodes, on virtual devices.

bats_require_minimum_version 1.5.0

setup_file() {
  ((EUID == 0)) || return 0 # each test is skipped, below
  export ROOT CUCC_BUILD LAPTOP_CLUSTER PROGRAM CUCC_WORKERS=1
  ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
  CUCC_BUILD=${CUCC_BUILD:-${WORK:-$ROOT}/build/tests/cucc}
  LAPTOP_CLUSTER=$(mktemp -d /tmp/slurm-l.XXXXXX)
  PROGRAM=$BATS_FILE_TMPDIR/nccl_ranks
  "$ROOT/common/cpu/cucc" -o "$PROGRAM" "$ROOT/tests/cpu/programs/behaviour/nccl_ranks.cu" -lnccl
  "$ROOT/jobs/cluster-on-a-laptop" up >"$BATS_FILE_TMPDIR/up.txt"
}

setup() {
  ((EUID == 0)) || skip "needs root, for namespaces and device files"
  cd "$BATS_TEST_TMPDIR" || return
  eval "$("$ROOT/jobs/cluster-on-a-laptop" env)"
}

teardown_file() { [[ -z ${LAPTOP_CLUSTER-} ]] || "$ROOT/jobs/cluster-on-a-laptop" down; }

# tasks WHAT: four tasks on two nodes, each with a GPU of its own.
tasks() {
  run timeout 60 srun -N 2 --ntasks-per-node=2 --gpus-per-task=1 \
    sh -c "RANKS=\$SLURM_NTASKS exec '$PROGRAM' '$1' \$SLURM_PROCID" 3>&-
}

@test "up prints lines to try, which work as typed; status lists the nodes" {
  [[ $(<"$BATS_FILE_TMPDIR/up.txt") == *'eval "$(jobs/cluster-on-a-laptop env)"'*'sbatch jobs/run.sh'* ]]
  run -0 sh -c "$(grep -A 1 '^ *srun' "$BATS_FILE_TMPDIR/up.txt")"
  [[ $(sort <<<"$output") == "task 0 on node1, GPU 0
task 1 on node1, GPU 1
task 2 on node2, GPU 0
task 3 on node2, GPU 1" ]]
  run -0 "$ROOT/jobs/cluster-on-a-laptop" status
  [[ $output == *'node1 '*'gpu:virtual:2'*'node2 '* ]]
  LAPTOP_CLUSTER=$BATS_TEST_TMPDIR/none run -1 "$ROOT/jobs/cluster-on-a-laptop" status
  [[ $output == 'The cluster is not up: jobs/cluster-on-a-laptop up' ]]
}

@test "four ranks on two nodes give the bits of four threads" {
  RANKS=4 CUCC_DEVICES=4 "$PROGRAM" good | sort >threads.txt
  rm id
  tasks good
  [[ $status == 0 ]]
  diff threads.txt <(sort <<<"$output")
}

@test "a deadlock over two nodes names each rank's node, call and line; a rank that dies, its node" {
  tasks 'send first'
  [[ $status != 0 ]]
  [[ $output == *'ranks wait for each other'*'rank 0 (process '*' on node node1) in ncclSend to rank 1 at '\
'nccl_ranks.cu:'*'; rank 3 (process '*' on node node2) in ncclSend to rank 0 at nccl_ranks.cu:'* ]]
  rm id
  tasks dies
  [[ $output == *'of rank 3 waits for rank 1 (process '*' on node node1), which has ended'* ]]
}

@test "tasks that see the same GPU are told so on both nodes" {
  rm -f id
  run timeout 60 srun -N 2 --ntasks-per-node=2 --gpus=4 \
    sh -c "RANKS=4 exec '$PROGRAM' 'same GPU' \$SLURM_PROCID" 3>&-
  [[ $status != 0 ]]
  [[ $(grep -c 'Duplicate GPU detected: rank . (process .* on node node[12])' <<<"$output") == 4 ]]
}
