#!/usr/bin/env bats
# CUCC_PROFILE: what kernels ask of memory. The programs in programs/profile say what must be counted, worked
# out by hand.

load helper

setup_file() { "$CUCC" --print-libs >/dev/null; }

# count_all COMPILER [ENVIRONMENT...]: compiles each program, runs it, and compares its figures. A program
# whose first lines name another compiler is left out; with EVERY=4 each fourth is counted.
count_all() {
  local -a programs=("$BATS_TEST_DIRNAME"/programs/profile/*.cu)
  if [ "${#programs[@]}" -lt 25 ]; then echo "only ${#programs[@]} programs" && return 1; fi
  local i; for i in "${!programs[@]}"; do ((i % ${EVERY:-1} == 0)) || unset "programs[i]"; done
  export COMPILER=$1 CUCC
  shift
  # shellcheck disable=SC2016
  printf '%s\0' "${programs[@]}" | xargs -0 -P 2 -I '{}' env "$@" bash -c '
    name=$(basename "$1" .cu) folder=$(dirname "$1") only=$(sed -n "s|^// compiler: ||p" "$1")
    [ "${only:-$COMPILER}" = "$COMPILER" ] || exit 0
    CUCC_CXX=$COMPILER "$CUCC" -Wall -Wextra -Werror -o "$2/$name" "$1" || exit 1
    CUCC_PROFILE=json:$2/$name.json "$2/$name" || { echo "$name ends with $?"; exit 1; }
    "$folder/compare-figures" "$1" "$2/$name.json"' - '{}' "$BATS_TEST_TMPDIR"
}

@test "counts each fourth program's requests, sectors, wavefronts, conflicts and atomics as done by hand" {
  EVERY=4 count_all g++
}

# bats test_tags=slow
@test "counts every program's figures as calculated by hand, in reverse order, on one worker" {
  count_all g++ CUCC_ORDER=reverse CUCC_WORKERS=1
}

# bats test_tags=slow
@test "counts the same figures with clang++, in a random order" {
  command -v clang++ >/dev/null || skip "clang++ is not installed"
  count_all clang++ CUCC_ORDER=random:5
}

@test "the report names lines, shows their text, says what is wrong, and that the figures are no times" {
  cd "$BATS_TEST_DIRNAME/programs/profile"
  "$CUCC" -o "$BATS_TEST_TMPDIR/tiled" transpose_tiled.cu
  CUCC_PROFILE=text run "$BATS_TEST_TMPDIR/tiled"
  ends_with 0
  shows 'counts, not times' 'transpose<<<(16,16,1), (32,8,1)>>>, launched at ' '/transpose_tiled.cuh:17' \
    'out[(y + i) * N + x] = tile[threadIdx.x][threadIdx.y + i];' '32.0-way bank conflict' \
    'barrier              256 times, 256.0 threads each' \
    '2097152 bytes copied to the device from pageable memory, in 2 copies' # in and out are both filled
  "$CUCC" -o "$BATS_TEST_TMPDIR/stride" copy_stride8.cu
  CUCC_PROFILE=text:$BATS_TEST_TMPDIR/report run "$BATS_TEST_TMPDIR/stride"
  [ -z "$output" ]
  run cat "$BATS_TEST_TMPDIR/report"
  shows 'strided: 32.0 sectors where 4.0 would do' \
    '4.0 sectors each     ####                              coalesced'
}

@test "a program switches counting on and off; all kinds of variables; too many requests are extrapolated" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/counts" \
    "$BATS_TEST_DIRNAME/programs/behaviour/counts.cu"
  "$BATS_TEST_TMPDIR/counts" >"$BATS_TEST_TMPDIR/json"
  # three kernels: one warp reads an element and a device variable, 4 sectors each; two warps do it over the
  # bus, one does in registered memory
  run jq -cs '[.[0].profile[] | .metrics | .["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    .["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], .mapped_read_bytes, .mapped_written_bytes]' \
      "$BATS_TEST_TMPDIR/json"
  shows '[2,8,0,0,4,16,256,256,2,8,128,128]'
  run jq -cs '.[1].profile[0] | [.estimated, .metrics["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    .metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]]' "$BATS_TEST_TMPDIR/json"
  shows '[true,200000,800000]'
  run jq -cs '.[2] | [.launches, .profile]' "$BATS_TEST_TMPDIR/json"
  shows '[1,[]]'
}

@test "counts what kernels touch in the memory of another device, also when requests are too many" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/peers" \
    "$BATS_TEST_DIRNAME/programs/behaviour/counts_peers.cu"
  # also where another program wants the core: a warp that reads a volatile word so often looks as if it spins
  local core other
  core=$(taskset -pc $$ | sed "s/.*[ ,-]//")
  taskset -c "$core" timeout 60 sh -c "while :; do :; done" &
  other=$!
  CUCC_DEVICES=2 taskset -c "$core" "$BATS_TEST_TMPDIR/peers" >"$BATS_TEST_TMPDIR/json"
  kill "$other"
  # a warp reads 128 bytes of its own device, then of the other one, and writes 128 there
  run jq -cs '[.[0].profile[].metrics | .peer_touched_bytes, .mapped_read_bytes]' "$BATS_TEST_TMPDIR/json"
  [ "$output" = '[0,0,128,0,256,0]' ] || { echo "$output" && return 1; }
  # each access whose address is no longer kept counts 32 bytes
  run jq -cs '.[1].profile[0] | [.estimated, .metrics.peer_touched_bytes >= 128 * 200000]' \
    "$BATS_TEST_TMPDIR/json"
  [ "$output" = '[true,true]' ] || { echo "$output" && return 1; }
}

@test "leaves nothing out: too many instructions, constant and managed memory, queries, host functions" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/beyond" \
    "$BATS_TEST_DIRNAME/programs/behaviour/counts_beyond.cu"
  "$BATS_TEST_TMPDIR/beyond" >"$BATS_TEST_TMPDIR/json"
  # 5000 loads and stores of 32 lanes, then an atomic operation: instructions without a place count singly
  run jq -cs '.[0].profile[0] | .crowded, .metrics.global_atomic_operations,
    (["ld", "st"][] as $op | [.lines[] | select(.op == $op) | .requests * .lanes_per_request] | add | round),
    ([.lines[] | select(.line == 0 and .op == "atom") | .requests] | add)' "$BATS_TEST_TMPDIR/json"
  [ "$output" = $'true\n32\n160000\n160000\n32' ]
  # of the constant loads one is of a word for all lanes; the managed variable is 4 sectors
  run jq -cs '.[1] | (.profile[0] | .estimated, .metrics.mapped_read_bytes,
    ([.lines[] | select(.space == "constant") | .requests, .sectors, .broadcasts, .broadcast_lanes])),
    .copies.d2h_pinned_bytes, .copies.d2d_count, .host_functions, .synchronisations,
    .device_synchronisations' "$BATS_TEST_TMPDIR/json"
  [ "$output" = $'false\n128\n[2,5,1,32]\n128\n0\n1\n2\n1' ] || { echo "$output" && return 1; }
  # the 128 bytes of managed memory move once in each of two launches, though 100 warps add to them
  run jq -cs '.[2].profile[0].metrics.mapped_written_bytes' "$BATS_TEST_TMPDIR/json"
  [ "$output" = 256 ]
}

@test "counts what a graph queues apart from what the host queues itself" {
  "$CUCC" --fast -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/counts" \
    "$BATS_TEST_DIRNAME/programs/behaviour/counts_graph.cu"
  run "$BATS_TEST_TMPDIR/counts"
  ends_with 0
  [ "$output" = "operations 10, by graphs 6, launches 7, in a row 6
in the default stream 1, in blocking ones 9, streams of launches 2
copied 4 bytes, of pageable memory 1 times, unknown 0" ]
}

@test "counts diverging lanes, and finds the same errors as without counting" {
  cat >"$BATS_TEST_TMPDIR/part.cu" <<'CU'
__global__ void part(int *p) {
  if (threadIdx.x < 8) p[threadIdx.x] = 1;
  for (unsigned k = 0; k < threadIdx.x % 4; k++) atomicMax(&p[8 + threadIdx.x], 5);
}
int main() {
  int *p;
  cudaMalloc(&p, 40 * sizeof *p - 4); // the last thread has no element
  cudaMemset(p, 0, 40 * sizeof *p - 4);
  part<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
CU
  "$CUCC" -o "$BATS_TEST_TMPDIR/part" "$BATS_TEST_TMPDIR/part.cu"
  CUCC_PROFILE=json:$BATS_TEST_TMPDIR/json run "$BATS_TEST_TMPDIR/part"
  ends_with 86
  shows 'memcheck: thread (31,0,0)'
  sed -i 's/ - 4//' "$BATS_TEST_TMPDIR/part.cu"
  "$CUCC" -o "$BATS_TEST_TMPDIR/part" "$BATS_TEST_TMPDIR/part.cu"
  CUCC_PROFILE=json:$BATS_TEST_TMPDIR/json run "$BATS_TEST_TMPDIR/part"
  ends_with 0
  # three turns of 24, 16 and 8 lanes; an update that takes a read and a swap is one operation
  run jq -c '.profile[0].lines | map([.op, .requests, .lanes_per_request])' "$BATS_TEST_TMPDIR/json"
  shows '[["st",1,8],["atom",3,16]]'
}

@test "a program without checks says that it cannot count; rejects a mistyped value" {
  local program=$BATS_TEST_DIRNAME/programs/profile/copy_coalesced.cu
  "$CUCC" --fast -o "$BATS_TEST_TMPDIR/fast" "$program"
  CUCC_PROFILE=text run "$BATS_TEST_TMPDIR/fast"
  ends_with 0
  shows 'compile it without --fast'
  CUCC_PROFILE=xml run "$BATS_TEST_TMPDIR/fast"
  ends_with 2
  shows 'CUCC_PROFILE=xml is not understood' 'text or json'
}
