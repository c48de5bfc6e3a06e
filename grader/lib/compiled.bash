# compiled.bash: what a compiler makes of the learner's kernels: clang's PTX, counted by common/cpu/ptx.
# Sourced by grader/check. The file has passed the inspection of its source; clang runs under the limits of a
# build.
# shellcheck shell=bash

# count_compiled: writes compiled.json; without clang, or where clang refuses the file, it says why.
count_compiled() {
  [[ $PLAIN_C == false ]] || return 0
  local counted=$TMP/compiled.json why
  guard_compiled
  start "$TMP/compiled.log" "${GUARD[@]}" "$BASH" -c '"$@" >"$0"' "$BOX/counts.json" \
    "$ROOT/common/cpu/ptx" -I "$ROOT/lessons/$LESSON" "$TMP/submission/$NAME"
  await "counting what clang makes of $NAME" || true
  if [[ -f $BOX/counts.json && ! -L $BOX/counts.json ]] &&
    jq -e '.schema == "wb-ptx/1"' "$BOX/counts.json" >/dev/null 2>&1; then
    cp -- "$BOX/counts.json" "$counted"
    rewrite_paths "$counted" "$NAME"
  else
    why=$(stopped compiled)
    jq -n --arg why "clang was stopped${why:+: $why}" \
      '{schema: "wb-ptx/1", kernels: null, reason: "stopped", message: $why}' >"$counted"
  fi
}

# guard_compiled: sets GUARD for clang, and BOX, the folder that it may write.
guard_compiled() {
  BOX=$TMP/box-compiled
  mkdir -p "$BOX"
  GUARD=(timeout -k 5 60 env "TMPDIR=$BOX")
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
