#!/usr/bin/env bats
# tests/gpu/counters and tests/gpu/agreement, as far as they can be tried without a GPU: programs made by cucc stand in for
# nvcc's, and small scripts for ncu and compute-sanitizer.

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
  printf '#!/bin/sh\necho "NVIDIA H200, 580.1"\n' >"$bin/nvidia-smi"
  chmod +x "$bin"/*
}

# ncu, which gives the figures of $1/here.tsv, those in $2 multiplied by ten, in the form of Nsight Compute's CSV.
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
echo '"ID","Process ID","Process Name","Host Name","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"'
for program; do
  "\$program" || exit
  awk -F '\t' -v program="\${program##*/}" '
    NR == FNR { split(\$3, part, "+"); metric[\$1] = part[1]; next }
    \$1 == program && metric[\$2] != "-" {
      printf "\"0\",\"17\",\"%s\",\"host\",\"kernel(int, \"\"float\"\")\",\"section\",\"%s\",\"\",\"%d,%03d\"\n", program, metric[\$2],
        int(\$3 * scale(\$2) / 1000), \$3 * scale(\$2) % 1000 }
    function scale(name) { return program " " name == "$2" ? 10 : 1 }' <(grep -v '^#' "\$names") "$1/here.tsv" | sed 's/"0,0*\([0-9]\)/"\1/'
done
STUB
  chmod +x "$bin/ncu"
}

# bats test_tags=slow
@test "counters: builds, runs under ncu, and tells which figures differ by more than a percent" {
  local dir=$BATS_TEST_TMPDIR/dir out=$BATS_TEST_TMPDIR/out
  run "$ROOT/tests/gpu/counters" build "$dir"
  ends_with 0
  shows 'built 24 programs'
  stub_ncu "$dir" ''
  run "$ROOT/tests/gpu/counters" run "$dir" "$out"
  ends_with 0
  shows 'without figures at first: 0'
  run "$ROOT/tests/gpu/counters" table "$dir" "$out"
  ends_with 0
  shows '24 of 24 programs within 1 %' '| copy_offset1 | 8192 / 8192 | 5.00 / 5.00 |' 'NVIDIA H200'
  stub_ncu "$dir" 'copy_offset1 ld.sectors'
  "$ROOT/tests/gpu/counters" run "$dir" "$out"
  run "$ROOT/tests/gpu/counters" table "$dir" "$out"
  ends_with 1
  shows '23 of 24 programs' '5.00 / 50.00'
}
