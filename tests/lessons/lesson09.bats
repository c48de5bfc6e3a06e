#!/usr/bin/env bats
# The checks of lesson09 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson09 KINDS=cpu
load lesson_helper

@test "reports expf(x) - 1 in place of expm1f(x), and __sinf outside of its range" {
  reported cpu e-to-x-minus-one range-not-reduced
}

@test "reports three kernels that use d_y between them" { mistake three-kernels-in-d-y; }

# bats test_tags=slow
@test "reports the least time of the GPU, kept from a smaller n" { mistake least-time-kept; }

# bats test_tags=slow
@test "reports elements after the last float4 that are left out" { mistake last-elements-forgotten; }

# bats test_tags=slow
@test "reports a loop that goes one vector too far" { mistake one-vector-too-many; }

# bats test_tags=slow
@test "reports threads that do not go on in strides" { mistake no-stride; }

# bats test_tags=slow
@test "reports a number of blocks that is rounded down" { mistake grid-rounded-down; }

# bats test_tags=slow
@test "reports a grid of 0 blocks" { mistake empty-grid; }

# bats test_tags=slow
@test "reports __sinf in place of sinf" { mistake fast-math; }

# bats test_tags=slow
@test "reports an argument that is taken for degrees" { mistake sine-of-degrees; }

# bats test_tags=slow
@test "reports the sine of a double that is computed in float" { mistake double-through-float; }

# bats test_tags=slow
@test "reports a launch whose error is not returned" { mistake launch-error-forgotten; }

# bats test_tags=slow
@test "reports a few threads that do all elements" { mistake one-block; }

# bats test_tags=slow
@test "reports a NaN that fmaxf drops" { mistake nan-becomes-zero; }

# bats test_tags=slow
@test "reports a branch that is multiplied by 0" { mistake both-branches-count; }

# bats test_tags=slow
@test "reports a missing scale" { mistake scale-forgotten; }

# bats test_tags=slow
@test "reports a missing alpha" { mistake alpha-forgotten; }

# bats test_tags=slow
@test "reports constants with two digits" { mistake constants-rounded; }

# bats test_tags=slow
@test "reports results that are cleared before the inputs are read, in place" { mistake cleared-first; }

@test "reports constants of SELU that are doubles" { mistake constants-in-double; }

# bats test_tags=slow
@test "reports a variable in double" { mistake variable-in-double; }

# bats test_tags=slow
@test "reports expm1 of a double" { mistake expm1-of-a-double; }

# bats test_tags=slow
@test "reports the sine of a float that is computed in double" { mistake sine-of-a-double; }

# bats test_tags=slow
@test "reports a kernel for each branch" { mistake a-kernel-for-each-branch; }

# bats test_tags=slow
@test "reports arrays between the steps of a chain" { mistake temporary-arrays; }

# bats test_tags=slow
@test "reports e^t in place of e^-t" { mistake sign-lost; }

# bats test_tags=slow
@test "reports high in place of high - low" { mistake high-for-the-difference; }

# bats test_tags=slow
@test "reports steps in the wrong order" { mistake gain-before-the-mean; }

# bats test_tags=slow
@test "reports an infinity divided by an infinity" { mistake quotient-of-infinities; }

# bats test_tags=slow
@test "reports turns taken off with 2 pi as one float" { mistake two-pi-as-one-float; }

# bats test_tags=slow
@test "reports a rest of 2 pi in float" { mistake turns-rounded-down; }

# bats test_tags=slow
@test "reports terms that all have the same argument" { mistake argument-not-halved; }

# bats test_tags=slow
@test "reports a sum of one term" { mistake first-term-only; }

# bats test_tags=slow
@test "reports a sum with one term too many" { mistake one-term-too-many; }

@test "reports a mean that is multiplied by the gain first" { mistake mean-times-gain; }

# bats test_tags=slow
@test "reports a clock of the processor" { mistake clock-of-the-processor; }

# bats test_tags=slow
@test "reports a crossing without the copies" { mistake copies-left-out; }

@test "reports a clock that is read before the copy back" { mistake clock-before-the-copy-back; }

# bats test_tags=slow
@test "reports a host that is timed for all elements" { mistake host-does-all; }

# bats test_tags=slow
@test "reports the largest size not being tried" { mistake last-size-left-out; }

# bats test_tags=slow
@test "reports a comparison that is turned" { mistake host-called-never; }

# bats test_tags=slow
@test "reports an allocation for each size" { mistake allocation-in-the-loop; }

# bats test_tags=slow
@test "reports arrays that are never freed" { mistake never-freed; }

# bats test_tags=slow
@test "plain kernels in blocks of 100 threads, and a table of constants, lose no point" {
  right_answer blocks-of-a-hundred.cu && full_marks blocks-of-a-hundred.cu
}

# bats test_tags=slow
@test "quarter turns, pairs of floats and hyperbolic functions lose no point" {
  right_answer quarter-turns.cu && full_marks quarter-turns.cu
}

# bats test_tags=slow
@test "a second kernel for the rest, and pinned memory for the crossing, lose no point" {
  right_answer vectors-and-rest.cu && full_marks vectors-and-rest.cu
}

# bats test_tags=slow
@test "a created stream, hints for the cache and std::chrono lose no point" {
  right_answer persistent.cu && full_marks persistent.cu
}

@test "inputs that are read several times in one expression lose no point" {
  right_answer literal.cu && full_marks literal.cu
}

# bats test_tags=slow
@test "reports copies of half of the floats in a crossing" { mistake half-copied; }

# bats test_tags=slow
@test "reports an array of the host that is not freed after an error" {
  mistake host-array-left-after-an-error
}

# bats test_tags=slow
@test "names doubled arguments, a first argument of x / 2, and branches of SELU that meet at 1" {
  spoiled 's/x \*= 0.5f) sum/x *= 2.0f) sum/' 4 'twice the argument of the one before'
  spoiled 's/sum += short_sine(x);/sum += short_sine(0.5f * x);/' 4 'begins with the sine of x / 2'
  spoiled 's/j < k; j++, x/j < k \&\& j < 8; j++, x/' 4 'the sum has fewer than k terms'
  spoiled 's/return x > 0 ?/return x > 1 ?/' 2 'the branch for x <= 0 was taken, though x > 0'
}

@test "names low and high that are exchanged beside a sign that is lost, which gives the same" {
  spoiled 's/low + (high - low) \* u/high + (low - high) * u/' 3 'or low and high are exchanged'
}

@test "names a quotient of x and pi that is rounded, and 1 << k where k is more than 30" {
  spoiled 's/(double x) const { return sin(x); }/(double x) const { return sinpi(x * 0.31830988618379067); }/
    s/x \*= 0.5f) sum += short_sine(x);/x += 0) sum += short_sine(x \/ (float)(int)(1u << j % 32));/' \
    1 'a rounded x / pi does not' 4 '1 << 31 is more than an int holds'
}

@test "names sines of infinity, short series, turns taken off too early, and a host that gets its input" {
  SEED=7 spoiled 's/(double x) const { return sin(x); }/(double x) const { return isinf(x) ? 0 : sin(x); }/
    s/float sum = 0;/float sum = 0;\n    x = (float)remainder((double)x, 6.283185307179586);/
    s/\* expm1f(x);/* (x > -0.1f ? x + 0.5f * x * x : expm1f(x));/
    s/host(h_x, p->h_y, n)/host(h_x, (float *)h_x, n)/' \
    1 'the sine of an infinity is NaN' 2 'has too few terms here' 4 'before the argument is halved' \
    further 'it wrote to its input h_x'
}

@test "a NaN that is lost in the first place of a vector only is reported" {
  spoiled 's/make_float4(change(v.x),/make_float4(change(fmaxf(v.x, -9e37f)),/' 2 'for d_x[0] = NaN'
}

# bats test_tags=slow
@test "reports threads that take eight neighbouring elements each" { mistake eight-neighbours-each; }

@test "names an element that is changed in place more than once" {
  spoiled 's/stride = (size_t)gridDim.x \* blockDim.x/stride = blockDim.x/' 2 \
    'exactly one thread of the whole grid'
}

@test "names the low part of 2 pi that has the other sign" {
  SEED=1 spoiled 's/fmaf(-turns, low,/fmaf(turns, low,/' 4 'taken with the other sign'
  spoiled 's/fmaf(-turns, low,/fmaf(0, low,/' 4 'as two floats'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "the demo of the costs prints a line for each size" {
  run -0 "$ROOT/common/cpu/cucc" -Wall -Wextra -o "$BATS_TEST_TMPDIR/costs" \
    "$ROOT/lessons/lesson09/driver/demo/costs.cu"
  [ -z "$output" ]
  run -0 "$BATS_TEST_TMPDIR/costs" 1 1000
  [ "${#lines[@]}" = 4 ]
  [[ $output != *nan* && $output != *check:* ]]
}
