#!/usr/bin/env bats
# tests/jobs/gpu/counters and tests/jobs/gpu/agreement, as far as they can be tried without a GPU: programs
# made by cucc stand in for nvcc's, and small scripts for ncu and compute-sanitizer.

load helper

setup() {
  bin=$BATS_TEST_TMPDIR/bin
  mkdir -p "$bin"
  PATH=$bin:$PATH
  # nvcc: cucc, which ignores or does not know its options
  cat >"$bin/nvcc" <<STUB
#!/usr/bin/env bash
arguments=()
while ((\$# > 0)); do
  case \$1 in -cudart) shift ;; *) arguments+=("\$1") ;; esac
  shift
done
exec "$CUCC" --fast "\${arguments[@]}"
STUB
  printf '#!/bin/sh\ncase $1 in -L) echo "GPU 0: NVIDIA H200" ;; *) echo "NVIDIA H200, 580.1" ;; esac\n' \
    >"$bin/nvidia-smi"
  chmod +x "$bin"/*
}

# ncu, which gives the figures of $1/here.tsv, those in $2 multiplied by ten, in the form of Nsight Compute's
# CSV.
stub_ncu() {
  cat >"$bin/ncu" <<STUB
#!/usr/bin/env bash
names=$BATS_TEST_DIRNAME/programs/profile/counters.names
case \$1 in
  --version) printf 'NVIDIA (R) Nsight Compute\nVersion 1\n' && exit ;;
  --query-metrics) cut -f 3 "\$names" | tr '+' '\n' | sed 's/\.sum//; s/$/   counter  words/' && exit ;;
esac
while [ "\$1" != - ]; do shift; done
shift
echo '==PROF== Connected to process 17'
printf '"%s",' ID 'Process ID' 'Process Name' 'Host Name' 'Kernel Name' 'Section Name' 'Metric Name'
printf '"%s",' 'Metric Unit'
echo '"Metric Value"'
for program; do
  "\$program" || exit
  awk -F '\t' -v program="\${program##*/}" '
    NR == FNR { split(\$3, part, "+"); metric[\$1] = part[1]; next }
    \$1 == program && metric[\$2] != "-" {
      printf "\"0\",\"17\",\"%s\",\"host\",\"kernel(int, \"\"float\"\")\",", program
      printf "\"section\",\"%s\",\"\",\"%d,%03d\"\n",
        metric[\$2], int(\$3 * scale(\$2) / 1000), \$3 * scale(\$2) % 1000 }
    function scale(name) { return program " " name == "$2" ? 10 : 1 }
    ' <(grep -v '^#' "\$names") "$1/here.tsv" |
    sed 's/"0,0*\([0-9]\)/"\1/'
done
STUB
  chmod +x "$bin/ncu"
}

# bats test_tags=slow
@test "counters: builds, runs under ncu, and lists figures that differ by more than a percent" {
  local dir=$BATS_TEST_TMPDIR/dir out=$BATS_TEST_TMPDIR/out
  run "$ROOT/tests/jobs/gpu/counters" build "$dir"
  ends_with 0
  shows 'built 25 programs'
  stub_ncu "$dir" ''
  run "$ROOT/tests/jobs/gpu/counters" run "$dir" "$out"
  ends_with 0
  shows 'without figures at first: 0'
  run "$ROOT/tests/jobs/gpu/counters" table "$dir" "$out"
  ends_with 0
  shows '25 of 25 programs within 1 %' '| copy_offset1 | 8192 / 8192 | 5.00 / 5.00 |' 'NVIDIA H200'
  stub_ncu "$dir" 'copy_offset1 ld.sectors'
  "$ROOT/tests/jobs/gpu/counters" run "$dir" "$out"
  run "$ROOT/tests/jobs/gpu/counters" table "$dir" "$out"
  ends_with 1
  shows '24 of 25 programs' '5.00 / 50.00'
}

# compute-sanitizer, which finds one thing each in two programs, hangs in a third, and is wrong about a
# fourth.
stub_sanitizer() {
  cat >"$bin/compute-sanitizer" <<'STUB'
#!/usr/bin/env bash
[ "$1" != --version ] || { echo 'Version 2025.3.1' && exit; }
tool=$2
program=${*: -1}
echo '========= COMPUTE-SANITIZER'
case $tool/${program##*/} in
  memcheck/faulty.missing_guard)
    printf '========= %s\n' 'Invalid __global__ write of size 4 bytes' '    at add+0x1 in add.cu:4' \
      'ERROR SUMMARY: 24 errors' ;;
  racecheck/faulty.unsynchronised_tile)
    printf '========= %s\n' 'Error: Race reported between Write access and Read access' \
      'RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)' ;;
  synccheck/faulty.barrier_in_branch) sleep 60 ;;
  memcheck/right.vector_add)
    printf '========= %s\n' 'Leaked 64 bytes' 'LEAK SUMMARY: 64 bytes' 'ERROR SUMMARY: 1 error' ;;
  racecheck/*) echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)' ;;
  *) echo '========= ERROR SUMMARY: 0 errors' ;;
esac
STUB
  chmod +x "$bin/compute-sanitizer"
}

# bats test_tags=slow
@test "agreement: builds, runs under each tool with a limit, and requires a remark where results differ" {
  local dir=$BATS_TEST_TMPDIR/dir out=$BATS_TEST_TMPDIR/out \
    some='right/vector_add|/missing_guard|faulty/(unsynchronised_tile|barrier_in_branch)'
  export REMARKS=$BATS_TEST_TMPDIR/remarks TIMEOUT=3
  echo '# remarks' >"$REMARKS"
  stub_sanitizer
  run "$ROOT/tests/jobs/gpu/agreement" build "$dir" "$some"
  ends_with 0
  shows '5 programs, 5 built'
  run "$ROOT/tests/jobs/gpu/agreement" run "$dir" "$out"
  ends_with 0
  shows '25 runs' 'not run: 0; killed: 1'
  run "$ROOT/tests/jobs/gpu/agreement" table "$dir" "$out"
  ends_with 1
  shows 'Of 3 faulty programs cucc finds 3' \
    "sanitizer's four tools find 2: 2 that cucc finds too, 0 that it does not; 1 are found by cucc alone"
  shows '| faulty/missing_guard | memcheck | memcheck |' '| 24 × Invalid __global__ write of size 4 bytes |'
  shows '1 × Race reported between' '| faulty/barrier_in_branch | synccheck | synccheck |' '| hangs |'
  shows '| right/vector_add | – | – | 1 × Leaked 64 bytes |' '**no remark yet**' '1 rows want a remark'
  printf 'right/vector_add\tthe tool is wrong here\n' >>"$REMARKS"
  run "$ROOT/tests/jobs/gpu/agreement" table "$dir" "$out"
  ends_with 0
  shows 'the tool is wrong here' 'NVIDIA H200'
}

@test "agreement and counters: usage errors and missing tools" {
  run "$ROOT/tests/jobs/gpu/agreement" run
  ends_with 2
  run "$ROOT/tests/jobs/gpu/counters" --help
  ends_with 0
  run env NCU=no-such-ncu "$ROOT/tests/jobs/gpu/counters" run "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR"
  ends_with 3
  run env SANITIZER=no-such "$ROOT/tests/jobs/gpu/agreement" run "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR"
  ends_with 3
}

@test "what calls return, and kernels' faults, and shuffles past the end, are as seen on an H200" {
  local program
  for program in "$BATS_TEST_DIRNAME"/programs/semantics/*.cu; do
    "$CUCC" -o "$BATS_TEST_TMPDIR/program" "$program"
    CUCC_CHECK=none CUCC_DEVICES=2 run "$BATS_TEST_TMPDIR/program"
    ends_with 0
    [ -z "$output" ]
  done
}
