# The checks of lesson11, cublas. grader/README.md explains the verbs.

load ../lib/check

# by_handle TASK: the caller's handle does the work, and the host does not wait for it. The driver
# waits once for the stream.
by_handle() {
  as_asked "$1"
  counter "$1" 'handles_created == 0' \
    "It created {handles_created} handles of cuBLAS: use the one that it is given. To make one takes longer \
than most products."
  counter "$1" 'waits <= 1' "It waited {waits - 1} times for the device: queue the work and return."
}

# without_tricks TASK: the host computes nothing.
without_tricks() {
  counter "$1" 'host_functions == 0' \
    "It queued {host_functions} functions that run on the host: let the device do the work."
  stays "$1"
}

# multiplies TASK COUNTER NUMBER: the products that were counted do all of the work, and the answer is theirs.
multiplies() {
  counter "$1" "$2 >= $3" \
    "Its calls of cuBLAS made {$2} multiplications, fewer than the $3 that the result takes: the library \
multiplies all of the two matrices."
  as_asked "$1" "The products of cuBLAS are the answer${4-.}"
}

# tensor_speed TASK: where TF32 products are several times as fast as float's.
tensor_speed() {
  needs "$1" 'capability == 0 || (capability >= 80 && capability < 120 && capability % 10 == 0)' \
    "TF32 is not fast enough on this GPU: that takes a compute capability of 8.0, 9.0 or 10.0"
}

# bats test_tags=task:1,points:2
@test "gemm is right for every shape, with gaps between rows" { right gemm; }

# bats test_tags=task:1,points:1
@test "gemm makes no memory errors, and all its work is in the given stream" {
  clean gemm memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:1,points:1
@test "gemm returns the error of any call that fails" { failures gemm; }

# bats test_tags=task:1,points:2
@test "gemm is one call of the library, by the given handle" {
  counter gemm 'library_calls == 1 && launches == 0' \
    "It made {library_calls} calls of cuBLAS and {launches} launches: one cublasSgemm does it, \
if the matrices are handed over in the right order."
  multiplies gemm library_multiplications $((48 * 80 * 64))
  by_handle gemm
  counter gemm 'device_allocations == 0' \
    "It made {device_allocations} allocations: no matrix needs to be transposed or copied."
  counter gemm 'operations <= 2' \
    "It queued {operations - 2} operations besides the product: the result needs no copies."
  counter gemm 'tf32_calls == 0' "It asked for TF32 inputs: gemm computes in float."
  without_tricks gemm
}

# bats test_tags=task:1,points:1
@test "gemm is as fast as the library" { faster gemm fp32; }

# bats test_tags=task:2,points:3
@test "time_gemm gives the first call's time and a warm call's, each within 15 %" { right time_gemm; }

# bats test_tags=task:2,points:1
@test "time_gemm makes no memory errors and no races" {
  clean time_gemm memcheck racecheck leakcheck
}

# bats test_tags=task:2,points:1
@test "time_gemm returns the error of any call that fails" { failures time_gemm; }

# bats test_tags=task:3,points:2
@test "gemm_batch is right for every shape, with gaps between the products, and one A for many vectors" {
  right gemm_batch
}

# bats test_tags=task:3,points:1
@test "gemm_batch makes no memory errors, and all its work is in the given stream" {
  clean gemm_batch memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:3,points:1
@test "gemm_batch returns the error of any call that fails" { failures gemm_batch; }

# bats test_tags=task:3,points:2
@test "gemm_batch is one call of the library for all products" {
  counter gemm_batch 'library_calls == 1 && launches <= 1' \
    "For 25 products it made {library_calls} calls of cuBLAS, and {launches} launches: \
cublasSgemmStridedBatched takes all of them in one call. A kernel may write pointers for cublasSgemmBatched."
  multiplies gemm_batch library_multiplications $((17 * 9 * 33 * 25))
  by_handle gemm_batch
  counter gemm_batch 'tf32_calls == 0' "It asked for TF32 inputs: gemm_batch computes in float."
  without_tricks gemm_batch
}

# bats test_tags=task:3,points:1
@test "gemm_batch is as fast as the library" { faster gemm_batch strided; }

# bats test_tags=task:3,points:1
@test "gemm_batch is several times as fast as a call for each product" { faster gemm_batch loop; }

# bats test_tags=task:4,points:2
@test "gemm_to is as exact as it is asked to be, and leaves the handle as it was" { right gemm_to; }

# bats test_tags=task:4,points:1
@test "gemm_to makes no memory errors, and all its work is in the given stream" {
  clean gemm_to memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:4,points:1
@test "gemm_to returns the error of any call that fails" { failures gemm_to; }

# bats test_tags=task:4,points:2
@test "gemm_to takes the cheapest way that the bound allows" {
  counter gemm_to 'library_calls == 5 && tf32_calls == 4' \
    "With k = 64, for the bounds 2^-9, 2^-20 + 64 * 2^-25 and one a little below that it made \
{library_calls} products in all, {tf32_calls} of them with TF32 inputs: one, three and one are asked for, \
which makes 5, and 4 of these with TF32 inputs. A bound that is equal to the error of a way allows it."
  multiplies gemm_to tf32_multiplications $((4 * 48 * 40 * 64))
  multiplies gemm_to library_multiplications $((5 * 48 * 40 * 64)) \
    ', and the table in cublas.h says which way is the cheapest whose error is at most the bound.'
  by_handle gemm_to
  without_tricks gemm_to
}

# bats test_tags=task:4,points:1
@test "gemm_to with a loose bound is as fast as a TF32 product" { faster gemm_to tf32; }

# bats test_tags=task:0,points:2
@test "gemm_split has the accuracy of a float sum, however long the sum" { right gemm_split; }

# bats test_tags=task:0,points:1
@test "gemm_split makes no memory errors, and all its work is in the given stream" {
  clean gemm_split memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:0,points:1
@test "gemm_split returns the error of any call that fails" { failures gemm_split; }

# bats test_tags=task:0,points:1
@test "gemm_split multiplies by TF32 products of the library alone" {
  counter gemm_split 'tf32_calls >= 4 && library_calls == tf32_calls' \
    "Of its {library_calls} calls of cuBLAS {tf32_calls} had TF32 inputs: with 1500 terms all \
should, a chunk of terms at a time."
  multiplies gemm_split tf32_multiplications $((3 * 24 * 16 * 1500))
  by_handle gemm_split
  without_tricks gemm_split
}

# bats test_tags=task:0,points:1
@test "gemm_split keeps up with the one of the harness" { faster gemm_split chunks; }

# bats test_tags=task:0,points:1
@test "gemm_split is faster than the library in float" {
  tensor_speed gemm_split
  faster gemm_split fp32
}

# bats test_tags=task:0,points:2
@test "gemm_tensor has the accuracy of a float sum, however long the sum" {
  right gemm_tensor
  needs gemm_tensor 'capability == 0 || capability >= 80 || tensor_products > 0' \
    "this GPU has no tensor cores for TF32: that takes a compute capability of 8.0"
}

# bats test_tags=task:0,points:1
@test "gemm_tensor makes no memory errors and no races, and all lanes take part" {
  clean gemm_tensor memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "gemm_tensor returns the error of any call that fails" { failures gemm_tensor; }

# 70 x 100 x 64 in tiles of 16 x 16 x 8: 5 x 7 x 8 of each of three products.
# bats test_tags=task:0,points:1
@test "gemm_tensor multiplies on tensor cores, without the library" {
  counter gemm_tensor 'library_calls == 0' "It made {library_calls} calls of cuBLAS: write a kernel."
  counter gemm_tensor 'tensor_products >= 840' \
    "Its kernels made {tensor_products} products of tiles on tensor cores; three for each pair of tiles are \
840 or more."
  without_tricks gemm_tensor
}

# bats test_tags=task:0,points:1
@test "gemm_tensor comes near the library in float" {
  tensor_speed gemm_tensor
  faster gemm_tensor fp32
}

# bats test_tags=task:0,points:1
@test "gemm_tensor is faster than the library in float" {
  tensor_speed gemm_tensor
  excellent gemm_tensor fp32
}
