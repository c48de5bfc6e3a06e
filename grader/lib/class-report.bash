# class-report.bash: class.json, and what grader/class prints at the end. Sourced by grader/class.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

# Marks in the plan what has a verdict on the file as it is, and needs no other.
mark_graded() {
  local name keys again=''
  for name in "${AGAIN[@]}"; do
    keys=$(again_keys "$name") || exit
    again+=$keys$'\n'
  done
  cat "$OUTPUT"/grades/*/how.json >"$TMP/how" 2>/dev/null || true
  jq --slurpfile how "$TMP/how" --arg again "$again" '($again | split("\n")) as $again | INDEX($how[]; .key) as $how
    | map(if .state == "" and $how[.key].sha256 == .sha256 and $how[.key].state != "not_run" and (IN(.key; $again[]) | not)
      then .state = "graded" else . end)' "$TMP/plan.json" >"$TMP/marked.json"
  mv "$TMP/marked.json" "$TMP/plan.json"
}

# --dry-run: a line for each submission.
show_plan() {
  mark_graded
  if [[ $JSON == yes ]]; then
    jq . "$TMP/plan.json"
    return
  fi
  jq -r -L "$GRADER_LIB" 'include "class"; (["what", "name", "learner", "handed in", "file"], (.[]
      | [if .state == "" then "grade" else .state end, .name, (.student | .name // .id // .email // ""),
         (.submitted // "") + (if .late then " late" else "" end), .file // .message]))
    | map(visible) | "\(.[0] | padded(9)) \(.[1] | padded(32)) \(.[2] | padded(24)) \(.[3] | padded(26)) \(.[4])"' "$TMP/plan.json"
  jq -r '"\(length) entries: " + (group_by(.state) | map("\(length) " + (.[0].state | if . == "" then "to grade" elif . == "graded" then "graded already" else . end)) | join(", "))
    + ". Nothing was graded or written."' "$TMP/plan.json"
}

# Writes class.json, in one step.
write_class() {
  local max title
  max=$(jq -n -L "$GRADER_LIB" --rawfile t "$ROOT/grader/checks/$LESSON.bats" 'include "lesson"; [$t | tests[] | .points] | add')
  title=$(sed -n '/^# /{s/^# [^:]*: *//p;q}' "$ROOT/lessons/$LESSON/README.md" 2>/dev/null || true)
  jq -r '.[].key' "$TMP/plan.json" >"$TMP/keys"
  rm -rf "$OUTPUT"/grades/.[!.]* # what killed workers left
  # Of each grade what class.json holds of it: for ten thousand of them, one after another.
  (
    cd "$OUTPUT/grades" || exit
    while read -r key; do
      [[ ! -s $key/grade.json ]] || printf '%s/grade.json\0' "$key"
    done <"$TMP/keys" | xargs -0 -r jq -c '{key: (input_filename | split("/")[0]), value: {state, message, title, points, max_points,
      measured_points, inconclusive: ([.checks[]? | select(.state == "inconclusive")] | length), verdict, seed, repeat, device}}' >"$TMP/grades"
    while read -r key; do
      [[ ! -s $key/how.json ]] || cat "$key/how.json"
    done <"$TMP/keys" >"$TMP/how"
  )
  if ! jq -n -L "$GRADER_LIB" --slurpfile plan "$TMP/plan.json" --slurpfile grades "$TMP/grades" --slurpfile how "$TMP/how" --argjson max "$max" \
    --arg lesson "$LESSON" --arg title "$title" --arg started "$STARTED" --arg ended "$(now)" --arg backend "$BACKEND" --arg sandbox "$SANDBOX" \
    --arg due "$DUE" --arg keep "$KEEP_RULE" 'include "class";
      class($plan[0]; $grades | from_entries; $how | map({key, value: .}) | from_entries; $max;
        {$lesson, $title, $started, $ended, $backend, $sandbox, $due, $keep})' >"$OUTPUT/.class.json" 2>"$TMP/class.log" ||
    ! mv "$OUTPUT/.class.json" "$OUTPUT/class.json"; then
    stop 3 "cannot write $SHOWN_OUTPUT/class.json.$(full "$OUTPUT") $(tail -n 3 "$TMP/class.log")" "The verdicts are kept; the same command writes it."
  fi
}

# The end: how many of what, and where it lies. Status 1 when something could not be graded, or there was nothing to grade.
show_class() {
  if [[ $JSON == yes ]]; then
    cat "$OUTPUT/class.json"
  else
    jq -r --arg at "$SHOWN_OUTPUT" --arg typed "$(printf '%q' "$SHOWN_OUTPUT")" '
      . as $class | .max_points as $max
      | ([.submissions[] | select(.counts and .state == "graded") | .points] | sort) as $points
      # Of who passed: with a wrong answer more is decided than was measured.
      | ([.submissions[] | select(.verdict == "pass") | .measured_points] | max // $max
          | if . < $max then " (\(.) could be measured)" else "" end) as $measured
      | "\(.lesson) \(.title): \(.submissions | length) entries: "
        + ([{graded: "graded", not_compiled: "do not compile", no_file: "without a file", refused: "refused", missing: "missing",
             not_run: "could not be graded"} | to_entries[] | . as $e | [$class.submissions[] | select(.state == $e.key)] | length
             | select(. > 0) | "\(.) \($e.value)"] | join(", "))
        + (([.submissions[] | select(.late)] | length) as $late | if $late > 0 then ", \($late) late" else "" end)
        + (([.submissions[] | select(.state != "missing" and (.message | test("(^|; )not in the roster(;|$)")))] | length) as $strangers
            | if $strangers > 0 then ", \($strangers) not in the roster" else "" end) + ".",
        if ($points | length) > 0 then "Points of those that count: median \($points[($points | length) / 2 | floor]) of \($max)\($measured), from \($points[0]) to \($points[-1])." else empty end,
        ([.submissions[] | select(.inconclusive > 0) | .name] | if length > 0 then "Noise left checks of \(length) open: \(.[:5] | join(", "))"
          + (if length > 5 then " ..." else "" end) + ". The same command with --again inconclusive takes their times again." else empty end),
        (.submissions[] | select(.state | IN("refused", "not_run", "no_file")) | "  \(.name): \(.message | sub(":\n"; ": ") | split("\n")[0])"),
        "Written: \($at)/class.json and \($at)/grades/. Each entry\u0027s \"repeat\" is the command that repeats its verdict.",
        "A page of it, to read and to print: grader/report --format html --output \($typed)/class.html \($typed)"' "$OUTPUT/class.json"
  fi
  if jq -e 'all(.submissions[]; .state == "no_file" or .state == "missing")' "$OUTPUT/class.json" >/dev/null; then
    note "no submission holds a $NAME: is $SUBMISSIONS the right folder, and $LESSON the right lesson?"
    return 1
  fi
  jq -e 'all(.submissions[]; .state != "not_run")' "$OUTPUT/class.json" >/dev/null || return 1
}
