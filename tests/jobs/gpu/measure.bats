#!/usr/bin/env bats
# The programs that measure on a GPU machine, as far as they can be tested without a GPU.

bats_require_minimum_version 1.5.0
ROOT=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
export ROOT

line() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }

@test "verdicts: reports changed verdicts, failing solutions and passing starters, and fails" {
  cd "$BATS_TEST_TMPDIR"
  mkdir one two
  echo 'NVIDIA H200, 580, 2026-01-01, commit abc' | tee one/machine >two/machine
  {
    line lesson05 solution 1 0 9 'pass pass' ''
    line lesson05 starter 1 1 2 'fail fail' 'it: fail'
  } >one/verdicts.tsv
  run -0 "$ROOT/tests/jobs/gpu/verdicts" table one
  [[ $output == *'| lesson05 | solution | 1 | 1 | 0 | 0 | 0 | 0 | 9 |'* ]]
  {
    line lesson05 solution 2 1 11 'pass fail' 'it is fast: fail'
    line lesson05 starter 2 0 2 'fail fail' ''
    line lesson06 solution 1 3 1 '' 'no GPU'
  } >two/verdicts.tsv
  run -1 "$ROOT/tests/jobs/gpu/verdicts" table one two
  [[ $output == *'| lesson05 | solution | 2 | 1 | 1 | 0 | 1 | 0 | 11 |'* ]]
  [[ $output == *'- flip: lesson05 solution, time 2: it is fast: fail'* ]]
  [[ $output == *'- lesson05 starter, time 2, status 0'* ]]
  [[ $output == *'- lesson06 solution, time 1, status 3: no GPU'* ]]
  [[ $output == *'NVIDIA H200, 580, 2026-01-01, commit abc.'* ]]
}

# bats test_tags=slow
@test "programs built here are graded and sanitized on a machine without a compiler" {
  cd "$BATS_TEST_TMPDIR"
  KINDS=cpu run -0 "$ROOT/tests/jobs/gpu/prebuilt" build programs lesson02
  BACKEND=cpu TIMES=2 run -0 "$ROOT/tests/jobs/gpu/verdicts" run programs out
  [[ $output == *'| lesson02 | solution | 2 | 2 | 0 | 0 | 0 | 0 |'* &&
    $output == *'| lesson02 | starter | 2 | 0 | 2 | 0 | 0 | 0 |'* ]]
  # what is left
  BACKEND=cpu TIMES=3 DONE=out/verdicts.tsv run -0 "$ROOT/tests/jobs/gpu/verdicts" run programs next solution
  [[ $output == *'| lesson02 | solution | 3 | 3 | 0 |'*'1 graded, 0 left'* ]]
  KIND=cpu run -0 "$ROOT/tests/jobs/gpu/sanitized-solutions" programs out
  [[ $output == *'| lesson02 vector_add_wide | clean | clean | clean | clean |'* ]]
  BACKEND=cpu run -0 "$ROOT/tests/jobs/gpu/grades" programs out
  run -0 tar -tzf out/results.tar.gz
  [[ $output == *lesson02-grade.json* && $output == *commits* && $output == *machine* ]]
}
