#!/usr/bin/env bats
# The Makefile, as a learner uses it. No test writes into the checkout: each has its own WORK folder.
# bats file_tags=long
bats_require_minimum_version 1.5.0

setup_file() {
  export ROOT WORK
  ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  source "$ROOT/tests/work.bash"
  WORK=$BATS_FILE_TMPDIR/work
  new_work "$WORK"
}

in_checkout() { make -C "$ROOT" --no-print-directory WORK="$WORK" "$@"; }

@test "objects come into place by renaming: no other build can link half of one" {
  run in_checkout -nB lesson01 lesson02 BACKEND=cpu
  [ "$status" -eq 0 ]
  [ "$(grep -cE -- '-c -o [^ ]+[.]o[.]\$\$ .* && mv ' <<<"$output")" -gt 50 ]
  ! grep -E -- '-c -o [^ ]+[.]o ' <<<"$output" || false
}

@test "make without a target prints help with every public target" {
  run make -C "$ROOT" --no-print-directory
  [ "$status" -eq 0 ]
  for target in lessonNN solutionNN run-lessonNN reset-lessonNN starters list sanitize profile new-lesson \
    cluster bench \
    bench-cpu figures bugs-table fingerprints test format clean; do
    grep -q "make $target " <<<"$output"
  done
}

@test "make with an unknown lesson lists the lessons and fails" {
  for target in lesson77 solution77 run-lesson77 reset-lesson77; do
    run in_checkout "$target"
    [ "$status" -ne 0 ]
    grep -q "There is no $target" <<<"$output"
    grep -q "lesson02" <<<"$output"
  done
}

@test "make sanitize and make profile without a lesson list the lessons" {
  for target in sanitize profile; do
    run in_checkout "$target"
    [ "$status" -ne 0 ]
    grep -q "Say which lesson" <<<"$output"
    run in_checkout "$target" LESSON=lesson77
    [ "$status" -ne 0 ]
    grep -q "lesson02" <<<"$output"
  done
}

@test "make with an unknown backend lists the lesson's builds" {
  run in_checkout lesson02 BACKEND=opencl
  [ "$status" -ne 0 ]
  grep -q "lesson02 has no build called 'opencl'" <<<"$output"
  grep -q "cpu" <<<"$output"
}

@test "make lesson02 in a new WORK begins with the starter, builds without a warning, leaves a snapshot" {
  run in_checkout -j2 lesson02 BACKEND=cpu
  [ "$status" -eq 0 ]
  ! grep -qi warning <<<"$output" || false
  cmp "$WORK/lessons/lesson02/kernels.cu" "$ROOT/lessons/lesson02/.starter/kernels.cu"
  [ -x "$WORK/build/cpu/lesson02" ]
  snapshots=("$WORK"/build/snapshots/*-lesson02)
  [ "${#snapshots[@]}" -eq 1 ]
  cmp "${snapshots[0]}/kernels.cu" "$WORK/lessons/lesson02/kernels.cu"
  [ -x "${snapshots[0]}/bin/lesson02-cpu" ]
  [ "$(cat "$WORK/build/checkout")" = "$ROOT" ]
  [ -f "$WORK/jobs/run.sh" ] && [ -d "$WORK/jobs/logs" ]
}

@test "a second make builds nothing, and a touched header builds again" {
  in_checkout lesson02 BACKEND=cpu
  before=$(stat -c %Y.%i "$WORK/build/cpu/lesson02")
  in_checkout lesson02 BACKEND=cpu
  [ "$(stat -c %Y.%i "$WORK/build/cpu/lesson02")" = "$before" ]
  grep -q 'lesson02/kernels.h' "$WORK/build/cpu/learner/lesson02/kernels.d"
  run in_checkout -n lesson02 BACKEND=cpu -W lessons/lesson02/kernels.h
  grep -q 'kernels.o' <<<"$output"
}

@test "objects have one name, whether WORK is left out or is the path of the checkout" {
  run -0 make -C "$ROOT" -pn help WORK="$ROOT"
  grep -qx 'B := build' <<<"$output"
}

@test "what reads a learner's file is built again when one of its sources or headers has changed, else not" {
  local file
  in_checkout -s rewriter
  in_checkout -q "$WORK/build/rewrite"
  for file in common/cpu/rewrite/{lex.c,lex.h} common/harness/base/text.{c,h}; do
    run -0 in_checkout -n -W "$file" rewriter
    [[ $output == *"-c -o "*" ${file%.*}.c && mv "*"-o $WORK/build/rewrite."* ]]
  done
}

@test "a file that does not compile shows the compiler's message with the learner's line; no snapshot" {
  in_checkout lesson02 BACKEND=cpu
  count=$(find "$WORK/build/snapshots" -maxdepth 1 -name '*-lesson02' | wc -l)
  cp "$WORK/lessons/lesson02/kernels.cu" "$BATS_TEST_TMPDIR/whole.cu"
  { echo 'int broken = ;'; cat "$BATS_TEST_TMPDIR/whole.cu"; } >"$WORK/lessons/lesson02/kernels.cu"
  run in_checkout lesson02 BACKEND=cpu
  cp "$BATS_TEST_TMPDIR/whole.cu" "$WORK/lessons/lesson02/kernels.cu"
  [ "$status" -ne 0 ]
  grep -q 'lessons/lesson02/kernels.cu:1:' <<<"$output"
  [ "$(find "$WORK/build/snapshots" -maxdepth 1 -name '*-lesson02' | wc -l)" -eq "$count" ]
}

@test "make run-lesson02 fails for the starter with its error and succeeds for the solution" {
  run in_checkout run-lesson02 BACKEND=cpu
  [ "$status" -ne 0 ]
  grep -q scale_array <<<"$output"
  [ "$(jq -r .verdict "$WORK/build/cpu/lesson02.run.json")" = wrong ]
  in_checkout solution02 BACKEND=cpu
  run "$WORK/build/cpu/solution02"
  [ "$status" -eq 0 ]
}

@test "make reset-lesson02 keeps the learner's file under a dated name" {
  in_checkout lesson02 BACKEND=cpu
  echo '// mine' >>"$WORK/lessons/lesson02/kernels.cu"
  run in_checkout reset-lesson02
  [ "$status" -eq 0 ]
  cmp "$WORK/lessons/lesson02/kernels.cu" "$ROOT/lessons/lesson02/.starter/kernels.cu"
  kept=("$WORK"/lessons/lesson02/kernels.cu.kept-*)
  [ "${#kept[@]}" -eq 1 ]
  grep -q '// mine' "${kept[0]}"
  run in_checkout reset-lesson02
  grep -q "starter already" <<<"$output"
  rm "$WORK/lessons/lesson02/kernels.cu" # moved away: the objects in build/ are still there
  run in_checkout lesson02 BACKEND=cpu
  [ "$status" -ne 0 ]
  [[ $output == *"there is no $WORK/lessons/lesson02/kernels.cu: "* ]]
  [[ $output == *"kernels.cu: \`make reset-lesson02 WORK=$WORK\` makes it from the starter"* ]]
  in_checkout reset-lesson02
  cmp "$WORK/lessons/lesson02/kernels.cu" "$ROOT/lessons/lesson02/.starter/kernels.cu"
}

@test "make works when the name of WORK has a space" {
  source "$ROOT/tests/work.bash"
  new_work "$BATS_FILE_TMPDIR/my work"
  run make -C "$ROOT" --no-print-directory WORK="$BATS_FILE_TMPDIR/my work" lesson02 BACKEND=cpu
  echo "$output"
  [ "$status" -eq 0 ]
  [ -x "$BATS_FILE_TMPDIR/my work/build/cpu/lesson02" ]
}

@test "make list shows every lesson and the learner's progress" {
  run in_checkout list
  [ "$status" -eq 0 ]
  for lesson in "$ROOT"/lessons/lesson[0-9][0-9]; do grep -q "^$(basename "$lesson") " <<<"$output"; done
  grep -q 'lesson02 .*not started' <<<"$output"
}

@test "every starter follows from its solution, and every learner's file in the checkout is the starter" {
  count=0
  for solution in "$ROOT"/solutions/lesson*/*.c*; do
    lesson=$(basename "$(dirname "$solution")") name=$(basename "$solution")
    awk -f "$ROOT/common/make/starter.awk" "$solution" | cmp - "$ROOT/lessons/$lesson/.starter/$name"
    git -C "$ROOT" show "HEAD:lessons/$lesson/$name" 2>/dev/null |
      cmp - "$ROOT/lessons/$lesson/.starter/$name"
    ! grep -q '//:' "$ROOT/lessons/$lesson/.starter/$name" || false
    grep -q TODO "$ROOT/lessons/$lesson/.starter/$name"
    count=$((count + 1))
  done
  [ "$count" -ge 3 ]
}

@test "make starters does not change an edited file" {
  mkdir "$BATS_TEST_TMPDIR/copy"
  tar -C "$ROOT" -c --exclude=./build --exclude=node_modules --exclude=./.git . |
    tar -x -C "$BATS_TEST_TMPDIR/copy"
  echo '// mine' >>"$BATS_TEST_TMPDIR/copy/lessons/lesson02/kernels.cu"
  echo '// new line of the solution' >>"$BATS_TEST_TMPDIR/copy/solutions/lesson02/kernels.cu"
  run make -C "$BATS_TEST_TMPDIR/copy" --no-print-directory starters
  [ "$status" -eq 0 ]
  grep -q 'kept lessons/lesson02/kernels.cu' <<<"$output"
  grep -q '// mine' "$BATS_TEST_TMPDIR/copy/lessons/lesson02/kernels.cu"
  grep -q 'new line of the solution' "$BATS_TEST_TMPDIR/copy/lessons/lesson02/.starter/kernels.cu"
}

@test "a region without an end is an error and leaves the starter unchanged" {
  printf '// #region task-1\nint x;\n' >"$BATS_TEST_TMPDIR/open.cu"
  run awk -f "$ROOT/common/make/starter.awk" "$BATS_TEST_TMPDIR/open.cu"
  [ "$status" -ne 0 ]
  grep -q 'the region of line 1 has no end' <<<"$output"
}

# cuda_programs KIND: sets `programs` to every CUDA lesson or every CUDA solution.
cuda_programs() {
  if [ -z "$("$ROOT/common/make/find-cuda")" ]; then skip "nvcc is not installed"; fi
  local source
  programs=()
  for source in "$ROOT"/solutions/lesson*/*.cu; do
    programs+=("$(basename "$(dirname "$source")" | sed "s/lesson/$1/")")
  done
}

# cuda_make TARGET...: makes them for a GPU, without a warning.
cuda_make() {
  run in_checkout -j2 BACKEND=cuda ARCH=sm_90 "$@"
  echo "$output"
  [ "$status" -eq 0 ]
  ! grep -qi warning <<<"$output" || false
}

# nvcc reads them for the device and makes nothing of them: this pass warns of code for the host, too, and
# costs far less than a program. Without DEPENDS it reads each file once.
@test "nvcc accepts every solution and driver without a warning, where it is installed" {
  cuda_programs solution
  mapfile -t objects < <(in_checkout -nB BACKEND=cuda ARCH=sm_90 "${programs[@]}" |
    sed -nE 's/^[^ ]*nvcc .* -MT ([^ ]*) .*/\1/p' | sort -u)
  [ "${#objects[@]}" -gt $((2 * ${#programs[@]})) ]
  NVCC_APPEND_FLAGS='-ptx -fdevice-syntax-only' cuda_make DEPENDS= "${objects[@]}"
  rm "${objects[@]}" # they run nowhere
}

# bats test_tags=slow
@test "nvcc compiles every solution and starter without a warning, where it is installed" {
  local kind programs
  for kind in solution lesson; do
    cuda_programs "$kind"
    cuda_make "${programs[@]}"
    for program in "${programs[@]}"; do [ -x "$WORK/build/cuda/$program" ]; done
  done
}

@test "finds nvcc by name or by a link, but not without its headers" {
  if [ -z "$("$ROOT/common/make/find-cuda")" ]; then skip "nvcc is not installed"; fi
  read -r nvcc home headers < <("$ROOT/common/make/find-cuda")
  [ -f "$headers/cuda_runtime_api.h" ]
  ln -s "$nvcc" "$BATS_TEST_TMPDIR/nvcc"
  [ "$(PATH=$BATS_TEST_TMPDIR:/usr/bin:/bin "$ROOT/common/make/find-cuda" | cut -d" " -f2-)" = \
    "$home $headers" ]
  run in_checkout -nB lesson02 BACKEND=cuda NVCC=nvcc
  grep -q -- "-isystem $headers " <<<"$output"
  run --separate-stderr "$ROOT/common/make/find-cuda" /bin/true
  [ -z "$output" ]
  grep -q "finds no CUDA headers" <<<"$stderr"
}

@test "nvcc takes constexpr functions of the host, such as std::max, in kernels: the CPU backend does, too" {
  if [ -z "$("$ROOT/common/make/find-cuda")" ]; then skip "nvcc is not installed"; fi
  printf '#include <algorithm>\n__global__ void top(int *a, int b) { *a = std::max(*a, b); }\n' \
    >"$BATS_TEST_TMPDIR/top.cu"
  local command
  command=$(in_checkout -nB lesson02 BACKEND=cuda ARCH=sm_90 | grep -m 1 -oE '^[^ ]*nvcc .* -arch=sm_90')
  $command -fdevice-syntax-only -o "$BATS_TEST_TMPDIR/top.ptx" -ptx "$BATS_TEST_TMPDIR/top.cu"
}

@test "a GPU's program is linked with NCCL only where both its header and its library are" {
  if [ -z "$("$ROOT/common/make/find-cuda")" ]; then skip "nvcc is not installed"; fi
  local home=$BATS_TEST_TMPDIR/cuda lacking
  mkdir -p "$home"/{include,lib64}
  touch "$home/include/nccl.h" "$home/lib64/libnccl.so"
  # how many commands leave NCCL out, and how many link it
  commands() {
    in_checkout -nB solution13 BACKEND=cuda ARCH=sm_90 "$@" >"$BATS_TEST_TMPDIR/commands"
    grep -c -- '-DNO_NCCL' "$BATS_TEST_TMPDIR/commands"
    grep -c -- '-lnccl' "$BATS_TEST_TMPDIR/commands"
  }
  [ "$(commands CUDA_HOME="$home" | paste -sd' ')" = '0 1' ]
  for lacking in nccl_header= nccl_library=; do
    run commands "$lacking"
    [ "${lines[0]}" -gt 20 ]
    [ "${lines[1]}" -eq 0 ]
  done
}

@test "make builds for a GPU where there is one, where a cluster is set, and where it is asked to" {
  source "$ROOT/common/shell/tools.bash"
  if [ -z "$("$ROOT/common/make/find-cuda")" ]; then skip "nvcc is not installed"; fi
  # the program of the CPU backend is built in any case, by nvcc none or one
  kinds() {
    in_checkout -nB "$@" | grep -o 'built.*' | grep -oE '(cpu|cuda)/lesson02' | sort -u | paste -sd' '
  }
  if has_gpu_device; then
    [ "$(kinds lesson02)" = 'cpu/lesson02 cuda/lesson02' ]
    return
  fi
  [ "$(kinds lesson02)" = cpu/lesson02 ]
  [ "$(kinds lesson02 BACKEND=cuda)" = cuda/lesson02 ]
  [ "$(kinds lesson02 'BACKEND=cpu cuda')" = 'cpu/lesson02 cuda/lesson02' ]
  local work=$BATS_TEST_TMPDIR/login-node
  mkdir -p "$work"
  WORK=$work "$ROOT/jobs/cluster" generic TIME=00:20:00
  [ "$(kinds lesson02 WORK="$work")" = 'cpu/lesson02 cuda/lesson02' ]
  WORK=$work "$ROOT/jobs/cluster" generic
  [ "$(kinds lesson02 WORK="$work")" = cpu/lesson02 ]
}

@test "without nvcc make builds for the CPU backend and says so once" {
  run in_checkout lesson02 NVCC=
  [ "$status" -eq 0 ]
  [ "$(grep -c 'nvcc is not here' <<<"$output")" -eq 1 ]
  run in_checkout lesson02 NVCC= BACKEND=cuda
  [ "$status" -ne 0 ]
}
