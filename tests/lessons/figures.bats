# make figures: pages and the README quote the figures in results/, and each drawing matches its source.

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  COPY=$BATS_TEST_TMPDIR/copy PAGE=lessons/lesson06/README.md TOOL=$BATS_TEST_TMPDIR/copy/common/tools/figures
}

# copy PATH...: makes COPY, a checkout with the tools and these of its paths.
copy() {
  mkdir -p "$COPY/common"
  cp -r "$@" "$COPY/"
  cp -r common/tools common/shell "$COPY/common/"
}

@test "make figures changes nothing (otherwise commit what it writes)" {
  copy README.md lessons results grader
  run -0 make -n --no-print-directory figures
  [ "$output" = common/tools/figures ]
  run -0 "$TOOL"
  [ -z "$output" ]
  diff -r lessons "$COPY/lessons"
  diff -r results "$COPY/results"
  diff README.md "$COPY/README.md"
  diff grader/counters.md "$COPY/grader/counters.md"
}

@test "a changed figure in a report is copied to the summary, the page and the README" {
  copy README.md lessons results grader
  # report, by what
  change() { jq "$2" "$1" >"$BATS_TEST_TMPDIR/changed" && mv "$BATS_TEST_TMPDIR/changed" "$1"; }
  change "$COPY/results/2026-11-22-nvidia-h200/lesson06-run-cuda.json" \
    '(.tasks[] | select(.name == "sum").yardsticks[] | select(.name == "cub").ratio) = 7.777'
  change "$COPY/results/2026-11-22-nvidia-h200/lesson03-run-cuda.json" \
    '(.tasks[] | select(.name == "scale_grid_stride").timing.noise_percent) = 8.888'
  run -0 "$TOOL"
  grep -q '^| lesson06 | sum .* 7.777 × cub[ ,]' "$COPY/results/2026-11-22-nvidia-h200/summary.md"
  grep -q '^| lesson06 | sum against CUB | 7.777 | ' "$COPY/README.md"
  grep -q '^| lesson03 | scale_grid_stride .* 8.888 ' "$COPY/lessons/lesson03/README.md"
}

@test "a changed figure in a ladder is copied to the page" {
  copy lessons results
  sed -i 's/^| CUB | .* 0.1366 /| CUB | a library | 9.9999 /' \
    "$COPY/results/2026-11-22-nvidia-h200/ladder06.md"
  run -0 "$TOOL" "$PAGE"
  grep -q '^| CUB | a library | 9.9999 ' "$COPY/$PAGE"
}

# rejects WORDS LINE...: a page with these lines is rejected with these words.
rejects() {
  printf '%s\n' "${@:2}" >"$COPY/page.md"
  run ! "$TOOL" page.md
  [[ $output == *"$1"* ]]
}

@test "rejects a figure in a sentence whose source does not contain it" {
  copy results
  local from='<!-- from: results/made.md 8192 . plain . -->'
  echo '| 8192 | plain | 245.82 | 2184 | 0.52 |' >"$COPY/results/made.md"
  rejects 'page.md:2: 245 has no source' '' 'A sweep took an H200 245 µs.'
  rejects '247 is not in what the paragraph names' 'A sweep took an H200 247 µs.' "$from"
  rejects '4.1 is not in what' 'On an H200 245 µs, or' '4.1 TB/s.' "$from"
  rejects 'no such line: results/none.md' 'An H200 took 2 ms.' '<!-- from: results/none.md -->'
  rejects '0.25 is not in what' 'It took an H200 0.25 s.' "$from"
  rejects '245.82 / 1000 is 0.24582, not 0.24' 'It took an H200 0.24 s.' "$from" \
    '<!-- derived: 0.24 = 245.82 / 1000 -->'
  rejects '245.9 is not in what' 'It took an H200 0.246 s.' "$from" '<!-- derived: 0.246 = 245.9 / 1000 -->'
  rejects '3 has no source' '<details><summary>What an H200 measured</summary>' '' \
    'It was 3 times as fast.' '' '</details>'
  printf '%s\n' 'An H200 took 246 µs, 0.246 ms, at 2.2 TB/s; a copy of 32 × 8 cells not.' "$from" \
    '<!-- derived: 0.246 = 245.82 / 1000 -->' '<!-- derived: 2.2 = 2184 / 1000 -->' '' \
    'Elsewhere it took 99 ms.' >"$COPY/page.md"
  run -0 "$TOOL" page.md
}

@test "rejects a block without a source or an end and leaves its page unchanged" {
  copy results
  rejects 'nothing for: results/none' 'An H200' '<!-- results: results/none lesson06 -->' \
    '<!-- end of results -->'
  rejects 'nothing for: results/2026-11-22-nvidia-h200/ladder06.md: minimum' \
    '<!-- results: results/2026-11-22-nvidia-h200/ladder06.md: minimum -->' '<!-- end of results -->'
  rejects 'no <!-- end of results -->' '<!-- results: results/2026-11-22-nvidia-h200 lesson06 -->' text
  [ "$(tail -n 1 "$COPY/page.md")" = text ]
  rejects 'no <!-- /measured -->' '<!-- measured -->' text
  echo '2026-11-22-nvidia-h200 lesson06 sum cup  sum against CUP' >"$COPY/results/measured"
  rejects 'nothing for: 2026-11-22-nvidia-h200 lesson06 sum cup' '<!-- measured -->' '<!-- /measured -->'
  echo '2026-11-25-nvidia-h100 ladder07 fast 4097  the product' >"$COPY/results/measured"
  rejects 'nothing for: 2026-11-25-nvidia-h100 ladder07 fast 4097' '<!-- measured -->' '<!-- /measured -->'
}

@test "every table of measurements and every drawing is generated, the drawings for light and dark" {
  local page drawing
  for page in lessons/lesson[0-9][0-9]/README.md; do
    # No row outside a block may look like a row of a results file.
    awk '/^<!-- results: /, /^<!-- end of results/ { next } /^\| (lesson[0-9]+|ladder[0-9]+|CUB) / {
      print FILENAME ": " $0; bad = 1 } END { exit bad }' "$page"
    for drawing in "${page%/*}"/figures/*.svg; do
      grep -q "(figures/${drawing##*/})" "$page" || { echo "$page does not show $drawing" && return 1; }
      grep -q "prefers-color-scheme: dark" "$drawing" || { echo "$drawing cannot be read in the dark" &&
        return 1; }
    done
  done
}

@test "bench writes reports, commits and a summary and keeps the other lessons' results" {
  copy results
  # A stand-in grader that takes its reports from results/.
  mkdir -p "$COPY/grader"
  cat >"$COPY/grader/check" <<'END'
#!/usr/bin/env bash
[ "$*" = "--solution --backend cuda --keep $5 $6" ] && mkdir -p "$5"
for run in results/*/"$6-run-cuda.json"; do folder=${run%/*} && break; done
cp "$run" "$5/run-cuda.json"
cp "$folder/$6-grade.json" "$5/grade.json"
END
  chmod +x "$COPY/grader/check"
  cd "$COPY"
  COMMIT=abc run -0 common/tools/bench --save saved --backend cuda lesson02
  COMMIT=def WB_TIME_BUDGET=1 run -0 common/tools/bench --save saved --backend cuda lesson08
  [ "$(ls saved)" = "$(printf '%s\n' commits lesson0{2,8}-{grade,run-cuda}.json summary.md)" ]
  diff <(grep -h "^| lesson0[28]" results/2026-11-2[12]-nvidia-h200/summary.md | grep -v WB_TIME_BUDGET |
    grep -v 485f1f2) <(grep '^| lesson0' saved/summary.md | grep -v 'abc\|def')
  grep -q '^| lesson02 | .* | abc | ' saved/summary.md
  grep -q '^| lesson08 | .* | def, WB_TIME_BUDGET=1 | ' saved/summary.md
}

@test "the GPU minutes of a class follow from measured jobs and are given only in jobs/README.md" {
  run -0 grep -rl --include='*.md' 'GPU minutes' README.md CONTRIBUTING.md grader jobs lessons site/pages
  [ "$output" = jobs/README.md ]
  awk -F ' *[|] *' '
    / s a job/ { split($2, word, ", "); jobs = 40 * word[3] / 60; once = $3 }
    /submits eight times/ { often = $3 }
    function near(a, b) { return a > 0.98 * b && a < 1.02 * b }
    END { exit !(near(once, jobs) && near(often, 8 * jobs)) }' jobs/README.md
}

@test "results/ keeps JSON as one line each" {
  awk 'FNR > 1 { print FILENAME; bad = 1; nextfile } END { exit bad }' results/*/*.json
}

@test "no summary and no page shows a share of a ceiling above 100 %" {
  run -0 awk -F' [|] ' '/^[|] lesson/ && NF > 8 && $8 + 0 > 100 { print FILENAME ": " $0 }' \
    results/*/summary.md lessons/*/README.md
  [ -z "$output" ]
}
