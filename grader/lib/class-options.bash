# class-options.bash: what grader/class was asked for, its output folder, what is remembered there. Sourced by it.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

usage() {
  cat <<END
Usage: ${SELF} SUBMISSIONS --lesson lessonNN [options]

Grades what learners handed in. SUBMISSIONS is a folder with one folder, archive (zip, tar, tar.gz) or file for each, or
what Moodle or Canvas downloads, unpacked once. Each is graded in a sandbox; one that hangs or crashes harms no other.
Started again after an interruption, it goes on with what is not graded yet, and with what was handed in anew.

  --output DIR         where verdicts go: class.json, grades/KEY/grade.json (default ./graded-lessonNN)
  --roster FILE.csv    the class: who has handed in nothing gets an entry. Its first line names the columns:
                       name (or first and last name), id, email, section; as Moodle or Canvas export them
  --due TIME           what came later is marked late ("2026-11-20 23:59"; this machine's time zone)
  --keep-last          of several by one learner the last one in time counts (default)
  --keep-best          the one in time with the most points counts; with both, a late one only if none was in time
  --workers N          gradings at a time (default: a core each, a GPU each where cuda is used, one for plain C)
  --slurm              grade in a job array of this cluster (jobs/class.sh; \`make cluster\` sets what it asks for)
  --throttle N         at most N of its jobs at a time
  --backend NAME       cpu, cuda, or auto (default, or \$BACKEND)
  --sandbox NAME       bwrap, limits, none, or auto: the strongest that works here (default)
  --again NAME         grade NAME again (a name, a key or a learner's id); can be given several times
  --again inconclusive grade again those with a check that noise left open
  --dry-run            only say what would be graded, and whose it is
  --json               print class.json at the end
  --help               this text

Environment: WORK (where builds are; default: the checkout), BACKEND, NO_COLOR.
Exit status: 0 all graded, 1 some could not be graded, or none holds the file, 2 usage, 3 could not grade (and why), 130 interrupted.
END
}

parse_class_options() {
  SUBMISSIONS='' LESSON='' OUTPUT='' ROSTER='' DUE='' KEEP_RULE=last WORKERS='' SLURM=no THROTTLE='' BACKEND=${BACKEND:-auto}
  SANDBOX=auto AGAIN=() DRY_RUN=no JSON=no
  read_options "--lesson --output --roster --due --workers --throttle --backend --sandbox --again" \
    "--keep-last --keep-best --slurm --dry-run --json" "$@"
  [[ -n $SUBMISSIONS ]] || bad_usage "which submissions?"
  [[ -n $LESSON ]] || bad_usage "of which lesson? --lesson lessonNN"
  [[ $BACKEND =~ ^(cpu|cuda|auto)$ ]] || bad_usage "there is no backend \"$BACKEND\": cpu, cuda or auto."
  [[ -z $THROTTLE || $SLURM == yes ]] || bad_usage "--throttle goes with --slurm; here it is --workers."
  look_at_submissions
}

take_argument() {
  [[ -z $SUBMISSIONS ]] || bad_usage "one folder of submissions at a time: $SUBMISSIONS or $1?"
  SUBMISSIONS=$1
}

take_option() { # name, value
  [[ -n $2 ]] || bad_usage "$1 needs a value."
  case $1 in
    --keep-last | --keep-best) KEEP_RULE=${1#--keep-} ;;
    --slurm) SLURM=yes ;;
    --dry-run) DRY_RUN=yes ;;
    --json) JSON=yes ;;
    --lesson) LESSON=$2 ;;
    --output) OUTPUT=$2 ;;
    --roster) ROSTER=$2 ;;
    --due) set_due "$2" ;;
    --workers | --throttle)
      [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || bad_usage "$1 takes a number from 1 to 9999, not \"$2\"."
      if [[ $1 == --workers ]]; then WORKERS=$2; else THROTTLE=$2; fi
      ;;
    --backend) BACKEND=$2 ;;
    --sandbox) take_sandbox "$2" ;;
    --again) AGAIN+=("$2") ;;
  esac
}

# In UTC, whatever the zone in which it was written.
set_due() {
  local seconds
  if [[ ! $1 =~ [0-9] ]] || ! seconds=$(date -d "$1" +%s 2>/dev/null); then
    bad_usage "--due \"$1\" is no time; write it like \"2026-11-20 23:59\"."
  fi
  DUE=$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)
}

look_at_submissions() {
  if [[ -f $SUBMISSIONS ]]; then
    stop 2 "$SUBMISSIONS is a file; SUBMISSIONS is a folder that holds them. Of a downloaded archive make one first:" \
      "unzip -d submissions $SUBMISSIONS"
  fi
  [[ -d $SUBMISSIONS ]] || stop 2 "there is no folder $SUBMISSIONS."
  [[ -r $SUBMISSIONS && -x $SUBMISSIONS ]] || stop 3 "$SUBMISSIONS cannot be read: see its permissions."
  SUBMISSIONS=$(cd -P -- "$SUBMISSIONS" && pwd)
}

# Sets SANDBOX_OPTION: what check is called with.
choose_sandbox() {
  SANDBOX_OPTION=()
  if "$ROOT/grader/check" --help | grep -- --sandbox >/dev/null; then
    SANDBOX_OPTION=(--sandbox "$SANDBOX")
  elif [[ $SANDBOX == auto || $SANDBOX == none ]]; then
    SANDBOX=none
  else
    stop 2 "--sandbox $SANDBOX: this checkout's grader/check has no sandbox."
  fi
}

# Without bubblewrap a class is graded all the same, but whoever grades should know it before, not find it in 120 grade.json.
# How it is on a cluster's nodes, this machine cannot tell.
tell_of_no_walls() {
  [[ $SANDBOX == auto && $SLURM == no ]] || return 0
  ! bwrap --unshare-user-try --unshare-pid --unshare-net --ro-bind / / true 2>/dev/null || return 0
  printf "%s: %s\n" "$PROGRAM" "bubblewrap is missing or not permitted here: learners' code gets limits, and no walls. It can read and write what you can." \
    "$PROGRAM" "\`./bootstrap --dev\` installs it; --sandbox bwrap refuses to grade without it; grader/README.md says what limits hold." >&2
}

# ---- The output folder ----

# Makes OUTPUT and locks it: two runs in one folder would write over each other. It belongs to one lesson and one backend.
open_output() {
  OUTPUT=${OUTPUT:-graded-$LESSON}
  SHOWN_OUTPUT=$OUTPUT
  [[ $DRY_RUN == no || -s $OUTPUT/.settings ]] || { STARTED=$(now) && make_temp_class && return; }
  mkdir -p -- "$OUTPUT/grades" "$OUTPUT/submissions" 2>/dev/null || true
  [[ -d $OUTPUT/grades && -d $OUTPUT/submissions && -w $OUTPUT ]] ||
    stop 3 "cannot write into $OUTPUT.$(full "$(dirname -- "$OUTPUT")")" "Another place: --output DIR"
  OUTPUT=$(cd -P -- "$OUTPUT" && pwd)
  { exec 8>>"$OUTPUT/.lock"; } 2>/dev/null || stop 3 "cannot write into $OUTPUT.$(full "$OUTPUT")"
  flock -w 2 8 || stop 3 "another class run works in $SHOWN_OUTPUT ($(tail -n 1 "$OUTPUT/.lock")): wait for it, or give --output DIR."
  printf 'process %s on %s since %s\n' $$ "$(uname -n)" "$(now)" >"$OUTPUT/.lock" 2>/dev/null || true
  STARTED=$(now)
  make_temp_class
  if [[ -s $OUTPUT/.settings ]]; then
    compare_settings
  elif [[ $DRY_RUN == no ]]; then
    printf '%s\n' "lesson $LESSON" "backend $BACKEND" "sandbox $SANDBOX" "started $STARTED" >"$OUTPUT/.settings" 2>/dev/null ||
      stop 3 "cannot write into $OUTPUT.$(full "$OUTPUT")"
  fi
}

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

compare_settings() {
  local name value
  while read -r name value; do
    case $name in
      lesson) [[ $value == "$LESSON" ]] || stop 2 "$SHOWN_OUTPUT holds the verdicts of $value. Another place for $LESSON: --output DIR" ;;
      backend)
        [[ $value == "$BACKEND" ]] ||
          stop 2 "$SHOWN_OUTPUT was graded with --backend $value; verdicts of two backends are not mixed. Another place: --output DIR"
        ;;
      started) STARTED=$value ;;
    esac
  done <"$OUTPUT/.settings"
  if [[ $DRY_RUN == no ]]; then
    printf '%s\n' "lesson $LESSON" "backend $BACKEND" "sandbox $SANDBOX" "started $STARTED" >"$OUTPUT/.settings"
  fi
}

# For a job of the array: the settings of the run that submitted it.
read_settings() {
  local name value
  [[ -s $OUTPUT/.settings ]] || stop 3 "$OUTPUT is not to be seen on $(uname -n): it must lie on a file system that the nodes share."
  while read -r name value; do
    case $name in
      lesson) LESSON=$value ;;
      backend) BACKEND=$value ;;
      sandbox) SANDBOX=$value ;;
    esac
  done <"$OUTPUT/.settings"
  choose_sandbox
}

# A private folder, and what a signal does.
make_temp_class() {
  make_temp
  trap 'interrupted_class 130' INT
  trap 'interrupted_class 143' TERM
  trap 'interrupted_class 129' HUP
  trap 'interrupted_class 141' PIPE # whoever read our lines is gone
}

# Stops before anything is lost: a verdict takes some 100 KB, a build some MB for a moment.
enough_space() {
  local folder left
  for folder in "$OUTPUT" "${TMPDIR:-/tmp}"; do
    left=$(df -Pk -- "$folder" | awk 'NR == 2 { print int($4 / 1024) }')
    ((${left:-999} >= 32)) || stop 3 "only $left MiB are left on the disk of $folder; 32 are needed. Nothing is lost:" \
      "make room (or set TMPDIR, --output), and the same command goes on."
  done
}
