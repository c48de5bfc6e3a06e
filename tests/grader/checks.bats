#!/usr/bin/env bats
# The verbs of check pages (grader/lib/check.bash), the counters that they ask for, and how many processes a
# grading starts.

bats_require_minimum_version 1.5.0
load grader_helper

setup_file() {
  export WORK=$BATS_FILE_TMPDIR/work
  new_work "$WORK"
}

setup() {
  load grader_helper
  export TMPDIR=$BATS_TEST_TMPDIR
  export GRADER_ANSWERS=$BATS_TEST_TMPDIR/answers GRADER_RESULTS=$BATS_TEST_TMPDIR/results
}

# page LINE...: runs a check page of one test with these lines, over answers about the task add. `result` has
# what it came to.
page() {
  {
    printf 'add\tused\tpass\t-\t{"state":"pass"}\nadd\tlaunches\t3\nadd\tcopies\t0\n'
    printf 'add\tthreads_together\t75\nadd\tlone_accesses\t9\nadd\tblocks\t1\nadd\tglobal_atomics\t1\n'
    printf 'add\tshared_loads\t5\nadd\tshared_loads.uncertain\t1\n'
    printf 'add\tright\tfail\tc[5] is wrong\\nsee line 3\t{"state":"fail"}\n'
  } >"$GRADER_ANSWERS"
  {
    printf 'load "%s"\n@test "a sentence" {\n' "$ROOT/grader/lib/check"
    printf '  %s\n' "$@" && echo '}'
  } >"$TMPDIR/page.bats"
  : >"$GRADER_RESULTS"
  run "$BATS_ROOT/bin/bats" --tap "$TMPDIR/page.bats"
  result=$(cut -f 2- "$GRADER_RESULTS" | tr '\t' '|')
}

@test "a condition is arithmetic over counters, and the text shows values" {
  page "counter add 'launches >= 3 && copies == 0' \"{launches} launches\""
  [ "$result" = 'pass|add|used|' ]
  page "counter add 'launches < 3' \"{launches} launches, {launches * 2 + copies}, {tenths: launches * 5}\""
  [ "$result" = 'fail|add|-|3 launches, 6, 1.5' ]
  page 'together add'
  [[ $result == 'fail|add|-|'*7.5* ]]
  page 'together add 8'
  [[ $result == 'fail|add|-|9 accesses'* ]]
}

@test "a warning about the second of two tasks is shown where the first has none" {
  {
    printf 'add\tmemcheck\tpass\t-\t{}\nadd\tmemcheck.places\t0\nadd\tmemcheck.rank\t-1\n'
    printf 'wide\tmemcheck\tpass\t-\t{}\nwide\tmemcheck.places\t1\nwide\tmemcheck.rank\t5\n'
  } >"$TMPDIR/warned"
  for order in 'add memcheck; clean wide' 'wide memcheck; clean add'; do
    page "cp '$TMPDIR/warned' '$GRADER_ANSWERS'; keep_answers; clean $order memcheck"
    [ "$result" = 'pass|wide|memcheck|' ]
  done
}

@test "a check that counts a task without .trace is an error of the lesson: no machine could measure it" {
  jq -n -L "$ROOT/grader/lib" 'include "verdicts";
    {runs: {cpu: {backend: "cpu", tasks: [{name: "add", state: "right", counters: null, timeline: null}]}}}
    | used("add"), overlap("add"; overlapping("add"; false))' >"$TMPDIR/verdicts"
  jq -es 'length == 2 and all(.[]; .state == "error" and (.message | contains("no .trace: add .trace")))' \
    "$TMPDIR/verdicts"
  printf 'add\tused\terror\tadd .trace\t{"state":"error"}\nadd\tlaunches\t0\n' >"$TMPDIR/untraced"
  page "cp '$TMPDIR/untraced' '$GRADER_ANSWERS'; keep_answers; counter add 'launches == 1' 'x'"
  [ "$result" = 'error|add|-|add .trace' ]
}

@test "a race that was found stands before what the wrong values depend on" {
  jq -r -n -L "$ROOT/grader/lib" 'include "verdicts";
    {tool: "initcheck", severity: "error", sentence: "thread 0 reads", file: "/a/k.cu", line: 7} as $read
    | {file: "k.cu", plain_c: false, thresholds: {}, missing: {}, runs: {cpu: {tasks: [{name: "t",
        state: "wrong", message: "x[0] is 2, expected 1", cause: "x[0] does not depend on y[0].\n",
        cases: [{state: "wrong", first_wrong: {array: "x"}}],
        findings: [$read, ($read | .tool = "racecheck"), ($read | .tool = "leakcheck")]}]}}}
    | right("t").message,
      (.runs.cpu.tasks[0].findings |= [.[0] | .severity = "warning"] | right("t").message),
      (.runs.cpu.tasks[0].cases[0].first_wrong = null | right("t").message)' >"$BATS_TEST_TMPDIR/says"
  diff "$BATS_TEST_TMPDIR/says" - <<<'x[0] is 2, expected 1
racecheck may show why: thread 0 reads (k.cu:7)
x[0] does not depend on y[0].
x[0] is 2, expected 1
x[0] does not depend on y[0].
x[0] is 2, expected 1
x[0] does not depend on y[0].'
}

@test "one of a thing is named in the singular" {
  page "counter add 'launches < 3' \"{blocks} blocks, {blocks} copies in {blocks} launches, {copies} copies\""
  [ "$result" = 'fail|add|-|1 block, 1 copy in 1 launch, 0 copies' ]
  page "counter add 'launches < 3' \"{global_atomics} global atomics with {blocks} of {launches} blocks\""
  [ "$result" = 'fail|add|-|1 global atomic with 1 of 3 blocks' ]
}

@test "what no machine can measure for this answer is no matter of a GPU" {
  page "needs add 'launches > 9' 'few cores'"
  [ "$result" = 'not_measured|-|needs|few cores' ]
  page "applies add 'launches > 9' 'few launches'"
  [ "$result" = 'not_measured|-|applies|few launches' ]
  jq -n -L "$ROOT/grader/lib" 'include "pretty";
    {lesson: "lesson06", missing: {cuda: {message: "no GPU here"}}, checks: [
      {task: 2, max_points: 1, reason: "not_applicable", why: "no shared memory used"},
      {task: 2, max_points: 2, reason: "not_here", why: "no GPU here"},
      {task: 0, max_points: 1, reason: "not_here", why: "no GPU here"}]}
    | [how_to_measure], (.checks |= .[:1] | [how_to_measure])' >"$TMPDIR/lines"
  jq -es '.[0] | length == 2 and (.[0] | startswith("3 points were not measured: no GPU here. They are for "
      + "speed in task 2 and the further task, which only a GPU shows: `make lesson06 && "))
    and .[1] == "1 point was not measured: no shared memory used."' "$TMPDIR/lines"
  jq -es '.[1] == ["1 point was not measured: no shared memory used."]' "$TMPDIR/lines"
}

@test "a check that asks for an estimate is not measured, whatever its value" {
  page "counter add 'shared_loads > 0' \"{launches} launches\""
  [[ $result == 'not_measured|'*'|applies|too much to count'* ]]
  page "counter add 'shared_loads == 0 && launches > 0' \"{launches} launches\""
  [[ $result == 'not_measured|'*'|applies|too much to count'* ]]
}

@test "a wrong answer is looked up whatever it has and whatever was expected, NaN and infinity included" {
  # null is NaN in JSON
  jq -e -n -L "$ROOT/grader/lib" 'include "mistakes";
    [[null, 1e308, -1e308, -0, 2.5] | .[] as $got | .[] as $expected
      | {cases: [{first_wrong: {$got, $expected, tolerance: 1e-6}}]} | nearly_right]
    | length == 25 and all(type == "boolean") and index(true) != null'
}

@test "a maximum that is nearly right is no rounding error, since none is allowed" {
  jq -e -n -L "$ROOT/grader/lib" 'include "mistakes";
    def at($tolerance): {name: "a", prints: [{end: "not_run", written: 1, wrong: 0, late: 0, device_error: 0,
        pending_error: 0, status: 0, must_fail: false}],
      cases: [{first_wrong: {got: 1.0001, expected: 1, $tolerance}}]};
    [0, 1e-6 | at(.) | fingerprint(true)] | .[0] == null and (.[1] | type == "string")'
}

@test "a hint about the idea does not follow a message that names the cause, or that of a counter" {
  jq -e -n -L "$ROOT/grader/lib" 'include "grade";
    def task($cause): {runs: {cpu: {tasks: [{name: "add", state: "wrong", findings: [],
      cases: [{state: "wrong", first_wrong: {cause: $cause}}]}]}}};
    {of: "add", key: "right", mistake: null} | [about_the_idea(task(false), task(true), task(null))]
      == [true, false, true] and (.key = "-" | about_the_idea(task(false)) | not)' \
    --args --slurpfile facts /dev/null --slurpfile plan /dev/null --arg answers "" \
    --arg results "" --arg state "" --arg message "" --arg warnings "" --arg lesson "" --arg file "" \
    --arg name "" --arg built "" --arg date "" --arg seed "" --arg task "" --arg self "" --arg sandbox "" \
    --argjson hints 0 --arg following "" --arg repeat "" --arg solution "" --slurpfile mistakes /dev/null
}

@test "the largest error is shown as a share of what is allowed where the driver says so" {
  jq -e -n -L "$ROOT/grader/lib" 'include "verdicts";
    def task($share): {cases: [{size: [1], max_error: 1.5e31, max_share: $share}]};
    [task(0.25), task(null) | sizes_note]
      == ["1 sizes from 1 to 1, largest error: 25 % of what is allowed",
        "1 sizes from 1 to 1, largest error 1.5e31"]'
}

@test "what the address sanitizer found is shown where the thread sanitizer has only a wrong value" {
  jq -e -n -L "$ROOT/grader/lib" 'include "verdicts";
    def run($state; $message; $found): {tasks: [{name: "sum", $state, $message, findings: $found}]};
    {plain_c: true, runs: {cpu: run("right"; ""; []), tsan: run("wrong"; "sum[0] is 1"; []),
      asan: run("crashed"; "asan stopped it at loops.c:43"; [{tool: "asan", sentence: "overflow"}])}}
    | [., (.runs.asan = run("right"; ""; []))] | map(sanitized("sum"; "tsan").message)
    == ["asan stopped it at loops.c:43", "sum[0] is 1"]'
}

@test "the largest error is compared with that of a baseline, by a GPU if there is one" {
  jq -e -n -L "$ROOT/grader/lib" 'include "verdicts";
    def run($share): {tasks: [{name: "split", state: "right", cases: [{size: [1], max_error: 0}],
      errors: {baseline: "fp32", what: "a product in float", size: [2, 3], $share, baseline_share: 0.25}}]};
    {plain_c: false, runs: {cpu: run(0.5), cuda: run(0.1)}} as $both
    | [($both, ($both | del(.runs.cuda)), ($both | .runs[].tasks[0].errors = null)) | right("split").note]
    == ["1 sizes from 1 to 1, largest error 0; at 2×3 it is 0.4 times that of fp32 (a product in float)",
      "1 sizes from 1 to 1, largest error 0; at 2×3 it is 2 times that of fp32 (a product in float)",
      "1 sizes from 1 to 1, largest error 0"]'
}

@test "a check of the compiler's code is not measured where there is none" {
  jq -e -n -L "$ROOT/grader/lib" 'include "compiled";
    def facts($compiled): {$compiled, runs: {cpu: {tasks: [{name: "selu",
      counters: {kernels: [{name: "ns::k<float>"}]}}]}}};
    def kernel($doubles; $by): {name: "k", line: 3, launched_by: [$by], double_lines: [7],
      counts: {double_operations: $doubles}};
    [facts({kernels: null, message: "clang is not installed"}), facts({kernels: []}),
      facts({kernels: [kernel(2; "selu"), kernel(0; "other")]}),
      facts({kernels: [kernel(2; ""), kernel(0; "")]}) | compiled_of("selu")]
    == [{unknown: "clang is not installed"}, {unknown: "clang has no kernel k"},
      {counts: {double_operations: 2}, line: 7}, {counts: {double_operations: 0}, line: 0}]'
}

@test "the compiler's code of a text counts for its task, and is not measured where clang refuses the text" {
  jq -e -n -L "$ROOT/grader/lib" 'include "compiled";
    def facts($kernels; $texts): {compiled: {$kernels, message: "clang is not installed", $texts},
      runs: {cpu: {tasks: [{name: "poly", counters: {kernels: [{name: "map"}]}}]}}};
    def kernel($loops): {name: "map", launched_by: [], double_lines: [],
      counts: {double_operations: 0, loops: $loops}};
    [facts([kernel(0)]; {poly: {kernels: [kernel(2)]}}), facts(null; {poly: {kernels: [kernel(3)]}}),
      facts([]; {poly: {kernels: null, message: "an error in line 2"}}), facts(null; {}),
      facts([kernel(4)]; null)
      | compiled_of("poly") | .counts.loops // .unknown]
    == [2, 3, "an error in line 2", "clang is not installed", 4]'
}

@test "every counter has a value where only a GPU ran the task" {
  jq -nr -L "$ROOT/grader/lib" 'include "evaluate";
    {lesson: "lesson11", file: "cublas.cu", plain_c: false, thresholds: {}, compiled: null,
     missing: {cpu: {reason: "not_here", message: "no Boost"}},
     runs: {cuda: {device: {compute_capability: "9.0"}, tasks: [{name: "add", state: "right", cases: []}]}}}
    | evaluation' >"$GRADER_ANSWERS"
  grep -Fxq $'add\tcapability\t90' "$GRADER_ANSWERS"
  local name missing=0
  while read -r name _; do
    grep -q $'^add\t'"$name"$'\t' "$GRADER_ANSWERS" || { echo "no counter: $name" && missing=1; }
  done < <("$ROOT/grader/check" --counters | grep -E '^ *[a-z_]+ {2,}')
  ((missing == 0))
}

# The GPU's driver refuses; the CPU backend, whose device has tensor cores, may have run the kernel.
@test "a GPU without TF32 gives gemm_tensor no point and takes none, and says why" {
  local runs='{cuda: {backend: "cuda", device: {compute_capability: "7.5"}, timing_measured: true, tasks: [
    {name: "gemm_tensor", state: "right", cases: [], timing: {median_ms: 1, noise_percent: 1}, baselines:
      [{name: "fp32", what: "cuBLAS in float", ratio: 1, ratio_low: 1, ratio_high: 1, noise_percent: 1}]}]}}'
  old_gpu "$runs" '{cpu: {reason: "not_here", message: "no Boost"}}'
  grep $'^gemm_tensor has the accuracy.*\tnot_measured\t.*no tensor cores for TF32' "$GRADER_RESULTS"
  grep $'^gemm_tensor is faster.*\tnot_measured\t.*TF32 is not fast enough on this GPU' "$GRADER_RESULTS"
  run ! grep -E $'\t(pass|fail|error)\t' "$GRADER_RESULTS"
  runs+=' | .cpu = (.cuda | .backend = "cpu" | .tasks[0].counters = {launches: 1, tensor_products: 840})'
  old_gpu "$runs" '{}'
  grep $'^gemm_tensor has the accuracy.*\tpass\t' "$GRADER_RESULTS"
}

# old_gpu RUNS MISSING: the results of lesson11's checks of gemm_tensor, with these runs.
old_gpu() {
  jq -nr -L "$ROOT/grader/lib" --rawfile thresholds "$ROOT/grader/checks/lesson11.thresholds" '
    include "lesson"; include "evaluate";
    {lesson: "lesson11", file: "cublas.cu", plain_c: false, compiled: null,
     thresholds: ($thresholds | thresholds("")), missing: '"$2"', runs: ('"$1"')}
    | evaluation' >"$GRADER_ANSWERS"
  : >"$GRADER_RESULTS"
  run "$BATS_ROOT/bin/bats" --tap "$ROOT/grader/checks/lesson11.bats" -f gemm_tensor
}

@test "a verdict is looked up, with its message" {
  page 'right add'
  [ "$result" = 'fail|add|right|' ]
  [[ $output == *'# c[5] is wrong'*'# see line 3'*'(in page.bats, line 3)'* ]]
}

@test "the output of Bats names the line of a check page that failed" {
  page 'true' "counter add 'lanches > 0' x" && [[ $output == *'(in page.bats, line 4)'* ]]
  page 'true' '[ 1 -eq 2 ]' && [[ $output == *'(in page.bats, line 4)'* ]]
}

@test "an unknown task, counter, answer or a faulty condition is an error that names it" {
  page 'right sub' && [[ $result == 'error|'*'"sub"'* ]]
  page "counter add 'lanches > 0' x" && [[ $result == 'error|'*'"lanches"'* ]]
  page "counter add 'launches > 0' \"{lunches}\"" && [[ $result == 'error|'*'"lunches"'* ]]
  page "counter add 'launches >' x" && [[ $result == 'error|'*'launches >'* ]]
  page "counter add '\$(touch $TMPDIR/run)' x" && [[ $result == error* ]] && [ ! -e "$TMPDIR/run" ]
  page 'faster add copy' && [[ $result == 'error|'*'add copy'* ]]
  page 'true' && [[ $result == error* ]]
}

@test "every counter that a check page names is one of grader/check --counters" {
  run -0 "$ROOT/grader/check" --counters
  [ "${#lines[@]}" -gt 25 ]
  local name
  { grep -hE '^ +(counter|needs|applies) ' "$ROOT"/grader/checks/*.bats | grep -oE "'[^']*'"
    grep -ohE '\{[a-z][a-z0-9_ :*+/()-]*\}' "$ROOT"/grader/checks/*.bats; } |
    grep -oE '\b[a-z][a-z0-9_]*\b' | grep -vx tenths | sort -u >"$TMPDIR/named"
  [ "$(wc -l <"$TMPDIR/named")" -gt 15 ]
  while read -r name; do
    [[ $output == *"$name "* ]] || { echo "no counter: $name" && return 1; }
  done <"$TMPDIR/named"
}

@test "no check of a page hides what the sanitizers found where the answer is wrong" {
  local page
  for page in "$ROOT"/grader/checks/*.bats; do
    page=${page##*/}
    run -0 "$ROOT/grader/check" --plan "${page%.bats}"
    jq -r '.tests[] | [.verbs[][0]] as $verbs | select($verbs | index("right"))
      | select($verbs | index("clean", "sanitized")) | .sentence' <<<"$output"
  done >"$TMPDIR/both"
  [ ! -s "$TMPDIR/both" ] || { cat "$TMPDIR/both" && return 1; }
}

# shared_memory LESSON TASK LOADS WORDS: the verdict of the check whose sentence has these WORDS, for a task
# without bank conflicts that loads LOADS times from shared memory.
shared_memory() {
  local name
  printf '%s\t%s\tpass\t-\t{"state":"pass"}\n' "$2" used "$2" as_asked >"$GRADER_ANSWERS"
  for name in bank_conflicts plain_bank_conflicts loaded_sectors; do printf '%s\t%s\t0\n' "$2" "$name"; done \
    >>"$GRADER_ANSWERS"
  printf '%s\t%s\t%s\n' "$2" shared_loads "$3" "$2" launches 1 "$2" bytes_in 0 "$2" bytes_out 0 \
    "$2" host_functions 0 "$2" threads_together 320 "$2" lone_accesses 0 "$2" device_allocations 0 \
    "$2" copies 0 >>"$GRADER_ANSWERS"
  : >"$GRADER_RESULTS"
  run "$BATS_ROOT/bin/bats" --tap -f "$4" "$ROOT/grader/checks/$1.bats"
  cut -f 2- "$GRADER_RESULTS" | tr '\t' '|'
}

@test "every task of every CUDA lesson is asked for what it never freed" {
  local page task count=0 unasked=''
  for page in "$ROOT"/grader/checks/lesson*.bats; do
    while read -r task; do
      count=$((count + 1))
      grep -qE "$task [a-z ]*leakcheck" "$page" || unasked+=" ${task#clean }"
    done < <(grep -oE 'clean [a-z_0-9]+' "$page" | sort -u)
  done
  ((count > 50)) && [ -z "$unasked" ] || { echo "no leakcheck of$unasked" && return 1; }
}

@test "no bank conflicts in shared memory that was not used earns no tick" {
  [[ $(shared_memory lesson07 matmul_tiled 9 'few bank conflicts') == pass* ]]
  [[ $(shared_memory lesson07 matmul_tiled 0 'few bank conflicts') == fail*'nothing from shared memory'* ]]
  [[ $(shared_memory lesson07 matmul_tiled_double 0 'half as much') == fail*'nothing from shared memory'* ]]
  [[ $(shared_memory lesson06 maximum_block 9 'no bank conflicts') == pass* ]]
  [[ $(shared_memory lesson06 maximum_block 0 'no bank conflicts') == not_measured*'no shared memory used' ]]
}

@test "two programs that take turns at the tasks give the verdict of one" {
  local n
  for n in 1 2; do
    CUCC_WORKERS=1 GRADER_PARTS=$n run -0 "$ROOT/grader/check" --solution lesson02 --backend cpu --seed 5eed \
      --format json --keep "$TMPDIR/kept-$n"
    jq 'del(.date, .seconds)' "$TMPDIR/kept-$n/grade.json" >"$TMPDIR/grade-$n"
    jq '[.tasks[] | [.name, .state, (.cases | length)]]' "$TMPDIR/kept-$n/run-cpu.json" >"$TMPDIR/run-$n"
    [ "$(grep -cE '^(not )?ok' "$TMPDIR/kept-$n/checks.tap")" = \
      "$(sed -n 's/^1\.\.//p' "$TMPDIR/kept-$n/checks.tap")" ]
    [ "$(cd "$TMPDIR/kept-$n" && echo program-*.log run-*.json)" = 'program-cpu.log run-cpu.json' ]
  done
  diff "$TMPDIR/grade-1" "$TMPDIR/grade-2"
  diff "$TMPDIR/run-1" "$TMPDIR/run-2"
}

@test "Bats, which waits for the answers, ends when the grader is killed" {
  left() { grep -lzsE "^GRADER_GATE=$TMPDIR/" /proc/[0-9]*/environ || true; }
  "$ROOT/grader/check" --solution lesson02 --backend cpu >/dev/null 2>&1 &
  local grader=$! _
  for _ in {1..500}; do [[ -n $(left) ]] && break || sleep 0.02; done
  kill -KILL "$grader"
  for _ in {1..300}; do [[ -z $(left) ]] && break || sleep 0.1; done
  [ -z "$(left)" ]
}

@test "Bats, which waits for the answers, goes on when the line for it was lost" {
  export GRADER_GATE=$TMPDIR/gate GRADER_PID=$$
  mkfifo "$GRADER_GATE"
  : >"$GRADER_GATE.open"
  page() {
    printf 'load "%s"\n@test "a sentence" { true; }\n' "$ROOT/grader/lib/check" >"$TMPDIR/page.bats"
    printf 'add\tused\tpass\t-\t{"state":"pass"}\n' >"$GRADER_ANSWERS"
    : >"$GRADER_RESULTS"
    timeout 20 "$BATS_ROOT/bin/bats" --tap "$TMPDIR/page.bats"
  }
  run -0 page
}

@test "tall matrices run until a launch has 65535 blocks in y, and no taller one" {
  run -0 "$ROOT/grader/check" --solution lesson03 --backend cpu --task 2 --keep "$TMPDIR/kept"
  [ "$(jq '[.tasks[].cases[].size[0]] | max' "$TMPDIR/kept/run-cpu.json")" = 524281 ]
}

@test "grading a solution starts at most seven processes for each check" {
  command -v strace >/dev/null || skip "strace counts them"
  PATH=${PATH//\/usr\/lib\/ccache:/} # ccache is one process more for each compilation
  check lesson02 --solution --backend cpu --task 1 >/dev/null
  local quick=() # stops the processes at no other call
  ! strace --seccomp-bpf -f true 2>/dev/null || quick=(--seccomp-bpf)
  strace -f "${quick[@]}" -qq -e trace=execve -o "$TMPDIR/calls" timeout 100 \
    "$ROOT/grader/check" lesson02 --solution --backend cpu >/dev/null
  local count checks
  count=$(grep -c 'execve(.* = 0' "$TMPDIR/calls")
  checks=$(grep -c '^@test' "$ROOT/grader/checks/lesson02.bats")
  echo "$count processes for $checks checks"
  # timeout, which this test adds, is one of them
  ((count <= 7 * checks))
}
