#!/usr/bin/env bats
# Ranks of NCCL as processes: the same bits as ranks that are threads, and what each of them reports when
# they do not come together, wait for each other, or end.

load helper

setup_file() {
  export PROGRAM=$BATS_FILE_TMPDIR/nccl_ranks
  "$CUCC" -o "$PROGRAM" "$BATS_TEST_DIRNAME/programs/behaviour/nccl_ranks.cu" -lnccl
}

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  export RANKS=3 CUCC_DEVICES=4 CUCC_WORKERS=1
}

# ranks WHAT [FIRST...]: a process for each rank, or for those named; their outputs are 0.txt, 1.txt ...,
# their statuses `statuses`.
ranks() {
  local rank
  local -a which=("${@:2}") pids=()
  ((${#which[@]})) || for ((rank = 0; rank < RANKS; rank++)); do which+=("$rank"); done
  [[ $1 == "old id" ]] || rm -f id
  statuses=''
  for rank in "${which[@]}"; do
    timeout 60 "$PROGRAM" "$1" "$rank" >"$rank.txt" 2>&1 3>&- &
    pids+=($!)
  done
  for rank in "${!which[@]}"; do
    status=0
    wait "${pids[rank]}" || status=$?
    statuses+="${statuses:+ }$status"
  done
}

# says RANK TEXT...
says() {
  output=$(<"$1.txt")
  shows "${@:2}"
}

@test "ranks as processes give the same bits as ranks as threads, also where a process has two" {
  export RANKS=4
  "$PROGRAM" good | sort >threads.txt
  [[ $(wc -l <threads.txt) == 4 ]]
  ranks good
  [[ $statuses == "0 0 0 0" ]]
  diff threads.txt <(cat [0-3].txt)
  rm id
  "$PROGRAM" good 2 2 >second.txt 3>&- &
  "$PROGRAM" good 0 2 >first.txt
  wait $!
  diff threads.txt <(sort first.txt second.txt)
}

@test "a deadlock between processes is named by every rank, with all ranks' calls and lines" {
  local line rank
  line=$(awk '/is\("send first/ { getline; print NR }' "$BATS_TEST_DIRNAME/programs/behaviour/nccl_ranks.cu")
  ranks 'send first'
  [[ $statuses == "86 86 86" ]]
  for rank in 0 1 2; do
    says $rank 'synccheck: ranks wait for each other' 'rank 0 (process' \
      "on node $(uname -n)) in ncclSend to" \
      "rank 1 at nccl_ranks.cu:$line; rank 1" "to rank 2 at nccl_ranks.cu:$line; rank 2" \
      "to rank 0 at nccl_ranks.cu:$line" "nccl_ranks.cu:$line"$'\n    usually' 'ncclGroupStart'
  done
}

@test "calls that do not fit, and a rank that makes one call less, are reported with both places" {
  ranks counts
  [[ $statuses == "86 86 86" ]]
  says 2 'synccheck: ncclAllReduce of rank 0 has 1000 elements of 4 bytes, ncclAllReduce of rank 1 has 999'
  ranks order
  [[ $statuses == "86 0 0" ]]
  says 0 'synccheck: ncclBcast at nccl_ranks.cu:' ' of rank 0 waits for rank ' \
    'has destroyed its communicator' 'its last call was ncclAllReduce at nccl_ranks.cu:'
  ranks early
  [[ $statuses == "86 0 86" ]]
  says 2 'of rank 2 waits for rank 1 (process' 'has destroyed its communicator'
}

@test "a rank that dies is reported by the others: which one, where, its last call; also the id's maker" {
  ranks dies
  [[ $statuses == "86 7 86" ]]
  says 0 'ncclBcast at nccl_ranks.cu:' 'of rank 0 waits for rank 1 (process' "on node $(uname -n))" \
    'has ended without ncclCommDestroy; its last call was ncclAllReduce at nccl_ranks.cu:'
  says 2 'of rank 2 waits for rank 1 (process'
  ranks 'first dies'
  [[ $statuses == "7 86 86" || $statuses == "7 2 86" || $statuses == "7 86 2" || $statuses == "7 2 2" ]]
  cat 1.txt 2.txt >3.txt
  says 3 'process that made the ncclUniqueId has ended' || says 3 'where all ranks meet' 'has ended' \
    'the last call of its rank 0 was ncclAllReduce at nccl_ranks.cu:'
}

@test "every rank checks its own memory: bounds, races between NCCL and kernels, leaks" {
  ranks 'too short'
  [[ $statuses == *86* ]]
  says 0 'memcheck: ncclAllGather' 'the receive buffer'
  says 2 'memcheck: ncclAllGather'
  ranks unwaited
  [[ $statuses == "86 86 86" ]]
  says 1 'racecheck: ' 'ncclAllReduce'
  ranks leak
  [[ $statuses == "0 86 0" ]]
  says 1 'leakcheck: '
}

@test "a rank that never comes: the others say who is missing, of how many, after CUCC_NCCL_WAIT" {
  export CUCC_NCCL_WAIT=0.5
  ranks good 0 2
  [[ $statuses == "2 2" ]]
  says 0 'cucc: NCCL: 1 of 3 ranks did not come within 0.5 s (CUCC_NCCL_WAIT): rank 1;' \
    'there are rank 0 (process'
  says 2 'CUCC_NCCL_WAIT): rank 1;'
  RANKS=2 CUCC_DEVICES=2 run timeout 20 "$PROGRAM" good 0 1
  ends_with 2
  shows '1 of 2 ranks did not come within 0.5 s (CUCC_NCCL_WAIT): rank 1'
}

@test "an old id, one of another version, and one that is none are refused at once" {
  ranks good
  ranks 'old id' 1
  [[ $statuses == 2 ]]
  says 1 'cucc: NCCL: rank 1 on ' 'reaches no process' 'which made the ncclUniqueId, has ended'
  printf '\1' | dd of=id bs=1 seek=9 conv=notrunc status=none
  ranks 'old id' 1
  says 1 'another version of the CPU backend'
  head -c 128 /dev/zero >id
  ranks 'old id' 1
  says 1 'the ncclUniqueId is not one of ncclGetUniqueId'
  # another program listens at the port now, with an id of its own
  rm id
  "$PROGRAM" good 0 >0.txt 2>&1 3>&- &
  until [[ -e id ]]; do sleep 0.01; done
  mkdir old
  cp id old/id
  printf 'old' | dd of=old/id bs=1 seek=16 conv=notrunc status=none
  pushd old >/dev/null
  ranks 'old id' 1
  [[ $statuses == 2 ]]
  says 1 'the ncclUniqueId is old: another run of the program made it'
  popd >/dev/null
  ranks 'old id' 1 2
  [[ $statuses == "0 0" ]]
  wait
}

@test "the same rank twice, another number of ranks, the same GPU: every rank says so and ends" {
  export RANKS=2
  ranks 'same rank'
  [[ $statuses == "2 2" ]]
  says 0 'two processes are rank 1 of 2: rank 1 (process'
  says 1 'two processes are rank 1 of 2: rank 1 (process'
  ranks number
  [[ $statuses == "2 2" ]]
  says 0 'the ranks do not agree on their number' 'says 2' 'says 3'
  ranks 'same GPU'
  [[ $statuses == "2 2" ]]
  says 1 'Duplicate GPU detected: rank ' 'both use device 0' 'cudaSetDevice'
  # GPUs that a task of Slurm has for itself have the same number in each
  rm id
  CUDA_VISIBLE_DEVICES=0 SLURM_GPUS_PER_TASK=1 SLURM_LOCALID=0 "$PROGRAM" 'same GPU' 1 >1.txt 2>&1 3>&- &
  CUDA_VISIBLE_DEVICES=0 SLURM_GPUS_PER_TASK=1 SLURM_LOCALID=1 "$PROGRAM" 'same GPU' 0
  wait $!
}

# In the grader's sandbox there are no sockets.
@test "without sockets, ranks are threads; one that never comes, or with an id of its own, is a finding" {
  echo '#include <errno.h>
    int socket(int a, int b, int c) { return (void)a, (void)b, (void)c, errno = EPERM, -1; }' >none.c
  cc -shared -fPIC none.c -o none.so
  LD_PRELOAD=$PWD/none.so "$PROGRAM" good >threads.txt
  [[ $(grep -c '^rank' threads.txt) == 3 ]]
  rm id
  LD_PRELOAD=$PWD/none.so run timeout 30 "$PROGRAM" good 0 2
  [[ $status == 86 || $status == 2 ]]
  shows 'synccheck: ncclCommInitRank of rank ' ' waits for rank 2 (of 3), which never calls it' \
    'nccl_ranks.cu:'
  LD_PRELOAD=$PWD/none.so run timeout 30 "$PROGRAM" 'own id'
  shows 'synccheck: ncclCommInitRank of rank ' ' (of 3), which calls it with another id'
  LD_PRELOAD=$PWD/none.so run timeout 30 "$PROGRAM" 'old id' 2
  shows 'rank 2 on ' 'which made the ncclUniqueId' 'may open no sockets there'
}
