# grader_helper.bash: shared functions of tests/grader/grader.bats and tests/grader/badinput.bats.
# shellcheck shell=bash disable=SC2154  # output and status come from run

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
source "$ROOT/tests/work.bash"
export ROOT LC_ALL=C.UTF-8
unset BACKEND NO_COLOR WB_TIME_LIMIT MAKEFLAGS

# check ARGUMENT...: runs grader/check for at most a minute, with messages and output together.
check() { timeout -k 2 120 "$ROOT/grader/check" "$@" 2>&1; }

# shows TEXT...: fails, and shows the output, unless the output contains each TEXT.
shows() {
  local text
  for text; do
    if [[ $output != *"$text"* ]]; then
      printf 'not shown: %s\n--- output:\n%s\n' "$text" "$output"
      return 1
    fi
  done
}

shows_not() {
  local text
  for text; do
    if [[ $output == *"$text"* ]]; then
      printf 'shown, and should not be: %s\n--- output:\n%s\n' "$text" "$output"
      return 1
    fi
  done
}

# holds FILE JQ-EXPR...: fails, and shows the expression, unless each is true of the JSON file.
holds() {
  local file=$1 expression all
  shift
  printf -v all ' and (%s)' "$@"
  if jq -e "true$all" "$file" >/dev/null 2>&1; then return; fi
  for expression; do
    if ! jq -e "$expression" "$file" >/dev/null; then
      printf 'not true of %s: %s\n' "$file" "$expression"
      jq -c . "$file"
      return 1
    fi
  done
}

# same NAME EXPECTED: compares the states of the checks in a kept grade.json with a line of words.
states() { jq -r '[.checks[].state] | join(" ")' "$1/grade.json"; }

# submission DIR < FILE: makes a folder with this kernels.cu.
submission() {
  mkdir -p "$1"
  cat >"$1/kernels.cu"
}

# without DIR TOOL...: fills DIR, a folder for PATH, with all programs on this machine's PATH except the named
# tools.
without() {
  local bin=$1 folder IFS=:
  shift
  mkdir "$bin"
  for folder in $PATH; do
    [[ ! -d $folder ]] || ln -s "$folder"/* "$bin/" 2>/dev/null || true
  done
  # In a test, PATH begins with an internal folder of bats, whose programs do not run from a plain sh.
  ln -sf "$BATS_ROOT/bin/bats" "$bin/bats"
  (cd "$bin" && rm -f -- "$@")
}

# copy_checkout DIR: copies the rooms of the checkout that a grading needs, without built or fetched files.
copy_checkout() {
  mkdir -p "$1"
  tar -C "$ROOT" --exclude=node_modules -cf - Makefile common grader jobs lessons solutions |
    tar -C "$1" -xf -
}

# leftovers FOLDER...: prints the temporary folders of gradings started by this test, and the processes that
# still work in them or in the FOLDERs.
leftovers() {
  ls -d "$TMPDIR"/grader-check.* 2>/dev/null
  local folder patterns=(-e "$TMPDIR/grader-check[.]")
  for folder; do patterns+=(-e "${folder}[/]"); done
  grep -lzs "${patterns[@]}" /proc/[0-9]*/cmdline 2>/dev/null | while read -r file; do
    tr '\0' ' ' <"$file" 2>/dev/null
  done
}

# report BACKEND JQ-FILTER: prints a report of lesson02 in which all is right and fast, changed by the filter.
# In the filter the tasks are .t1 .t2 .t3 .t0; ratio(LOW; HIGH) sets a speed; $threshold2 $threshold3
# $threshold0 are the thresholds.
report() {
  local made=$BATS_FILE_TMPDIR/report-$1
  if [[ ${2:-.} != . ]]; then
    make_report "$@"
  else # often the same
    [[ -s $made ]] || make_report "$1" . >"$made"
    cat "$made"
  fi
}

make_report() {
  jq -n -L "$ROOT/grader/lib" --arg backend "$1" --rawfile thresholds \
    "$ROOT/grader/checks/lesson02.thresholds" 'include "lesson";
    ($thresholds | thresholds("")) as $thresholds
    | $thresholds["vector_add_device copy"] as $threshold2
    | $thresholds["vector_add five-steps"] as $threshold3
    | $thresholds["vector_add_wide copy"] as $threshold0
    | def ratio($low; $high):
        .baselines[0] |= (.ratio = ($low + $high) / 2 | .ratio_low = $low | .ratio_high = $high);
      def task($name; $number; $baseline; $threshold):
        {name: $name, what: $name, number: $number, state: "right", message: "", detail: "",
        cases: [{size: [0], state: "right", max_error: 0}, {size: [1021], state: "right", max_error: 0}],
        output: "", output_truncated: false, findings: [],
        failures: {tried: 2, state: "right", message: "", findings: []},
        counters: {launches: 1, device_allocations: 0,
          kernels: [{name: "kernel", launches: 1, grid: [977, 1, 1], block: [256, 1, 1]}],
          copies: {h2d_pageable_bytes: [0, 1000028, 0, 2000056][$number],
            d2h_pageable_bytes: [0, 1000028, 0, 1000028][$number]},
          profile: [{metrics: {launches: 1, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": 31251},
            lines: [{space: "global", requests: 15626, lanes_per_request: 32}]}]}, timeline: null,
        timing: (if $backend == "cuda" then {median_ms: 1, noise_percent: 1} else null end),
        baselines: [{name: $baseline, what: $baseline, noise_percent: 1}]}
        | ratio($threshold + 0.01; $threshold + 0.02);
    {t1: task("scale_array"; 1; "none"; 1), t2: task("vector_add_device"; 2; "copy"; $threshold2.excellent),
     t3: task("vector_add"; 3; "five-steps"; $threshold3.excellent),
     t0: task("vector_add_wide"; 0; "copy"; $threshold0.excellent)}
    | '"$2"'
    | {schema: "wb-run/2", lesson: "lesson02", title: "kernels", backend: $backend, verdict: "right",
       device: {name: "a device", cpu_name: "a CPU", cpu_cores: 2, driver: "580.1", runtime: "13.0"},
       timing_measured: ($backend == "cuda"), timing_reason: "the CPU backend does not time",
       tasks: [.t1, .t2, .t3, .t0]}'
}

# program FILE REPORT...: a program that leaves these reports, one after another, the last one for good; it
# counts its runs in FILE.runs and answers --probe. So the grader can be shown what a GPU would have said.
program() {
  local file=$1 i=0
  shift
  mkdir -p "$(dirname "$file")"
  for report; do
    i=$((i + 1))
    printf '%s\n' "$report" >"$file.report.$i"
  done
  cat >"$file" <<END
#!/usr/bin/env bash
while ((\$#)); do
  [[ \$1 != --probe ]] || exit 0
  [[ \$1 != --output ]] || output=\$2
  shift
done
echo run >>'$file.runs'
n=\$(wc -l <'$file.runs')
((n <= $i)) || n=$i
cp '$file.report.'\$n "\$output"
END
  chmod +x "$file"
}
