# options.bash: the options of grader/check. Sourced by it; sets LESSON, SUBMISSION, BACKEND, TASK, FORMAT,
# HINTS and others.
# shellcheck shell=bash

# shellcheck source=common/shell/messages.bash
source "$ROOT/common/shell/messages.bash"
# shellcheck source=common/shell/options.bash
source "$ROOT/common/shell/options.bash"
# shellcheck source=common/shell/tools.bash
source "$ROOT/common/shell/tools.bash"
# shellcheck source=common/shell/lessons.bash
source "$ROOT/common/shell/lessons.bash"

usage() {
  cat <<END
Usage: ${SELF} LESSON [options]

Builds your file of a lesson, runs it, and reports which checks pass, which fail, and what to do next.

  --task N             only task N (a number, or "further")
  --hints N            show N hints for the first check that fails (default: one, if one fits)
  --watch              grade again at every save; Ctrl-C ends
  --backend NAME       cpu, cuda, or auto: also cuda where a GPU can be used (default, or \$BACKEND)
  --solution           grade the reference solution instead of your file
  --submission DIR     grade the file in DIR (and run DIR/bin/LESSON-BACKEND if it cannot be built here)
  --format NAME        $(list_formats one) (default pretty)
  --keep DIR           keep grade.json, run-*.json and the compiler's messages in DIR
  --programs DIR       leave the programs that were built in DIR: LESSON-BACKEND
  --seed HEX           use the inputs of an earlier run
  --sandbox NAME       for a file that you don't trust: bwrap, limits, none, or auto, the stronger of the
                       first two that works here (default none; grader/README.md)
  --plan               print the lesson's checks, thresholds and hints as JSON, without grading
  --counters           print the counters that a check page may use, with their meanings
  --help               print this text

Environment: WORK (the folder of your files and builds; default: the checkout), BACKEND, NO_COLOR.
Exit status: 0 all checks that could run passed, 1 some failed or the file does not compile, 2 usage
error, 3 could not grade (the message says why), 130 interrupted.
END
}

parse_options() {
  LESSON='' SOLUTION=no SUBMISSION='' BACKEND=${BACKEND:-auto} TASK='' FORMAT=pretty
  HINTS=null WATCH=no KEEP='' PROGRAMS='' SEED='' SANDBOX=none PLAN=no
  read_options "--submission --backend --task --format --hints --keep --programs --seed --sandbox" \
    "--solution --watch --plan --counters" "$@"
  [[ $SOLUTION == no || -z $SUBMISSION ]] || bad_usage "--solution and --submission cannot be used together."
  [[ $BACKEND =~ ^(cpu|cuda|auto)$ ]] || bad_usage "there is no backend \"$BACKEND\": cpu, cuda or auto."
  prepare_folder keep KEEP
  prepare_folder programs PROGRAMS
}

take_argument() {
  [[ -z $LESSON ]] || bad_usage "one lesson at a time: $LESSON or $1?"
  LESSON=$1
}

take_option() { # name, value
  case $1 in
    --solution) SOLUTION=yes ;;
    --watch) WATCH=yes ;;
    --plan) PLAN=yes ;;
    --counters) list_counters && exit 0 ;;
    --submission)
      [[ -n $2 ]] || bad_usage "--submission needs a folder."
      SUBMISSION=$2
      ;;
    --backend) BACKEND=$2 ;;
    --task) TASK=$2 ;;
    --format)
      is_format one "$2" || bad_usage "there is no format \"$2\": $(list_formats one)."
      FORMAT=$2
      ;;
    --hints)
      [[ $2 =~ ^[0-9]{1,3}$ ]] || bad_usage "--hints takes a number, not \"$2\"."
      HINTS=$2
      ;;
    --keep)
      [[ -n $2 ]] || bad_usage "--keep needs a folder."
      KEEP=$2
      ;;
    --programs)
      [[ -n $2 ]] || bad_usage "--programs needs a folder."
      PROGRAMS=$2
      ;;
    --seed)
      [[ $2 =~ ^(0x)?[0-9a-fA-F]{1,16}$ ]] || bad_usage "--seed takes a hexadecimal number, not \"$2\"."
      SEED=$2
      ;;
    --sandbox) take_sandbox "$2" ;;
  esac
}

take_sandbox() {
  one_of "$1" auto bwrap limits none || bad_usage "there is no sandbox \"$1\": auto, bwrap, limits or none."
  SANDBOX=$1
}

# prepare_folder OPTION VARIABLE: makes the folder, and its name absolute.
prepare_folder() {
  local -n folder=$2
  [[ -n $folder ]] || return 0
  mkdir -p -- "$folder" 2>/dev/null || true
  [[ -d $folder && -w $folder ]] || stop 2 "--$1: cannot write into $folder."
  folder=$(cd -- "$folder" && pwd)
}

# The glossary of counters.jq.
list_counters() {
  local name means
  jq -nr -L "$GRADER_LIB" 'include "counters"; counters | to_entries[] | "\(.key)\t\(.value.means)"' |
    while IFS=$'\t' read -r name means; do printf '%-26s %s\n' "$name" "$means"; done
}

# Lists the lessons with their titles.
list_lessons() {
  local names
  mapfile -t names < <(lessons)
  lesson_facts title "${names[@]}" | paste <(printf '  %s\n' "${names[@]}") - | tr '\t' ' '
}

no_lesson() {
  {
    printf 'Which lesson?\n'
    list_lessons
    printf '\n'
    usage
  } >&2
  exit 2
}

# Sets NAME (the name of the learner's file) and PLAIN_C.
find_lesson() {
  if ! is_lesson "$LESSON"; then
    note "there is no lesson \"$LESSON\". The lessons:"
    list_lessons >&2
    exit 2
  fi
  NAME=$(lesson_file "$LESSON") ||
    stop 3 "$LESSON has neither starter nor solution: this checkout is incomplete."
  PLAIN_C=false
  [[ $NAME == *.cu ]] || PLAIN_C=true
  if [[ $PLAIN_C == true && $BACKEND == cuda ]]; then
    bad_usage "$LESSON is plain C and runs on the CPU: it has no backend cuda."
  fi
}

# Sets FILE, the absolute path of the file to grade, and SHOWN, its name in messages.
find_file() {
  local folder way_out
  if [[ $SOLUTION == yes ]]; then
    folder=$ROOT/solutions/$LESSON way_out="this checkout has no solution of $LESSON."
  elif [[ -n $SUBMISSION ]]; then
    [[ -d $SUBMISSION ]] || stop 2 "--submission: there is no folder $SUBMISSION."
    folder=$(cd -- "$SUBMISSION" && pwd) way_out="a submission of $LESSON is a folder that contains $NAME."
    SUBMISSION=$folder
  else
    folder=$WORK/lessons/$LESSON way_out="\`make reset-$LESSON\` makes it from the starter."
  fi
  FILE=$folder/$NAME
  SHOWN=${FILE#"$PWD/"}
  SHOWN=${SHOWN//[[:cntrl:]]/?}
  if [[ -L $FILE ]]; then
    stop 2 "$SHOWN is a symbolic link; only a plain file is graded."
  elif [[ ! -e $FILE ]]; then
    stop 2 "there is no $SHOWN; $way_out"
  elif [[ ! -f $FILE ]]; then
    stop 2 "$SHOWN is not a plain file."
  elif [[ ! -r $FILE ]]; then
    stop 2 "$SHOWN cannot be read: see its permissions."
  elif (($(stat -Lc %s -- "$FILE") > 1048576)); then
    stop 2 "$SHOWN is larger than 1 MiB; a lesson file is smaller."
  fi
}
