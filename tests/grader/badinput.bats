#!/usr/bin/env bats
# Bad input to grader/check and to a lesson's program gives one clear message that says what to do and the
# right exit status. No file is lost, and no process or folder remains.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load grader_helper

# Two files are graded once, before the tests: one that misbehaves in each task, and the solution (for the
# program).
setup_file() {
  export WORK=$BATS_FILE_TMPDIR/work KEPT=$BATS_FILE_TMPDIR/kept
  new_work "$WORK"
  mkdir "$KEPT"
  misbehaving | submission "$KEPT/misbehaving"
  WB_TIME_LIMIT=1 check lesson02 --backend cpu --submission "$KEPT/misbehaving" --keep "$KEPT" \
    >"$KEPT/text" || printf '%s\n' $? >"$KEPT/status"
}

# Task 1 crashes, task 2 never returns, task 3 prints megabytes and is wrong, the further task ends the
# process.
misbehaving() {
  cat <<'END'
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>

cudaError_t scale_array(float *h_x, int n, float factor) {
  (void)h_x, (void)n, (void)factor;
  *(volatile int *)8 = 1;
  return cudaSuccess;
}

cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n) {
  (void)d_a, (void)d_b, (void)d_c;
  volatile int forever = 1;
  while (forever) {
  }
  return cudaSuccess;
}

cudaError_t vector_add(const float *h_a, const float *h_b, float *h_c, int n, int threads) {
  (void)h_a, (void)h_b, (void)h_c, (void)n, (void)threads;
  for (int i = 0; i < 30000; i++) printf("%d: one of very many lines \033[31m of red text\n", i);
  return cudaSuccess;
}

cudaError_t vector_add_wide(const float *d_a, const float *d_b, float *d_c, int n) {
  (void)d_a, (void)d_b, (void)d_c, (void)n;
  exit(0);
}
END
}

setup() {
  load grader_helper
  export TMPDIR=$BATS_TEST_TMPDIR
}

# ---- The command line ----

@test "without a lesson prints the list of lessons and the usage, status 2" {
  run -2 check
  shows "Which lesson?" "lesson02" "Usage: "
}

@test "--help prints the usage, status 0" {
  run -0 check --help
  shows "Usage: " "--hints N" "Exit status: 0"
}

@test "an unknown lesson prints the list of lessons" {
  run -2 check lesson77
  shows 'there is no lesson "lesson77"' "lesson02"
  run -2 check ../lessons/lesson02
  shows 'there is no lesson "../lessons/lesson02"'
}

@test "rejects unknown options, options without a value and impossible values" {
  local arguments
  while IFS='|' read -r arguments message; do
    # shellcheck disable=SC2086
    run -2 check $arguments
    shows "$message" "--help"
  done <<'END'
lesson02 --fast|there is no option --fast
lesson02 --watch=1|there is no option --watch
lesson02 --task|--task needs a value
lesson02 lesson05|one lesson at a time
lesson02 --backend gpu|there is no backend "gpu": cpu, cuda or auto
lesson02 --format xml|there is no format "xml"
lesson02 --hints many|--hints takes a number
lesson02 --seed hello|--seed takes a hexadecimal number
lesson02 --solution --task 9|lesson02 has no task "9"; it has 1, 2, 3, further
lesson02 --solution --task x|lesson02 has no task "x"
lesson02 --solution --submission .|cannot be used together
END
  BACKEND=vulkan run -2 check lesson02
  shows 'there is no backend "vulkan"'
}

@test "GRADER_PARTS that is no number is a usage error" {
  GRADER_PARTS=0 run -2 check --solution lesson02 --backend cpu
  [[ $output == *'GRADER_PARTS takes a number from 1 on, not "0"'* ]]
}

@test "rejects the backend cuda for a plain C lesson" {
  run -2 check lesson01 --backend cuda
  shows "lesson01 is plain C"
}

@test "reports a missing file with its path and how to create it" {
  run -2 check lesson02 # WORK holds no lessons
  shows "there is no $WORK/lessons/lesson02/kernels.cu; \`make reset-lesson02\` makes it"
  mkdir "$BATS_TEST_TMPDIR/empty"
  run -2 check lesson02 --submission "$BATS_TEST_TMPDIR/empty"
  shows "there is no $BATS_TEST_TMPDIR/empty/kernels.cu;" \
    "/empty/kernels.cu; a submission of lesson02 is a folder that contains kernels.cu"
  run -2 check lesson02 --submission "$BATS_TEST_TMPDIR/none"
  shows "there is no folder $BATS_TEST_TMPDIR/none"
  WORK=$BATS_TEST_TMPDIR/none run -3 check lesson02
  shows "not a folder"
}

@test "rejects a folder, a symbolic link, a pipe or a huge file as the submission" {
  local dir=$BATS_TEST_TMPDIR/s
  mkdir -p "$dir/kernels.cu"
  run -2 check lesson02 --submission "$dir"
  shows "is not a plain file"
  rmdir "$dir/kernels.cu" && ln -s /etc/passwd "$dir/kernels.cu"
  run -2 check lesson02 --submission "$dir"
  shows "is a symbolic link"
  rm "$dir/kernels.cu" && mkfifo "$dir/kernels.cu"
  run -2 check lesson02 --submission "$dir"
  shows "is not a plain file"
  rm "$dir/kernels.cu" && truncate -s 2M "$dir/kernels.cu"
  run -2 check lesson02 --submission "$dir"
  shows "larger than 1 MiB"
}

@test "the program rejects unknown options and invalid sizes" {
  local program=$WORK/build/cpu/solution02 arguments
  make -s -C "$ROOT" WORK="$WORK" BACKEND=cpu solution02 >/dev/null
  for arguments in --frobnicate '--size abc' '--size -5' '--size 1x2x3x4x5x6' '--task nothing' '--reps 0' \
    '--seed hello'; do
    # shellcheck disable=SC2086
    run -2 timeout 20 "$program" $arguments
    [ -n "$output" ]
  done
}

# ---- The learner's file ----

@test "shows the compiler's message with the learner's own path and line, status 1" {
  sed '12s/^.*$/this is no C/' "$ROOT/solutions/lesson02/kernels.cu" | submission "$BATS_TEST_TMPDIR/my files"
  cd "$BATS_TEST_TMPDIR"
  run -1 check lesson02 --backend cpu --submission "my files" --keep kept
  shows "my files/kernels.cu does not compile:" "my files/kernels.cu:12" "0 of 25 points"
  shows_not grader-check
  holds kept/grade.json '.state == "not_compiled" and .points == 0 and .max_points == 25
    and .measured_points == 25' '.message | test("kernels.cu:12")'
  run -1 check lesson02 --backend cpu --submission "my files" --format tap
  [ "${lines[0]}" = 1..22 ]
  shows "Bail out! my files/kernels.cu does not compile"
}

@test "reports a missing function as a file that does not compile" {
  sed '/^cudaError_t vector_add(/,/^}/d' "$ROOT/solutions/lesson02/kernels.cu" |
    submission "$BATS_TEST_TMPDIR/s"
  run -1 check lesson02 --backend cpu --submission "$BATS_TEST_TMPDIR/s"
  shows "does not compile" "no definition of vector_add; kernels.h lists all functions to define"
}

@test "code that misbehaves gets no point, is graded to the end, and gives status 1" {
  [ "$(<"$KEPT/status")" -eq 1 ]
  holds "$KEPT/grade.json" '.state == "graded" and .points == 0' \
    '[.checks[] | select(.state == "pass")] == []'
}

# message_of TASK: prints the message of the task's first failed check.
message_of() {
  jq -r --argjson task "$1" '[.checks[] | select(.task == $task and .state == "fail")][0] | .message' \
    "$KEPT/grade.json"
}

@test "reports a crash" {
  output=$(message_of 1)
  [[ $output == *crash* || $output == *SIGSEGV* || $output == *"segmentation fault"* ]] ||
    { echo "$output"; false; }
}

@test "ends an endless loop after the limit and names the limit" {
  output=$(message_of 2)
  [[ $output == *"1 s"* || $output == *"1 second"* ]] || { echo "$output"; false; }
}

@test "shows the first lines of megabytes of output, without control characters" {
  output=$(<"$KEPT/text")
  shows "0: one of very many lines" "… and more"
  shows_not $'\033'
  [ "${#output}" -lt 20000 ]
  [ "$(wc -c <"$KEPT/run-cpu.json")" -lt 1000000 ]
}

@test "a function that ends the process is wrong" {
  [[ $(jq -r '.tasks[] | select(.number == 0) | .state' "$KEPT/run-cpu.json") =~ ^(crashed|error|wrong)$ ]]
}

# ---- The machine ----

@test "without bats or jq names the missing tool and ./bootstrap, status 3" {
  local copy=$BATS_TEST_TMPDIR/copy tool
  copy_checkout "$copy" # without node_modules
  for tool in bats jq; do
    without "$BATS_TEST_TMPDIR/no-$tool" "$tool"
    PATH=$BATS_TEST_TMPDIR/no-$tool WORK=$copy run -3 timeout 20 "$copy/grader/check" lesson02 --solution
    shows "needs $tool, not found here" "./bootstrap"
  done
}

@test "without a compiler or make names the missing tool and ./bootstrap, status 3" {
  without "$BATS_TEST_TMPDIR/bin" gcc
  PATH=$BATS_TEST_TMPDIR/bin run -3 check lesson02 --solution
  shows "needs gcc, not found here" "./bootstrap"
  rm "$BATS_TEST_TMPDIR/bin/make" "$BATS_TEST_TMPDIR/bin/g++"
  PATH=$BATS_TEST_TMPDIR/bin run -3 check lesson02 --solution
  shows "needs make, gcc, g++, not found here"
}

@test "without a compiler or an earlier build grades programs that were handed in, and says what is missing" {
  local work=$BATS_TEST_TMPDIR/work-of-its-own brought=$BATS_TEST_TMPDIR/brought
  mkdir -p "$work" "$brought/bin" "$BATS_TEST_TMPDIR/out"
  cp "$ROOT/solutions/lesson02/kernels.cu" "$brought/"
  make -s -C "$ROOT" program WORK="$WORK" LESSON=lesson02 BACKEND=cpu SUBMISSION="$brought" OUT="$brought/bin"
  without "$BATS_TEST_TMPDIR/bin" gcc g++ cc c++ make nvcc
  PATH=$BATS_TEST_TMPDIR/bin WORK=$work run -0 check lesson02 --submission "$brought" --task 1 --backend cpu
  shows "was not inspected, since there is no compiler here" "make lesson02" "5 of 5 points"
  PATH=$BATS_TEST_TMPDIR/bin WORK=$work run -3 check lesson02 --submission "$brought" --task 1 --backend cpu \
    --sandbox limits
  shows "its supervisor does not build here" "--sandbox none works without it"
}

@test "without cuBLAS or NVRTC one backend says what to install, and the other one grades" {
  local message kind PLAIN_C=false SUBMISSION='' BACKEND=auto TMP=$BATS_TEST_TMPDIR WORK=$BATS_TEST_TMPDIR
  source "$ROOT/common/shell/lessons.bash"
  source "$ROOT/grader/lib/build.bash"
  while IFS='|' read -r LESSON kind message words; do
    KINDS=(cpu cuda) MISSING=() BUILT=([cpu]=here [cuda]=here)
    echo "$message" >"$TMP/build-cuda.log"
    no_backend "$kind"
    [[ ${KINDS[*]} != *"$kind"* && ${MISSING[$kind]} == "no_compiler "*"$words"* ]] ||
      { printf '%s: %s\n' "$LESSON" "${MISSING[$kind]}" && false; }
  done <<'TXT'
lesson11|cuda|x.cu:5:10: fatal error: cublas_v2.h: No such file or directory|Install libcublas-dev
lesson11|cuda|/usr/bin/ld: cannot find -lcublas: No such file|libcublas-dev
lesson12|cuda|/usr/bin/ld: cannot find -lnvrtc: No such file|cuda-nvrtc-dev
TXT
  echo 'cublas.cu:7: error: expected a ;' >"$TMP/build-cuda.log"
  LESSON=lesson11 KINDS=(cpu cuda) BUILT=([cpu]=here [cuda]=here)
  run ! no_backend cuda
  # the CPU backend lacks OpenBLAS
  printf '#!/bin/sh\ncase "$*" in *-lopenblas*) exit 1 ;; esac\nexec g++ "$@"\n' >"$TMP/g++-bare"
  chmod +x "$TMP/g++-bare"
  export CUCC_CC=gcc CUCC_CXX=$TMP/g++-bare
  no_backend cpu
  [[ ${KINDS[*]} == cuda && ${MISSING[cpu]} == *"-lcublas needs OpenBLAS, which is missing"* ]]
}

@test "without OpenBLAS a GPU grades lesson11, and what needs the CPU backend names what to install" {
  local brought=$BATS_TEST_TMPDIR/brought
  mkdir "$brought"
  cp "$ROOT/solutions/lesson11/cublas.cu" "$brought/"
  report cuda '.t1 |= (.name = "gemm"
    | .baselines[0] += {name: "fp32", ratio: 1, ratio_low: 1, ratio_high: 1})' |
    jq '.lesson = "lesson11" | .tasks |= .[:1] | .device.compute_capability = "9.0"' >"$brought.json"
  program "$brought/bin/lesson11-cuda" "$(<"$brought.json")"
  printf '#!/bin/sh\ncase "$*" in *-lopenblas*) exit 1 ;; esac\nexec g++ "$@"\n' >"$BATS_TEST_TMPDIR/g++-bare"
  chmod +x "$BATS_TEST_TMPDIR/g++-bare"
  NVCC='' CUCC_CC=gcc CUCC_CXX=$BATS_TEST_TMPDIR/g++-bare run -0 check lesson11 --submission "$brought" \
    --backend cuda --task 1
  shows "✓ gemm is right for every shape" "✓ gemm is as fast as the library" "– gemm makes no memory" \
    "-lcublas needs OpenBLAS, which is missing" "3 of 7 points"
}

@test "proposes another WORK when it is not writable, status 3" {
  mkdir "$BATS_TEST_TMPDIR/place"
  : >"$BATS_TEST_TMPDIR/place/build" # root may write anywhere, so put a file in the folder's place
  WORK=$BATS_TEST_TMPDIR/place run -3 check lesson02 --solution --backend cpu
  shows "cannot write into" "WORK="
}

# on_small OPTION: grades the solution with its temporary files on a small disk of that size.
on_small() {
  # shellcheck disable=SC2016 # the inner shell expands it
  run timeout 100 unshare \
    --mount bash -c '
      mount -t tmpfs -o "$1" small "$2" && TMPDIR=$2 exec "$3" --solution lesson02 --task 1 --backend cpu
    ' - "$1" "$BATS_TEST_TMPDIR/small" "$ROOT/grader/check"
}

@test "reports a full disk as such with status 3, not as a failed check or a compiler error" {
  unshare --mount true 2>/dev/null || skip "no mount namespace"
  mkdir "$BATS_TEST_TMPDIR/small"
  local room
  for room in size=60k size=1200k size=2100k nr_inodes=3 nr_inodes=12 nr_inodes=30; do
    on_small "$room"
    [ "$status" = 3 ] || { [ "$status" = 0 ] && [[ $room != *60k && $room != *=3 ]]; } ||
      { echo "$room: $status" "$output" && return 1; }
    [ "$status" = 0 ] || shows "is full"
    shows_not "does not compile"
  done
}

@test "shared parts are built under a lock, and a grading writes only into its own folder" {
  local new=$BATS_TEST_TMPDIR/new
  mkdir "$new"
  cp -a "$WORK/build" "$new/"
  rm -f "$new"/build/*/reference-*
  set -- -C "$ROOT" WORK="$new" LESSON=lesson02 BACKEND=cpu SUBMISSION="$ROOT/solutions/lesson02" \
    OUT="$new/out"
  mkdir "$new/out"
  make -s harness "$@"
  run -0 make -n program "$@"
  shows "-o $new/out/"
  shows_not "-o $new/build"
}

@test "the object that a file is compared with is made by the same compiler, also after a change" {
  local new=$BATS_TEST_TMPDIR/new
  mkdir -p "$new"/{out,bin}
  cp -a "$WORK/build" "$new/"
  rm -f "$new"/build/*/reference-*
  printf '#!/bin/sh\n[ "$1" != --version ] || { echo another; exit; }\nexec gcc "$@"\n' >"$new/bin/other"
  chmod +x "$new/bin/other"
  set -- -s -C "$ROOT" harness WORK="$new" LESSON=lesson01 BACKEND=tsan OUT="$new/out"
  make "$@"
  make "$@" CC="$new/bin/other"
  run -0 sort -u "$new/out/references"
  [ "${#lines[@]}" = 6 ]
  ls "${lines[@]}"
}

@test "two simultaneous gradings are both correct" {
  check lesson02 --solution --backend cpu --task 1 >"$BATS_TEST_TMPDIR/one" 3>&- &
  run -0 check lesson02 --solution --backend cpu --task 3
  wait $!
  shows "5 of 7 points"
  output=$(<"$BATS_TEST_TMPDIR/one")
  shows "5 of 5 points"
  [ -z "$(leftovers)" ]
}

@test "Ctrl-C during a run gives 130 within seconds, leaves no process or folder, and keeps the file" {
  local before
  before=$(sha256sum "$KEPT/misbehaving/kernels.cu")
  interrupt_the_program &
  SECONDS=0
  run -130 bash -c 'echo $$ >"$TMPDIR/pid"; exec "$@" 2>&1' - \
    "$ROOT/grader/check" lesson02 --submission "$KEPT/misbehaving" --backend cpu --task 2
  wait
  shows "interrupted"
  [ "$SECONDS" -lt 20 ]
  [ "$(sha256sum "$KEPT/misbehaving/kernels.cu")" = "$before" ]
  [ -z "$(leftovers)" ]
}

# Presses Ctrl-C once the program of the grading in $TMPDIR/pid has begun its endless loop.
interrupt_the_program() {
  for _ in {1..150}; do
    if [[ -e $(echo "$TMPDIR"/grader-check.*/program-cpu.log) ]]; then
      sleep 0.5
      break
    fi
    sleep 0.1
  done
  kill -INT "$(<"$TMPDIR/pid")"
}

# shellcheck disable=SC2030,SC2031  # each test has a WORK of its own
@test "Ctrl-C during compilation gives 130 and leaves no process and no temporary folder" {
  export WORK=$BATS_TEST_TMPDIR/fresh
  mkdir "$WORK"
  interrupt_the_build &
  run -130 bash -c 'echo $$ >"$TMPDIR/pid"; exec "$@" 2>&1' - \
    "$ROOT/grader/check" lesson02 --solution --backend cpu --task 1
  wait
  shows "interrupted"
  [ -z "$(leftovers "$WORK/build")" ]
}

# Presses Ctrl-C half a second after the first compiler wrote something.
# shellcheck disable=SC2031
interrupt_the_build() {
  for _ in {1..150}; do
    if [[ -d $WORK/build/cpu || -d $WORK/build/cucc ]]; then
      sleep 0.5
      break
    fi
    sleep 0.1
  done
  kill -INT "$(<"$TMPDIR/pid")"
}

@test "a lesson's own list permits and refuses in that lesson, and one that was handed in is not read" {
  local copy=$BATS_TEST_TMPDIR/copy mine=$BATS_TEST_TMPDIR/mine
  mkdir "$copy" "$mine"
  cp -a "$ROOT"/{Makefile,grader,lessons,solutions} "$copy/"
  ln -s "$ROOT/common" "$copy/" # a copy of cucc would build its own runtime over the one that all tests use
  printf '%s\n' '#include <valarray>' "$(cat "$ROOT/solutions/lesson02/kernels.cu")" >"$mine/kernels.cu"
  printf 'include <valarray>\n' >"$mine/permitted"
  run -1 "$copy/grader/check" lesson02 --backend cpu --task 1 --submission "$mine"
  shows 'kernels.cu:1: it includes <valarray>, which lesson02 does not need' 'grader/checks/permitted'
  printf '# for this lesson\ninclude <valarray> # and <random>\n' >"$copy/lessons/lesson02/permitted"
  run -0 "$copy/grader/check" lesson02 --backend cpu --task 1 --submission "$mine"
  echo 'refuse cudaMem*' >>"$copy/lessons/lesson02/permitted"
  run -1 "$copy/grader/check" lesson02 --backend cpu --task 1 --submission "$mine"
  shows 'this calls `cudaMemcpy`, but lesson02 asks you to do without it' 'lessons/lesson02/permitted'
}

@test "takes a file that includes every header of the list, and uses what becomes code of its own" {
  local mine=$BATS_TEST_TMPDIR/mine
  mkdir "$mine"
  bash -c 'source "$ROOT/grader/lib/inspect.bash"; LESSON=lesson02 PLAIN_C=false; permitted_words include' |
    sed '/[*]/d; s/^/#include /' >"$mine/kernels.cu"
  cat "$ROOT/solutions/lesson02/kernels.cu" - >>"$mine/kernels.cu" <<'END'
int uses_headers(const std::function<int(int)> &f) {
  timeval now;
  gettimeofday(&now, nullptr);
  std::unique_ptr<int[]> numbers(new (std::nothrow) int[4]);
  const auto begin = std::chrono::steady_clock::now(), end = begin + std::chrono::milliseconds(1);
  std::bitset<8> bits(5);
  std::optional<std::tuple<int, const char *>> both;
  std::deque<int> line(3, 1);
  const std::string_view text = R"(a "raw" text)";
  both.emplace(f(line.back()), text.data());
  return std::get<0>(*both) + (end > begin) + static_cast<int>(bits.count()) + (numbers != nullptr);
}
END
  run -0 check lesson02 --backend cpu --task 1 --submission "$mine"
}

# Some machines' compilers define _FORTIFY_SOURCE by themselves.
@test "what the compiler puts in place of a permitted function to check lengths is permitted" {
  local mine=$BATS_TEST_TMPDIR/mine
  mkdir "$mine"
  { printf '#include <stdio.h>\n'
    printf 'extern "C" int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);\n'
    cat "$ROOT/solutions/lesson02/kernels.cu"
    printf 'int checked(char *at) { return __snprintf_chk(at, 8, 1, 8, "%%d", 5); }\n'; } >"$mine/kernels.cu"
  run -0 "$ROOT/grader/check" lesson02 --backend cpu --task 1 --submission "$mine"
}
