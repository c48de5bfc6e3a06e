# class-options.bash: the options of grader/class, its output folder and the settings kept there. Sourced by
# it.
# shellcheck shell=bash disable=SC2153  # NAME, the learner's file, is set by options.bash

usage() {
  cat <<END
Usage: ${SELF} SUBMISSIONS --lesson lessonNN [options]

Grades the submissions of a class. SUBMISSIONS is a folder with one folder, archive (zip, tar, tar.gz) or file
for each submission, or the unpacked download of Moodle or Canvas. Each is graded in a sandbox, so one that
hangs or crashes does not affect the others. After an interruption the same command continues with the
submissions that have no verdict or have changed.

  --output DIR         where verdicts go: class.json, grades/KEY/grade.json (default ./graded-lessonNN)
  --roster FILE.csv    the class, so that learners without a submission get an entry, too. Its first line has
                       the columns: name (or first and last name), id, email, section; as Moodle or Canvas
                       export them
  --due TIME           mark later submissions as late ("2026-11-20 23:59"; this machine's time zone)
  --keep-last          count a learner's last submission in time (default)
  --keep-best          count the one in time with the most points. A late one counts if none is in time
  --workers N          gradings at a time (default: one a core; with cuda one a GPU; for plain C one)
  --slurm              grade in a job array of this cluster (jobs/class.sh; \`make cluster\` sets it up)
  --throttle N         at most N jobs of the array at a time
  --backend NAME       cpu, cuda, or auto (default, or \$BACKEND)
  --sandbox NAME       bwrap, limits, none, or auto: the strongest that works here (default)
  --again NAME         grade NAME again (a name, a key or a learner's id); can be given several times
  --again inconclusive grade again those with a check that was inconclusive because of noise
  --dry-run            only list what would be graded, with the learners
  --json               print class.json at the end
  --help               this text

Environment: WORK (where builds are; default: the checkout), BACKEND, NO_COLOR.
Exit status: 0 all graded, 1 some could not be graded, or none holds the file, 2 usage, 3 could not grade (the
message says why), 130 interrupted.
END
}

parse_class_options() {
  SUBMISSIONS='' LESSON='' OUTPUT='' BACKEND=${BACKEND:-auto} SANDBOX=auto SLURM=no DRY_RUN=no AGAIN=()
  declare -gA OPTION=([roster]='' [due]='' [keep]=last [workers]='' [throttle]='' [json]=no)
  read_options "--lesson --output --roster --due --workers --throttle --backend --sandbox --again" \
    "--keep-last --keep-best --slurm --dry-run --json" "$@"
  [[ -n $SUBMISSIONS ]] || bad_usage "name the folder of submissions."
  [[ -n $LESSON ]] || bad_usage "name the lesson: --lesson lessonNN"
  [[ $BACKEND =~ ^(cpu|cuda|auto)$ ]] || bad_usage "there is no backend \"$BACKEND\": cpu, cuda or auto."
  [[ -z ${OPTION[throttle]} || $SLURM == yes ]] ||
    bad_usage "--throttle needs --slurm; without it, --workers limits the gradings at a time."
  look_at_submissions
}

take_argument() {
  [[ -z $SUBMISSIONS ]] || bad_usage "one folder of submissions at a time: $SUBMISSIONS or $1?"
  SUBMISSIONS=$1
}

take_option() { # name, value
  [[ -n $2 ]] || bad_usage "$1 needs a value."
  case $1 in
    --keep-last | --keep-best) OPTION[keep]=${1#--keep-} ;;
    --slurm) SLURM=yes ;;
    --dry-run) DRY_RUN=yes ;;
    --json) OPTION[json]=yes ;;
    --lesson) LESSON=$2 ;;
    --output) OUTPUT=$2 ;;
    --roster) OPTION[roster]=$2 ;;
    --due) set_due "$2" ;;
    --workers | --throttle)
      [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || bad_usage "$1 takes a number from 1 to 9999, not \"$2\"."
      OPTION[${1#--}]=$2
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
    bad_usage "--due \"$1\" is not a time; write it like \"2026-11-20 23:59\"."
  fi
  OPTION[due]=$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)
}

look_at_submissions() {
  if [[ -f $SUBMISSIONS ]]; then
    stop 2 "$SUBMISSIONS is a file, not a folder. Unpack a downloaded archive first:" \
      "unzip -d submissions $SUBMISSIONS"
  fi
  [[ -d $SUBMISSIONS ]] || stop 2 "there is no folder $SUBMISSIONS."
  [[ -r $SUBMISSIONS && -x $SUBMISSIONS ]] || stop 3 "$SUBMISSIONS cannot be read: see its permissions."
  SUBMISSIONS=$(cd -P -- "$SUBMISSIONS" && pwd)
}

# Without bubblewrap a class is graded all the same, but the instructor should know that before. The nodes of
# a cluster may differ from this machine, so there is no warning for them.
warn_no_sandbox() {
  [[ $SANDBOX == auto && $SLURM == no ]] || return 0
  ! bwrap --unshare-user-try --unshare-pid --unshare-net --ro-bind / / true 2>/dev/null || return 0
  note "bubblewrap is missing or not permitted here: learners' code runs with limits but without a sandbox." \
    "It can read and write all that you can. \`./bootstrap --dev\` installs bubblewrap;" \
    "--sandbox bwrap does not grade without it; grader/README.md describes the limits."
}

# ---- The output folder ----

# Makes OUTPUT and locks it, since two runs in one folder would overwrite each other's files. It belongs to
# one lesson and one backend.
open_output() {
  OUTPUT=${OUTPUT:-graded-$LESSON}
  SHOWN_OUTPUT=$OUTPUT
  [[ $DRY_RUN == no || -s $OUTPUT/.settings ]] || { STARTED=$(now) && make_temp_class && return; }
  mkdir -p -- "$OUTPUT/grades" "$OUTPUT/submissions" 2>/dev/null || true
  [[ -d $OUTPUT/grades && -d $OUTPUT/submissions && -w $OUTPUT ]] ||
    stop 3 "cannot write into $OUTPUT.$(full "$(dirname -- "$OUTPUT")")" "Another place: --output DIR"
  OUTPUT=$(cd -P -- "$OUTPUT" && pwd)
  { exec 8>>"$OUTPUT/.lock"; } 2>/dev/null || stop 3 "cannot write into $OUTPUT.$(full "$OUTPUT")"
  flock -w 2 8 ||
    stop 3 "another class run works in $SHOWN_OUTPUT ($(tail -n 1 "$OUTPUT/.lock")):" \
      "wait for it, or give --output DIR."
  printf 'process %s on %s since %s\n' $$ "$(uname -n)" "$(now)" >"$OUTPUT/.lock" 2>/dev/null || true
  STARTED=$(now)
  make_temp_class
  if [[ -s $OUTPUT/.settings ]]; then
    compare_settings
  elif [[ $DRY_RUN == no ]]; then
    { write_settings; } 2>/dev/null || stop 3 "cannot write into $OUTPUT.$(full "$OUTPUT")"
  fi
}

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

write_settings() {
  printf '%s\n' "lesson $LESSON" "backend $BACKEND" "sandbox $SANDBOX" "started $STARTED" >"$OUTPUT/.settings"
}

compare_settings() {
  local name value
  while read -r name value; do
    case $name in
      lesson)
        [[ $value == "$LESSON" ]] ||
          stop 2 "$SHOWN_OUTPUT holds the verdicts of $value. Another place for $LESSON: --output DIR"
        ;;
      backend)
        [[ $value == "$BACKEND" ]] ||
          stop 2 "$SHOWN_OUTPUT was graded with --backend $value; verdicts of two backends are not mixed." \
            "Another place: --output DIR"
        ;;
      started) STARTED=$value ;;
    esac
  done <"$OUTPUT/.settings"
  [[ $DRY_RUN == yes ]] || write_settings
}

# In a job of the array: takes the settings of the run that submitted it.
read_settings() {
  local name value
  [[ -s $OUTPUT/.settings ]] ||
    stop 3 "$(uname -n) can't see $OUTPUT: it must be on a file system that the nodes share."
  while read -r name value; do
    case $name in
      lesson) LESSON=$value ;;
      backend) BACKEND=$value ;;
      sandbox) SANDBOX=$value ;;
    esac
  done <"$OUTPUT/.settings"
  choose_sandbox
}

# Makes a private folder, and sets the handlers of signals.
make_temp_class() {
  make_temp
  trap 'interrupted_class 130' INT
  trap 'interrupted_class 143' TERM
  trap 'interrupted_class 129' HUP
  trap 'interrupted_class 141' PIPE # the reader of our output has ended
}

# Stops before the disk is full. A verdict takes some 100 KB, a build some MB for a moment.
enough_space() {
  local folder left
  for folder in "$OUTPUT" "${TMPDIR:-/tmp}"; do
    left=$(df -Pk -- "$folder" | awk 'NR == 2 { print int($4 / 1024) }')
    ((${left:-999} >= 32)) ||
      stop 3 "only $left MiB are left on the disk of $folder; 32 are needed. Nothing is lost:" \
        "make room (or set TMPDIR, --output); then the same command continues."
  done
}
