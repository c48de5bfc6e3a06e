#!/usr/bin/env bats
# grader/class: which submissions are graded, how often, in what order, and by whom. The grader itself is a
# stub here (tests/class/check-stub) but in the tests that say so.
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

@test "the real grader grades right, wrong and non-compiling files; the printed command repeats a verdict" {
  export WORK=$BATS_TEST_TMPDIR/work
  new_work "$WORK"
  mkdir -p "$S"/{right,wrong,broken}
  cp "$ROOT/solutions/lesson02/kernels.cu" "$S/right/"
  patch -s -o "$S/wrong/kernels.cu" "$ROOT/solutions/lesson02/kernels.cu" \
    "$ROOT/tests/lessons/bugs/lesson02/missing-guard.patch"
  echo 'int x' >"$S/broken/kernels.cu"
  run -0 timeout 300 "$ROOT/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu
  shows "3 entries: 2 graded, 1 do not compile." "of 25 (18 could be measured)"
  # nobody is counted for a speed that could not be measured here, not even who has not compiled
  "$ROOT/grader/report" --format html "$O" >page.html
  sed -n "/<tr>.*launches a kernel/{N;s/<[^>]*>/ /g;s/  */ /g;p;q}" page.html >rows
  grep -q "copies nothing 2 2 3 67 %" rows && grep -q "keeps up with the memory 2 0 0 –" rows
  are_entries right '.state == "graded" and .points > 0 and .points == .measured_points and .verdict == "pass"
    and .tries == 1' \
    wrong '.state == "graded" and .points > 0 and .points < .measured_points and .verdict == "fail"
    and .seed != ""' \
    broken '.state == "not_compiled" and (.message | startswith("kernels.cu does not compile"))'
  [ -s "$O/grades/wrong/run-cpu.json" ] && [ -s "$O/grades/wrong/checks.tap" ]
  again=$(jq -r '.submissions[] | select(.key == "wrong") | .repeat' "$O/class.json")
  [[ $again == "grader/check lesson02 --submission $O/submissions/wrong --backend cpu "* ]]
  [[ $again == *" --backend cpu --sandbox "*" --seed 0x"* ]]
  cd "$ROOT"
  run -1 bash -c "$again --format json"
  jq -e --slurpfile first "$O/grades/wrong/grade.json" \
    '.seed == $first[0].seed and .checks == $first[0].checks and .points == $first[0].points' <<<"$output"
}

@test "names those who handed in the starter as it is, and the workshop" {
  mkdir -p "$S/ann" && cp "$ROOT/lessons/lesson02/.starter/kernels.cu" "$S/ann"
  hand_in bo.cu points 1
  echo 'name: "A day of CUDA"' >"$BATS_TEST_TMPDIR/my.yml"
  WORKSHOP=$BATS_TEST_TMPDIR/my.yml class 0
  shows "1 handed in the starter as it is: ann."
  holds "$O/class.json" '.workshop == "A day of CUDA"' '[.submissions[].untouched] == [true, false]'
}

@test "class.json has every field that grader/README.md lists, and entries in the order of names" {
  hand_in b/kernels.cu points 4
  hand_in a/kernels.cu points 10
  hand_in c.cu points 0
  class 0
  holds "$O/class.json" '.schema == "wb-class/1"' '[.submissions[].name] == ["a", "b", "c.cu"]' \
    '[.submissions[].points] == [10, 4, 0]' \
    '.device == {name: "stub"}' '.options == {backend: "cpu", sandbox: "none", due: null, keep: "last"}' \
    'all(.submissions[]; .sha256 | test("^[0-9a-f]{64}$"))'
  fields=$(awk '/schema `wb-class\/1`/ { on = 1; print; next } /^## / { on = 0 } on' \
    "$ROOT/grader/README.md" | grep -oE '^\| `[a-z_0-9`, ]+' | grep -oE '[a-z_0-9]+' | sort -u)
  [ "$fields" = "$(jq -r '(keys + (.options | keys) + (.submissions[0] | keys) + (.submissions[0].student
    | keys))[]' "$O/class.json" | sort -u)" ]
}

@test "a job of the array grades only its part, in the sandbox of the run" {
  hand_in a/kernels.cu points 4
  hand_in b/kernels.cu points 5
  STUB_HELP='--sandbox NAME' class 0
  rm "$O"/grades/*/grade.json
  printf '%s\n' '1 a' '2 b' >list
  STUB_HELP='--sandbox NAME' run -0 timeout 60 "$STUB/grader/class" --part "$O" "$PWD/list" 2
  shows "b  5/10 points"
  [ "$(gradings)" = 3 ] && [ -s "$O/grades/b/grade.json" ] && [ ! -e "$O/grades/a/grade.json" ]
}

@test "--json prints class.json, a second run grades nothing, --again grades one" {
  hand_in a/kernels.cu points 4
  hand_in "Bo B/kernels.cu" points 5
  class 0 --json
  [ "$(gradings)" = 2 ]
  class 0 --json --workers 1
  [ "$(gradings)" = 2 ]
  class 0 --again "Bo B" --json
  [ "$(gradings)" = 3 ]
  [ "$(tail -n 1 "$STUB_LOG" | cut -c 1-4)" = Bo_B ]
  class 2 --again nobody
  shows 'nobody: no submission with a file has this name'
}

@test "the command printed at the end writes an HTML page, for any name of the folder" {
  hand_in a/kernels.cu points 4
  O="$BATS_TEST_TMPDIR/group 1"
  class 0
  cd "$STUB"
  bash -c "${lines[-1]#*: }"
  grep -q '<title>.*lesson02' "$O/class.html"
  class 0
  [ "$(gradings)" = 1 ]
}

@test "reports inconclusive checks; --again inconclusive grades only those again" {
  hand_in a/kernels.cu points 4
  hand_in b/kernels.cu points 8 noisy 1
  class 0
  shows "Noise made checks of 1 inconclusive: b. The same command with --again inconclusive"
  are_entries a '.inconclusive == 0' \
    b '.inconclusive == 1'
  class 0 --again inconclusive
  [ "$(gradings)" = 3 ] && [ "$(tail -n 1 "$STUB_LOG")" = b ]
  is_entry b '.inconclusive == 0 and .points == 8'
  shows_not "Noise made"
  class 0 --again inconclusive
  shows "no check of any submission is inconclusive"
  [ "$(gradings)" = 3 ]
}

@test "grades only changed submissions again" {
  hand_in a/kernels.cu points 4
  hand_in b/kernels.cu points 5
  class 0
  hand_in a/kernels.cu points 6
  hand_in c/kernels.cu points 7
  class 0
  shows "2 to grade; 1 have a verdict already"
  [ "$(sort "$STUB_LOG" | paste -sd ' ')" = "a a b c" ]
  is_entry a '.points == 6'
}

@test "a run that has nothing to grade starts no jq for each submission" {
  local i few
  mkdir bin
  printf '#!/bin/sh\necho started >>%q\nexec %q "$@"\n' "$PWD/started" "$(command -v jq)" >bin/jq
  chmod +x bin/jq
  hand_in s1.cu points 1
  class 0
  PATH=$PWD/bin:$PATH class 0
  few=$(wc -l <started)
  for i in 2 3 4; do hand_in "s$i.cu" points "$i"; done
  class 0
  rm started
  PATH=$PWD/bin:$PATH class 0
  [ "$(gradings)" = 4 ] && [ "$(wc -l <started)" = "$few" ] && [ "$few" -lt 10 ]
}

@test "refuses an output folder of another lesson or another backend" {
  hand_in a.cu points 3
  class 0
  run -2 "$STUB/grader/class" "$S" --lesson lesson03 --output "$O"
  shows "holds the verdicts of lesson02"
  run -2 "$STUB/grader/class" "$S" --lesson lesson02 --output "$O" --backend cuda
  shows "graded with --backend cpu"
}

@test "grades one at a time on each GPU that nvidia-smi lists or CUDA_VISIBLE_DEVICES names" {
  local lib=$STUB/common/shell
  mkdir bin && printf '#!/bin/sh\nprintf "0\\n1\\n"\n' >bin/nvidia-smi && chmod +x bin/nvidia-smi &&
    touch "$BATS_TEST_TMPDIR/nvidiactl"
  # as where there is a GPU
  cp "$lib/tools.bash" before && sed -i "s|/dev/nvidiactl|$BATS_TEST_TMPDIR/nvidiactl|" "$lib/tools.bash"
  for i in 1 2 3 4 5 6; do hand_in "s$i.cu" points "$i" sleep 0.4; done
  local STUB_DEVICES=$BATS_TEST_TMPDIR/devices
  export STUB_DEVICES
  used() { # the devices, each of which graded one after the other
    awk '$1 == "begins" && busy[$2]++ { print "two at once" } $1 == "ends" { busy[$2] = 0 } END {
      for (device in busy) print device }' \
      "$STUB_DEVICES" | sort | paste -sd ' '
  }
  PATH=$PWD/bin:$PATH class 0 --backend auto --workers 5
  shows "one grading at a time on each of the 2 GPUs" "6 entries: 6 graded"
  [ "$(used)" = "0 1" ]
  rm -r "$O" "$STUB_DEVICES"
  CUDA_VISIBLE_DEVICES=GPU-a,GPU-b,GPU-c PATH=$PWD/bin:$PATH class 0 --backend auto
  [ "$(used)" = "GPU-a GPU-b GPU-c" ]
  rm -r "$O" "$STUB_DEVICES"
  printf '%s\n' '#!/bin/sh' 'echo "NVIDIA-SMI has failed because it could not communicate with the driver."' \
    'exit 9' >bin/nvidia-smi
  PATH=$PWD/bin:$PATH class 0 --backend auto
  [ "$(used)" = all ]
  cp before "$lib/tools.bash"
}

@test "counts the last or the best submission in time; a late one only when none in time could be graded" {
  hand_in ann_20261120T101500/kernels.cu points 5
  hand_in ann_20261120T120000/kernels.cu points 3
  hand_in ann_2026-11-21T09:00/kernels.cu points 9
  hand_in "bo attempt 2.cu" points 2
  hand_in "bo attempt 1.cu" points 1
  hand_in cas_20261121T090000/kernels.cu points 7
  hand_in cas_20261122T090000/kernels.cu points 6
  mkdir "$S/dee_20261120T090000"
  hand_in dee_20261121T090000/kernels.cu points 4
  export TZ=UTC
  counting() { jq -c '[.submissions[] | select(.counts) | .points]' "$O/class.json"; }
  class 0 --due "2026-11-20 23:59"
  [ "$(counting)" = "[3,2,6,4]" ]
  holds "$O/class.json" '.options.due == "2026-11-20T23:59:00Z"' \
    '[.submissions[] | select(.name | startswith("ann")) | [.attempt, .late, .submitted]]
    == [[3, true, "2026-11-21T09:00:00Z"], [1, false, "2026-11-20T10:15:00Z"],
      [2, false, "2026-11-20T12:00:00Z"]]'
  class 0 --due "2026-11-20 23:59" --keep-best
  [ "$(counting)" = "[5,2,7,4]" ]
  class 0 # without --due none is late
  [ "$(counting)" = "[9,2,6,4]" ]
  holds "$O/class.json" '.options.due == null' 'any(.submissions[]; .late) | not'
  [ "$(gradings)" = 8 ]
}

@test "--dry-run lists what would be graded, and grades and writes nothing" {
  hand_in a/kernels.cu points 3
  mkdir "$S/none"
  class 0 --dry-run
  shows "grade     a " "no_file   none" "2 entries: 1 to grade, 1 no_file. Nothing was graded or written."
  [ ! -e "$O" ]
  mkdir "$O"
  class 0 --dry-run
  [ -z "$(ls -A "$O")" ]
  [ "$(gradings)" = 0 ]
  # what has a verdict already is not graded again, unless it is asked for or was handed in anew
  hand_in b/kernels.cu points 4
  class 0
  class 0 --dry-run
  shows "graded    a " "3 entries: 2 graded already, 1 no_file. Nothing was graded"
  class 0 --dry-run --again b
  shows "graded    a " "grade     b "
  hand_in a/kernels.cu points 5
  class 0 --dry-run
  shows "grade     a " "graded    b " "1 to grade, 1 graded already, 1 no_file"
  [ "$(gradings)" = 2 ]
}

@test "refuses an unknown backend, also from the environment" {
  hand_in a/kernels.cu points 3
  BACKEND=gpu run -2 "$STUB/grader/class" "$S" --lesson lesson02 --output "$O"
  shows 'there is no backend "gpu": cpu, cuda or auto.'
  class 2 --backend gpu
  shows 'there is no backend "gpu"'
  [ ! -e "$O" ]
}

@test "shows a progress bar with an estimate on a terminal" {
  command -v script >/dev/null || skip "no script here"
  for i in 1 2 3 4 5; do hand_in "s$i.cu" points "$i" sleep 0.8; done
  TERM=xterm run -0 script -qec \
    "'$STUB/grader/class' '$S' --lesson lesson02 --output '$O' --backend cpu --workers 1" /dev/null
  shows "[######                        ] 1 of 5, 1 at work" "left" "5 entries: 5 graded."
  shows_not "[5/5]"
}

@test "each usage error is reported with its reason and status 2" {
  hand_in a.cu points 3
  run -2 "$STUB/grader/class"; shows "name the folder of submissions"
  run -2 "$STUB/grader/class" "$S"; shows "name the lesson: --lesson"
  run -2 "$STUB/grader/class" "$S" --lesson lesson99; shows \
    'grader/class: there is no lesson "lesson99". The lessons:' "lesson02"
  run -2 "$STUB/grader/class" "$S/none" --lesson lesson02; shows "there is no folder $S/none"
  run -2 "$STUB/grader/class" "$S/a.cu" --lesson lesson02; shows "is a file"
  class 2 --due yesterdayish; shows "is not a time"
  class 2 --workers 0; shows "--workers takes a number"
  class 2 --throttle 3; shows "--throttle needs --slurm"
  class 2 --nonsense; shows "there is no option --nonsense"
  rm "$S/a.cu"
  class 2; shows "holds no submissions"
  [ "$(gradings)" = 0 ]
}

@test "reports folders that cannot be read or written" {
  hand_in a/kernels.cu points 3
  hand_in b/kernels.cu points 3
  [ "$(id -u)" = 0 ] || skip "needs root, to become somebody else"
  chmod 700 "$S/a"
  chmod -R a+rX "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR" && chmod 700 "$S/a"
  chmod a+rwx "$TMPDIR" "$STUB_LOG" && mkdir -m 777 "$O"
  class_as_nobody() {
    run setpriv --reuid 65534 --regid 65534 --clear-groups timeout 60 "$STUB/grader/class" \
      "$@" --lesson lesson02 --backend cpu
  }
  class_as_nobody "$S" --output "$O"
  shows "1 graded, 1 refused" "a: its folder cannot be read"
  class_as_nobody "$S" --output /proc/nowhere
  [ "$status" = 3 ]
  shows "cannot write into /proc/nowhere"
  chmod 700 "$S"
  class_as_nobody "$S" --output "$O"
  [ "$status" = 3 ]
  shows "$S cannot be read"
}

@test "--slurm reports a missing Slurm, a rejected job and a Slurm that stops answering, status 3" {
  hand_in a.cu points 3
  without "$BATS_TEST_TMPDIR/bin" sbatch squeue scontrol
  PATH=$BATS_TEST_TMPDIR/bin class 3 --slurm
  shows "there is no sbatch here"
  printf '#!/bin/sh\necho "sbatch: error: invalid partition specified: gpux" >&2\nexit 1\n' \
    >"$BATS_TEST_TMPDIR/bin/sbatch"
  printf '#!/bin/sh\n' | tee "$BATS_TEST_TMPDIR/bin/squeue" >"$BATS_TEST_TMPDIR/bin/scontrol"
  chmod +x "$BATS_TEST_TMPDIR"/bin/{sbatch,squeue,scontrol}
  PATH=$BATS_TEST_TMPDIR/bin class 3 --slurm
  shows "Slurm did not accept the jobs:" "invalid partition specified: gpux" "Nothing is lost"
  printf '#!/bin/sh\necho 7\n' >"$BATS_TEST_TMPDIR/bin/sbatch"
  printf '#!/bin/sh\necho "slurm_load_jobs error: Unable to contact slurm controller" >&2\nexit 1\n' \
    >"$BATS_TEST_TMPDIR/bin/squeue"
  CLASS_ASK_S=0 PATH=$BATS_TEST_TMPDIR/bin class 3 --slurm
  shows "Slurm does not answer: slurm_load_jobs error" "the same command looks for them"
  CLASS_ASK_S=0 PATH=$BATS_TEST_TMPDIR/bin class 3 --slurm
  shows "looking for job 7 of the previous run"
}

# bats test_tags=slow
@test "forty submissions, killed half way: the next run grades only the rest, with the expected verdicts" {
  "$ROOT/tests/class/make-submissions" "$S" 40
  "$ROOT/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu >/dev/null 2>&1 3>&- &
  half() { [ "$(find "$O/grades" -name grade.json 2>/dev/null | wc -l)" -ge 20 ]; }
  until_true 800 half
  kill -KILL $!
  # the gradings under way end by themselves, in hidden folders until they do
  at_rest() { [ -z "$(find "$O/grades" -mindepth 1 -maxdepth 1 -name ".*")" ]; }
  until_true 600 at_rest
  run -0 find "$O/grades" -name grade.json -printf '%p %T@\n'
  before=$(sort <<<"$output")
  run -0 timeout 800 "$ROOT/grader/class" "$S" --lesson lesson02 --output "$O" --backend cpu
  shows "$((40 - $(wc -l <<<"$before"))) to grade" "40 entries: 36 graded, 4 do not compile."
  run -0 find "$O/grades" -name grade.json -printf '%p %T@\n'
  [ "$(comm -23 <(echo "$before") <(sort <<<"$output") | wc -l)" = 0 ] # none was written again
  # of ten: 0 1 2 4 6 solutions, 5 right in an unusual way, 3 8 mistakes, 7 the starter, 9 does not compile
  holds "$O/class.json" '[.submissions[].points] | . as $p | max as $full
    | all(range(40); (. % 10) as $k | $p[.] as $is
    | if $k == 7 or $k == 9 then $is == 0 elif $k == 3 or $k == 8 then $is < $full else $is == $full end)'
}

@test "warns before grading when bubblewrap is not permitted" {
  mkdir bin "$S/a"
  printf '#!/bin/sh\nexit 1\n' >bin/bwrap
  chmod +x bin/bwrap
  PATH=$PWD/bin:$PATH run -0 timeout 60 "$ROOT/grader/class" \
    "$S" --lesson lesson02 --output "$O" --backend cpu --dry-run
  shows "bubblewrap is missing or not permitted here" "--sandbox bwrap does not grade without it"
  PATH=$PWD/bin:$PATH run -0 timeout 60 "$ROOT/grader/class" \
    "$S" --lesson lesson02 --output "$O" --backend cpu --dry-run --sandbox limits
  [[ $output != *bubblewrap* ]]
}
