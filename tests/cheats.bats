#!/usr/bin/env bats
# Cheats (tests/cheats/) win nothing, and the same files without their cheat lose nothing. What each tries, and what it must
# be told, stands on top of it; tests/cheats/try grades it so.

bats_require_minimum_version 1.5.0
load grader_helper

# The tests of this file share a build of the harness.
setup_file() {
  export WORK=$BATS_FILE_TMPDIR/work
  new_work "$WORK"
  touch "$BATS_FILE_TMPDIR/begun"
}

setup() {
  load grader_helper
  export TMPDIR=$BATS_TEST_TMPDIR
  cd "$ROOT/tests/cheats"
}

# lose FILE...: none of the cheats wins, and nothing but what they were given has changed.
lose() {
  (($# > 0))
  run -0 timeout -k 2 800 ./try "$@"
  [ "$(grep -c ' lost (status' <<<"$output")" = "$#" ]
  run -0 find "$ROOT"/{grader,common,lessons,solutions} -newer "$BATS_FILE_TMPDIR/begun" -type f
  [ -z "$output" ] || { echo "changed: $output" && return 1; }
}

honest() {
  (($# > 0))
  run -0 timeout -k 2 800 ./try --honest "$@"
  [ "$(grep -c ' won (status' <<<"$output")" = "$#" ]
}

# by WHOM FILE...: those that are graded, or that are run without the inspection.
by() {
  local whom=$1 file
  shift
  for file; do
    if [ "$(sed -n 's|^// by: ||p' "$file")" = "$whom" ]; then echo "$file"; fi
  done
}

@test "there are forty cheats at least, in six lessons, each with what it wants and a twin" {
  local file
  local all=(lesson*/*)
  [ "${#all[@]}" -ge 40 ]
  [ "$(echo lesson*)" = "lesson01 lesson02 lesson05 lesson06 lesson07 lesson08" ]
  for file in lesson*/* gpu/lesson*/*; do
    grep -q '^// task: ' "$file" && grep -q '^// wants: ' "$file" && grep -q 'HONEST' "$file" || { echo "$file" && return 1; }
  done
}

@test "refused by the look at the text: includes, markers, assembly, sections, attributes" {
  lose lesson01/{include-solution,include-in-disguise,trigraph,include-as-system,false-lines,raw-system-call,init-section,unsanitized,jump-out}.c \
    lesson02/{unchecked-kernel,pasted-attribute,raw-string,own-kernel-list,unwatched-store}.cu lesson06/library-call.cu lesson08/hidden-race.cu
}

@test "refused by the look at the object: what runs before main, what it calls, what it takes the place of" {
  lose lesson01/{constructor-report,own-clock,hidden-clock,weak-clock}.c
}

@test "a worker reaches neither its parent's memory, nor its seed, nor files" {
  lose lesson01/{parent-memory,seed-in-memory,kill-parent}.c
  honest lesson01/seed-in-memory.c
}

# bats test_tags=slow
@test "lesson01: no cheat that is graded wins" {
  mapfile -t files < <(by '' lesson01/*)
  lose "${files[@]}"
}

# bats test_tags=slow
@test "lesson01: no cheat wins against the worker's walls alone" {
  mapfile -t files < <(by program lesson01/*)
  lose "${files[@]}"
}

# bats test_tags=slow
@test "lesson02: no cheat wins" { lose lesson02/*; }

# bats test_tags=slow
@test "lessons 05 and 06: no cheat wins" { lose lesson05/* lesson06/*; }

# bats test_tags=slow
@test "lessons 07 and 08: no cheat wins" { lose lesson07/* lesson08/*; }

# bats test_tags=slow
@test "lesson01: the same files without their cheat win" { honest lesson01/*; }

# bats test_tags=slow
@test "lesson02: the same files without their cheat win" { honest lesson02/*; }

# bats test_tags=slow
@test "lessons 05 to 08: the same files without their cheat win" { honest lesson05/* lesson06/* lesson07/* lesson08/*; }

# bats test_tags=slow
@test "nvcc's objects of all right answers pass the inspection" {
  local nvcc file lesson
  read -r nvcc _ < <("$ROOT/common/tools/find-cuda") || skip "nvcc is not here"
  for file in "$ROOT"/tests/right/lesson0[2-8]/* "$ROOT"/solutions/lesson0[2-8]/*; do
    lesson=$(basename "$(dirname "$file")")
    run -0 bash ./inspect "$nvcc" "$lesson" "$file"
  done
}
