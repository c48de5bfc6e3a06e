# class-run.bash: lists the submissions to grade, grades one, and grades several at a time. Sourced by
# grader/class.
# shellcheck shell=bash disable=SC2153  # NAME, the learner's file, is set by options.bash

GRADABLE=()         # the keys of those with a file, in the order of class.json
declare -A NAMES=() # key -> name, of those
TODO=() # keys to grade, in the order of class.json
AT=()   # the processes of the workers; empty for a worker that has ended

read_gradable() {
  local key name
  while IFS=$'\t' read -r key name; do
    GRADABLE+=("$key")
    NAMES[$key]=$name
  done <"$TMP/gradable.list"
}

# is_done KEY: has it a verdict on its file as it is now, and did --again not ask for another? The next run
# tries those again that could not be graded.
is_done() {
  local home=$OUTPUT/grades/$1
  [[ -s $home/grade.json && -s $home/how.json && ! -e $home/.again ]] || return 1
  jq -e --arg sha "$(sha_of "$1")" '.sha256 == $sha and .state != "not_run"' "$home/how.json" >/dev/null 2>&1
}

# kept KEY...: prints those of the plan for which is_done is true, by one jq for all.
kept() {
  local key home files=()
  for key; do
    home=$OUTPUT/grades/$key
    [[ ! -s $home/grade.json || ! -s $home/how.json || -e $home/.again ]] || files+=("$home/how.json")
  done
  ((${#files[@]})) || return 0
  printf '%s\0' "${files[@]}" | xargs -0 cat -- | jq -nRr --slurpfile plan "$TMP/plan.json" '
    INDEX($plan[0][]; .key) as $plan | inputs | fromjson? // empty
    | select(.state != "not_run" and .sha256 == $plan[.key].sha256) | .key'
}

sha_of() {
  local sum
  sum=$(sha256sum <"$OUTPUT/submissions/$1/$NAME") && printf '%s' "${sum%% *}"
}

# Prints the keys of the verdicts with an inconclusive check.
inconclusive_keys() {
  find "$OUTPUT/grades" -mindepth 2 -maxdepth 2 -name grade.json -exec \
    jq -r 'select(any(.checks[]?; .state == "inconclusive")) | input_filename' {} + |
    sed 's|/grade.json$||; s|.*/||'
}

# Prints the keys that --again NAME asks for. An unknown name is an error; having nothing inconclusive is not.
again_keys() {
  local keys open='[]'
  [[ $1 != inconclusive ]] || open=$(inconclusive_keys | jq -Rn '[inputs]')
  keys=$(jq -r --arg n "$1" --argjson open "$open" '.[] | select(.file)
    | select(([.key, .name, .path, .student[]] | index($n)) or IN(.key; $open[])) | .key' "$TMP/plan.json")
  if [[ -n $keys ]]; then
    printf '%s\n' "$keys"
  elif [[ $1 == inconclusive ]]; then
    note "no check of any submission is inconclusive."
  else
    stop 2 "--again $1: no submission with a file has this name." \
      "\`$SELF $SUBMISSIONS --lesson $LESSON --dry-run\` lists them."
  fi
}

# Fills TODO with those that have a file and no verdict yet, and those of --again.
list_work() {
  local key keys name
  declare -A finished=()
  for name in "${AGAIN[@]}"; do
    keys=$(again_keys "$name") || exit
    for key in $keys; do
      mkdir -p "$OUTPUT/grades/$key"
      : >"$OUTPUT/grades/$key/.again"
    done
  done
  while read -r key; do finished[$key]=yes; done < <(kept "${GRADABLE[@]}")
  TODO=() DONE_BEFORE=0
  for key in "${GRADABLE[@]}"; do
    if [[ -n ${finished[$key]:-} ]]; then
      DONE_BEFORE=$((DONE_BEFORE + 1))
    else
      rm -f "$OUTPUT/grades/$key/.tries"
      TODO+=("$key")
    fi
  done
  TOTAL=${#TODO[@]} ENDED=0
}

# grade_one KEY DEVICE: leaves the verdict in OUTPUT/grades/KEY, with grade.json last, so that a grade.json is
# complete. Without a verdict how.json says why. Only a grader that was killed is started once more: an answer
# of the grader is final, also when the learner's program hung.
grade_one() {
  local key=$1 home=$OUTPUT/grades/$1 new=$OUTPUT/grades/.$1.$BASHPID started status=0 tries=0 words
  mkdir -p "$home"
  [[ ! -s $home/.tries ]] || read -r tries <"$home/.tries"
  while :; do
    tries=$((tries + 1)) status=0
    printf '%s\n' "$tries" >"$home/.tries"
    rm -rf "$new"
    mkdir "$new"
    started=${EPOCHREALTIME/[.,]/}
    call_check "$key" "$2" "$new" || status=$?
    [[ $status -gt 3 && $tries -lt 2 ]] || break
  done
  words=("$key" $(((${EPOCHREALTIME/[.,]/} - started) / 1000)) "$tries" "$(uname -n)")
  { how_it_ended "${words[@]}" <"$new/grade.json" >"$new/how.json"; } 2>/dev/null || : >"$new/how.json"
  if [[ ! -s $new/how.json ]]; then
    rm -f "$new/grade.json"
    local message
    message=$(tail -n 4 "$new/messages" | tr '\n\t' '  ' | tr -cd '[:print:]')
    not_graded "${words[@]}" "${message:-grader/check ended with status $status}" >"$new/how.json"
  fi
  rm -f "$new/messages" "$home"/{run-*.json,build-*.log,program-*.log,checks.tap}
  keep_verdict "$new" "$home" && return
  rm -rf "$new"
  return 1
}

# how_it_ended KEY MILLISECONDS TRIES NODE <GRADE: prints how.json, one line; an empty word becomes null.
# Fails where there is no whole grade.
how_it_ended() {
  jq -c --arg key "$1" --arg ms "$2" --arg tries "$3" --arg node "$4" --arg sha256 "$(sha_of "$1")" '
    {$key, state: (.state | strings), seconds: (if $ms == "" then null else ($ms | tonumber) / 1000 end),
     tries: ($tries | tonumber), node: (if $node == "" then null else $node end), $sha256}
    + if .failed then {failed} else {shown: (if .state == "graded" then "\(.points)/\(.max_points) points"
        else {not_compiled: "does not compile", refused: "refused"}[.state] // "could not be run" end)} end'
}

# not_graded KEY MILLISECONDS TRIES NODE REASON: the same of a submission without a grade.
not_graded() {
  jq -n --arg why "could not be graded: $5" '{state: "not_run", failed: $why}' | how_it_ended "${@:1:4}"
}

# Sets SANDBOX_OPTION, for grader/check.
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

# Moves all files, grade.json last.
keep_verdict() {
  local file
  [[ -s $1/how.json ]] || return 1
  for file in "$1"/*; do
    [[ $file == */grade.json ]] || mv -f "$file" "$2/" || return 1
  done
  if [[ -e $1/grade.json ]]; then mv -f "$1/grade.json" "$2/grade.json"; else rm -f "$2/grade.json"; fi
  rm -rf "$1" "$2/.tries" "$2/.again"
}

# Runs in the submission's folder, so that messages name the file as the learner knows it. Leaves out the
# timing of the host's own loop, which no check reads: the GPU would be idle meanwhile.
call_check() {
  cd "$OUTPUT/submissions/$1" || return 3
  [[ -z $2 ]] || export CUDA_VISIBLE_DEVICES=$2
  GRADER_PARTS=1 WB_BASELINE=${WB_BASELINE:-0} GRADER_SELF=grader/check \
    "$ROOT/grader/check" "$LESSON" --submission "$PWD" --backend "$BACKEND" "${SANDBOX_OPTION[@]}" \
    --format json --keep "$3" >/dev/null 2>"$3/messages" </dev/null
}

# ---- Several at a time ----

# Sets DEVICES, one GPU for each worker when cuda is used, and WORKERS.
choose_workers() {
  local gpus=() cores
  WORKERS=${OPTION[workers]}
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
  DEVICES=()
  if [[ $PLAIN_C == true ]]; then
    [[ -z $WORKERS || $WORKERS == 1 ]] || note "$LESSON is timed on all cores, so one grading at a time."
    WORKERS=1
    return
  fi
  if [[ $BACKEND != cpu ]] && has_gpu_device; then
    if [[ -n ${CUDA_VISIBLE_DEVICES:-} ]]; then
      IFS=, read -ra gpus <<<"$CUDA_VISIBLE_DEVICES"
    else
      # nvidia-smi prints failures to standard output, too.
      mapfile -t gpus < <(timeout 30 nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null |
        grep -xE '[0-9]+' || true)
    fi
    ((${#gpus[@]})) || gpus=('') # the number is unknown: one at a time
  fi
  if ((${#gpus[@]})); then
    [[ -z $WORKERS ]] || ((WORKERS <= ${#gpus[@]})) ||
      note "one grading at a time on each of the ${#gpus[@]} GPUs."
    [[ -n $WORKERS ]] && ((WORKERS <= ${#gpus[@]})) || WORKERS=${#gpus[@]}
    DEVICES=("${gpus[@]}")
  fi
  WORKERS=${WORKERS:-$cores}
  ((WORKERS <= TOTAL)) || WORKERS=$TOTAL
}

# Grades TODO with WORKERS workers. Each leads a process group, which a signal ends as a whole.
grade_here() {
  local next=0 slot status running=0 what=()
  choose_workers
  start_progress
  set -m
  while ((next < TOTAL || running > 0)); do
    for ((slot = 0; slot < WORKERS; slot++)); do
      if [[ -n ${AT[slot]:-} ]] && ! kill -0 "${AT[slot]}" 2>/dev/null; then
        status=0 running=$((running - 1))
        wait "${AT[slot]}" 2>/dev/null || status=$?
        AT[slot]=''
        ended_one "${what[slot]}" "$status"
      fi
      if [[ -z ${AT[slot]:-} ]] && ((next < TOTAL)); then
        what[slot]=${TODO[next]}
        grade_one "${TODO[next]}" "${DEVICES[slot]:-}" 8>&- 2>"$TMP/worker-$slot" &
        AT[slot]=$! next=$((next + 1)) running=$((running + 1))
      fi
    done
    show_bar "$running"
    sleep 0.1
  done
  set +m
  clear_progress_line
}

# ended_one KEY [STATUS]: prints the result. A missing verdict can mean that the disk is full; then the run
# stops.
ended_one() {
  ENDED=$((ENDED + 1))
  if [[ ${2:-0} != 0 || ! -s $OUTPUT/grades/$1/grade.json ]] &&
    [[ -n $(full "$OUTPUT")$(full "${TMPDIR:-/tmp}") ]]; then
    disk_full
  fi
  clear_progress_line
  [[ -t 2 ]] || line_of "$1" >&2
}

disk_full() {
  clear_progress_line
  stop_workers
  stop 3 "the disk of $SHOWN_OUTPUT or of ${TMPDIR:-/tmp} is full: $(done_now) were graded, and are kept." \
    "Make room; then the same command continues."
}

stop_workers() {
  local process
  for process in "${AT[@]}"; do
    [[ -z $process ]] || CHILDREN+=("$process")
  done
  { stop_children; } 2>/dev/null # bash reports each
}

# Prints how many of TODO have a verdict now.
done_now() {
  printf '%s of %s' "$(kept "${TODO[@]}" | wc -l)" "${#TODO[@]}"
}

# Ends all workers and jobs, and says how to continue.
interrupted_class() {
  trap '' INT TERM HUP PIPE
  clear_progress_line
  stop_workers
  cancel_jobs
  rm -rf "$OUTPUT"/grades/.[!.]*
  note "interrupted; the verdicts so far are kept ($(done_now)). The same command continues." || true
  exit "$1"
}

# ---- Progress: a bar on a terminal, otherwise a line for each submission ----

start_progress() {
  BEGAN=$SECONDS
  local done=''
  ((DONE_BEFORE == 0)) || done="; $DONE_BEFORE have a verdict already"
  note "$TOTAL to grade$done"
}

# line_of KEY: "[3/120] name  12/18 points"
line_of() {
  local line='' points='' how=$OUTPUT/grades/$1/how.json form='"shown":"([^"]*)"'
  { read -r line <"$how"; } 2>/dev/null || true
  if [[ ! -s $OUTPUT/grades/$1/grade.json ]]; then
    points=$(jq -r '.failed // empty' "$how" 2>/dev/null || true)
  elif [[ $line =~ $form ]]; then
    points=${BASH_REMATCH[1]}
  fi
  printf '%s%s  %s\n' "${TOTAL:+[$ENDED/$TOTAL] }" "${NAMES[$1]:-$1}" "${points:-no verdict}"
}

show_bar() { # number of running workers
  [[ -t 2 ]] || return 0
  local width=30 filled spent=$((SECONDS - BEGAN)) text left=''
  filled=$((TOTAL ? width * ENDED / TOTAL : width))
  if ((ENDED >= 2 && spent >= 2)); then
    left=$((spent * (TOTAL - ENDED) / ENDED))
    if ((left < 90)); then left="$left s"; else left="$(((left + 30) / 60)) min"; fi
    left=", about $left left"
  fi
  printf -v text '%*s' "$filled" ''
  printf -v text '[%-*s] %d of %d, %d at work%s' "$width" "${text// /#}" "$ENDED" "$TOTAL" "$1" "$left"
  show_progress_line "$text"
}
