# compiled.bash: what a compiler makes of the learner's kernels: clang's PTX, counted by common/cpu/ptx.
# Sourced by grader/check. The file and the texts have passed the inspection of their source; clang runs under
# the limits of a build.
# shellcheck shell=bash

# count_compiled: writes compiled.json if a check of the lesson asks for it: the counts of the file, and as
# `texts` those of the texts that tasks compiled while they ran (NVRTC). Without clang, or where clang refuses
# a source, it says why.
count_compiled() {
  [[ $PLAIN_C == false ]] && grep -qwE 'in_float|compiled_[a-z]+' "$ROOT/grader/checks/$LESSON.bats" ||
    return 0
  local task texts=$TMP/texts.jsonl
  : >"$texts"
  count_source "$TMP/submission/$NAME"
  cp "$TMP/counts.json" "$TMP/compiled.json"
  [[ ${BUILT[cpu]:-} == here ]] || return 0
  while read -r task; do
    jq -r --arg task "$task" '.tasks[] | select(.name == $task).compiled' "$TMP/run-cpu.json" \
      >"$TMP/submission/$task.cu"
    count_source "$TMP/submission/$task.cu"
    jq --arg task "$task" '{($task): .}' "$TMP/counts.json" >>"$texts"
  done < <(jq -r '.tasks[] | select(.compiled).name' "$TMP/run-cpu.json")
  jq --slurpfile texts "$texts" '.texts = ($texts | add)' "$TMP/compiled.json" >"$TMP/counts.json"
  mv "$TMP/counts.json" "$TMP/compiled.json"
}

# count_source FILE: writes counts.json, the counts of a file of $TMP/submission.
count_source() {
  local counts=/dev/null why=''
  guard_compiled
  TMPDIR=$BOX start "$TMP/compiled.log" "${GUARD[@]}" "$BASH" "$ROOT/common/cpu/ptx" -o "$BOX/counts.json" \
    -I "$ROOT/common" -I "$ROOT/lessons/$LESSON" "$1"
  await "counting what clang makes of ${1##*/}" || true
  [[ ! -f $BOX/counts.json || -L $BOX/counts.json ]] || counts=$BOX/counts.json
  [[ ! -s $TMP/stopped-compiled ]] || why=": $(<"$TMP/stopped-compiled")"
  jq -n --arg why "clang was stopped$why" --arg folder "$TMP/submission/" '
    (try input catch null) | if .schema? == "wb-ptx/1"
      then .message |= (if . == null then . else split($folder) | join("") end)
      else {schema: "wb-ptx/1", kernels: null, reason: "stopped", message: $why} end' \
    "$counts" >"$TMP/counts.json"
}

# guard_compiled: sets GUARD for clang, and BOX, an empty folder that it may write.
guard_compiled() {
  BOX=$TMP/box-compiled
  rm -rf -- "$BOX" "$TMP/stopped-compiled"
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
  limits "$BOX" "$TMP/stopped-compiled" 60 4096
}
