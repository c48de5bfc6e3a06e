#!/usr/bin/env bats
# The checks of lesson11 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson11 KINDS=cpu
load lesson_helper

@test "reports one row by a product of matrix and vector, which leaves C as it was for k = 0" {
  mistake one-row-by-sgemv
}

@test "warns of strides of a batch in int" {
  warned_of_int 3 'with m n k batch = 70001x2x1x2' 'stride_a, &zero' '(int)stride_a, &zero'
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# without_tf32 FILE: right, without a finding, on a virtual device of compute capability 7.5.
without_tf32() {
  local dir
  dir=$(mktemp -d "$BATS_TEST_TMPDIR/old.XXXXXX")
  cat "$ROOT/$1" - >"$dir/cublas.cu" <<'TXT'
extern "C" void cucc_set_capability(int device, int tenths);
static const bool is_old = (cucc_set_capability(0, 75), true);
TXT
  program cpu "$dir"
  run "$dir/lesson11-cpu" --no-timing --output "$dir/run.json"
  is_true "$dir/run.json" '.device.compute_capability == "7.5"'
  all_right "$dir/run.json"
  # The product in float takes the place of an answer of gemm_tensor.
  is_true "$dir/run.json" '[.tasks[] | .errors | values] | length == 2
    and (.[0] | .baseline == "fp32" and .share > .baseline_share and .baseline_share > 0)
    and (.[1] | .share == .baseline_share)'
  [[ $output == *"at 32x24x4096 the largest error is 1 × that of fp32: cuBLAS in float"* ]]
}

@test "on a device without TF32 the error of gemm_tensor is the right answer" {
  without_tf32 solutions/lesson11/cublas.cu
}

# bats test_tags=slow
@test "on a device without TF32 the unusual right answers are right, too" {
  local file
  cd "$ROOT"
  for file in tests/lessons/right/lesson11/*.cu; do without_tf32 "$file"; done
}

# A stream of its own belongs to small sizes: the baselines have none.
@test "reports a clock without its seconds" { mistake seconds-left-out; }

@test "reports the time of the fastest call where the mean of all is asked for" { mistake fastest-call; }

# bats test_tags=slow
@test "a timed call makes no stream and fills nothing, however small the products of its batch" {
  cd "$ROOT"
  make -s program LESSON=lesson11 BACKEND=cpu SUBMISSION=solutions/lesson11 OUT="$BATS_TEST_TMPDIR"
  CUCC_FAIL=cudaMemset2DAsync:1 run -0 "$BATS_TEST_TMPDIR/lesson11-cpu" --once --task gemm_batch \
    --size 32x32x32x4096
  CUCC_FAIL=cudaMemset2DAsync:1 run -1 "$BATS_TEST_TMPDIR/lesson11-cpu" --once --task gemm_batch \
    --size 32x32x32x16
}

# bats test_tags=slow
@test "the errors of TF32, of split numbers and of chunks are as the page says" {
  cd "$ROOT"
  run -0 common/cpu/cucc --fast -Wall -Wextra -I lessons/lesson11 -o "$BATS_TEST_TMPDIR/errors" \
    lessons/lesson11/driver/demo/errors.cu solutions/lesson11/cublas.cu -lcublas
  [ -z "$output" ]
  "$BATS_TEST_TMPDIR/errors" >"$BATS_TEST_TMPDIR/printed"
  diff "$BATS_TEST_TMPDIR/printed" <(page | awk '/^terms /, /^```/' | grep -v '^`')
}

# bats test_tags=slow
@test "reports that every bound gets a product in float" { mistake always-float; }

# bats test_tags=slow
@test "reports that beta is 1" { mistake beta-of-one; }

@test "reports that A is handed over before B" { reported cpu exchanged-matrices; }

# bats test_tags=slow
@test "reports that the first call is in the warm time" { mistake first-call-in-warm-time; }

# bats test_tags=slow
@test "reports that the times are in seconds" { mistake in-seconds; }

# bats test_tags=slow
@test "reports that the clock is read while the calls are queued" { mistake no-wait-for-warm-calls; }

# bats test_tags=slow
@test "reports that the warm time is that of all calls" { mistake not-divided; }

# bats test_tags=slow
@test "reports that all terms are summed by tensor cores" { mistake split-without-chunks; }

# bats test_tags=slow
@test "reports that the status of the library is not returned" { mistake status-ignored; }

# bats test_tags=slow
@test "reports that the strides are in bytes" { mistake strides-in-bytes; }

# bats test_tags=slow
@test "reports that the math mode is not set back" { mistake tf32-left-on; }

# bats test_tags=slow
@test "reports that the leading dimensions leave out the gaps" { mistake without-gaps; }

# bats test_tags=slow
@test "reports that the runtime is asked for the error of the library" { mistake last-error-of-cuda; }

# bats test_tags=slow
@test "reports a stream that is asked until it answers success" { mistake asks-until-success; }

@test "reports a first part that goes through half" { mistake high-through-half; }

@test "reports a split that is kept for the next call with the same memory" { mistake split-of-b-kept; }

@test "reports that a device without TF32 is let through" { mistake volta-let-through; }

# bats test_tags=slow
@test "reports that a newer device is refused" { mistake newer-refused; }

@test "every product by cublasGemmEx, and events, lose no point" {
  right_answer every-product-by-types.cu && full_marks every-product-by-types.cu
}

# bats test_tags=slow
@test "the math mode set for as long as an object lives, and lambdas, lose no point" {
  right_answer math-mode.cu && full_marks math-mode.cu
}

# bats test_tags=slow
@test "small products over all terms, and a warp for each tile, lose no point" {
  right_answer small-products-first.cu && full_marks small-products-first.cu
}

# bats test_tags=slow
@test "both small products in one call lose no point" {
  right_answer two-products-in-one.cu && full_marks two-products-in-one.cu
}

# bats test_tags=slow
@test "vectors as the columns of one matrix, and a split by roundings, lose no point" {
  right_answer vectors-as-a-matrix.cu && full_marks vectors-as-a-matrix.cu
}

# bats test_tags=slow
@test "reports a bound that must be larger than the error of a way" { mistake bound-met-exactly; }

# bats test_tags=slow
@test "reports an error of short sums that is taken for a larger one" { mistake error-for-64-terms-at-least; }

# bats test_tags=slow
@test "reports events that stay when a product fails" { mistake events-left-after-an-error; }

# bats test_tags=slow
@test "names a result by columns, and rests of A or of B that are left out" {
  spoiled 's/OP_N, CUBLAS_OP_N, n, m, k, .*, lda, /OP_T, CUBLAS_OP_T, m, n, k, \&one, d_a, lda, d_b, ldb, /' \
    1 'it is the element of the transpose'
  spoiled '/a_low, k, b_high, 0/d; s/a_high, k, b_low, 1/a_high, k, b_low, 0/' 4 "of A's rests is missing"
  spoiled '/high.a\[r\], low.b\[c\]/d' further "product of B's rests is missing"
}

# bats test_tags=slow
@test "names a warm time that is divided by one call more" {
  spoiled 's|(now_ms() - start) / calls|(now_ms() - start) / (calls + 1)|' 2 \
    'divide the time of `calls` calls by `calls`'
}

@test "names parts of too many bits, a part added twice, a passed bound, a lost stride, and cut times" {
  spoiled 's/0x1000u) & ~0x1fffu/0x800u) \& ~0xfffu/; s/\(at.tv_nsec\) \* 1e-6/\1 \/ 1000000/
    s/stride_b, d_a, at_least_1/(long long)k * n, d_a, at_least_1/' \
    2 'multiples of 1/16 ms' 3 'follows the one before without a gap' 4 'more bits than the 11 of TF32'
  spoiled 's/a_high, k, b_low, 1/a_low, k, b_high, 1/
    s/^  h_ms\[1\] = .*/&\n  h_ms[0] -= h_ms[1];/
    s/^  h_ms\[1\]/  timespec pause = {0, 300000000};\n  nanosleep(\&pause, NULL);\n&/' \
    2 'the first call without that of a warm one' 4 "the product of A's rests is added twice"
  spoiled 's|k \* 0x1p-25|k / (1 << 25)|' 4 '2^-20 + k * 2^-25, is above the bound'
}

@test "names an ignored error, a split of too few bits, a batch's stride, a unit, and what cuBLAS refuses" {
  spoiled '/CUBLAS_OP_N, n, m, k, &one, d_b, ldb/s/ldb, d_a, lda/n, d_a, k/
    s/error; i++) error = product/error; i++) product/; s/stride_b, d_a, at/4 * stride_b, d_a, at/
    s/0x1000u) & ~0x1fffu/0x8000u) \& ~0xffffu/' \
    1 'lda is 0, and must be at least 1' 2 'a warm call of product failed' \
    3 'number 1 of a batch with a stride of' 4 'fewer bits than the 11 of TF32'
  spoiled 's/1e3 + at.tv_nsec \* 1e-6/1e6 + at.tv_nsec * 1e-3/
    s/  const float one = 1, zero = 0;/&\n  if (k == 0) return cudaSuccess;/
    s/b_low, 1, d_c/b_low, 0, d_c/; s/b_high + (size_t)p \* n, 1, d_c/b_high + (size_t)p * n, 0, d_c/' \
    1 'it is what C held before: with k = 0' 2 'the time is in microseconds' \
    4 'or for three that beta = 1 adds up'
}

# bats test_tags=slow
@test "a grid that is too high for the 1,000,000 rows that the contract allows is reported" {
  export WB_TIME_LIMIT=600
  spoiled 's/, (c.m + TILE - 1) \/ TILE);/, (c.m + 7) \/ 8);/' further '1000000x16x8: it returned 1'
}

@test "names parts of an array that overlap, and the k of a product that cuBLAS refuses" {
  spoiled 's/b_low = b_high + b_count/b_low = b_high + a_count/; s/k - p < chunk ? k - p : chunk/chunk/' \
    4 'parts of one array that overlap' further "since this call's k is 384"
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

@test "reports a math mode that stays after a failure on the way of one product, too" {
  named '/^cudaError_t gemm_to(/,/^}/s/  if (bound >= 0x1p-9) return .*/  if (bound >= 0x1p-9) {\
    cudaError_t failed = cuda_error(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));\
    if (!failed) failed = gemm(handle, stream, m, n, k, d_a, at_least_1(k), d_b, at_least_1(n), d_c,\
                               at_least_1(n));\
    if (failed) return failed;\
    return cuda_error(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));\
  }/' 4 'it left the handle in another math mode'
}
