#!/usr/bin/env bats
# grader/similar: copies with other names are found, with their lines; honest answers are not; and what
# everybody has does not count.

bats_require_minimum_version 1.5.0

setup() {
  load grader_helper
  S=$BATS_TEST_TMPDIR/submissions
  mkdir "$S"
  cd "$BATS_TEST_TMPDIR"
}

# honest LESSON: the right answers of the tests, written apart from one another, a folder each.
honest() {
  local file
  for file in "$ROOT/tests/lessons/right/$1"/*.c*; do
    mkdir -p "$S/$(basename "${file%.*}")"
    cp "$file" "$S/$(basename "${file%.*}")/$(basename "$ROOT/lessons/$1/.starter/"*)"
  done
}

# disguised FILE: prints a copy with other names, numbers, comments and layout.
disguised() {
  sed -E -e 's|//.*||; s/\b(threads|blocks|i|count|error|d_a|d_b|d_c|d_x|n)\b/my_\1/g' \
    -e 's/\b256\b/128/g; s/\{$/\n{\n  \/* here *\/\n/' "$1"
}

similar() { timeout -k 2 60 "$ROOT/grader/similar" "$S" "$@"; }

@test "ranks a disguised copy first, far above honest pairs, with both line ranges" {
  local lesson first
  for lesson in lesson02 lesson05 lesson07; do
    rm -rf "${S:?}"/*
    honest "$lesson"
    first=$(find "$S" -mindepth 1 -maxdepth 1 | LC_ALL=C sort | head -n 1)
    mkdir "$S/zz-copy"
    disguised "$first"/* >"$S/zz-copy/$(basename "$first"/*)"
    run -0 --separate-stderr similar --lesson "$lesson" --json
    echo "$output" >pairs.json
    holds pairs.json '.schema == "wb-similar/1"' \
      '.pairs[0].b == "zz-copy" and .pairs[0].a == "'"$(basename "$first")"'" and .pairs[0].share > 0.8' \
      'all(.pairs[1:][]; .share < 0.3)' 'all(.pairs[].runs[]; .tokens >= 60 and .lines_a[0] <= .lines_a[1]
      and .lines_b[0] <= .lines_b[1])'
  done
}

# bats test_tags=slow
@test "honest answers of every lesson have little in common" {
  local lesson
  for lesson in lesson01 lesson02 lesson05 lesson07 lesson08; do
    rm -rf "${S:?}"/*
    honest "$lesson"
    similar --lesson "$lesson" --json >pairs.json
    holds pairs.json 'all(.pairs[]; .share < 0.3)'
  done
}

@test "starters have nothing in common, and code that most of a class shares does not count" {
  local i
  for i in 1 2 3 4 5 6 7 8 9; do mkdir "$S/s$i" && cp "$ROOT/lessons/lesson02/.starter/kernels.cu" \
    "$S/s$i/"; done
  run -0 similar --lesson lesson02
  shows "10 files, 0 pairs with a common run"
  # all nine with the same code from the board: no pair; only two of nine: a pair
  for i in 1 2 3 4 5 6 7 8 9; do cp "$ROOT/solutions/lesson02/kernels.cu" "$S/s$i/"; done
  run -0 similar --lesson lesson02 --no-solution
  shows "9 files, 0 pairs" "9 of them can't be in a pair"
  # nor does a class that has copied the solution read like one without a copy
  run -0 similar --lesson lesson02
  shows "10 files, 0 pairs" "The solution is one of them"
  for i in 3 4 5 6 7 8 9; do cp "$ROOT/lessons/lesson02/.starter/kernels.cu" "$S/s$i/"; done
  run -0 similar --lesson lesson02 --no-solution
  shows "9 files, 1 pairs" "s1  and  s2: " "no verdicts"
}

@test "takes a class run, single files and names with control characters, and rejects the rest" {
  mkdir -p graded/submissions/{ann,ann-old,bo}
  jq -n '{submissions: [{key: "ann", counts: true}, {key: "ann-old", counts: false},
    {key: "bo", counts: true}]}' >graded/class.json
  cp "$ROOT/solutions/lesson02/kernels.cu" graded/submissions/ann-old/
  cp "$ROOT/solutions/lesson02/kernels.cu" graded/submissions/ann/
  cp "$ROOT/solutions/lesson02/kernels.cu" graded/submissions/bo/
  run -0 "$ROOT/grader/similar" graded --lesson lesson02 --no-solution
  shows "2 files, 1 pairs" "ann  and  bo" # of one learner's attempts the one that counts
  cp "$ROOT/solutions/lesson02/kernels.cu" "$S/one.cu"
  cp "$ROOT/solutions/lesson02/kernels.cu" "$S/"$'two\e[31m.cu'
  run -0 similar --lesson lesson02 --no-solution
  shows "one.cu  and  two?[31m.cu"
  ln -s /etc/passwd "$S/link.cu"
  head -c 3000 /dev/urandom >"$S/noise.cu"
  : >"$S/empty.cu"
  run -0 similar --lesson lesson02 --no-solution
  shows "4 files, 1 pairs"
  run -2 similar --lesson lesson99
  shows 'there is no lesson "lesson99"'
  run -2 similar --lesson lesson02 --run few
  rm -r "${S:?}"/*
  run -2 similar --lesson lesson02
  shows "two are needed"
}

@test "finds a copy in a folder whose name has several lines" {
  local first odd
  honest lesson02
  first=$(find "$S" -mindepth 1 -maxdepth 1 | LC_ALL=C sort | head -n 1)
  odd=$S/zz-copy/x$'\n'"0 $S/starter"
  mkdir -p "$odd" "$S/starter"
  cp "$ROOT/lessons/lesson02/.starter/kernels.cu" "$S/starter"
  disguised "$first/kernels.cu" >"$odd/kernels.cu"
  run -0 --separate-stderr similar --lesson lesson02 --json
  echo "$output" >pairs.json
  holds pairs.json '.pairs[0].b == "zz-copy" and .pairs[0].share > 0.8'
}
