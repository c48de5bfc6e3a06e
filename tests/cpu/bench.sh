#!/usr/bin/env bash
# Measures the CPU backend: how long it compiles, and how long its programs run compared with plain loops.
set -euo pipefail

usage() {
  cat <<'TXT'
usage: tests/cpu/bench.sh [--check]
Prints a table (Markdown) with the CPU's name and the date: medians of 7 runs in milliseconds, for plain C
loops on all cores, cucc --fast and cucc (checked); and the time to compile a lesson's file. CUCC_CXX names
the compiler.
Next to each figure is the threshold that the backend has to meet. Thresholds were set on a machine with 2
cores whose plain loops took 10, 72 and 8 ms; where they take longer in the same run, the threshold of their
line grows in proportion.
  --check   exit with 1 when a threshold is missed
exit status: 0 measured, 1 a threshold missed (with --check) or a program failed, 2 usage
TXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cucc=$here/../../common/cpu/cucc
missed=0

cpu_name() {
  { lscpu 2>/dev/null | sed -n 's/^Model name: *//p'; uname -m; } | head -n 1
}

# Median of 7 times in milliseconds to run a command.
time_of() {
  local start end run
  "$@"
  for run in 1 2 3 4 5 6 7; do
    start=$(date +%s%N)
    "$@"
    end=$(date +%s%N)
    printf '%s %s\n' "$run" "$(((end - start) / 10000))"
  done | cut -d ' ' -f 2 | sort -n | sed -n 4p | awk '{ printf "%.1f", $1 / 100 }'
}

# The median of a work in a file that a program wrote.
median() { awk -v work="$2" '$1 == work { print $2 }' "$1"; }

# A threshold, raised in proportion where the plain loops are slower than those that it was set with.
grown() { # threshold, plain loops then and now
  awk -v threshold="$1" -v before="$2" -v now="$3" \
    'BEGIN { printf "%.0f", (now > before ? threshold * now / before : threshold) }'
}

# A figure with its threshold; counts it as missed when it is above.
cell() {
  if awk -v got="$1" -v threshold="$2" 'BEGIN { exit !(got > threshold) }'; then
    missed=$((missed + 1))
    printf '**%s** (threshold %s, missed)' "$1" "$2"
  else
    printf '%s (threshold %s)' "$1" "$2"
  fi
}

row() { # label work plain-loops-then fast-threshold checked-threshold
  local plain
  plain=$(median native "$2")
  printf '| %s | %s | ' "$1" "$plain"
  cell "$(median fast "$2")" "$(grown "$4" "$3" "$plain")"
  printf ' | '
  cell "$(median checked "$2")" "$(grown "$5" "$3" "$plain")"
  printf ' |\n'
}

main() {
  case "$*" in '' | --check) ;; --help) usage; exit 0 ;; *) usage >&2; exit 2 ;; esac
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  gcc -O3 -march=native -fopenmp -o native.bin "$here/bench/native.c"
  "$cucc" --fast -o fast.bin "$here/bench/kernels.cu"
  "$cucc" -o checked.bin "$here/bench/kernels.cu"
  for kind in native fast checked; do "./$kind.bin" >$kind; done
  local lesson=$here/programs/right/pipeline.cu
  printf '%s, %s cores, %s, %s\n\n' "$(cpu_name)" "$(nproc)" "$("${CUCC_CXX:-g++}" --version | head -n 1)" \
    "$(date -u +%Y-%m-%d)"
  printf '| milliseconds | native loops | cucc --fast | cucc, checked |\n|---|---|---|---|\n'
  printf '| compile one lesson file | – | '
  cell "$(time_of "$cucc" --fast -I "$here/programs" -c -o lesson.o "$lesson")" 300
  printf ' | '
  cell "$(time_of "$cucc" -I "$here/programs" -c -o lesson.o "$lesson")" 500
  printf ' |\n'
  row 'vector add, 10⁷' vector_add 10 25 225
  row 'matmul, naive, 512' matmul_naive 72 80 700
  row 'matmul, tiled 16×16, 512' matmul_tiled 8 225 1000
  [[ $* != --check || $missed -eq 0 ]] || exit 1
}

main "$@"
