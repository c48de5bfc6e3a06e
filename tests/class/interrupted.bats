#!/usr/bin/env bats
# grader/class: what an end before its time leaves (Ctrl-C, a kill, a full disk, a second run), and how the
# same command goes on. The grader itself is a stub (tests/class/check-stub).
# bats file_tags=long

bats_require_minimum_version 1.5.0

setup_file() {
  load class_helper
  stub_checkout
}

setup() {
  load class_helper
  class_setup
}

@test "after a kill the next run grades only the rest" {
  for i in 1 2 3 4 5 6; do hand_in "s$i/kernels.cu" points "$i" sleep 0.5; done
  "$STUB/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu --workers 1 >/dev/null 2>&1 3>&- &
  until_true 20 eval '[ "$(find "$O/grades" -name grade.json 2>/dev/null | wc -l)" -ge 2 ]'
  kill -KILL $!
  sleep 1 # the grading that was at work ends by itself
  before=$(find "$O/grades" -name grade.json | wc -l)
  [ "$before" -lt 6 ]
  class 0
  shows "$((6 - before)) to grade; $before have a verdict already"
  [ "$(sort "$STUB_LOG" | uniq -d | wc -l)" -le 1 ] # the one that was at work may have been lost
  holds "$O/class.json" '[.submissions[].points] == [1, 2, 3, 4, 5, 6]' 'all(.submissions[]; .tries >= 1)'
}

@test "Ctrl-C ends all workers and keeps the verdicts, status 130; the same command continues" {
  hand_in a/kernels.cu points 1
  hand_in b/kernels.cu sleep 77.7
  hand_in c/kernels.cu sleep 77.8
  three_at_work() { [ "$(gradings)" = 3 ] && [ -s "$O/grades/a/grade.json" ]; }
  # Of a shell's background commands SIGINT is ignored, so it is sent from there.
  { until_true 20 three_at_work && kill -INT "$(<"$BATS_TEST_TMPDIR/pid")"; } 3>&- &
  run -130 timeout 60 bash -c 'echo $$ >"$0"; exec "$@" 2>&1' "$BATS_TEST_TMPDIR/pid" \
    "$STUB/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu --workers 3
  shows "interrupted; the verdicts so far are kept (1 of 3)"
  run ! pgrep -f 'sleep 77[.][78]'
  [ -z "$(ls -A "$TMPDIR")" ]
  hand_in b/kernels.cu points 2
  hand_in c/kernels.cu points 3
  class 0
  shows "2 to grade; 1 have a verdict already"
}

@test "when the reader of its output ends, all workers end; the same command continues" {
  hand_in a/kernels.cu points 1
  hand_in b/kernels.cu sleep 76.7
  # shellcheck disable=SC2016 # the inner shell expands it
  run -0 timeout 60 bash -c '"$@" 2>&1 | head -n 1; exit $((PIPESTATUS[0] != 141))' - \
    "$STUB/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu --workers 2
  run ! pgrep -f 'sleep 76[.]7'
  [ -z "$(ls -A "$TMPDIR")" ]
  hand_in b/kernels.cu points 2
  class 0
  shows "1 to grade; 1 have a verdict already"
}

@test "starts a killed grader once more; a verdict or a refusal is final" {
  hand_in once/kernels.cu points 3 die 1
  hand_in twice/kernels.cu points 3 die 5
  hand_in refuses/kernels.cu broken
  hand_in wrong/kernels.cu points 0
  class 1
  shows "2 graded, 2 could not be graded" "refuses: could not be graded: grader/check: no compiler \"here\""
  are_entries once '.state == "graded" and .tries == 2 and .points == 3' \
    twice '.state == "not_run" and .tries == 2 and .points == 0 and .grade == null' \
    refuses '.state == "not_run" and .tries == 1' \
    wrong '.state == "graded" and .tries == 1'
  hand_in refuses/kernels.cu points 8
  hand_in twice/kernels.cu points 8
  class 0 # what could not be graded is tried again
  [ "$(grep -c wrong "$STUB_LOG")" = 1 ]
}

@test "an incomplete verdict does not count" {
  hand_in a/kernels.cu points 3 full
  class 1
  is_entry a '.state == "not_run" and .grade == null'
}

@test "refuses a second run on the same folder" {
  hand_in a/kernels.cu sleep 5
  "$STUB/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu >/dev/null 2>&1 3>&- &
  first=$!
  until_true 10 eval '[ "$(gradings)" = 1 ]'
  class 3
  shows "another class run works in $O (process $first"
  wait $first
}

@test "reports a full disk, status 3; keeps the verdicts, and the same command continues" {
  unshare --mount true 2>/dev/null || skip "no mount namespace"
  for i in 1 2 3; do hand_in "s$i/kernels.cu" points "$i"; done
  hand_in s2/kernels.cu points 2 sleep 1
  mkdir "$O"
  cat >"$BATS_TEST_TMPDIR/small" <<END
set -e
mount -t tmpfs -o size=48m small '$O'
(
  until grep -q s2 '$STUB_LOG'; do sleep 0.1; done
  dd if=/dev/zero of='$O/filler' bs=64k status=none 2>/dev/null
) &
status=0
'$STUB/grader/class' '$S' --lesson lesson02 --output '$O' --backend cpu --workers 1 2>&1 || status=\$?
wait
echo "status \$status"
rm '$O/filler'
'$STUB/grader/class' '$S' --lesson lesson02 --output '$O' --backend cpu --workers 1 2>&1
jq -c '[.submissions[].points]' '$O/class.json'
END
  run -0 timeout 60 unshare --mount bash "$BATS_TEST_TMPDIR/small"
  shows "is full" "Make room; then the same command continues" "status 3" "[1,2,3]"
  [ "$(grep -c s1 "$STUB_LOG")" = 1 ]
}

@test "reports too little disk space before grading" {
  unshare --mount true 2>/dev/null || skip "no mount namespace"
  hand_in a.cu points 1
  mkdir "$O"
  run -3 unshare \
    --mount bash -c "mount -t tmpfs -o size=1m small '$O' &&
      '$STUB/grader/class' '$S' --lesson lesson02 --output '$O' 2>&1"
  shows "MiB are left on the disk of $O; 32 are needed"
  [ "$(gradings)" = 0 ]
}
