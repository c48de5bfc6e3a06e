#!/bin/bash
# Grades one lesson or several in a Slurm job:   make lesson05 && sbatch jobs/run.sh
#
# >>> cluster: generic
# without a GPU: --gres=none
#SBATCH --job-name=loops-to-warps
#SBATCH -N 1 -n 1
#SBATCH --gres=gpu:1
#SBATCH --time=00:10:00
#SBATCH --output=jobs/logs/%x-%j.log
# <<< cluster
#
# The lines between the markers are written by `make cluster NAME=...`; jobs/README.md tells the rest.
# The whole of this job's output is its log: device, the program's table, the verdict.
set -euo pipefail

usage() {
  cat <<'TXT'
Usage: sbatch jobs/run.sh [--solution] [LESSON|SNAPSHOT ...|all]     in a job
       bash jobs/run.sh [--solution] [LESSON|SNAPSHOT ...|all]       here and now, on this machine

  LESSON      lesson05: its newest snapshot; when there is none, your file as it is now
  SNAPSHOT    a folder that `make lessonNN` left in build/snapshots
  (nothing)   the newest snapshot of any lesson that is not later than the job's submission
  all         each lesson that you have a snapshot or a file of
  --solution  the reference solutions of those lessons instead of your files

Several are graded one after the other, whatever becomes of one of them; a table at the end of the log sums them up.
They may need more time: sbatch --time=00:30:00 jobs/run.sh all
Each in a job of its own: sbatch --array=2,5-7 jobs/run.sh grades lesson02, lesson05, lesson06 and lesson07.

`make lessonNN` leaves the snapshot: what you edit while the job waits is not graded.
BACKEND=cpu sbatch jobs/run.sh grades on the CPU: right or wrong, no speed. So does a job without a GPU; the options for that
stand at the top of jobs/run.sh, by default: sbatch --gres=none jobs/run.sh
A job that was granted a GPU measures on it or ends with status 3; it does not fall back to the CPU.

Exit status, also the job's, of several lessons the largest: 0 every check that could run passed; 1 some failed, or the file does not
compile; 2 asked for wrongly (no snapshot, no such lesson, submitted from elsewhere); 3 could not grade
(GPU, driver, compiler, time limit ...). The log says which and why.
TXT
}

say() { printf '%-9s %s\n' "$@"; }
# The last line of every log says how it ended.
finish() { # the grader's status, or ours
  case $1 in
    0) echo 'Status 0: every check that could run passed.' ;;
    1) echo 'Status 1: some checks failed, or the file does not compile or is refused.' ;;
    2) echo 'Status 2: asked for wrongly; see above.' ;;
    3) echo 'Status 3: not graded; see above.' ;;
    137) echo 'Status 3: the grader was killed, perhaps for memory: sbatch --mem=8G jobs/run.sh asks for more.' ;;
    *) echo "Status 3: the grader ended with $1, which is none of its own." ;;
  esac
  exit $(($1 <= 3 ? $1 : 3))
}

die() { # status, then one line a word
  local status=$1
  shift
  printf 'jobs/run.sh: %s\n' "$@" >&2
  finish "$status"
}

in_job() { [[ -n ${SLURM_JOB_ID:-} ]]; }

# Slurm runs a batch script from its own spool folder, where it is called slurm_script.
in_batch_script() { in_job && [[ ${BASH_SOURCE[0]##*/} == slurm_script ]]; }

# ---- Where things are: sets ROOT (the checkout) and WORK (the learner's files and builds) ----

find_checkout() {
  local here
  if in_batch_script; then
    here=${SLURM_SUBMIT_DIR:-$PWD}
  else
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  fi
  if [[ -x $here/grader/check ]]; then
    ROOT=$here
  elif [[ -r $here/build/checkout ]]; then
    ROOT=$(<"$here/build/checkout")
    [[ -x $ROOT/grader/check ]] ||
      die 2 "$here belongs to the checkout $ROOT, which $(uname -n) can't see." "It must lie on a file system that the compute nodes share."
  else
    die 2 "$here is neither the workbook nor a WORK folder of it." \
      "Submit from the workbook's own folder: cd .../loops-to-warps && sbatch jobs/run.sh"
  fi
  cd "$here"
  [[ -d ${WORK:=$here} ]] || die 2 "WORK names $WORK, which is not a folder on $(uname -n)."
  WORK=$(cd "$WORK" && pwd)
  unset here
}

# No grep -q: it may end before the list does, and pipefail would call that a failure.
is_lesson() { lessons | grep -xF -- "$1" >/dev/null; }

lessons() {
  local dir
  for dir in "$ROOT"/lessons/lesson[0-9][0-9]; do [[ ! -d $dir ]] || printf '%s\n' "${dir##*/}"; done
}

# ---- What Slurm says about this job: sets RECORD, one line, or leaves it empty and says why in RECORD_ERROR ----

read_record() {
  RECORD='' RECORD_ERROR=''
  in_job || return 0
  # Times come as seconds since 1970, whatever the time zones of nodes and people.
  if ! RECORD=$(SLURM_TIME_FORMAT=%s timeout 15 scontrol --details --oneliner show job "$SLURM_JOB_ID" 2>&1); then
    RECORD_ERROR=${RECORD%%$'\n'*} RECORD=''
    return 0
  fi
  RECORD=$(grep -m 1 "^JobId=$SLURM_JOB_ID " <<<"$RECORD") || RECORD_ERROR="scontrol does not know job $SLURM_JOB_ID"
}

# field NAME: its value in the record; nothing when it isn't there.
field() { grep -o -m 1 " $1=[^ ]*" <<<"$RECORD" | head -n 1 | cut -d= -f2- || true; }

# ---- What is graded: sets LESSON, SUBMISSION and WHY ----

# newest PATTERN LATEST: the newest snapshot of this lesson (* for any) not later than that second.
# Slurm's clock shows whole seconds, the snapshots' names milliseconds: a snapshot of the same second counts
# as earlier, since `make lesson05 && sbatch jobs/run.sh` often takes no longer.
newest() {
  local dir stamp found='' same=0
  # shellcheck disable=SC2231 # $1 is a pattern
  for dir in "$WORK"/build/snapshots/*-$1; do
    stamp=${dir##*/}
    stamp=${stamp%%.*}
    [[ -d $dir && $stamp =~ ^[0-9]{8}T[0-9]{6}$ && ! $stamp > $2 ]] || continue
    [[ $stamp == "$2" ]] && same=$((same + 1))
    found=$dir
  done
  printf '%s\n' "$found"
  ((same < 2)) || echo "note: $same snapshots are of the second in which the job was submitted; the last was taken. Name a lesson to be sure." >&2
}

# Sets LIMIT (as in snapshots' names, UTC), LIMIT_TEXT (what that moment is) and LIMIT_WHY: snapshots after it don't count.
find_limit() {
  local submitted
  submitted=$(field SubmitTime)
  LIMIT=$(date -u +%Y%m%dT%H%M%S) LIMIT_TEXT='now' LIMIT_WHY='the newest there is'
  if ! in_job || [[ $(field BatchFlag) == 0 ]]; then
    return # not in a job, or in an interactive one, which began before the snapshots that it grades
  elif [[ $submitted =~ ^[0-9]+$ ]]; then
    LIMIT=$(date -u -d "@$submitted" +%Y%m%dT%H%M%S)
    LIMIT_TEXT="the job's submission, $(date -d "@$submitted" '+%F %T %Z')"
    LIMIT_WHY="the newest not later than $LIMIT_TEXT"
  else
    [[ ! ${SLURM_JOB_START_TIME:-} =~ ^[0-9]+$ ]] || LIMIT=$(date -u -d "@$SLURM_JOB_START_TIME" +%Y%m%dT%H%M%S)
    LIMIT_TEXT="the job's start"
    LIMIT_WHY="the newest at the job's start, since Slurm did not tell the time of submission (${RECORD_ERROR:-no SubmitTime})"
  fi
}

no_snapshot() { # the lesson, or *
  local later text=("there is no snapshot of $1 in $WORK/build/snapshots.")
  [[ $1 != 'lesson[0-9][0-9]' ]] || text=("there is no snapshot in $WORK/build/snapshots.")
  later=$(newest "$1" 99991231T235959)
  [[ -z $later ]] || text=("every snapshot is later than $LIMIT_TEXT; the newest is ${later##*/}." \
    "Do the clocks of the login node and of Slurm differ? Naming one helps: sbatch jobs/run.sh build/snapshots/${later##*/}")
  die 2 "${text[@]}" "\`make lesson05 && sbatch jobs/run.sh\` builds your file, leaves a snapshot, and submits." \
    "Lessons: $(lessons | paste -sd' ')"
}

choose() { # [LESSON|SNAPSHOT]
  local memory=$WORK/build/jobs/${SLURM_CLUSTER_NAME:-}.${SLURM_JOB_ID:-}/snapshot
  LESSON=''
  find_limit
  if [[ ${1-} =~ ^lesson[^/]*$ ]]; then
    LESSON=$1
    is_lesson "$LESSON" || die 2 "there is no $LESSON. Lessons: $(lessons | paste -sd' ')"
  fi
  memory+=${LESSON:+-$LESSON}
  if [[ -n $LESSON && -n $SOLUTION ]]; then
    SUBMISSION=$ROOT/solutions/$LESSON WHY='the reference solution, as asked for'
  elif [[ -n ${1-} && -z $LESSON ]]; then
    SUBMISSION=$1 WHY='asked for'
  elif [[ ${SLURM_RESTART_COUNT:-0} -gt 0 && -s $memory && -d $(<"$memory") ]]; then
    # A requeued job has a new SubmitTime; it grades what it took the first time.
    SUBMISSION=$(<"$memory") WHY="what this job took before it was requeued"
  elif [[ -n $LESSON ]]; then
    SUBMISSION=$(newest "$LESSON" "$LIMIT") WHY="asked for; $LIMIT_WHY"
    [[ -n $SUBMISSION ]] || SUBMISSION=$WORK/lessons/$LESSON WHY='asked for; it has no snapshot, so your file as it is now'
    [[ -d $SUBMISSION ]] || no_snapshot "$LESSON"
  else
    SUBMISSION=$(newest 'lesson[0-9][0-9]' "$LIMIT") WHY=$LIMIT_WHY
    [[ -n $SUBMISSION ]] || no_snapshot 'lesson[0-9][0-9]'
  fi
  if [[ -z $LESSON ]]; then
    LESSON=${SUBMISSION##*-}
    is_lesson "$LESSON" ||
      die 2 "$SUBMISSION does not end in -lessonNN, as snapshots do, so its lesson is not known." \
        "Give a lesson (sbatch jobs/run.sh lesson05) or a folder of $WORK/build/snapshots."
  fi
  in_job || return 0
  { mkdir -p "${memory%/*}" && printf '%s\n' "$SUBMISSION" >"$memory"; } || die 3 "$(uname -n) can't write into $WORK/build."
}

# ---- Backend: sets BACKEND and BACKEND_WHY ----

# The options of sbatch for a job without a GPU on this cluster; `make cluster` writes them.
without_gpu() { sed -n 's/^# without a GPU: //p' "${BASH_SOURCE[0]}"; }

choose_backend() {
  local wish=${BACKEND:-auto}
  [[ $wish =~ ^(auto|cpu|cuda)$ ]] || die 2 "BACKEND=$wish: it can be cpu, cuda or auto."
  if compgen -G "$ROOT/lessons/$LESSON/.starter/*.c" >/dev/null || compgen -G "$ROOT/solutions/$LESSON/*.c" >/dev/null; then
    BACKEND=auto BACKEND_WHY="$LESSON is plain C: its speed is the CPU's${GRANTED:+, and the GPU of this job is not used (sbatch $(without_gpu) jobs/run.sh)}"
  elif [[ $wish == cpu ]]; then
    BACKEND=cpu BACKEND_WHY='BACKEND=cpu asks for it: right or wrong, no speed'
  elif [[ $wish == cuda ]]; then
    BACKEND=cuda BACKEND_WHY='BACKEND=cuda asks for it'
  elif [[ -n $GRANTED ]]; then
    BACKEND=cuda BACKEND_WHY='Slurm granted a GPU, so speed is measured on it'
    [[ -n ${SLURMD_NODENAME:-} ]] || die 3 "job $SLURM_JOB_ID has a GPU, but this shell is not on its node." \
      "Go there first: srun --pty bash; or run it there: srun bash jobs/run.sh $LESSON"
  elif in_job; then
    BACKEND=cpu BACKEND_WHY='the job did not ask for a GPU: right or wrong, no speed'
  else
    BACKEND=auto BACKEND_WHY='a GPU is used if there is one'
  fi
}

# ---- Modules ----

# Sites define `module` in a login shell's start files, which a batch job does not read.
load_modules() {
  local file
  declare -F cluster_modules >/dev/null || return 0
  set +eu
  for file in "$LMOD_PKG/init/bash" "$MODULESHOME/init/bash" /etc/profile.d/{lmod,z00_lmod,modules}.sh; do
    # shellcheck disable=SC1090 # whichever the site has
    command -v module >/dev/null || { [[ -r $file ]] && source "$file"; }
  done
  set -eu
  if ! command -v module >/dev/null; then
    say modules "no \`module\` command on this node: going on without the profile's modules"
    return 0
  fi
  say modules "$(declare -f cluster_modules | sed -n 's/^ *module load \(.*\) || return;*$/\1/p' | paste -sd' ')"
  set +eu
  cluster_modules || die 3 "a module of this cluster's profile does not load (see above)." \
    "\`module avail\` shows the names; \`make cluster NAME=... MODULES='...'\` writes them into jobs/run.sh."
  set -eu
}

# ---- Grading ----

# Slurm sends TERM at the time limit, and by scancel; the record tells which. It kills what is left some
# seconds later.
ended() {
  local what='nothing was graded'
  trap '' TERM INT
  ! declare -F show_summary >/dev/null || what='not all was graded'
  [[ -z ${GRADE_PID:-} ]] || kill -TERM "$GRADE_PID" 2>/dev/null || true
  [[ -z ${WATCH_PID:-} ]] || kill "$WATCH_PID" 2>/dev/null || true
  read_record
  case $1:$(field Reason):$(field JobState) in
    INT:*) echo "Interrupted: $what." ;;
    *:TimeLimit:* | *:*:TIMEOUT) echo "The job's time limit ($(field TimeLimit)) came before the grade: $what. sbatch --time=00:30:00 jobs/run.sh asks for more." ;;
    *:*:PREEMPTED) echo "Slurm took the node for another job: $what. Submit it again." ;;
    *) in_job && echo "This job is being ended (time limit, scancel or requeue): $what." || echo "Ended by a signal: $what." ;;
  esac
  [[ -z ${GRADE_PID:-} ]] || wait "$GRADE_PID" 2>/dev/null || true
  ! declare -F show_summary >/dev/null || show_summary
  finish 3
}

# A grading has a WORK of its own; what bootstrap installed is in this one.
bats_on_path() {
  local folder
  for folder in "$WORK/node_modules/bats/bin" "$WORK/.tools/node_modules/bats/bin"; do
    [[ ! -d $folder ]] || PATH=$folder:$PATH
  done
}

grade() { # folder for the results
  local status=0 builds=$WORK/build/nodes
  builds=$builds/$(machine_key)
  mkdir -p "$builds" || die 3 "$(uname -n) can't write into $WORK/build."
  bats_on_path
  env -u BACKEND WORK="$builds" "$ROOT/grader/check" --submission "$SUBMISSION" --backend "$BACKEND" --keep "$1" "$LESSON" \
    >"$1/verdict.txt" &
  GRADE_PID=$!
  wait "$GRADE_PID" || status=$?
  GRADE_PID=''
  # Never a verdict without the GPU that Slurm granted.
  if [[ $BACKEND == cuda && $status -le 1 ]] && ! jq -e '.backend == "cuda" or (.state | IN("not_compiled", "refused"))' "$1/grade.json" >/dev/null; then
    die 3 "the grade was not measured on the GPU ($(jq -r .backend "$1/grade.json")), so it does not count."
  fi
  show_table "$1"
  cat "$1/verdict.txt"
  return "$status"
}

show_table() { # what the program itself printed, of the kind that takes time
  local kind
  for kind in cuda cpu; do
    [[ -s $1/program-$kind.log ]] || continue
    cat "$1/program-$kind.log"
    echo
    return
  done
}

# ---- One lesson ----

# part ARGUMENT RESULTS: chooses and grades; status as the grader's.
part() {
  local status=0
  choose "$1"
  say grading "$SUBMISSION"
  say '' "($WHY)"
  choose_backend
  say backend "$BACKEND ($BACKEND_WHY)"
  echo
  mkdir -p "$2" || die 3 "$(uname -n) can't write into $WORK/build."
  rm -f -- "$2"/{verdict.txt,*.json,*.log,*.tap} # a new Slurm counts its jobs from 1 again
  watch_device "$2"
  grade "$2" || status=$?
  judge_device "$2" "$status" || status=$?
  return "$status"
}

# Sets ARGUMENTS, snapshots with their whole paths, and SOLUTION.
read_arguments() {
  local argument
  ARGUMENTS=() SOLUTION=''
  for argument; do
    if [[ $argument == --solution ]]; then
      SOLUTION=yes
    elif [[ $argument == -* ]]; then
      die 2 "there is no option $argument; bash jobs/run.sh --help"
    elif [[ $argument =~ ^(all|lesson[^/]*)$ ]]; then
      ARGUMENTS+=("$argument")
    else
      [[ -d $argument ]] || die 2 "there is no folder $argument, and a lesson is called lessonNN."
      ARGUMENTS+=("$(cd "$argument" && pwd)")
    fi
  done
  # sbatch --array=2,5-7 jobs/run.sh: a lesson a job.
  if [[ -n ${SLURM_ARRAY_TASK_ID:-} && ${#ARGUMENTS[@]} == 0 ]]; then
    printf -v argument 'lesson%02d' "$SLURM_ARRAY_TASK_ID"
    ARGUMENTS=("$argument")
  fi
  [[ -z $SOLUTION || ${ARGUMENTS[*]:-/} != */* ]] || die 2 "--solution: of which lessons? bash jobs/run.sh --help"
}

main() {
  local status=0
  if [[ ${1-} == -h || ${1-} == --help ]]; then usage && return; fi
  read_arguments "$@"
  trap 'ended TERM' TERM
  trap 'ended INT' INT
  find_checkout
  # shellcheck source=jobs/device.bash
  source "$ROOT/jobs/device.bash"
  read_record
  if in_job; then
    say job "$SLURM_JOB_ID (${SLURM_JOB_NAME:-}) on $(uname -n), $(date '+%F %T %Z')"
    show_request
  else
    say host "$(uname -n), $(date '+%F %T %Z'); not in a Slurm job: grading here"
  fi
  find_grant
  show_gpu
  if in_job; then
    RESULTS=$WORK/build/jobs/$SLURM_CLUSTER_NAME.$SLURM_JOB_ID
  else
    RESULTS=$WORK/build/jobs/here.$$
    trap 'rm -rf -- "$RESULTS"' EXIT
  fi
  load_modules
  show_toolkit
  if [[ ${#ARGUMENTS[@]} -gt 1 || ${ARGUMENTS[*]} == all ]]; then
    # shellcheck source=jobs/several.bash
    source "$ROOT/jobs/several.bash"
    several || status=$?
  else
    ALONE=yes
    part "${ARGUMENTS[0]-}" "$RESULTS" || status=$?
  fi
  finish "$status"
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@" # jobs/class.sh takes its functions
