# Does this workbook work on this machine? There is a test for each thing that learners need. It doesn't use
# the files that you edit: it grades the starters, which are not right yet, and the solutions in this edition.

bats_require_minimum_version 1.5.0

setup_file() {
  cd "$BATS_TEST_DIRNAME/.." || exit
  ROOT=$PWD
  export ROOT WORK=$BATS_FILE_TMPDIR/work
  mkdir -p "$WORK/build" build/tests/cucc
  # the CPU backend's library is built once, not at every run
  ln -s "$ROOT/build/tests/cucc" "$WORK/build/cucc"
}

setup() { cd "$BATS_TEST_DIRNAME/.." || exit; }

grade() { timeout -k 2 300 grader/check "$1" --backend auto --keep "$BATS_TEST_TMPDIR/$1" "${@:2}"; }

# grade_starter LESSON: the starter builds without a warning, gets no point, and the report says what is
# missing.
grade_starter() {
  run -1 grade "$1" --submission "lessons/$1/.starter"
  run ! grep -h warning: "$BATS_TEST_TMPDIR/$1"/build-*.log
  run -0 jq -r '[.state, .points, (.checks | length > 0)] | map(tostring) | join(" ")' \
    "$BATS_TEST_TMPDIR/$1/grade.json"
  [ "$output" = "graded 0 true" ]
}

@test "the CPU backend runs a kernel and reports a write past the end" {
  local program=$BATS_TEST_TMPDIR/count
  cat >"$program.cu" <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
__global__ void count(int *d, int n) { if (threadIdx.x < n) d[threadIdx.x] = threadIdx.x; }
int main(int argc, char **argv) {
  int *d, h[4] = {0};
  cudaMalloc(&d, sizeof h);
  count<<<1, 32>>>(d, atoi(argv[argc - 1]));
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("last: %d\n", h[3]);
  return cudaFree(d) != cudaSuccess;
}
END
  CUCC_BUILD=$WORK/build/cucc common/cpu/cucc -o "$program" "$program.cu"
  run -0 "$program" 4
  [ "$output" = "last: 3" ]
  run "$program" 5
  [ "$status" != 0 ]
  [[ $output == *memcheck*"count.cu:4"* ]]
}

@test "every starter is built and graded, and the report says what is missing" {
  local lesson
  for lesson in lessons/lesson[0-9][0-9]; do grade_starter "${lesson#*/}" || { echo "$lesson: $output" &&
    return 1; }; done
}

@test "every solution that is here passes" {
  local lesson
  for lesson in solutions/lesson[0-9][0-9]; do
    [ -d "$lesson" ] || continue # none is here
    run -0 grade "${lesson#*/}" --solution || { echo "$output" && return 1; }
  done
}

@test "make builds a lesson in a folder of your own, lists how far you are, and starts again" {
  run -0 make --no-print-directory WORK="$WORK" lesson02
  run -0 make --no-print-directory WORK="$WORK" list
  [[ $output == *lesson01*lesson02* ]]
  run -0 make --no-print-directory WORK="$WORK" reset-lesson02
  cmp "$WORK/lessons/lesson02/kernels.cu" lessons/lesson02/.starter/kernels.cu
}
