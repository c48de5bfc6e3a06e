#!/usr/bin/env bats
# grader/check: verdicts on real programs of lesson02, and on reports like those from a GPU.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load grader_helper

# The programs of this file are built once, before its tests: the solution, the starter, and a file with a
# mistake in each task.
setup_file() {
  export WORK=$BATS_FILE_TMPDIR/work KEPT=$BATS_FILE_TMPDIR/kept
  new_work "$WORK"
  mkdir "$KEPT"
  local name
  for name in solution starter mistakes; do mkdir "$KEPT/$name"; done
  cp "$ROOT/lessons/lesson02/.starter/kernels.cu" "$KEPT/starter/"
  # Task 1 adds instead of multiplying, task 2 drops the last partial block, task 3 leaks, the further task
  # has a guard that lets one float4 too many through.
  sed -e 's/d_x\[i\] \*= factor;/d_x[i] += factor;/' \
    -e '/^cudaError_t vector_add_device/,/^}/s/<<<ceil_div(n, THREADS)/<<<n < THREADS ? 1 : n \/ THREADS/' \
    -e '/^cudaError_t vector_add(/,/^}/s/cudaFree(d_b);//' \
    -e 's/if (i < vectors) {/if (i <= vectors) {/' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$KEPT/mistakes/kernels.cu"
  export NO_COMPILER=$BATS_FILE_TMPDIR/bin
  without "$NO_COMPILER" gcc g++ cc c++ make nvcc
  grade_kept solution --solution
  grade_kept starter --submission "$KEPT/starter"
  grade_kept mistakes --submission "$KEPT/mistakes"
}

# grade_kept NAME OPTION...: grades, and writes text, status and grade.json into $KEPT/NAME.
grade_kept() {
  local name=$1 status=0
  shift
  check lesson02 --backend cpu --keep "$KEPT/$name" "$@" >"$KEPT/$name/text" || status=$?
  printf '%s\n' "$status" >"$KEPT/$name/status"
}

setup() {
  load grader_helper
  export TMPDIR=$BATS_TEST_TMPDIR
}

# kept NAME: sets status and output as if that grading had just run.
kept() {
  output=$(<"$KEPT/$1/text")
  status=$(<"$KEPT/$1/status")
}

# ---- Real programs ----

@test "the solution passes every check that needs no GPU, and unmeasured checks are named" {
  kept solution
  shows "lesson02 kernels · " "✓ scale_array is right at every size: " \
    "18 of 25 points, all that could be measured here." \
    "7 points were not measured: --backend cpu was asked for"
  [ "$status" -eq 0 ]
  holds "$KEPT/solution/grade.json" '.verdict == "pass" and .points == 18 and .measured_points == 18' \
    'all(.checks[]; .state == "pass" or (.state == "not_measured" and .reason == "not_here"))'
}

@test "the starter gets no point, one hint, and a next step" {
  kept starter
  [ "$status" -eq 1 ]
  holds "$KEPT/starter/grade.json" '.points == 0 and .verdict == "fail"' 'all(.checks[]; .state != "pass")'
  [ "$(grep -c 'hint [0-9] of' <<<"$output")" -le 1 ]
  shows "Next: "
}

@test "a wrong answer shows the first wrong element with its expected and actual value" {
  kept mistakes
  holds "$KEPT/mistakes/grade.json" '.checks[0] | .state == "fail"
    and (.message | test("x\\[0\\] is -?[0-9.]+, expected -?[0-9.]+"))'
  shows "✗ scale_array is right at every size"
}

@test "the run reports the seconds that each part of a task took" {
  holds "$KEPT/mistakes/run-cpu.json" \
    '[.tasks[].seconds | keys] | unique == [["baseline", "cases", "failures", "leaks", "start", "timeline",
      "timing"]]' \
    'all(.tasks[].seconds[]; . >= 0 and . < 60)' 'any(.tasks[]; .seconds.cases > 0)'
}

@test "reports a last block that is left out, and where it begins" {
  kept mistakes
  holds "$KEPT/mistakes/grade.json" '.checks[] | select(.sentence | test("^vector_add_device is right"))
    | .state == "fail" and (.message | test("n = 257: c\\[256\\] was never written"))'
}

@test "reports a bounds check that is too weak, with its line" {
  kept mistakes
  [ "$status" -eq 1 ]
  shows "✗ vector_add_wide makes no memory errors, no races"
  local line
  line=$(grep -n 'c4\[i\] = make_float4\|a = a4\[i\]' "$KEPT/mistakes/kernels.cu" | head -n 1 | cut -d: -f1)
  jq -e --arg where "kernels.cu:$line" '[.tasks[] | select(.name == "vector_add_wide") | .findings[]
    | select(.tool == "memcheck") | "\(.file):\(.line)"] | index($where)' "$KEPT/mistakes/run-cpu.json"
}

@test "memory that is not freed costs only its own check" {
  kept mistakes
  holds "$KEPT/mistakes/grade.json" '[.checks[] | select(.task == 3) | .state] ==
    ["pass", "pass", "pass", "pass", "fail", "not_measured", "not_measured"]'
  shows "leakcheck: "
}

@test "grade.json has every field that grader/README.md lists" {
  local name
  for name in solution mistakes; do
    holds "$KEPT/$name/grade.json" '.schema == "wb-grade/2"' \
      '(keys - ["backend","checks","date","device","file","lesson","max_points","measured_points","message",
      "missing","next","points","repeat","runs","sandbox","schema","seed","state","task","tasks","title",
      "verdict","warnings"]) == []' \
      '(keys | length) == 23' \
      '.checks | length == 22' '([.checks[].max_points] | add) == .max_points and .max_points == 25' \
      'all(.checks[];
      keys == ["hint","max_points","message","mistake","note","number","points","reason","sentence","speed",
      "state","task","tool","where","why"])' \
      'all(.checks[]; .points == (if .state == "pass" then .max_points else 0 end))' \
      '.date | test("^20[0-9-]+T[0-9:]+Z$")' '.seed | test("^0x[0-9a-f]+$")' \
      '.runs == [.runs[] | {kind, built, seed, verdict}]' '.seed == .runs[0].seed'
  done
  local field
  for field in $(jq -r '(keys + (.checks[0] | keys))[]' "$KEPT/solution/grade.json"); do
    grep -q "\`$field" "$ROOT/grader/README.md" || { echo "not in the README: $field"; return 1; }
  done
}

@test "the command that repeats a verdict uses the same inputs" {
  # the message names the values, which depend on the seed
  local again
  again=$(jq -r .repeat "$KEPT/mistakes/grade.json")
  run -1 bash -c "cd '$ROOT' && $again --task 1 --keep '$BATS_TEST_TMPDIR/again' 2>&1"
  diff <(jq '[.checks[] | select(.task == 1) | .message]' "$KEPT/mistakes/grade.json") <(jq \
    '[.checks[].message]' "$BATS_TEST_TMPDIR/again/grade.json")
}

@test "--task grades one task; --format json prints only grade.json" {
  run -0 --separate-stderr check lesson02 --solution --backend cpu --task 2 --format json
  jq -e '[.checks[].task] | unique == [2]' <<<"$output"
  jq -e '.task == 2 and .max_points == 8' <<<"$output"
}

@test "--format tap has a line for each check, and the right number of them" {
  run -1 check lesson02 --submission "$KEPT/mistakes" --backend cpu --format tap --task 3
  [ "${lines[0]}" = 1..7 ]
  [ "$(grep -c '^ok ' <<<"$output")" -eq 6 ]
  [ "$(grep -c '^not ok ' <<<"$output")" -eq 1 ]
}

@test "plain C: sanitizers report an access outside an array and a race, each with its line" {
  mkdir "$BATS_TEST_TMPDIR/plain"
  # the tasks in between compute nothing, so that no time is measured
  sed -e 's/for (int i = 0; i < n; i++) y\[i\]/for (int i = 0; i <= n; i++) y[i]/' \
    -e 's/^#pragma omp parallel for reduction(+ : sum)/#pragma omp parallel for/' \
    -e 's/^static void matmul_row(.*/&\n  return;/' -e '/^void matmul_blocked/,/^}/s/matmul_tile(.*);/;/' \
    "$ROOT/solutions/lesson01/loops.c" >"$BATS_TEST_TMPDIR/plain/loops.c"
  run -1 check lesson01 --submission "$BATS_TEST_TMPDIR/plain" --keep "$BATS_TEST_TMPDIR/kept"
  local outside
  outside=$(grep -n 'i <= n' "$BATS_TEST_TMPDIR/plain/loops.c" | cut -d: -f1)
  shows "✗ saxpy stays inside its arrays" "asan" "loops.c:$outside" "Next: look at loops.c:$outside" \
    "tsan: race at loops.c:"
}

# ---- Reports from a GPU: programs that come with the submission, on a machine without compilers ----

# gpu CPU-FILTER CUDA-FILTER...: makes a submission whose programs give these reports.
gpu() {
  local cuda=() filter
  cp -r "$KEPT/starter" "$BATS_TEST_TMPDIR/brought"
  program "$BATS_TEST_TMPDIR/brought/bin/lesson02-cpu" "$(report cpu "$1")"
  shift
  for filter; do cuda+=("$(report cuda "$filter")"); done
  program "$BATS_TEST_TMPDIR/brought/bin/lesson02-cuda" "${cuda[@]}"
}

check_gpu() {
  PATH=$NO_COMPILER check lesson02 --submission "$BATS_TEST_TMPDIR/brought" --backend cuda \
    --keep "$BATS_TEST_TMPDIR/kept" "$@"
}

@test "judges speeds above, between and below the thresholds" {
  gpu . '.t3 |= ratio($threshold3.pass; ($threshold3.pass + $threshold3.excellent) / 2)
    | .t0 |= ratio($threshold0.pass - 0.2; $threshold0.pass - 0.1)'
  run -1 check_gpu
  [ "$(states "$BATS_TEST_TMPDIR/kept")" = \
    "$(printf 'pass %.0s' {1..16})fail pass pass pass fail not_measured" ]
  shows " × copy, pass is " " × five-steps, excellent is " "a device, driver 580.1, CUDA 13.0" \
    "22 of 25 points"
}

@test "noise across a threshold is timed again three times, then inconclusive, not failed" {
  gpu . '.t2 |= ratio($threshold2.pass - 0.1; $threshold2.excellent + 0.1)'
  run -0 check_gpu --task 2
  [ "$(wc -l <"$BATS_TEST_TMPDIR/brought/bin/lesson02-cuda.runs")" -eq 4 ]
  shows "inconclusive" "grade again when the machine is idle"
  holds "$BATS_TEST_TMPDIR/kept/grade.json" '.points == 5 and .measured_points == 5'
}

@test "a threshold missed or met while the machine is busy is inconclusive too, and not all has passed" {
  local ratios
  for ratios in '$threshold2.pass - 0.2; $threshold2.pass - 0.1' \
    '$threshold2.excellent + 0.1; $threshold2.excellent + 0.2'; do
    rm -rf "$BATS_TEST_TMPDIR/brought"
    gpu . ".t2 |= (ratio($ratios) | .timing.noise_percent = 40)"
    run -0 check_gpu --task 2
    shows "inconclusive, something else is running on this machine"
    holds "$BATS_TEST_TMPDIR/kept/grade.json" '.points == 5 and .measured_points == 5'
    [[ $output != *'Everything passed'* ]]
  done
}

@test "noise that is gone the second time is not reported" {
  gpu . '.t2 |= ratio($threshold2.pass - 0.1; $threshold2.excellent + 0.1)' .
  run -0 check_gpu --task 2
  [ "$(wc -l <"$BATS_TEST_TMPDIR/brought/bin/lesson02-cuda.runs")" -eq 2 ]
  shows "8 of 8 points."
}

@test "a time that is too short to be true fails the checks of its speed, with the reason" {
  gpu . '.t2 |= (ratio(50; 60) | .timing.too_fast = "0.01 ms is too short to be true")'
  run -1 check_gpu --task 2
  [ "$(states "$BATS_TEST_TMPDIR/kept")" = "pass pass pass pass fail fail" ]
  shows "0.01 ms is too short to be true" "5 of 8 points"
}

@test "a result that is wrong only on the GPU gets no points for correctness or speed" {
  gpu . '.t2.state = "wrong" | .t2.message = "c[5] is wrong"'
  run -1 check_gpu --task 2
  [ "$(states "$BATS_TEST_TMPDIR/kept")" = \
    "fail not_measured not_measured not_measured not_measured not_measured" ]
  shows "on the GPU: c[5] is wrong" "not measured while the task is wrong"
}

@test "reports each reason why a GPU cannot be used, with what to do, status 3" {
  gpu . .
  local reason message way_out
  while IFS='|' read -r reason message way_out; do
    # shellcheck disable=SC2016 # $3 is the file that --output names
    printf '#!/bin/sh\nprintf "%%s\\n" '"'"'{"reason": "%s", "message": "%s"}'"'"' >"$3"\nexit 3\n' \
      "$reason" "$message" >"$BATS_TEST_TMPDIR/brought/bin/lesson02-cuda"
    run -3 check_gpu
    shows "--backend cuda: $message" "$way_out"
  done <<'END'
no_gpu|there is no GPU|sbatch jobs/run.sh
no_driver|there is no driver|NVIDIA's driver installed
driver_too_old|the driver knows CUDA 11 only|older CUDA toolkit
busy|the GPU is busy|try again later
exclusive|it is in exclusive mode|end that
END
}

@test "--backend cuda without nvcc and without a built program says so" {
  cp -r "$KEPT/starter" "$BATS_TEST_TMPDIR/brought"
  NVCC='' run -3 check lesson02 --submission "$BATS_TEST_TMPDIR/brought" --backend cuda
  shows "nvcc is not found here" "module load"
}

@test "a program that ends without a report gets no points and status 3" {
  gpu . .
  printf '#!/bin/sh\nexit 0\n' >"$BATS_TEST_TMPDIR/brought/bin/lesson02-cpu"
  PATH=$NO_COMPILER run -3 check lesson02 --submission "$BATS_TEST_TMPDIR/brought" --backend cpu --format json
  shows "left no report (status 0)" '"state": "not_run"' '"points": 0'
}

@test "a fault in the check file costs no points: status 3" {
  gpu . .
  copy_checkout "$BATS_TEST_TMPDIR/copy"
  local checks=$BATS_TEST_TMPDIR/copy/grader/checks/lesson02.bats
  for verb in 'right no_such_task' 'faster scale_array copy' 'true'; do
    sed "s/{ right scale_array; }/{ $verb; }/" "$ROOT/grader/checks/lesson02.bats" >"$checks"
    PATH=$NO_COMPILER run -3 timeout 60 "$BATS_TEST_TMPDIR/copy/grader/check" lesson02 \
      --submission "$BATS_TEST_TMPDIR/brought" --backend cpu --task 1
    shows "an error in grader/checks/lesson02.bats, not in your file" "scale_array is right at every size"
  done
}

# ---- Known mistakes, and hints that fit ----

@test "names a known mistake by its fingerprint, and no mistake where none has that result" {
  local dir=$BATS_TEST_TMPDIR/known
  mkdir "$dir"
  # The patch block-index-forgotten, in blocks of another size and another style.
  sed -e 's/THREADS 256/THREADS 128/' \
    -e 's/const int i = blockIdx.x \* blockDim.x + threadIdx.x;/int i = threadIdx.x;/' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$dir/kernels.cu"
  run -1 check lesson02 --backend cpu --task 1 --submission "$dir" --keep "$dir"
  shows "Your result equals what this mistake gives: each block works on the first elements." \
    "Which threads compute the same index?"
  shows_not "hint 1 of"
  holds "$dir/grade.json" '[.checks[] | .mistake // empty] ==
    [{name: "block-index-forgotten", sentence: "each block works on the first elements"}]'
  # Adding instead of multiplying is no known mistake; of a right answer no prints are taken.
  holds "$KEPT/mistakes/grade.json" '.checks[0] | .state == "fail" and .mistake == null'
  holds "$KEPT/mistakes/run-cpu.json" '.tasks[0].prints | length > 3'
  holds "$KEPT/solution/run-cpu.json" 'all(.tasks[]; .prints == [])'
}

@test "a fingerprint is the same for every seed, and with threads in any order" {
  local program=$BATS_TEST_TMPDIR/lesson02-cpu turn
  make -C "$ROOT" -s program LESSON=lesson02 BACKEND=cpu SUBMISSION="$KEPT/mistakes" OUT="$BATS_TEST_TMPDIR"
  for turn in forward random:1 random:2; do
    CUCC_ORDER=$turn run -1 "$program" --no-timing --task 1 --output "$BATS_TEST_TMPDIR/run.json"
    jq -L "$ROOT/grader/lib" 'include "mistakes"; .tasks[0] | fingerprint(true)' "$BATS_TEST_TMPDIR/run.json"
  done >"$BATS_TEST_TMPDIR/prints"
  [[ $(sort "$BATS_TEST_TMPDIR/prints" | uniq -c) =~ ^\ *3\ \"[0-9a-f]{8}\"$ ]]
}

@test "shows a hint about the task where values are wrong, and none with an error, a finding or a speed" {
  gpu . '.t2.state = "crashed" | .t2.message = "it crashed"'
  run -1 check_gpu --task 2
  shows_not "hint 1 of"
  shows "--hints 1"
  kept mistakes
  holds "$KEPT/mistakes/grade.json" '.checks[0].hint | startswith("hint 1 of 3")'
  check lesson02 --backend cpu --task 3 --submission "$KEPT/mistakes" --format json \
    >"$BATS_TEST_TMPDIR/leak" || true
  holds "$BATS_TEST_TMPDIR/leak" '[.checks[] | select(.state == "fail")][0] | .hint == "" and
    (.message | contains("leakcheck"))'
}

# ---- The rest ----

@test "hints come from the page: one, or more with --hints" {
  gpu '.t2.state = "wrong" | .t2.message = "c[5] is wrong"' .
  copy_checkout "$BATS_TEST_TMPDIR/copy"
  {
    echo "# Lesson 2: kernels"
    printf '<details><summary>Task 2, hint %d of 2</summary>\n\nLook %s.\n\n</details>\n' 1 here 2 there
  } >"$BATS_TEST_TMPDIR/copy/lessons/lesson02/README.md"
  local grade=(timeout 60 "$BATS_TEST_TMPDIR/copy/grader/check" lesson02 \
    --submission "$BATS_TEST_TMPDIR/brought" --backend cpu --task 2)
  PATH=$NO_COMPILER run -1 "${grade[@]}"
  shows "hint 1 of 2: Look here." "--hints 2"
  shows_not "Look there"
  PATH=$NO_COMPILER run -1 "${grade[@]}" --hints 9
  shows "hint 1 of 2: Look here." "hint 2 of 2: Look there."
  shows_not "--hints 10"
}

@test "colour only on a terminal and without NO_COLOR; plain characters where the locale has no others" {
  gpu . .
  local command="PATH='$NO_COMPILER' '$ROOT/grader/check' lesson02 --backend cpu --task 1 \
--submission '$BATS_TEST_TMPDIR/brought'"
  run -0 env TERM=xterm script -qec "$command" /dev/null
  shows $'\033[32m✓'
  run -0 env TERM=xterm NO_COLOR=1 script -qec "$command" /dev/null
  shows_not $'\033[3' $'\033[1'
  run -0 env LC_ALL=C bash -c "$command"
  shows "+ scale_array is right"
  if LC_ALL=C grep -q '[^ -~]' <<<"$output"; then
    echo "not ASCII: $output"
    return 1
  fi
}

@test "the output of a learner's program cannot control the terminal" {
  gpu '.t1.state = "wrong" | .t1.message = "x[0] is wrong"
    | .t1.output = "\u001b]0;title\u0007 red \u001b[31m"' .
  PATH=$NO_COMPILER run -1 check lesson02 --submission "$BATS_TEST_TMPDIR/brought" --backend cpu --task 1
  shows "your program printed: ]0;title red [31m"
  shows_not $'\033' $'\007'
}

@test "the checkout stays unchanged when WORK is elsewhere, from any directory, with spaces in every path" {
  local copy="$BATS_TEST_TMPDIR/a checkout" work="$BATS_TEST_TMPDIR/my work" before after
  copy_checkout "$copy"
  mkdir -p "$work/lessons/lesson02"
  cp "$KEPT/mistakes/kernels.cu" "$work/lessons/lesson02/"
  echo 'static inline int always(unsigned n) { return n >= 0; }' >>"$work/lessons/lesson02/kernels.cu"
  cp -a "$WORK/build" "$work/" # what is built already
  rm "$work/build/cucc"        # but not the runtime that all tests share: it belongs to its checkout
  before=$(find "$copy" -printf '%p %T@ %s\n' | sort)
  chmod -R a-w "$copy"
  cd "$work"
  mkdir "$BATS_TEST_TMPDIR/its tmp"
  TMPDIR="$BATS_TEST_TMPDIR/its tmp" WORK="$work" run -1 timeout 100 \
    ../a\ checkout/grader/check lesson02 --backend cpu --task 3
  chmod -R u+w "$copy"
  shows "lessons/lesson02/kernels.cu" "leakcheck: " "the compiler warns: kernels.cu:" "always true"
  [ -x "$work/build/cpu/lesson02" ] # where the pages' commands look for it
  after=$(find "$copy" -printf '%p %T@ %s\n' | sort)
  diff <(printf '%s\n' "$before") <(printf '%s\n' "$after")
  [ ! -e "$copy/build" ]
}

@test "--watch grades again at every save, and Ctrl-C ends it and all its children" {
  gpu '.t1.state = "wrong" | .t1.message = "x[0] is wrong"' .
  local brought=$BATS_TEST_TMPDIR/brought log=$BATS_TEST_TMPDIR/log
  edit_and_interrupt "$brought" "$log" &
  PATH=$NO_COMPILER run -130 timeout -k 2 30 bash -c 'echo $$ >"$1"; shift; exec "$@" >"$0" 2>&1' "$log" \
    "$log.pid" \
    "$ROOT/grader/check" lesson02 --submission "$brought" --backend cpu --task 1 --watch
  wait
  output=$(<"$log")
  shows "0 of 5 points" "5 of 5 points"
  [ -z "$(leftovers)" ]
}

# Saves a right answer after the first verdict, and presses Ctrl-C after the second.
edit_and_interrupt() {
  wait_for 'Ctrl-C ends' "$2"
  program "$1/bin/lesson02-cpu" "$(report cpu .)"
  printf '\n' >>"$1/kernels.cu"
  wait_for '4 of 4 points' "$2"
  kill -INT "$(<"$2.pid")"
}

wait_for() {
  for _ in {1..100}; do
    ! grep -qsF "$1" "$2" || return 0
    sleep 0.1
  done
}
