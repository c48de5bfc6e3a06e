# compiled.bash: what a compiler makes of the learner's kernels: clang's PTX, counted by common/cpu/ptx.
# Sourced by grader/check. The file and the texts have passed the inspection of their source; clang runs under
# the limits of a build.
# shellcheck shell=bash

# count_compiled: writes compiled.json if a check of the lesson asks for it: the counts of the file, and as
# `texts` those of the texts that tasks compiled while they ran (NVRTC). Without clang, or where clang refuses
# a source, it says why.
count_compiled() {
  local task names=() texts=$TMP/texts.jsonl
  wants_counts || return 0
  : >"$texts"
  [[ -d $TMP/box-compiled-$NAME ]] || start_counting
  if [[ ${BUILT[cpu]:-} == here ]]; then
    while read -r task; do
      names+=("$task")
      jq -r --arg task "$task" '.tasks[] | select(.name == $task).compiled' "$TMP/run-cpu.json" \
        >"$TMP/submission/$task.cu"
      start_count "$task.cu"
    done < <(jq -r '.tasks[] | select(.compiled).name' "$TMP/run-cpu.json")
  fi
  await "counting what clang makes of $NAME" || true
  take_counts "$NAME" >"$TMP/counts.json"
  for task in "${names[@]}"; do
    take_counts "$task.cu" | jq --arg task "$task" '{($task): .}' >>"$texts"
  done
  jq --slurpfile texts "$texts" '.texts = ($texts | add)' "$TMP/counts.json" >"$TMP/compiled.json"
}

wants_counts() {
  [[ $PLAIN_C == false ]] && grep -qwE 'in_float|compiled_[a-z]+' "$ROOT/grader/checks/$LESSON.bats"
}

# start_counting: starts clang for the file, beside what runs already.
start_counting() {
  ! wants_counts || start_count "$NAME"
}

# start_count FILE: starts clang for a file of $TMP/submission.
start_count() {
  guard_compiled "$1"
  TMPDIR=$BOX start "$TMP/compiled-$1.log" "${GUARD[@]}" "$BASH" "$ROOT/common/cpu/ptx" \
    -o "$BOX/counts.json" -I "$ROOT/common" -I "$ROOT/lessons/$LESSON" "$TMP/submission/$1"
}

# take_counts FILE: prints the counts of a file for which clang has ended.
take_counts() {
  local counts=$TMP/box-compiled-$1/counts.json stopped=$TMP/stopped-compiled-$1 why=''
  [[ -f $counts && ! -L $counts ]] || counts=/dev/null
  [[ ! -s $stopped ]] || why=": $(<"$stopped")"
  jq -n --arg why "clang was stopped$why" --arg folder "$TMP/submission/" '
    (try input catch null) | if .schema? == "wb-ptx/1"
      then .message |= (if . == null then . else split($folder) | join("") end)
      else {schema: "wb-ptx/1", kernels: null, reason: "stopped", message: $why} end' "$counts"
}

# guard_compiled FILE: sets GUARD for clang, and BOX, an empty folder that it may write.
guard_compiled() {
  BOX=$TMP/box-compiled-$1
  mkdir "$BOX"
  GUARD=(timeout -k 5 60)
  [[ $SANDBOX != none ]] || return 0
  GUARD=()
  clean_environment "$BOX"
  if [[ $SANDBOX == bwrap ]]; then
    bubblewrap "$BOX" "$ROOT/common" "$ROOT/lessons/$LESSON" "$TMP/submission"
    [[ ! -f $ROOT/lessons/$LESSON/$NAME ]] || GUARD+=(--ro-bind /dev/null "$ROOT/lessons/$LESSON/$NAME")
    GUARD+=(--chdir "$BOX")
  fi
  GUARD+=("${ENVIRONMENT[@]}")
  limits "$BOX" "$TMP/stopped-compiled-$1" 60 4096
}
