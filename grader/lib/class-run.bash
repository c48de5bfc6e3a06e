# class-run.bash: what is to be graded, grading one submission, and several side by side. Sourced by grader/class.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

TODO=() # keys to grade, in the order of class.json
AT=()   # the processes of those that are being graded; empty where one has ended

# is_done KEY: has a verdict on the file as it is now, and --again did not ask for another. What could not be graded is tried
# again by the next run.
is_done() {
  local home=$OUTPUT/grades/$1
  [[ -s $home/grade.json && -s $home/how.json && ! -e $home/.again ]] || return 1
  jq -e --arg sha "$(sha_of "$1")" '.sha256 == $sha and .state != "not_run"' "$home/how.json" >/dev/null 2>&1
}

sha_of() {
  local sum
  sum=$(sha256sum <"$OUTPUT/submissions/$1/$NAME") && printf '%s' "${sum%% *}"
}

# Prints the keys of those whose verdict has a check that noise left open.
inconclusive_keys() {
  find "$OUTPUT/grades" -mindepth 2 -maxdepth 2 -name grade.json -exec \
    jq -r 'select(any(.checks[]?; .state == "inconclusive")) | input_filename' {} + | sed 's|/grade.json$||; s|.*/||'
}

# Prints the keys that --again NAME asks for. A name that nobody has is an error; that nothing is inconclusive is none.
again_keys() {
  local keys open='[]'
  [[ $1 != inconclusive ]] || open=$(inconclusive_keys | jq -Rn '[inputs]')
  keys=$(jq -r --arg n "$1" --argjson open "$open" '.[] | select(.file) | select(([.key, .name, .path, .student[]] | index($n)) or IN(.key; $open[])) | .key' \
    "$TMP/plan.json")
  if [[ -n $keys ]]; then
    printf '%s\n' "$keys"
  elif [[ $1 == inconclusive ]]; then
    note "no check of any submission is inconclusive."
  else
    stop 2 "--again $1: no submission with a file has this name. \`$SELF $SUBMISSIONS --lesson $LESSON --dry-run\` lists them."
  fi
}

# Fills TODO: all that have a file and no verdict yet, and those asked for --again.
list_work() {
  local key keys name all=()
  for name in "${AGAIN[@]}"; do
    keys=$(again_keys "$name") || exit
    for key in $keys; do
      mkdir -p "$OUTPUT/grades/$key"
      : >"$OUTPUT/grades/$key/.again"
    done
  done
  mapfile -t all < <(jq -r '.[] | select(.state == "") | .key' "$TMP/plan.json")
  TODO=() DONE_BEFORE=0
  for key in "${all[@]}"; do
    if is_done "$key"; then
      DONE_BEFORE=$((DONE_BEFORE + 1))
    else
      rm -f "$OUTPUT/grades/$key/.tries"
      TODO+=("$key")
    fi
  done
  TOTAL=${#TODO[@]} ENDED=0
  jq -r '.[] | select(.state == "") | "\(.key)\t\(.name)"' "$TMP/plan.json" >"$TMP/names"
}

milliseconds() { date +%s%3N; }

# grade_one KEY DEVICE: leaves the verdict in OUTPUT/grades/KEY, grade.json last, so that what is there is whole. Without a
# verdict how.json tells why. Only a grader that was killed is started once more: an answer, a hang of the learner's
# program among them, is never asked for twice.
grade_one() {
  local key=$1 home=$OUTPUT/grades/$1 new=$OUTPUT/grades/.$1.$BASHPID started status=0 tries=0 message=''
  mkdir -p "$home"
  [[ ! -s $home/.tries ]] || read -r tries <"$home/.tries"
  while :; do
    tries=$((tries + 1)) status=0
    printf '%s\n' "$tries" >"$home/.tries"
    rm -rf "$new"
    mkdir "$new"
    started=$(milliseconds)
    call_check "$key" "$2" "$new" || status=$?
    [[ $status -gt 3 && $tries -lt 2 ]] || break
  done
  local seconds=$(($(milliseconds) - started)) state=not_run
  if ! state=$(jq -er .state "$new/grade.json" 2>/dev/null); then
    state=not_run
    rm -f "$new/grade.json"
    message=$(tail -n 4 "$new/messages" | tr '\n\t' '  ' | tr -cd '[:print:]')
    message="could not be graded: ${message:-grader/check ended with status $status}"
  fi
  how_it_ended "$key" "$state" "$seconds" "$tries" "$(uname -n)" "$message" >"$new/how.json"
  rm -f "$new/messages" "$home"/{run-*.json,build-*.log,program-*.log,checks.tap}
  keep_verdict "$new" "$home" && return
  rm -rf "$new"
  return 1
}

# how_it_ended KEY STATE MILLISECONDS TRIES NODE REASON: one line of JSON; an empty word is left out or null.
how_it_ended() {
  jq -nc --arg key "$1" --arg state "$2" --arg ms "$3" --arg tries "$4" --arg node "$5" --arg failed "$6" --arg sha256 "$(sha_of "$1")" '
    {$key, $state, seconds: (if $ms == "" then null else ($ms | tonumber) / 1000 end), tries: ($tries | tonumber),
     node: (if $node == "" then null else $node end), $sha256} + if $failed == "" then {} else {$failed} end'
}

# Moves all but grade.json, then grade.json.
keep_verdict() {
  local file
  [[ -s $1/how.json ]] || return 1
  for file in "$1"/*; do
    [[ $file == */grade.json ]] || mv -f "$file" "$2/" || return 1
  done
  if [[ -e $1/grade.json ]]; then mv -f "$1/grade.json" "$2/grade.json"; else rm -f "$2/grade.json"; fi
  rm -rf "$1" "$2/.tries" "$2/.again"
}

# From the submission's folder, so that messages name the file as the learner knows it. The host's own loop, which no check
# reads, is left out: a GPU waits for it meanwhile.
call_check() {
  cd "$OUTPUT/submissions/$1" || return 3
  [[ -z $2 ]] || export CUDA_VISIBLE_DEVICES=$2
  WB_BASELINE=${WB_BASELINE:-0} GRADER_SELF=grader/check "$ROOT/grader/check" "$LESSON" --submission "$PWD" --backend "$BACKEND" "${SANDBOX_OPTION[@]}" \
    --format tap --keep "$3" >/dev/null 2>"$3/messages" </dev/null
}

# ---- Side by side ----

# The devices to share out: a GPU each where cuda is used. Sets DEVICES and, where --workers does not, WORKERS.
choose_workers() {
  local gpus=() cores
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
  DEVICES=()
  if [[ $PLAIN_C == true ]]; then
    [[ -z $WORKERS || $WORKERS == 1 ]] || note "$LESSON is timed on all cores: one at a time."
    WORKERS=1
    return
  fi
  if [[ $BACKEND != cpu ]] && has_gpu_device; then
    if [[ -n ${CUDA_VISIBLE_DEVICES:-} ]]; then
      IFS=, read -ra gpus <<<"$CUDA_VISIBLE_DEVICES"
    else
      mapfile -t gpus < <(timeout 30 nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null | grep -xE '[0-9]+' || true) # it tells failures there too
    fi
    ((${#gpus[@]})) || gpus=('') # how many, nobody knows: so all are one
  fi
  if ((${#gpus[@]})); then
    [[ -z $WORKERS ]] || ((WORKERS <= ${#gpus[@]})) || note "one at a time on each of the ${#gpus[@]} GPUs."
    [[ -n $WORKERS ]] && ((WORKERS <= ${#gpus[@]})) || WORKERS=${#gpus[@]}
    DEVICES=("${gpus[@]}")
  fi
  WORKERS=${WORKERS:-$cores}
  ((WORKERS <= TOTAL)) || WORKERS=$TOTAL
}

# Grades TODO by WORKERS workers. Each is the head of a process group, which a signal ends as a whole.
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

# ended_one KEY [STATUS]: says so. Without a verdict the disk may be full, and then all ends here.
ended_one() {
  ENDED=$((ENDED + 1))
  if [[ ${2:-0} != 0 || ! -s $OUTPUT/grades/$1/grade.json ]] && [[ -n $(full "$OUTPUT")$(full "${TMPDIR:-/tmp}") ]]; then
    disk_full
  fi
  clear_progress_line
  [[ -t 2 ]] || line_of "$1" >&2
}

disk_full() {
  clear_progress_line
  stop_workers
  stop 3 "the disk of $SHOWN_OUTPUT or of ${TMPDIR:-/tmp} is full: $(done_now) were graded, and nothing of them is lost." \
    "Make room, and the same command goes on."
}

stop_workers() {
  local process
  for process in "${AT[@]}"; do
    [[ -z $process ]] || CHILDREN+=("$process")
  done
  { stop_children; } 2>/dev/null # bash tells of each
}

# How many of TODO have a verdict by now.
done_now() {
  local key n=0
  for key in "${TODO[@]}"; do
    if is_done "$key"; then n=$((n + 1)); fi
  done
  printf '%s of %s' "$n" "${#TODO[@]}"
}

# Ends all that runs, and says how to go on.
interrupted_class() {
  trap '' INT TERM HUP PIPE
  clear_progress_line
  stop_workers
  cancel_jobs
  rm -rf "$OUTPUT"/grades/.[!.]*
  note "interrupted; what is graded is kept ($(done_now)). The same command goes on." || true
  exit "$1"
}

# ---- Progress: a bar on a terminal, else a line for each ----

start_progress() {
  BEGAN=$SECONDS
  local done=''
  ((DONE_BEFORE == 0)) || done="; $DONE_BEFORE are graded already"
  note "$TOTAL to grade$done"
}

# line_of KEY: "[3/120] name  12/18 points"
line_of() {
  local name points how=$OUTPUT/grades/$1/how.json grade=$OUTPUT/grades/$1/grade.json
  name=$1
  [[ ! -s $TMP/names ]] || name=$(awk -F '\t' -v key="$1" '$1 == key { print $2; exit }' "$TMP/names")
  if [[ -s $grade ]]; then
    points=$(jq -r 'if .state == "graded" then "\(.points)/\(.max_points) points"
      else {not_compiled: "does not compile", refused: "refused"}[.state] // "could not be run" end' "$grade")
  else
    points=$(jq -r '.failed // empty' "$how" 2>/dev/null || true)
  fi
  printf '%s%s  %s\n' "${TOTAL:+[$ENDED/$TOTAL] }" "$name" "${points:-no verdict}"
}

show_bar() { # how many run
  [[ -t 2 ]] || return 0
  local width=30 filled spent=$((SECONDS - BEGAN)) text left=''
  filled=$((TOTAL ? width * ENDED / TOTAL : width))
  if ((ENDED >= 2 && spent >= 2)); then
    left=$((spent * (TOTAL - ENDED) / ENDED))
    if ((left >= 90)); then left=", about $(((left + 30) / 60)) min left"; else left=", about $left s left"; fi
  fi
  printf -v text '[%-*s] %d of %d, %d at work%s' "$width" "$(printf '%*s' "$filled" '' | tr ' ' '#')" "$ENDED" "$TOTAL" "$1" "$left"
  show_progress_line "$text"
}
