#!/usr/bin/env bats
# The checks of lesson04 against mistakes that learners make, right answers in unusual clothes, and the starter, on the
# CPU backend.

export LESSON=lesson04 KINDS=cpu
load lesson_helper

# bats test_tags=slow
@test "told: the number of blocks is rounded down" { mistake blocks-rounded-down; }

@test "told: a buffer is filled again while it is being copied" { mistake buffer-reused-too-early; }

# bats test_tags=slow
@test "told: the copies are given the number of elements, they want bytes" { mistake bytes-for-elements; }

# bats test_tags=slow
@test "told: the copy on the device is given elements, it wants bytes" { mistake bytes-forgotten; }

# bats test_tags=slow
@test "told: an empty array is registered" { mistake empty-array-registered; }

# bats test_tags=slow
@test "told: the key itself is taken as the index" { mistake key-as-index; }

# bats test_tags=slow
@test "told: the host reads the keys, which are on the device" { mistake keys-read-on-host; }

# bats test_tags=slow
@test "told: what does not fill a buffer is left out" { mistake last-part-dropped; }

# bats test_tags=slow
@test "told: the kernel has no guard" { mistake missing-guard; }

@test "told: the host takes its turn while the copy is under way" { mistake missing-wait; }

# bats test_tags=slow
@test "told: the memory stays page-locked" { mistake not-unregistered; }

# bats test_tags=slow
@test "told: the oldest samples are kept instead of the newest" { mistake oldest-kept; }

# bats test_tags=slow
@test "told: a copy for each record" { mistake one-copy-a-record; }

@test "told: nothing is pinned" { mistake pageable-copies; }

# bats test_tags=slow
@test "told: the staging buffer comes from malloc" { mistake pageable-staging; }

@test "told: memory is registered and unregistered in every trip" { mistake pinned-every-trip; }

# bats test_tags=slow
@test "told: a record that a buffer cuts in two begins again" { mistake record-begun-again; }

# bats test_tags=slow
@test "told: registers n bytes, a quarter of the array" { mistake registered-elements; }

# bats test_tags=slow
@test "told: key % n instead of place_of" { mistake remainder-for-place; }

# bats test_tags=slow
@test "told: the new samples go to the front" { mistake samples-at-the-front; }

# bats test_tags=slow
@test "told: the staging buffer is never freed" { mistake staging-not-freed; }

@test "told: the window travels through the host" { mistake through-the-host; }

# bats test_tags=slow
@test "told: m > n is not refused" { mistake too-many-samples; }

# bats test_tags=slow
@test "told: the host takes its turn before the trip" { mistake turn-before-the-trip; }

# bats test_tags=slow
@test "told: the host never gets its turn" { mistake turn-forgotten; }

# bats test_tags=slow
@test "told: the elements stay on the device" { mistake way-back-forgotten; }

@test "told: the whole table is copied to the device" { mistake whole-table-copied; }

# bats test_tags=slow
@test "told: host to device for a copy on the device" { mistake wrong-kind; }

@test "a pinned copy, grid strides, one kernel for the window lose no point" {
  right_answer pinned-copy.cu && full_marks pinned-copy.cu
}

# bats test_tags=slow
@test "kernels that work in host memory lose no point" { right_answer mapped.cu && full_marks mapped.cu; }

# bats test_tags=slow
@test "streams of its own, templates, registered staging lose no point" { right_answer streams.cu && full_marks streams.cu; }

# bats test_tags=slow
@test "managed memory, copies in two dimensions lose no point" { right_answer managed.cu && full_marks managed.cu; }

# bats test_tags=slow
@test "everything in small pieces loses no point" { right_answer pieces.cu && full_marks pieces.cu; }

@test "the solution has every point that can be measured here" { full_marks solution; }

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "keys are places anywhere in the table: each of a warp's 32 lies in a sector of its own" {
  mkdir "$BATS_TEST_TMPDIR/solution"
  cp "$ROOT/solutions/lesson04/transfers.cu" "$BATS_TEST_TMPDIR/solution/"
  program cpu "$BATS_TEST_TMPDIR/solution"
  CUCC_PROFILE=text run -0 "$BATS_TEST_TMPDIR/solution/lesson04-cpu" --once --task 2 --size 1048576x8192
  [[ $output == *"from 4.0 to 32.0 sectors each"* ]]
}

@test "each mistake and each right answer has its test" { each_is_tested; }
