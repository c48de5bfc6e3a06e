# The checks of lesson07, matmul. grader/README.md explains the verbs.
#
# Accesses are counted at the driver's trace size, 64 x 96 x 128, so 786432 multiply-adds; for matmul_fast
# 384 x 512 x 48.

load ../lib/check

# in_place TASK: the work is done in the caller's arrays on the device.
in_place() {
  stays "$1"
  counter "$1" 'device_allocations == 0 && copies == 0' \
    "It made {device_allocations} allocations and {copies} copies: kernels can read d_a and d_b and write \
d_c themselves."
  as_asked "$1"
}

uses_shared_memory() { # task
  counter "$1" 'shared_loads > 0' \
    "Its kernels loaded nothing from shared memory: keep the tiles in __shared__ arrays."
}

# bats test_tags=task:1,points:2
@test "matmul_naive is right for every shape" { right matmul_naive; }

# bats test_tags=task:1,points:1
@test "matmul_naive makes no memory errors, no races, and allocates nothing" {
  clean matmul_naive memcheck racecheck initcheck synccheck leakcheck
  in_place matmul_naive
}

# naive: at most 4 where a warp is 32 x 1, 1 to 8 in other shapes; neighbours down a column: 32
# bats test_tags=task:1,points:2
@test "a warp of matmul_naive reads and writes along the rows" {
  stays matmul_naive
  together matmul_naive 6144
  counter matmul_naive 'launches > 0 && most_sectors_per_request <= 80' \
    "A warp's access to global memory touched up to {tenths: most_sectors_per_request} sectors of 32 bytes \
on average: neighbouring threads work in one column. Let threadIdx.x count along the row, so that they use \
neighbouring elements."
}

# bats test_tags=task:1,points:1
@test "matmul_naive returns the error of any call that fails" { failures matmul_naive; }

# bats test_tags=task:1,points:1
@test "rows are faster than columns" { faster matmul_naive uncoalesced; }

# bats test_tags=task:2,points:2
@test "matmul_tiled is right for every shape" { right matmul_tiled; }

# bats test_tags=task:2,points:2
@test "matmul_tiled makes no memory errors, no races, and every thread reaches its barriers" {
  clean matmul_tiled memcheck racecheck initcheck synccheck leakcheck
}

# tiles of 16: 12288
# bats test_tags=task:2,points:2
@test "each number is fetched once a tile, not once a thread" {
  in_place matmul_tiled
  together matmul_tiled 6144
  counter matmul_tiled 'shared_loads > 0 && loaded_sectors <= 18432' \
    "For 786432 multiply-adds it fetched {loaded_sectors} sectors from global memory and loaded \
{shared_loads} times from shared memory; tiles of 16 x 16 fetch 12288. Every thread of a block fetches one \
element of each tile, and all use them from shared memory."
  as_asked matmul_tiled 'Use blocks of 16 x 16 threads, and tiles of 16 x 16.'
}

# bats test_tags=task:2,points:1
@test "matmul_tiled returns the error of any call that fails" { failures matmul_tiled; }

# Rows of 17 words, as padding makes them, conflict in 6 % of the loads; a tile read by columns in all of
# them. 49152 loads are enough, so an eighth of more makes no difference.
# bats test_tags=task:2,points:1
@test "matmul_tiled has few bank conflicts or none in shared memory" {
  uses_shared_memory matmul_tiled
  counter matmul_tiled '8 * bank_conflicts <= shared_loads && bank_conflicts <= 6144' \
    "In {shared_loads} loads from shared memory there were {bank_conflicts} bank conflicts: let threadIdx.x \
be the last index of both tiles, so that neighbouring threads use neighbouring words."
}

# bats test_tags=task:2,points:2
@test "tiles are faster than no tiles" { faster matmul_tiled naive; }

# bats test_tags=task:3,points:2
@test "matmul_tiled_double is right for both tiles, and refuses any other" { right matmul_tiled_double; }

# bats test_tags=task:3,points:1
@test "matmul_tiled_double makes no memory errors, no races, and every thread reaches its barriers" {
  clean matmul_tiled_double memcheck racecheck initcheck synccheck leakcheck
}

# tiles of 32: 12288; of 16: 24576
# bats test_tags=task:3,points:1
@test "tiles of 32 x 32 fetch half as much as those of 16 x 16" {
  in_place matmul_tiled_double
  together matmul_tiled_double 6144
  uses_shared_memory matmul_tiled_double
  # a thread that fetches two neighbours touches each sector twice
  counter matmul_tiled_double 'loaded_sectors <= 18432 ||
      (ideal_loaded_sectors <= 18432 && loaded_sectors <= 2 * ideal_loaded_sectors)' \
    "Asked for tiles of 32 x 32 it fetched {loaded_sectors} sectors from global memory; such tiles fetch \
12288, those of 16 x 16 fetch 24576."
  as_asked matmul_tiled_double 'Let the parameter tile choose the kernel: each has its own tile and block.'
}

# bats test_tags=task:3,points:1
@test "matmul_tiled_double returns the error of any call that fails" { failures matmul_tiled_double; }

# bats test_tags=task:3,points:1
@test "matmul_tiled_double keeps its share of the speed of cuBLAS" { faster matmul_tiled_double cublas; }

# bats test_tags=task:0,points:1
@test "matmul_fast is right for every shape" { right matmul_fast; }

# bats test_tags=task:0,points:1
@test "matmul_fast makes no memory errors, no races, and every thread reaches its barriers" {
  clean matmul_fast memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "matmul_fast returns the error of any call that fails" { failures matmul_fast; }

# bats test_tags=task:0,points:1
@test "a thread computes several elements" {
  in_place matmul_fast
  together matmul_fast 49152
  counter matmul_fast 'working_launches > 0 && threads <= 49152' \
    "For 196608 elements of C it launched {threads} threads: each thread should use its loaded values for at \
least 4 elements, better for 64."
}

# bats test_tags=task:0,points:1
@test "matmul_fast reaches 0.4 of cuBLAS" { faster matmul_fast cublas; }

# bats test_tags=task:0,points:1
@test "matmul_fast reaches 0.75 of cuBLAS" { excellent matmul_fast cublas; }
