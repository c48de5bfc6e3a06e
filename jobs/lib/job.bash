# job.bash: what a job knows about itself: the checkout and the WORK folder, Slurm's record, the cluster's
# profile, its modules, and how it ends. Sourced by grade-in-job and class-in-job. ROOT is the checkout,
# JOB_SCRIPT the batch script.
# shellcheck shell=bash

# shellcheck source=common/shell/messages.bash
source "$ROOT/common/shell/messages.bash"
# shellcheck source=common/shell/tools.bash
source "$ROOT/common/shell/tools.bash"
# shellcheck source=common/shell/lessons.bash
source "$ROOT/common/shell/lessons.bash"

# say NAME TEXT: one line of the log's head.
say() { printf '%-9s %s\n' "$@"; }

# status_0_says TEXT: another text for status 0.
PASSED=''
status_0_says() { PASSED=$1; }

# The last line of each log states the status.
finish() { # the grader's status, or ours
  case $1 in
    0) echo "Status 0: ${PASSED:-every check that could run passed.}" ;;
    1) echo 'Status 1: some checks failed, or the file does not compile or is refused.' ;;
    2) echo 'Status 2: usage error; see above.' ;;
    3) echo 'Status 3: not graded; see above.' ;;
    137)
      echo 'Status 3: the grader was killed, perhaps for lack of memory:' \
        'sbatch --mem=8G jobs/run.sh asks for more.'
      ;;
    *) echo "Status 3: the grader exited with status $1, which it does not use." ;;
  esac
  exit $(($1 <= 3 ? $1 : 3))
}

die() { # status, then one line a word
  note "${@:2}"
  finish "$1"
}

in_job() { [[ -n ${SLURM_JOB_ID:-} ]]; }

# ---- Slurm's record of this job ----

# Sets RECORD, one line; when Slurm does not answer, RECORD is empty and RECORD_ERROR says why.
read_record() {
  RECORD='' RECORD_ERROR=''
  in_job || return 0
  # In seconds since 1970, so that the time zones of nodes and people do not matter.
  if ! RECORD=$(SLURM_TIME_FORMAT=%s timeout 15 scontrol -d -o show job "$SLURM_JOB_ID" 2>&1); then
    RECORD_ERROR=${RECORD%%$'\n'*} RECORD=''
    return 0
  fi
  RECORD=$(grep -m 1 "^JobId=$SLURM_JOB_ID " <<<"$RECORD") ||
    RECORD_ERROR="scontrol does not know job $SLURM_JOB_ID"
}

has_record() { [[ -n $RECORD ]]; }
record_error() { printf '%s' "$RECORD_ERROR"; }

# field NAME: prints its value in the record, or nothing.
field() { grep -o -m 1 " $1=[^ ]*" <<<"$RECORD" | head -n 1 | cut -d= -f2- || true; }

# What the job asked Slurm for, and how long it waited.
show_request() {
  local name value text='' submitted started
  for name in Partition Account Features Reservation; do
    value=$(field "$name")
    [[ -z $value || $value == '(null)' ]] || text+="${text:+, }${name,,} $value"
  done
  say asked "${text:-no particular resources}"
  submitted=$(field SubmitTime) started=$(field StartTime)
  [[ ! $submitted$started =~ ^[0-9]{20}$ ]] || say waited "$((started - submitted)) s in the queue"
}

# ---- The cluster's profile, which `make cluster` writes into the batch script ----

profile_block() { sed -n '/^# >>> cluster: /,/^# <<< cluster$/p' "$JOB_SCRIPT"; }

# The options of sbatch for a job without a GPU on this cluster.
without_gpu() { profile_block | sed -n 's/^# without a GPU: //p'; }

# The options of sbatch for a job with two GPUs.
two_gpus() { profile_block | sed -n 's/^# with two GPUs: //p'; }

# Sites define `module` in the start files of a login shell, which a batch job does not read.
load_modules() {
  local file
  # shellcheck source=/dev/null # it may define cluster_modules
  source <(profile_block)
  declare -F cluster_modules >/dev/null || return 0
  set +eu
  for file in "$LMOD_PKG/init/bash" "$MODULESHOME/init/bash" /etc/profile.d/{lmod,z00_lmod,modules}.sh; do
    # shellcheck disable=SC1090 # the file that this site has
    command -v module >/dev/null || { [[ -r $file ]] && source "$file"; }
  done
  set -eu
  if ! command -v module >/dev/null; then
    say modules "no \`module\` command on this node: continuing without the profile's modules"
    return 0
  fi
  say modules "$(declare -f cluster_modules | sed -n 's/^ *module load \(.*\) || return;*$/\1/p' |
    paste -sd' ')"
  set +eu
  cluster_modules || die 3 "a module of this cluster's profile does not load (see above)." \
    "\`module avail\` shows the names; \`make cluster NAME=... MODULES='...'\` writes them into jobs/run.sh."
  set -eu
}

# ---- The grader ----

# Programs built on one machine may not run on another (instructions of the CPU, the GPU, the system's
# libraries), and the login node and the compute nodes share WORK. So each kind of machine has its own folder
# of builds. Sets BUILDS.
make_builds_folder() {
  BUILDS=$WORK/build/nodes/$(machine_key)
  mkdir -p "$BUILDS" || die 3 "$(uname -n) can't write into $WORK/build."
}

machine_key() {
  {
    uname -m
    grep -m 2 -E '^(model name|flags|Features|CPU part)' /proc/cpuinfo || true
    getconf GNU_LIBC_VERSION || true
    "${CC:-gcc}" -dumpfullversion || true
    command -v nvcc || true
    nvidia-smi --query-gpu=name --format=csv,noheader | sort -u || true
  } 2>/dev/null | md5sum | cut -c 1-12
}

# exec_grader PROGRAM ARGUMENT...: this process becomes the grader, which builds in the folder of builds.
# bootstrap installed Bats into another WORK, the job's own.
exec_grader() {
  local bats
  bats=$(bats_in "$WORK") || bats=
  exec env -u BACKEND WORK="$BUILDS" PATH="${bats:+${bats%/*}:}$PATH" "$@"
}
