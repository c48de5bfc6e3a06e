#!/usr/bin/env bats
# grader/class --slurm under a real Slurm: the array, the throttle, a node that fails, an array that outlives
# its run.
# Slow: gradings and Slurm's own waits. The grader is the real one in the first test, a stub in the others.

bats_require_minimum_version 1.5.0

setup_file() {
  ((EUID == 0)) || return 0
  load class_helper
  stub_checkout
  export CLUSTER_DIR
  CLUSTER_DIR=$(mktemp -d /tmp/slurm-c.XXXXXX)
  "$ROOT/tests/jobs/slurm/cluster" up --dir "$CLUSTER_DIR"
}

setup() {
  ((EUID == 0)) || skip "needs root, for namespaces and device files"
  load class_helper
  class_setup
  unset WORK
  export CLASS_POLL_S=1
  eval "$("$ROOT/tests/jobs/slurm/cluster" env --dir "$CLUSTER_DIR")"
}

teardown_file() {
  [[ -z ${CLUSTER_DIR-} ]] || "$ROOT/tests/jobs/slurm/cluster" down --dir "$CLUSTER_DIR"
}

teardown() {
  if [[ -n ${SNOWY-} ]]; then
    "$ROOT/tests/jobs/slurm/cluster" down --dir "$SNOWY"
  else
    scontrol update nodename=cn1,gn1,gn2 state=resume 2>/dev/null || true
  fi
}

# bats test_tags=slow
@test "ten submissions by the real grader, two jobs at a time; a second run submits nothing" {
  "$ROOT/tests/class/make-submissions" "$S" 10
  run -0 timeout 500 "$ROOT/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu \
    --slurm --throttle 2
  shows "10 in an array" "10 entries: 9 graded, 1 do not compile."
  holds "$O/class.json" 'all(.submissions[]; .tries == 1 and (.node | test("^(cn|gn)[12]$")))' \
    '[.submissions[].points] | .[0] == max and .[3] < max and .[5] == max and .[7] == 0 and .[9] == 0'
  run -0 timeout 60 "$ROOT/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu --slurm
  shows "0 to grade" || shows "9 graded, 1 do not compile"
  shows_not "in an array"
  rm -f "$ROOT"/jobs/logs/class-*
}

# bats test_tags=slow
@test "grades a failed node's submission on another node, and the others once" {
  hand_in a/kernels.cu points 3 sleep 1
  hand_in b/kernels.cu points 4 sleep 12
  hand_in c/kernels.cu points 5 sleep 1
  on_b() { [ -s "$O/grades/b/.tries" ] && grep -qx b "$STUB_LOG"; }
  # Slurm ends what runs on a node that is set down, and queues it again, to begin two minutes later.
  { until_true 60 on_b && scontrol update "nodename=$(squeue -h -t R -o %N | head -n 1)" state=down \
    reason=test; } 3>&- &
  CLASS_LIMIT_S=400 class 0 --slurm
  [ "$(grep -cx b "$STUB_LOG")" = 2 ]
  [ "$(grep -cx -e a -e c "$STUB_LOG")" -ge 2 ]
  is_entry b '.state == "graded" and .points == 4 and .tries == 2'
}

# bats test_tags=slow
@test "after a kill the next run finds its array and submits no second one" {
  for i in 1 2 3 4; do hand_in "s$i/kernels.cu" points "$i" sleep 3; done
  "$STUB/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu --slurm --throttle 1 \
    >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  until_true 60 test -s "$O/.slurm/job"
  kill -KILL $!
  class 0 --slurm --throttle 1
  shows "looking for job" "4 entries: 4 graded"
  shows_not "in an array"
  [ "$(sort "$STUB_LOG" | uniq -d | wc -l)" = 0 ]
}

# bats test_tags=slow
@test "Ctrl-C cancels the array; reports a cancelled or rejected job and a wrong partition with the reason" {
  hand_in a/kernels.cu points 1 sleep 55
  started() { grep -qx a "$STUB_LOG"; }
  { until_true 60 started && kill -INT "$(<"$BATS_TEST_TMPDIR/pid")"; } 3>&- &
  run -130 timeout 60 bash -c 'echo $$ >"$0"; exec "$@" 2>&1' "$BATS_TEST_TMPDIR/pid" \
    "$STUB/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu --slurm
  shows "interrupted; the verdicts so far are kept (0 of 1)"
  gone() { [ -z "$(squeue -h)" ]; }
  until_true 40 gone
  hand_in a/kernels.cu points 2 sleep 50
  { until_true 60 test -s "$O/.slurm/job" && sleep 3 && scancel "$(<"$O/.slurm/job")"; } 3>&- &
  class 1 --slurm
  shows "a: could not be graded: its job ended: CANCELLED; jobs/logs/class-"
  SBATCH_PARTITION=nowhere class 3 --slurm
  shows "Slurm did not accept the jobs:" "invalid partition" "Nothing is lost"
}

# bats test_tags=slow
@test "a speed missed on a busy GPU gives no verdict: the job is requeued once, then the next run grades it" {
  mkdir bin
  # shellcheck disable=SC2016 # the stand-in for nvidia-smi expands it
  printf '%s\n' '#!/bin/sh' \
    'case $* in *compute-apps*) [ ! -e '"$PWD/busy"' ] || echo "4711, python3" ;; esac' >bin/nvidia-smi
  chmod +x bin/nvidia-smi
  export PATH=$PWD/bin:$PATH
  touch busy
  hand_in a/kernels.cu points 3 slow
  hand_in b/kernels.cu points 4
  class 1 --backend auto --slurm
  shows "a: inconclusive: another process was on the GPU before the grading"
  is_entry b '.state == "graded" and .points == 4'
  [ "$(grep -cx a "$STUB_LOG")" = 2 ]
  rm busy
  class 0 --backend auto --slurm
  is_entry a '.state == "graded" and .points == 3'
  [ "$(grep -cx b "$STUB_LOG")" = 1 ]
}

# bats test_tags=slow
@test "the jobs of a lesson about two GPUs ask for two, where one node has them" {
  sed -i 's/^gpus: .*/gpus: 2/' "$STUB/lessons/lesson02/lesson.yml"
  hand_in a/kernels.cu points 3
  class 0 --backend auto --slurm
  local logs=("$STUB"/jobs/logs/class-*_1.log)
  grep -q '^GPU  *gpu:h100:2' "${logs[-1]}"
  rm -f -- "${logs[@]}"
  export WORK=$BATS_TEST_TMPDIR/work
  mkdir "$WORK"
  "$STUB/jobs/cluster" generic
  sed -i 's/^# with two GPUs: .*/# with two GPUs: -N 2 -n 2 --gres=gpu:1/' "$WORK/jobs/class.sh"
  class 0 --backend auto --slurm --again a
  sed -i 's/^gpus: .*/gpus: 1/' "$STUB/lessons/lesson02/lesson.yml"
  logs=("$WORK"/jobs/logs/class-*_1.log)
  grep -q '^GPU  *gpu:h100:1' "${logs[-1]}"
}

# bats test_tags=slow
@test "waits with -M for an array on another cluster, on the CPU without a GPU" {
  SNOWY=$(mktemp -d /tmp/slurm-c.XXXXXX)
  export WORK=$BATS_TEST_TMPDIR/work
  mkdir "$WORK"
  "$ROOT/tests/jobs/slurm/cluster" up --dir "$SNOWY" --layout snowy
  eval "$("$ROOT/tests/jobs/slurm/cluster" env --dir "$SNOWY")"
  "$STUB/jobs/cluster" snowy MODULES=cuda ACCOUNT=root
  for i in 1 2 3; do hand_in "s$i/kernels.cu" points "$i"; done
  class 0 --slurm
  shows "3 in an array" "3 entries: 3 graded"
  is_entry s1 '.node | test("^s19[3567]$")'
  grep -q '^GPU  *none granted' "$WORK"/jobs/logs/class-*_1.log
}

# bats test_tags=slow
@test "tolerates an absent controller for a while; reports one that is down at submission" {
  for i in 1 2 3; do hand_in "s$i/kernels.cu" points "$i" sleep 4; done
  stop() { kill "$(<"$CLUSTER_DIR/slurmctld.pid")"; }
  again() { PATH=$PATH:/usr/sbin slurmctld -f "$SLURM_CONF" >/dev/null 2>&1 3>&-; }
  { until_true 60 test -s "$O/.slurm/job" && sleep 3 && stop && sleep 8 && again; } 3>&- &
  CLASS_ASK_S=2 class 0 --slurm --throttle 1
  shows "3 entries: 3 graded"
  [ "$(sort "$STUB_LOG" | uniq -d | wc -l)" = 0 ]
  hand_in s1/kernels.cu points 4
  stop
  class 3 --slurm
  shows "Slurm did not accept the jobs:" "Unable to contact slurm controller" "Nothing is lost"
  again
  class 0 --slurm
  shows "1 to grade; 2 have a verdict already"
}
