#!/usr/bin/env bats
# The checks of lesson01 against mistakes that learners make, right answers in unusual clothes, and the starter.
# What needs time to be taken is in lesson01-speed.bats.

export LESSON=lesson01 KINDS="cpu asan tsan"
load lesson_helper

# bats test_tags=slow
@test "told: an unsigned index is always >= 0" { mistake counting-down-unsigned; }

# bats test_tags=slow
@test "told: the loop ends one early" { mistake last-left-out; }

@test "told: the loop runs to n instead of n - 1" { mistake one-past-the-end; }

# bats test_tags=slow
@test "told: c is added to without being set to zero" { mistake not-zeroed; }

# bats test_tags=slow
@test "told: y is overwritten instead of added to" { mistake product-overwrites; }

# bats test_tags=slow
@test "told: the loop runs over n rows instead of m" { mistake rows-swapped; }

# bats test_tags=slow
@test "told: b is stepped through in rows of k instead of n" { mistake wrong-row-length; }

# bats test_tags=slow
@test "told: a is indexed as if it had rows of n" { mistake operands-swapped; }

# bats test_tags=slow
@test "told: the first term of each sum is written, and with k = 0 there is none" { mistake first-term-assigned; }

@test "the thread sanitizer sees shared loop variables that happened to do no harm" { reported shared-loop-variable tsan; }

# bats test_tags=slow
@test "told: the loop over p is shared out, so all threads add to the same row of c" { mistake threads-share-a-row; }

# bats test_tags=slow
@test "told: the factor lies in a variable that all threads share" { mistake shared-factor; }

# bats test_tags=slow
@test "told: parallel without for: each thread does every row" { mistake every-thread-does-all; }

# bats test_tags=slow
@test "told: the remainder of m divided by the threads is nobody's" { mistake last-share-dropped; }

@test "told: all threads add to one sum" { mistake missing-reduction; }

# bats test_tags=slow
@test "told: added up in float" { mistake sum-in-float; }

# bats test_tags=slow
@test "told: each thread writes its own sum over the result instead of adding it" { mistake sum-of-each-thread-overwritten; }

# bats test_tags=slow
@test "told: private instead of reduction: the sum is thrown away" { mistake private-sum; }

# bats test_tags=slow
@test "told: one static tile, which all threads write" { mistake tile-of-all-threads; }

# bats test_tags=slow
@test "told: rows behind the last whole tile are never written" { mistake last-rows-forgotten; }

# bats test_tags=slow
@test "told: columns behind the last whole tile are never written" { mistake last-columns-forgotten; }

# bats test_tags=slow
@test "told: the last tile of a row is written in full" { mistake tile-over-the-edge; }

@test "walking pointers, restrict, schedules, packed columns are right" { right_answer pointers.c; }

# bats test_tags=slow
@test "threads that share out the work themselves, locks, atomics are right" { right_answer teams.c; }

# bats test_tags=slow
@test "tasks, recursion, collapsed loops are right" { right_answer halves.c; }

# bats test_tags=slow
@test "vector types, b on its side, a reduction of the program's own are right" { right_answer vectors.c; }

@test "threads without OpenMP are right" { right_answer own-threads.c; }

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "task 1 alone is right, and nothing else" {
  task_1_alone "$BATS_TEST_TMPDIR/partial"
  program cpu "$BATS_TEST_TMPDIR/partial"
  run -1 "$BATS_TEST_TMPDIR/partial/lesson01-cpu" --no-timing --output "$BATS_TEST_TMPDIR/run.json"
  is_true "$BATS_TEST_TMPDIR/run.json" 'all(.tasks[]; (.state == "right") == (.number == 1))'
}

@test "the page quotes messages that come" { page_quotes_messages; }

@test "the right run on the page is the one that results/ keeps, in the words that a run has now" {
  local dir=$BATS_TEST_TMPDIR/solution
  page | sed -n '/^```text/,/^```$/p' | grep -v '^```' >"$BATS_TEST_TMPDIR/printed"
  jq -r '.tasks[1] | [.timing.median_ms, .timing.noise_percent, .timing.samples, .timing.gflop_per_s, .timing.percent_of_ceiling,
    .timing.hot_median_ms, (.baselines[0] | .ratio, .ratio_low, .ratio_high, .median_ms)] | @tsv' \
    "$ROOT/results/2026-11-21-nvidia-h200/lesson01-run-cpu.json" | awk '{
      printf "      size 480x480x480: %.4g ms (±%.2g %%, %d samples), %.4g GFLOP/s, %.3g %% of fma-1\n", $1, $2, $3, $4, $5
      printf "      with warm caches %.4g ms\n", $6
      printf "      %.3g × the speed of naive (%.3g to %.3g): loops in the order i, j, p, %.4g ms\n", $7, $8, $9, $10
    }' >"$BATS_TEST_TMPDIR/measured"
  diff <(tail -n 3 "$BATS_TEST_TMPDIR/printed") "$BATS_TEST_TMPDIR/measured"
  mkdir "$dir" && cp "$ROOT/solutions/lesson01/loops.c" "$dir/"
  program cpu "$dir"
  WB_TIME_BUDGET=0.1 "$dir/lesson01-cpu" --task 2 >"$BATS_TEST_TMPDIR/now"
  diff <(without_figures <"$BATS_TEST_TMPDIR/printed") \
    <(sed -n '/^  task 2/,/of naive/p' "$BATS_TEST_TMPDIR/now" | without_figures)
}

# Figures of one run, and the last size, which is a random one.
without_figures() { sed -E 's/, [0-9x]+ \(largest/ (largest/; /✓/!s/[0-9.]+(e[-+][0-9]+)?/N/g; s/error [^,]*, allowed [^)]*/N/'; }

@test "each mistake and each right answer has its test" { each_is_tested; }
