#!/usr/bin/env bats
# The test cluster itself, with jobs of one line. What a learner does with it is in slurm.bats.

bats_require_minimum_version 1.5.0

setup() {
  ((EUID == 0)) || skip "needs root, for namespaces and device files"
  CLUSTER=$BATS_TEST_DIRNAME/cluster
  A=$(mktemp -d /tmp/slurm-a.XXXXXX)
  B=$(mktemp -d /tmp/slurm-b.XXXXXX)
}

teardown() {
  [[ -z ${A-} ]] || for dir in "$A" "$B"; do
    if [[ -e $dir/.slurm-test-cluster ]]; then "$CLUSTER" down --dir "$dir"; fi
    rm -rf -- "$dir"
  done
}

# on DIR COMMAND...: a command with that cluster's environment
on() { (eval "$("$CLUSTER" env --dir "$1")" && "${@:2}"); }

processes_of() { pgrep -f -- "$1/" || true; }

# A line that no other process on this machine has on its command line.
sleeping() { pgrep -f "^sleep $1\$" || true; }

@test "two clusters at once each run their own jobs, with node names and GPUs of their own" {
  "$CLUSTER" up --dir "$A"
  "$CLUSTER" up --dir "$B"
  for dir in "$A" "$B"; do
    # shellcheck disable=SC2016 # the job expands it
    run -0 on "$dir" srun --gres=gpu:2 sh -c 'echo "$(uname -n) $CUDA_VISIBLE_DEVICES $SLURM_CONF"'
    [[ $output == "gn1 0,1 $dir/"* ]]
    # srun is back before Slurm has done with the node: "completing" for a moment
    for _ in {1..100}; do
      run -0 on "$dir" sinfo -h -o '%D %T'
      if [[ $output == "3 idle" ]]; then break; fi
      sleep 0.1
    done
    [[ $output == "3 idle" ]]
  done
  "$CLUSTER" down --dir "$A"
  [[ ! -e $A ]]
  run -0 on "$B" srun -w gn2 uname -n
  [[ $output == gn2 ]]
}

@test "down ends the jobs' processes too, those that ignore TERM or left their session, and no other" {
  "$CLUSTER" up --dir "$A"
  sleep 31536003 3>&- &
  mine=$!
  on "$A" sbatch --quiet -o /dev/null \
    --wrap 'trap "" TERM; (setsid env -i sleep 31536001 &); sleep 31536002; sleep 31536002'
  for _ in {1..50}; do
    [[ -n $(sleeping 31536001) && -n $(sleeping 31536002) ]] && break
    sleep 0.1
  done
  [[ -n $(sleeping 31536001) ]]
  "$CLUSTER" down --dir "$A"
  [[ -z $(sleeping 31536001)$(sleeping 31536002) ]]
  [[ -z $(processes_of "$A") ]]
  [[ ! -e $A ]]
  kill "$mine"
}

@test "up works in the folder of a cluster that was killed, and ends the jobs that it left" {
  "$CLUSTER" up --dir "$A"
  on "$A" sbatch --quiet -o /dev/null --wrap 'sleep 31536004'
  for _ in {1..50}; do
    [[ -n $(sleeping 31536004) ]] && break
    sleep 0.1
  done
  # shellcheck disable=SC2046 # one process id a file
  kill -KILL $(cat "$A"/slurmctld.pid "$A"/slurmd.*.pid "$A"/munge/pid)
  "$CLUSTER" up --dir "$A"
  [[ -z $(sleeping 31536004) ]]
  run -0 on "$A" srun --gres=gpu:1 uname -n
  [[ $output == gn1 ]]
}

@test "up a second time changes nothing" {
  "$CLUSTER" up --dir "$A"
  before=$(cat "$A/slurmctld.pid")
  run -0 "$CLUSTER" up --dir "$A"
  [[ $output == *"already up"* ]]
  [[ $(cat "$A/slurmctld.pid") == "$before" ]]
}

@test "refuses a folder with other contents, and leaves it alone" {
  echo mine >"$A/file"
  for command in up down; do
    run -2 "$CLUSTER" "$command" --dir "$A"
    [[ $(cat "$A/file") == mine ]]
  done
  run -2 "$CLUSTER" up --dir "/tmp/$(printf 'x%.0s' {1..70})"
  [[ $output == *"characters long"* ]]
  run -2 "$CLUSTER" up --dir "$A" --layout nowhere
  [[ $output == *generic* ]]
}

@test "reports missing root rights or packages, status 3" {
  cp "$CLUSTER" "${CLUSTER%/*}"/{conf,accounting}.bash "$A/"
  chmod 755 "$A"
  run -3 setpriv --reuid 65534 --regid 65534 --clear-groups "$A/cluster" up --dir "$B/new"
  [[ $output == *"needs root"* ]]
  mkdir "$B/bin"
  for tool in bash realpath dirname; do ln -s "$(command -v "$tool")" "$B/bin/"; done
  run -3 env PATH="$B/bin" "$CLUSTER" up --dir "$A/new"
  [[ $output == *"missing: "*"slurm-client"*"apt-get install"* ]]
}
