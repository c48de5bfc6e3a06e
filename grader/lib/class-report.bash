# class-report.bash: writes class.json and the summary that grader/class prints at the end. Sourced by
# grader/class.
# shellcheck shell=bash disable=SC2153  # NAME, the learner's file, is set by options.bash

# Marks in the plan those with a verdict on their file as it is now, unless --again asks for another.
mark_graded() {
  local name keys again=''
  for name in "${AGAIN[@]}"; do
    keys=$(again_keys "$name") || exit
    again+=$keys$'\n'
  done
  kept "${GRADABLE[@]}" >"$TMP/kept"
  jq --rawfile kept "$TMP/kept" --arg again "$again" '
    (($kept | split("\n")) - ($again | split("\n"))) as $kept
    | map(if .state == "" and IN(.key; $kept[]) then .state = "graded" else . end)' \
    "$TMP/plan.json" >"$TMP/marked.json"
  mv "$TMP/marked.json" "$TMP/plan.json"
}

# --dry-run: prints a line for each submission.
show_plan() {
  mark_graded
  if [[ ${OPTION[json]} == yes ]]; then
    jq . "$TMP/plan.json"
    return
  fi
  jq -r -L "$GRADER_LIB" 'include "class"; include "names";
    (["what", "name", "learner", "handed in", "file"], (.[]
      | [if .state == "" then "grade" else .state end, .name, (.student | .name // .id // .email // ""),
         (.submitted // "") + (if .late then " late" else "" end), .file // .message]))
    | map(visible)
    | "\(.[0] | padded(9)) \(.[1] | padded(32)) \(.[2] | padded(24)) \(.[3] | padded(26)) \(.[4])"' \
    "$TMP/plan.json"
  jq -r 'def words: if . == "" then "to grade" elif . == "graded" then "graded already" else . end;
    "\(length) entries: " + (group_by(.state) | map("\(length) " + (.[0].state | words)) | join(", "))
    + ". Nothing was graded or written."' "$TMP/plan.json"
}

# Writes class.json, in one step.
write_class() {
  local key title starter workshop=${WORKSHOP:-$ROOT/site/workshop.yml} name=''
  title=$(lesson_title "$LESSON" || true)
  starter=$(sha256sum <"$ROOT/lessons/$LESSON/.starter/$NAME")
  [[ ! -f $workshop ]] || name=$(workshop_value "$workshop" name) || exit
  rm -rf "$OUTPUT"/grades/.[!.]* # left by workers that were killed
  # Only the fields of each grade that class.json has, one grade at a time: there may be ten thousand.
  (
    cd "$OUTPUT/grades" || exit
    for key in "${KEYS[@]}"; do
      [[ ! -s $key/grade.json ]] || printf '%s/grade.json\0' "$key"
    done | xargs -0 -r jq -c '{key: (input_filename | split("/")[0]),
      value: {state, message, title, points, max_points, measured_points, verdict, seed, repeat, device,
        inconclusive: ([.checks[]? | select(.state == "inconclusive")] | length)}}' >"$TMP/grades"
    for key in "${KEYS[@]}"; do
      [[ ! -s $key/how.json ]] || printf '%s/how.json\0' "$key"
    done | xargs -0 -r cat -- >"$TMP/how"
  )
  if ! jq -n -L "$GRADER_LIB" --slurpfile plan "$TMP/plan.json" --slurpfile grades "$TMP/grades" \
    --slurpfile how "$TMP/how" --rawfile page "$ROOT/grader/checks/$LESSON.bats" \
    --arg lesson "$LESSON" --arg title "$title" \
    --arg started "$STARTED" --arg ended "$(now)" --arg backend "$BACKEND" --arg sandbox "$SANDBOX" \
    --arg due "${OPTION[due]}" --arg keep "${OPTION[keep]}" --arg starter "${starter%% *}" \
    --arg workshop "$name" 'include "class"; import "lesson" as lesson;
      ([$page | lesson::tests[] | .points] | add) as $max
      | class($plan[0]; $grades | from_entries; $how | map({key, value: .}) | from_entries; $max;
        {$lesson, $title, $started, $ended, $backend, $sandbox, $due, $keep, $starter, $workshop})' \
    >"$OUTPUT/.class.json" 2>"$TMP/class.log" ||
    ! mv "$OUTPUT/.class.json" "$OUTPUT/class.json"; then
    stop 3 "cannot write $SHOWN_OUTPUT/class.json.$(full "$OUTPUT") $(tail -n 3 "$TMP/class.log")" \
      "The verdicts are kept; the same command writes it."
  fi
}

# Prints the summary. Returns 1 when something could not be graded, or there was nothing to grade.
show_class() {
  local summary
  summary=$(jq -r -L "$GRADER_LIB" --arg at "$SHOWN_OUTPUT" --arg typed "$(printf '%q' "$SHOWN_OUTPUT")" \
    'include "class"; how_far, class_summary($at; $typed)' "$OUTPUT/class.json")
  if [[ ${OPTION[json]} == yes ]]; then cat "$OUTPUT/class.json"; else printf '%s\n' "${summary#*$'\n'}"; fi
  case ${summary%%$'\n'*} in
    all) return 0 ;;
    no_file)
      note "no submission holds a $NAME: is $SUBMISSIONS the right folder, and $LESSON the right lesson?"
      ;;
    none) note "no submission could be graded: the list above says why." ;;
  esac
  return 1
}
