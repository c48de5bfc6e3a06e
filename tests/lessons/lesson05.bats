#!/usr/bin/env bats
# lesson05: realistic mistakes lose points and are named, unusual correct answers lose none, and the page is
# true.
#
# Each tests/lessons/bugs/lesson05/*.patch makes one mistake in the solution. Its first lines name the
# mistake, the task and the message that the grader must print (a regular expression). Each task runs in its
# own process, so one grading can test one mistake in each task. The function `gradings` lists the gradings;
# the last test checks that no patch is missing there.

bats_require_minimum_version 1.5.0
export LESSON=lesson05
load known

# The name of each grading and its patches. Patches of queue_chunk, which all tasks use, are graded alone.
gradings() {
  cat <<'END'
one missing-synchronise shared-device-chunk buffer-reused-too-early
two last-chunk-too-long wait-in-the-loop pageable-staging
three missing-destroy wrong-chunk-offset staging-not-freed
seventeen wait-for-many-chunks fewer-streams single-batch-unstaged
END
}
slow_gradings() {
  cat <<'END'
four last-chunk-dropped wait-for-one-stream event-before-the-copy
five first-stream-only last-batches-lost
six device-wide-wait
seven bytes-for-elements
eight blocking-copy
nine kernel-in-default-stream
ten polled-after-each-chunk arrays-registered
eleven all-copied-in-at-once
twelve empty-kernels
thirteen one-thread-scrambles
fourteen error-of-a-chunk-lost buffers-left-after-an-error
fifteen copy-past-the-input
sixteen stream-left-after-an-error
eighteen kernel-beside-its-stream default-stream-among-them
nineteen bytes-in-32-bits place-in-an-int
twenty streams-never-made-destroyed error-of-the-wait-wins staging-of-the-whole-array
twentyone grid-capped
twentytwo goes-on-with-fewer-streams
END
}

setup_file() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  source "$ROOT/tests/work.bash"
  export ROOT LC_ALL=C.UTF-8 WORK=$BATS_FILE_TMPDIR/work KEPT=$BATS_FILE_TMPDIR/kept
  export RIGHT="breadth-first host-function mapped-staging streams-by-role" # the others are slow
  unset BACKEND WB_TIME_LIMIT MAKEFLAGS
  mkdir "$KEPT"
  new_work "$WORK"
  make -s -C "$ROOT" -j2 BACKEND=cpu solution05 >/dev/null
  export PROGRAM=$WORK/build/cpu/solution05
  local name patches
  {
    for name in $RIGHT; do put "right-$name" "$ROOT/tests/lessons/right/lesson05/$name.cu"; done
    put starter "$ROOT/lessons/lesson05/.starter/streams.cu"
    first_task
    gradings | while read -r name patches; do faulty "$name" "$patches"; done
  } | xargs -d '\n' -P 2 -n 1 bash -c 'grade "$0"'
}

# The solution of task 1 and the starter of the other tasks.
first_task() {
  put first-task "$ROOT/solutions/lesson05/streams.cu" >/dev/null
  sed -i '/#region task-[23f]/,/#endregion task-[23f]/{
    /#.*region/d;/^ *\/\/:/!d;s/^\( *\)\/\/: \{0,1\}/\1/}' "$KEPT/first-task/streams.cu"
  echo first-task
}

# put NAME FILE: creates a submission and prints its name.
put() {
  mkdir -p "$KEPT/$1"
  cp "$2" "$KEPT/$1/streams.cu"
  echo "$1"
}

# faulty NAME "PATCH...": creates the solution with these mistakes. Prints the name last, when it is ready for
# grading.
faulty() {
  local patch
  put "$1" "$ROOT/solutions/lesson05/streams.cu" >/dev/null
  for patch in $2; do
    (cd "$KEPT/$1" && git apply "$ROOT/tests/lessons/bugs/lesson05/$patch.patch") ||
      echo "$patch" >>"$KEPT/$1/unpatched"
  done
  echo "$1"
}

# grade NAME: grades the submission and writes text, status and grade.json into its folder.
grade() {
  local status=0
  timeout -k 2 120 "$ROOT/grader/check" lesson05 --submission "$KEPT/$1" --backend cpu --keep "$KEPT/$1" \
    >"$KEPT/$1/text" 2>&1 || status=$?
  echo "$status" >"$KEPT/$1/status"
}
export -f grade

# field PATCH NAME: prints a field of the patch's head.
field() { sed -n "s/^$2: //p" "$ROOT/tests/lessons/bugs/lesson05/$1.patch"; }

# caught NAME PATCH...: each patch applied, its task lost points, and a message names the mistake.
caught() {
  local name=$1 patch task
  shift
  for patch; do
    if grep -qsx "$patch" "$KEPT/$name/unpatched"; then
      echo "$patch.patch no longer applies to the solution"
      return 1
    fi
    task=$(field "$patch" Task)
    if ! jq -e --argjson task "$task" --arg says "$(field "$patch" Says)" '
        [.checks[] | select(.task == $task and .state == "fail")]
        | length > 0 and any(.[]; .message | gsub("\\s+"; " ") | test($says))' \
          "$KEPT/$name/grade.json" >/dev/null; then
      echo "$patch ($(field "$patch" Mistake)): task $task does not fail with: $(field "$patch" Says)"
      cat "$KEPT/$name/text"
      return 1
    fi
    recognised "$patch" "$KEPT/$name/grade.json"
  done
  [ "$(<"$KEPT/$name/status")" -eq 1 ]
}

# caught_in NAME: all patches of that grading.
caught_in() {
  local patches
  patches=$({ gradings && slow_gradings; } | sed -n "s/^$1 //p")
  [ -n "$patches" ]
  # shellcheck disable=SC2086  # names without blanks
  caught "$1" $patches
}

caught_slowly() {
  faulty "$1" "$(slow_gradings | sed -n "s/^$1 //p")" >/dev/null
  grade "$1"
  caught_in "$1"
}

@test "reports a missing wait, streams that share memory, and a buffer reused too early" { caught_in one; }

@test "reports a last chunk that is too long, a wait in the loop, and pageable staging memory" {
  caught_in two
}

@test "reports a stream not destroyed, a wrong offset, and pinned memory not freed" {
  caught_in three
  jq -e 'any(.checks[]; .message | contains("chunks further on: do two chunks use the same part"))' \
    "$KEPT/three/grade.json"
}

@test "reports many waits for many chunks, streams that are not used, and a single batch that is not staged" {
  caught_in seventeen
}

# bats test_tags=slow
@test "reports a dropped last chunk, a stream not waited for, and an event recorded too early" {
  caught_slowly four
}

# bats test_tags=slow
@test "reports a single stream, and batches that are never collected" { caught_slowly five; }

# bats test_tags=slow
@test "reports a device-wide wait after every batch" { caught_slowly six; }

# bats test_tags=slow
@test "reports polling after each chunk, and arrays that are registered instead of staged" {
  caught_slowly ten
}

# bats test_tags=slow
@test "reports a copy of everything next to copies for show" { caught_slowly eleven; }

# bats test_tags=slow
@test "reports one kernel for everything next to empty kernels" { caught_slowly twelve; }

# bats test_tags=slow
@test "reports one thread that works through each chunk" { caught_slowly thirteen; }

# bats test_tags=slow
@test "reports a number of elements where bytes are needed" {
  caught_slowly seven
  reported "$KEPT/seven/text" "$(messages_on_page | grep '^initcheck')"
}

# bats test_tags=slow
@test "reports cudaMemcpy in place of cudaMemcpyAsync" { caught_slowly eight; }

# bats test_tags=slow
@test "reports a kernel in the default stream" { caught_slowly nine; }

# bats test_tags=slow
@test "reports the error of a chunk that a wait replaces, and buffers that are left after an error" {
  caught_slowly fourteen
}

# bats test_tags=slow
@test "reports a last batch that is copied past the end of the input" { caught_slowly fifteen; }

# bats test_tags=slow
@test "reports streams that stay when another one cannot be created" { caught_slowly sixteen; }

# bats test_tags=slow
@test "reports a kernel beside its stream, and the default stream among others" { caught_slowly eighteen; }

# bats test_tags=slow
@test "reports bytes of a chunk that are counted in 32 bits" {
  caught_slowly nineteen
  jq -e 'any(.checks[]; .message | contains("a number of bytes was cut to 32 bits. Compute it in size_t"))' \
    "$KEPT/nineteen/grade.json"
}

# bats test_tags=slow
@test "reports streams destroyed that were never created, a later error, and too large staging buffers" {
  caught_slowly twenty
}

# bats test_tags=slow
@test "reports a grid of at most 1024 blocks for a chunk that needs more" { caught_slowly twentyone; }

# bats test_tags=slow
@test "reports fewer streams than asked for where one cannot be created" { caught_slowly twentytwo; }

# bats test_tags=slow
@test "reports streams, and buffers, that are all waited for after each turn" {
  put drained "$ROOT/solutions/lesson05/streams.cu" >/dev/null
  sed -i 's/^    s = (s + 1) % streams;/&\n    for (int k = 0; k < made \&\& s == 0; k++)\
      error = first_error(error, cudaStreamSynchronize(stream[k]));/
    s/^    error = collect_batch(&slots\[b\], h_out);.*/    for (int k = 0; k < buffers \&\& b == 0; k++)\
      error = first_error(error, collect_batch(\&slots[k], h_out));/' "$KEPT/drained/streams.cu"
  grade drained
  jq -e '[.checks[] | select(.state == "fail")] | map(.task) == [2, 3] and
    all(.[]; .message | contains("After 4 of 8 launches, at most, the host waited for all"))' \
    "$KEPT/drained/grade.json"
}

# bats test_tags=slow
@test "names an error that a later result replaces, and a batch whose place is changed" {
  put replaced "$ROOT/solutions/lesson05/streams.cu"
  sed -i '/^cudaError_t process_chunks/,/^}/s/return first_error(error, \(.*\));/return \1;/
    s/^    error = collect_batch(&slots\[b\]/    slots[b].first = first;\n&/' "$KEPT/replaced/streams.cu"
  grade replaced
  jq -e '[.checks[] | select(.state == "fail") | .message] | any(contains("after 0 of 3 launches: " +
      "the error was not checked, or the result of a later call took its place"))
    and any(contains("where the next batch of the same buffer belongs"))' "$KEPT/replaced/grade.json"
}

@test "every mistake in tests/lessons/bugs/lesson05 is graded" {
  diff <({ gradings && slow_gradings; } | cut -d' ' -f2- | tr ' ' '\n' | sort) \
    <(cd "$ROOT/tests/lessons/bugs/lesson05" && printf '%s\n' *.patch | sed 's/\.patch$//' | sort)
}

# loses_no_point NAME: this correct answer has been graded, and no measured check failed.
loses_no_point() {
  jq -e '.points == .measured_points and .points > 0 and all(.checks[]; .state != "fail")' \
    "$KEPT/right-$1/grade.json" &&
    [ "$(<"$KEPT/right-$1/status")" -eq 0 ] && return
  cat "$KEPT/right-$1/text"
  return 1
}

loses_no_point_slowly() {
  put "right-$1" "$ROOT/tests/lessons/right/lesson05/$1.cu" >/dev/null
  grade "right-$1"
  loses_no_point "$1"
}

@test "all copies in, all kernels, all copies out and a single wait lose no point" {
  loses_no_point breadth-first
}

@test "a stream for each engine, ordered by events, loses no point" { loses_no_point streams-by-role; }

@test "a host function in the stream that delivers the batch loses no point" { loses_no_point host-function; }

@test "batches read from mapped memory, and stream priorities, lose no point" {
  loses_no_point mapped-staging
}

# bats test_tags=slow
@test "work that is captured as graphs loses no point" { loses_no_point_slowly captured-graph; }

# bats test_tags=slow
@test "a host thread for each of twice as many streams loses no point" { loses_no_point_slowly host-threads; }

# bats test_tags=slow
@test "batches in order of completion and growing chunks lose no point" { loses_no_point_slowly first-come; }

@test "every correct answer in tests/lessons/right/lesson05 is graded" {
  local file name
  for file in "$ROOT"/tests/lessons/right/lesson05/*.cu; do
    name=$(basename "$file" .cu)
    [[ " $RIGHT " == *" $name "* ]] || grep -Eq "loses_no_point_slowly $name(;|$)" \
      "$ROOT/tests/lessons/lesson05.bats"
  done
}

@test "task 1 alone earns only the points of task 1" {
  [ "$(<"$KEPT/first-task/status")" -eq 1 ]
  jq -e '([.checks[] | select(.task == 1) | .state] | unique - ["not_measured"] == ["pass"])
    and .points == ([.checks[] | select(.task == 1 and .state == "pass") | .max_points] | add)
      and .points >= 5
    and ([.checks[] | select(.state == "fail") | .task] | unique == [0, 2, 3])' "$KEPT/first-task/grade.json"
}

# reported FILE MESSAGE: FILE contains the message. On the page, "…" stands for the parts that vary.
reported() {
  local part
  while read -r part; do
    tr -s ' \n' ' ' <"$1" | grep -qF -- "$part" && continue
    echo "not reported: $part"
    return 1
  done <<<"${2//…/$'\n'}"
}

# Prints the messages quoted in the page's table of mistakes.
messages_on_page() {
  sed -n '/^## Common mistakes/,/^## Go/p' "$ROOT/lessons/lesson05/README.md" | grep '^|' | cut -d'|' -f2 |
    grep -o '`[^`]*`' | tr -d '`'
}

@test "the messages in the page's table of mistakes are printed by the grader" {
  cat "$KEPT"/{one,two,three}/text >"$BATS_TEST_TMPDIR/said"
  local message count=0
  while read -r message; do
    [[ $message == initcheck* ]] && continue # in the test of elements where bytes are needed
    reported "$BATS_TEST_TMPDIR/said" "$message"
    count=$((count + 1))
  done < <(messages_on_page)
  [ "$count" -ge 8 ]
}

@test "the starter fails every task because nothing was written" {
  [ "$(<"$KEPT/starter/status")" -eq 1 ]
  jq -e '.points == 0 and all(.checks[]; .state != "pass")
    and ([.checks[] | select(.state == "fail" and (.message | test("never written"))) | .task]
      | unique == [0, 1, 2, 3])' \
    "$KEPT/starter/grade.json"
}

# span STREAMS: prints the microseconds of the modelled timeline for the page's twelve chunks.
span() {
  "$PROGRAM" --task 2 --size "98304x64x8192x$1" --output "$BATS_TEST_TMPDIR/run.json" >/dev/null
  jq '.tasks[0].timeline.span_us' "$BATS_TEST_TMPDIR/run.json"
}

@test "the page's prediction is true: two streams halve the time, and more than three add nothing" {
  local one two three eight
  one=$(span 1) two=$(span 2) three=$(span 3) eight=$(span 8)
  jq -ne "$two < 0.55 * $one and $three < 0.9 * $two and $eight > 0.97 * $three"
}

# fails_cleanly TASK CALL:NUMBER: the solution returns the error of that call and leaks nothing.
fails_cleanly() {
  CUCC_FAIL=$2 run "$PROGRAM" --task "$1" --size 1021x8x100x4 --output "$BATS_TEST_TMPDIR/run.json"
  jq -e '.tasks[0] | .state == "wrong" and (.cases[0].status > 0) and .findings == []' \
    "$BATS_TEST_TMPDIR/run.json" ||
    { echo "$2 in task $1: $output"; return 1; }
}

@test "the solution returns the error of any call and still frees everything" {
  local call
  for call in cudaStreamCreate:2 cudaMemcpyAsync:4 cudaLaunchKernel:3; do
    fails_cleanly 2 "$call"
  done
  for call in cudaMallocHost:2 cudaStreamCreate:3 cudaEventCreateWithFlags:2 cudaMemcpyAsync:5 \
    cudaEventRecord:3 \
    cudaEventSynchronize:2; do
    fails_cleanly 3 "$call"
  done
}

@test "sizes outside the contract end with an error before the learner's function is called" {
  local size
  for size in 100x8x0x4 100x8x10x0 100x8x10x33; do
    run -1 "$PROGRAM" --task 2 --size "$size"
    [[ $output == *cudaErrorInvalidValue* ]]
  done
}

@test "the host loop that GPU times are compared with is correct" {
  WB_BASELINE=1 run -0 "$PROGRAM" --no-timing --size 10007x8
  [ "$(grep -c "the host's own loop is right on one core and on all" <<<"$output")" -eq 4 ]
}

@test "the timeline quoted on the page is the one that the solution prints" {
  "$PROGRAM" --task 2 --size 98304x64x8192x3 |
    grep -E '^ +(stream|\+|0|copies) ?' >"$BATS_TEST_TMPDIR/printed"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/printed")" -eq 6 ]
  diff "$BATS_TEST_TMPDIR/printed" <(sed -n '/^```text/,/^```$/p' "$ROOT/lessons/lesson05/README.md" |
    grep -E '^ +(stream|\+|0|copies) ?')
}
