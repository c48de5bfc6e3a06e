#!/usr/bin/env bats
# A wrong answer's message names the cause where the form of the error, further calls of the same case, or the
# launches show it: common/harness/model/cause.c (its unit test is tests/harness/unit/test_cause.c),
# run/probe.c, run/dependence.c and grader/lib/launches.jq.

bats_require_minimum_version 1.5.0
load grader_helper

# Three tasks of lesson02 with a mistake each, and four of lesson01, graded once.
setup_file() {
  export WORK=$BATS_FILE_TMPDIR/work KEPT=$BATS_FILE_TMPDIR/kept
  new_work "$WORK"
  mkdir -p "$KEPT/lesson01" "$KEPT/lesson02"
  sed -e '/scale_kernel(float/s/float factor/int factor/' \
    -e 's/ceil_div(n, threads), threads>>>/ceil_div(n, THREADS), THREADS>>>/' \
    -e '/else if (i == vectors)/,/^  }/d; s/^  if (i < vectors) {/  if (i < vectors) {/' \
    -e 's/make_float4(.*/&\n  }/' "$ROOT/solutions/lesson02/kernels.cu" >"$KEPT/lesson02/kernels.cu"
  sed -e 's/^  double sum = 0;/  static double sum = 0;/' -e '/row\[j\] = 0; .* uninitialised/d' \
    -e 's/y\[i\] = a \* x\[i\] + y\[i\]/y[i] = a * x[i]/' \
    -e 's/b_row = b + (size_t)p \* n + j;/b_row = b + (size_t)p * k + j;/' \
    "$ROOT/solutions/lesson01/loops.c" >"$KEPT/lesson01/loops.c"
  local lesson
  for lesson in lesson02 lesson01; do
    "$ROOT/grader/check" "$lesson" --backend cpu --submission "$KEPT/$lesson" --keep "$KEPT/$lesson" \
      --format json >"$KEPT/$lesson/grade.json" 2>"$KEPT/$lesson/messages" || true
  done
}

# says LESSON TASK WORDS: the check of that task's values fails with these words, and without a hint.
says() {
  jq -e --argjson task "$2" --arg words "$3" 'any(.checks[]; .task == $task and .state == "fail"
    and (.message | contains($words)))' "$KEPT/$1/grade.json" >/dev/null && return
  jq -r '.message, (.checks[] | select(.state == "fail") | .message)' "$KEPT/$1/grade.json"
  cat "$KEPT/$1/messages"
  return 1
}

@test "a factor that is kept in an int is named" {
  says lesson02 1 'is the factor kept in an int?'
}

# shape PLACE ELEMENTS GRID BLOCK: prints what the launch of GRID blocks of BLOCK threads says where
# the elements from PLACE on were not written.
shape() {
  # shellcheck disable=SC2016 # jq's variables
  jq -n -r -L "$ROOT/grader/lib" --argjson at "$1" --argjson of "$2" --argjson grid "$3" \
    --argjson block "$4" '
    include "launches";
    {cause: "", cases: [{state: "wrong", size: [$of], must_fail: false, first_wrong:
        {array: "c", on_device: true, index: $at, elements: $of, never_written: true, unchanged: false}}],
     failing: {profile: [{name: "add", file: "dir/add.cu", line: 7, grid: [$grid, 1, 1],
        block: [$block, 1, 1]}]}}
    | launch_cause'
}

@test "an index without its block, and others that the launch shows, are named with its line" {
  local add="add<<<(4,1,1), (256,1,1)>>> at add.cu:7"
  [[ $(shape 256 1021 4 256) == *"an index without blockIdx.x * blockDim.x in $add." ]]
  [[ $(shape 268 1021 4 256) == *"an index with gridDim.x in place of blockDim.x in add<<<"* ]]
  [[ $(shape 259 1021 4 256) == *"adds blockIdx.x without multiplying it"* ]]
  [[ $(shape 4 1021 4 256) == *"an index without threadIdx.x"* ]]
  [[ $(shape 1024 2000 4 256) == "$add has 1024 threads for 2000 elements." ]]
  [ -z "$(shape 300 1021 4 256)" ]
}

@test "a launch that was not the one that was asked for is shown with its line" {
  says lesson02 3 'It launched vector_add_kernel<<<(16,1,1), (256,1,1)>>> at kernels.cu:'
}

@test "a rest that is left out is named with the number that the others are a multiple of" {
  says lesson02 0 'the others end at 252, a multiple of 4'
}

@test "a rest that is written with the values of other elements is not called left out" {
  sed 's/d_c\[j\] = d_a\[j\] + d_b\[j\]; .* the thread after.*/d_c[j] = d_a[j - 4 * vectors] + d_b[j];/' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$BATS_TEST_TMPDIR/kernels.cu"
  "$ROOT/grader/check" lesson02 --backend cpu --task further --submission "$BATS_TEST_TMPDIR" --format json \
    >"$BATS_TEST_TMPDIR/grade.json" || true
  jq -e '[.checks[] | select(.state == "fail") | .message] | any(contains("the last 3 are written, but wrong")
    and contains("depends on a[0], which has no part in it")) and all(contains("left out") | not)' \
    "$BATS_TEST_TMPDIR/grade.json"
}

@test "an array that the function adds to and never sets is named" {
  says lesson01 2 'nothing sets c, which must be 0'
}

@test "a value that is kept from call to call is named" {
  says lesson01 4 'something is kept from one call to the next'
}

@test "an input on which the answer does not depend, as it must, is named" {
  says lesson01 1 'y[0] does not depend on y[0], as it must'
}

@test "an input on which the answer depends, and must not, is named" {
  says lesson01 0 'which has no part in it: its rows have n = '
}

@test "no hint about the idea follows where the message names the cause" {
  jq -e '[.checks[] | select(.state == "fail")][0] | .task == 1 and .hint == ""' "$KEPT/lesson02/grade.json"
}

@test "an error that a later call overwrites is not blamed on a launch that is not there" {
  sed '/^cudaError_t vector_add(/,/^}/s/  return error;/  return cudaFree(NULL);/' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$BATS_TEST_TMPDIR/kernels.cu"
  "$ROOT/grader/check" lesson02 --backend cpu --task 3 --submission "$BATS_TEST_TMPDIR" --format json \
    >"$BATS_TEST_TMPDIR/grade.json" || true
  jq -e '[.checks[] | select(.state == "fail") | .message] | any(contains("it lost the error of the launch"))
    and all(contains("It launched no kernel") | not)' "$BATS_TEST_TMPDIR/grade.json"
}

@test "an event that is recorded in another stream is named, and not taken for a missing wait" {
  sed 's/cudaEventRecord(s->done, s->stream)/cudaEventRecord(s->done, cudaStreamPerThread)/' \
    "$ROOT/solutions/lesson05/streams.cu" >"$BATS_TEST_TMPDIR/streams.cu"
  "$ROOT/grader/check" lesson05 --backend cpu --task 3 --submission "$BATS_TEST_TMPDIR" --format json \
    >"$BATS_TEST_TMPDIR/grade.json" || true
  jq -e '[.checks[] | select(.state == "fail")] | any(.message
      | contains("record it in the stream of the work"))
    and all(.mistake == null)' "$BATS_TEST_TMPDIR/grade.json"
}
