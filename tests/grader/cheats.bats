#!/usr/bin/env bats
# The cheats in tests/grader/cheats/ get no points for cheating, and the same files without their cheat lose
# none. The head of each file says what it tries and what the grader must report; tests/grader/cheats/try
# grades it.

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
  cd "$ROOT/tests/grader/cheats"
}

# lose FILE...: none of the cheats wins, and no file outside their own folders has changed.
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

# by HOW FILE...: the files that are graded (grader), or run without the inspection (program).
by() {
  local how=$1 file
  shift
  for file; do
    if [ "$(sed -n 's|^// by: ||p' "$file")" = "$how" ]; then echo "$file"; fi
  done
}

@test "at least forty cheats in eight lessons or more name their goal and have an honest twin" {
  local file
  local all=(lesson*/*)
  [ "${#all[@]}" -ge 40 ]
  [ "$(printf "%s\n" lesson* | wc -l)" -ge 7 ]
  for file in lesson*/* gpu/lesson*/*; do
    grep -q '^// task: ' "$file" && grep -q '^// wants: ' "$file" && grep -q 'HONEST' "$file" ||
      { echo "$file" && return 1; }
  done
}

@test "the inspection of the text rejects includes, markers, assembly, sections and attributes" {
  lose lesson01/include-{solution,after-a-{mark,header-name,carriage-return},in-disguise,as-system}.c \
    lesson01/{assembly-of-a-header,streamed-race,trigraph,false-lines,raw-system-call,init-section}.c \
    lesson01/{unsanitized,jump-out,other-address-space}.c \
    lesson02/{unchecked-kernel,pasted-attribute,raw-string{,-continued},pasted-by-the-library}.cu \
    lesson02/{renamed-by-a-pragma,header-of-the-runtime,include-after-a-letter,own-kernel-list}.cu \
    lesson02/{unwatched-store,other-address-space}.cu lesson06/library-call.cu lesson08/hidden-race.cu
}

# The text does not show the names that a macro pastes. Macros that append one or two letters cannot make a
# forbidden name.
@test "rejects macros of permitted headers that paste names or write assembly" {
  run -0 bash -c 'set -euo pipefail; source "$ROOT/grader/lib/inspect.bash"; LESSON=lesson05
    headers() {
      permitted_words include | grep -v "[*]" | sed "s|.*|#if __has_include(&)\n#include &\n#endif|"
    }
    macros() { "$@" -E -dD - | sed -nE "s/^#define ([A-Za-z0-9_]+).*(##|asm).*/\1/p" | sort -u; }
    {
      PLAIN_C=true headers | macros gcc -std=c11 -D_GNU_SOURCE -fopenmp -xc
      PLAIN_C=false headers | macros g++ -std=gnu++17 -D_GNU_SOURCE -I "$ROOT/common/cpu/include" -xc++
    } >"$TMPDIR/macros"
    (($(wc -l <"$TMPDIR/macros") > 10))
    while read -r name; do [[ -n $(why_not_word "$name") ]] || echo "$name"; done <"$TMPDIR/macros" |
      grep -vE "^(_*U?INT(32|64|MAX)_C|__f(32|64|128)x?|_MM(256|512)?_REDUCE_OP|__MM512_REDUCE_OP)$" |
      grep -vE "^(__GLIBC_USE|_GLIBCXX_HAS_NESTED_TYPE|__(TG|MATH|TGMATH)_?[A-Z0-9_]*)$" || true'
  [ "$output" = "" ]
}

@test "accepts _Pragma where it unrolls a loop, and for nothing else" {
  local text
  for text in '"unroll"' '"unroll 4"' '"GCC unroll 8"' '"unroll 4" "x"' '"weak a = b"' 'S' '("unroll")'; do
    printf '#define LOOP(S) _Pragma(%s) for (;;)\n' "$text" >"$TMPDIR/loop.cu"
    run -0 bash -c 'set -euo pipefail; source "$ROOT/grader/lib/inspect.bash"; make_lexer
      "$ROOT/grader/lib/look" words "$LEXER" 9 "$TMPDIR/loop.cu"'
    echo "$text $(grep -c _Pragma <<<"$output")"
  done >"$TMPDIR/found"
  [ "$(grep -c ' 0$' "$TMPDIR/found")" = 4 ] # what comes after a text that unrolls is no part of it
  [ "$(grep -c ' 1$' "$TMPDIR/found")" = 3 ]
}

# bats test_tags=slow
@test "accepts a file with a UTF-8 byte order mark and carriage returns" {
  local lesson
  for lesson in lesson01/loops.c lesson02/kernels.cu; do
    mkdir "$TMPDIR/$(dirname "$lesson")"
    { printf '\xef\xbb\xbf' && sed 's/$/\r/' "$ROOT/solutions/$lesson"; } >"$TMPDIR/$lesson"
    run -0 check "$(dirname "$lesson")" --backend cpu --task 1 --submission "$TMPDIR/$(dirname "$lesson")"
  done
}

@test "inspects the preprocessed text too, in case the source text was misleading" {
  mkdir -p "$TMPDIR/submission"
  printf '#include <math.h>\n#include "loops.h"\n#include "%s"\n#include "%s"\n' \
    "$ROOT/common/harness/base/text.h" "$TMPDIR/mine.c" >"$TMPDIR/submission/loops.c"
  echo 'int mine;' >"$TMPDIR/mine.c"
  run -0 bash -c 'set -euo pipefail; source "$ROOT/grader/lib/inspect.bash"
    TMP=$TMPDIR LESSON=lesson01 NAME=loops.c
    cd "$ROOT"; gcc -MMD -MP -MF "$TMP/read.d" -I common -I lessons/lesson01 \
      -c -o "$TMP/loops.o" "$TMP/submission/loops.c"
    inspect_files "$TMP/read.d"; printf "%s\n" "${REFUSALS[@]}"'
  [ "${#lines[@]}" -eq 2 ]
  shows "loops.c:3: it includes common/harness/base/text.h, which lesson01 does not need"
  shows "mine.c, which lesson01 does not need"
}

@test "the inspection of the object rejects code before main, forbidden calls and replaced functions" {
  lose lesson01/{code-on-the-stack,constructor-report,own-clock,hidden-clock,weak-clock}.c \
    lesson02/stored-by-a-string.cu
}

@test "a worker cannot reach its parent's memory, its seed, files or shared resources" {
  lose lesson01/{parent-memory,seed-in-memory,kill-parent,limits-of-others,signal-by-a-file}.c
  honest lesson01/seed-in-memory.c
}

# bats test_tags=slow
@test "lesson01: no cheat that is graded wins" {
  mapfile -t files < <(by '' lesson01/*)
  lose "${files[@]}"
}

# bats test_tags=slow
@test "lesson01: no cheat wins against the worker's sandbox alone" {
  mapfile -t files < <(by program lesson01/*)
  lose "${files[@]}"
}

# bats test_tags=slow
@test "lesson02: no cheat wins" { lose lesson02/*; }

# bats test_tags=slow
@test "lessons 03, 05 and 06: no cheat wins" { lose lesson03/* lesson05/* lesson06/*; }

# bats test_tags=slow
@test "lessons 07, 08 and 10: no cheat wins" { lose lesson07/* lesson08/* lesson10/*; }

# bats test_tags=slow
@test "lesson09: no cheat wins" { lose lesson09/*; }

# bats test_tags=slow
@test "lesson11: no cheat wins" { lose lesson11/*; }

# bats test_tags=slow
@test "lesson11: the same files without their cheat get the points" { honest lesson11/*; }

# bats test_tags=slow
@test "lesson12: no cheat wins" { lose lesson12/*; }

# bats test_tags=slow
@test "lesson12: the same files without their cheat get the points" { honest lesson12/*; }

# bats test_tags=slow
@test "lesson13: no cheat wins, and the same files without their cheat get the points" {
  lose lesson13/*
  honest lesson13/*
}

# bats test_tags=slow
@test "lesson14: no cheat wins, and the same files without their cheat get the points" {
  lose lesson14/*
  honest lesson14/*
}

# bats test_tags=slow
@test "lesson09: the same files without their cheat get the points" { honest lesson09/*; }

# bats test_tags=slow
@test "lesson01: the same files without their cheat get the points, graded" {
  mapfile -t files < <(by '' lesson01/*)
  honest "${files[@]}"
}

# bats test_tags=slow
@test "lesson01: the same files without their cheat get the points, run alone" {
  mapfile -t files < <(by program lesson01/*)
  honest "${files[@]}"
}

# bats test_tags=slow
@test "lesson02: the same files without their cheat get the points" { honest lesson02/*; }

# bats test_tags=slow
@test "lessons 03 to 10: the same files without their cheat get the points" {
  honest lesson03/* lesson05/* lesson06/* lesson07/* lesson08/* lesson10/*
}

# bats test_tags=slow
@test "nvcc's objects of all correct answers pass the inspection" {
  local nvcc file lesson
  read -r nvcc _ < <("$ROOT/common/make/find-cuda") || skip "nvcc is not here"
  for file in "$ROOT"/tests/lessons/right/lesson0[2-8]/* "$ROOT"/solutions/lesson0[2-8]/*; do
    lesson=$(basename "$(dirname "$file")")
    run -0 bash ./inspect "$nvcc" "$lesson" "$file"
  done
}
