# compiled.bash: what a compiler makes of the learner's kernels: clang's PTX, counted by common/cpu/ptx.
# Sourced by grader/check. The file has passed the inspection of its source; clang runs under the limits of a
# build.
# shellcheck shell=bash

# count_compiled: writes compiled.json if a check of the lesson asks for it; without clang, or where clang
# refuses the file, it says why.
count_compiled() {
  [[ $PLAIN_C == false ]] && grep -qw in_float "$ROOT/grader/checks/$LESSON.bats" || return 0
  local counts=/dev/null why=''
  guard_compiled
  TMPDIR=$BOX start "$TMP/compiled.log" "${GUARD[@]}" "$BASH" "$ROOT/common/cpu/ptx" -o "$BOX/counts.json" \
    -I "$ROOT/common" -I "$ROOT/lessons/$LESSON" "$TMP/submission/$NAME"
  await "counting what clang makes of $NAME" || true
  [[ ! -f $BOX/counts.json || -L $BOX/counts.json ]] || counts=$BOX/counts.json
  [[ ! -s $TMP/stopped-compiled ]] || why=": $(<"$TMP/stopped-compiled")"
  jq -n --arg why "clang was stopped$why" --arg folder "$TMP/submission/" '
    (try input catch null) | if .schema? == "wb-ptx/1"
      then .message |= (if . == null then . else split($folder) | join("") end)
      else {schema: "wb-ptx/1", kernels: null, reason: "stopped", message: $why} end' \
    "$counts" >"$TMP/compiled.json"
}

# guard_compiled: sets GUARD for clang, and BOX, the folder that it may write.
guard_compiled() {
  BOX=$TMP/box-compiled
  mkdir -p "$BOX"
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
