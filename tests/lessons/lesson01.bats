#!/usr/bin/env bats
# The checks of lesson01 against mistakes that learners make, correct answers in unusual style, and the
# starter. Tests that measure time are in lesson01-speed.bats.
# bats file_tags=long

export LESSON=lesson01 KINDS="cpu asan tsan"
load lesson_helper

# right_answer FILE: correct in every build, without warnings of the compilers or findings of the sanitizers.
# Not timed, so each program runs by itself.
right_answer() {
  local dir=$BATS_TEST_TMPDIR/right kind
  mkdir "$dir"
  cp "$ROOT/tests/lessons/right/$LESSON/$1" "$dir/$(source_name)"
  for kind in $KINDS; do
    program "$kind" "$dir"
    run -0 "$dir/$LESSON-$kind" --no-timing --output "$dir/run-$kind.json"
    all_right "$dir/run-$kind.json"
  done
}

@test "reports a row in an array of fixed length" { mistake row-of-2048; }

@test "reports memory of plain C that is never freed" { mistake row-never-freed; }

@test "reports a loop that runs to n instead of n - 1, and an array for four threads where a team has more" {
  reported cpu one-past-the-end
  reported asan array-for-four-threads
}

@test "the address sanitizer names line, array and element in every task" {
  local dir=$BATS_TEST_TMPDIR/outside
  mkdir "$dir"
  sed -e '/^void saxpy/,/^}/s/i < n;/i <= n;/' \
    -e '/^static void matmul_row/,/^}/s/row\[j\] = 0/row[j - 1] = 0/' \
    -e '/^void matmul_parallel/,/^}/s/matmul_row(a, b, c, i, n, k)/matmul_row(a, b, c + 1, i, n, k)/' \
    -e '/^double sum_parallel/,/^}/s/i < n;/i <= n;/' \
    -e '/^static void matmul_edge/,/^}/s/b\[(size_t)p \* n + q\]/b[(size_t)p * n + q + 1]/' \
    "$ROOT/solutions/lesson01/loops.c" >"$dir/loops.c"
  program asan "$dir"
  run -1 "$dir/lesson01-asan" --no-timing --output "$dir/run.json"
  jq -r '.tasks[].message' "$dir/run.json" | tee "$dir/messages"
  [[ $(grep -c '^[a-z_]*, .*: asan stopped it at loops.c:[0-9]*: it ' "$dir/messages") == 5 ]]
  local words
  for words in 'saxpy, n = 0: .*: it read past the end of x: x\[0\], but it has 0 elements' \
    'matmul, .*: it wrote before the start of c: 4 bytes before its first element' \
    'matmul_parallel, .*: it read past the end of c: c\[1\], but it has 1 element' \
    'sum_parallel, n = 0: .*: it read past the end of x: x\[0\], but it has 0 elements' \
    'matmul_blocked, .*: it read past the end of b: b\[[0-9]*\], but it has [0-9]* elements\?'; do
    grep "^$words$" "$dir/messages"
  done
}

# bats test_tags=slow
@test "reports a sum that ends one term too early" { mistake last-term-left-out; }

# bats test_tags=slow
@test "reports an unrolled loop without its tail" { mistake tail-left-out; }

# bats test_tags=slow
@test "reports a loop that starts at 1" { mistake first-left-out; }

# bats test_tags=slow
@test "reports a factor that multiplies both terms" { mistake factor-on-both; }

# bats test_tags=slow
@test "reports an old y that is added twice" { mistake y-added-twice; }

# bats test_tags=slow
@test "reports a factor that is rounded to an int" { mistake factor-as-int; }

# bats test_tags=slow
@test "reports an unsigned index that counts down and is always >= 0" { mistake counting-down-unsigned; }

# bats test_tags=slow
@test "reports a loop that ends one element early" { mistake last-left-out; }

# bats test_tags=slow
@test "reports adding to c without setting it to zero first" { mistake not-zeroed; }

# bats test_tags=slow
@test "reports y being overwritten instead of added to" { mistake product-overwrites; }

# bats test_tags=slow
@test "reports a loop over n rows instead of m" { mistake rows-swapped; }

# bats test_tags=slow
@test "reports a row length of k instead of n for b" { mistake wrong-row-length; }

# bats test_tags=slow
@test "reports a row length of n for a" { mistake operands-swapped; }

# bats test_tags=slow
@test "reports an assignment of the first term of each sum: with k = 0 there is no first term" {
  mistake first-term-assigned
}

@test "reports shared loop variables even when the result is correct, and a sum without a reduction" {
  reported tsan shared-loop-variable missing-reduction
}

# bats test_tags=slow
@test "reports a parallel loop over p, in which all threads add to the same row of c" {
  mistake threads-share-a-row
}

# bats test_tags=slow
@test "reports a factor in a variable that all threads share" { mistake shared-factor; }

# The value is only ever in a register once the compiler has removed the variable.
@test "reports a static pointer that all threads share, though the compiler could remove it" {
  reported tsan row-pointer-static
}

# bats test_tags=slow
@test "reports parallel without for: each thread computes every row" { mistake every-thread-does-all; }

# bats test_tags=slow
@test "reports a remainder of m divided by the threads that no thread computes" {
  mistake last-share-dropped
}

# bats test_tags=slow
@test "reports a sum that is accumulated in float" { mistake sum-in-float; }

# bats test_tags=slow
@test "reports threads that overwrite the result with their own sums" {
  mistake sum-of-each-thread-overwritten
}

# bats test_tags=slow
@test "reports private instead of reduction: the sum is lost" { mistake private-sum; }

# bats test_tags=slow
@test "reports one static tile that all threads write" { mistake tile-of-all-threads; }

# bats test_tags=slow
@test "reports rows after the last whole tile that are never written" { mistake last-rows-forgotten; }

# bats test_tags=slow
@test "reports columns after the last whole tile that are never written" { mistake last-columns-forgotten; }

# bats test_tags=slow
@test "reports a last tile of a row that is written in full, past the edge" { mistake tile-over-the-edge; }

@test "accepts moving pointers, restrict, schedules and packed columns" { right_answer pointers.c; }

# bats test_tags=slow
@test "accepts threads that divide the work themselves, locks and atomics" { right_answer teams.c; }

@test "finds no race in a taskloop over the rows" {
  local dir=$BATS_TEST_TMPDIR/taskloop to='single\n#pragma omp taskloop'
  mkdir "$dir"
  sed "/^void matmul_parallel/,/^}/s/parallel for/parallel\n#pragma omp $to/" \
    "$ROOT/solutions/lesson01/loops.c" >"$dir/loops.c"
  grep taskloop "$dir/loops.c"
  program tsan "$dir"
  run -0 "$dir/lesson01-tsan" --no-timing --task 3
}

# bats test_tags=slow
@test "accepts tasks, recursion and collapsed loops" { right_answer halves.c; }

# bats test_tags=slow
@test "accepts vector types, a transposed b and a user-defined reduction" { right_answer vectors.c; }

# bats test_tags=slow
@test "accepts pieces of work that threads take from a counter" { right_answer own-pieces.c; }

# bats test_tags=slow
@test "reports a read of the element after the last one" { mistake read-past-the-end; }

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "task 1 alone is right and the other tasks are not" {
  task_1_alone "$BATS_TEST_TMPDIR/partial"
  program cpu "$BATS_TEST_TMPDIR/partial"
  run -1 "$BATS_TEST_TMPDIR/partial/lesson01-cpu" --no-timing --output "$BATS_TEST_TMPDIR/run.json"
  is_true "$BATS_TEST_TMPDIR/run.json" 'all(.tasks[]; (.state == "right") == (.number == 1))'
}

@test "the messages quoted on the page are printed by the grader" { page_quotes_messages; }

@test "the correct run on the page is the one in results/, in the current wording" {
  local dir=$BATS_TEST_TMPDIR/solution
  page | sed -n '/^```text/,/^```$/p' | grep -v '^```' >"$BATS_TEST_TMPDIR/printed"
  jq -r '.tasks[1] | [.timing.median_ms, .timing.noise_percent, .timing.samples, .timing.gflop_per_s,
    .timing.percent_of_ceiling,
    .timing.hot_median_ms, ((.baselines // .yardsticks)[0] | .ratio, .ratio_low, .ratio_high, .median_ms)]
      | @tsv' \
    "$ROOT/results/2026-11-21-nvidia-h200/lesson01-run-cpu.json" | awk '{
      printf "      size 480x480x480: %.4g ms (±%.2g %%, %d samples), %.4g GFLOP/s, %.3g %% of fma-1\n", $1,
        $2, $3, $4, $5
      printf "      with warm caches %.4g ms\n", $6
      printf "      %.3g × the speed of naive (%.3g to %.3g): loops in the order i, j, p, %.4g ms\n", $7, $8,
        $9, $10
    }' >"$BATS_TEST_TMPDIR/measured"
  diff <(tail -n 3 "$BATS_TEST_TMPDIR/printed") "$BATS_TEST_TMPDIR/measured"
  mkdir "$dir" && cp "$ROOT/solutions/lesson01/loops.c" "$dir/"
  program cpu "$dir"
  WB_TIME_BUDGET=0.1 "$dir/lesson01-cpu" --task 2 >"$BATS_TEST_TMPDIR/now"
  diff <(without_figures <"$BATS_TEST_TMPDIR/printed") \
    <(sed -n '/^  task 2/,/of naive/p' "$BATS_TEST_TMPDIR/now" | without_figures)
}

# Removes the figures of one run, and the sizes: the last one is random, and a run of today may have more.
without_figures() {
  sed -E 's/ = [0-9x, ]+ \(largest/ (largest/; /✓/!s/[0-9.]+(e[-+][0-9]+)?/N/g
    s/error [^,]*, allowed [^)]*/N/'
}

@test "0 times NaN, and a team of fewer threads than omp_get_max_threads says, are tried" {
  spoiled 's/^  for (int i = 0; i < n; i++) y\[i\]/  if (a == 0) return;\n&/
    s/^    const float factor = a\[(size_t)i \* k + p\];/&\n    if (factor == 0) continue;/' \
    1 'expected NaN' 1 'so no product may be left out because a factor is 0' 2 '0 times NaN is NaN'
  spoiled '/^void matmul_parallel/,/^}/{
      s/^#pragma omp parallel for/#pragma omp parallel/
      s/int i = 0; i < m; i++/int i = omp_get_thread_num(); i < m; i += omp_get_max_threads()/
    }
    1s/^/#include <omp.h>\n/' 3 'x61: c[1][0] was never written'
}

@test "names parts of a sum that overwrite each other, and an alignment that is promised wrongly" {
  spoiled 's/^  float tile\[TILE_ROWS\].*/  for (int p0 = 0; p0 < k || p0 == 0; p0 += 256) {\n&/
    /^static void matmul_tile/,/^}/{
      s/int p = 0; p < k; p++/int p = p0; p < k \&\& p < p0 + 256; p++/
      s/^}/}}/
    }' further '12x64x700: c[0][0] is ' further 'it is the sum of the last 188 of 700 terms'
  [[ $(uname -m) == x86_64 ]] || return 0
  spoiled 's/= b + (size_t)p \* n + j;/= __builtin_assume_aligned(b + (size_t)p * n + j, 64);/' \
    further 'does the code promise an alignment, by __builtin_assume_aligned'
}

@test "names elements that memset takes for bytes" {
  spoiled 's/for (int j = 0; j < n; j++) row\[j\] = 0;.*/__builtin_memset(row, 0, n);/' 2 \
    'Only the first 5 bytes of each 5 (n) elements of c are written: a number of elements was given'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }
