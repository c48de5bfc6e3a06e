#!/usr/bin/env bats
# The checks of lesson04 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson04 KINDS=cpu
load lesson_helper

@test "reports work during a copy, a whole table that a kernel copies, and a stream for which nothing waits" {
  mistake buffer-reused-too-early missing-wait table-copied-by-kernel samples-in-a-stream-of-their-own
}

@test "reports memory that is not pinned, a copy of the whole table, and a window through the host" {
  mistake pageable-copies whole-table-copied through-the-host
}

# bats test_tags=slow
@test "reports a wait whose error is lost" { mistake wait-unchecked; }

# bats test_tags=slow
@test "reports pageable copies in place of an error" { mistake pageable-where-pinning-fails; }

# bats test_tags=slow
@test "reports a lost error of a question, and pinned memory that is freed while it is being copied" {
  mistake device-pointer-unchecked freed-while-copied
}

# bats test_tags=slow
@test "reports a copy from pinned memory with the kind for copies on the device" { mistake kind-of-pinned; }

# bats test_tags=slow
@test "reports a window that moves within one array" { mistake window-moved-in-place; }

# bats test_tags=slow
@test "reports a flag of cudaHostRegister that the driver refuses" { mistake registered-read-only; }

# bats test_tags=slow
@test "reports one thread that takes all steps" { mistake one-thread-steps; }

# bats test_tags=slow
@test "reports steps that the host takes, next to a kernel that does nothing" { mistake steps-on-the-host; }

# bats test_tags=slow
@test "reports a window that goes through managed memory" { mistake window-through-managed-memory; }

# bats test_tags=slow
@test "reports samples in mapped memory that a thread reads four by four" { mistake window-by-fours; }

# bats test_tags=slow
@test "reports pinned memory that no copy uses" { mistake pinned-for-show; }

# bats test_tags=slow
@test "reports a number of blocks that is rounded down" { mistake blocks-rounded-down; }

# bats test_tags=slow
@test "reports host copies of a number of elements where bytes are needed" { mistake bytes-for-elements; }

# bats test_tags=slow
@test "reports a copy on the device of a number of elements where bytes are needed" {
  mistake bytes-forgotten
}

# bats test_tags=slow
@test "reports the registration of an empty array" { mistake empty-array-registered; }

# bats test_tags=slow
@test "reports a key that is used as an index" { mistake key-as-index; }

# bats test_tags=slow
@test "reports a host access to the keys, which are on the device" { mistake keys-read-on-host; }

# bats test_tags=slow
@test "reports a last part, smaller than a buffer, that is left out" { mistake last-part-dropped; }

# bats test_tags=slow
@test "reports a missing bounds check" { mistake missing-guard; }

# bats test_tags=slow
@test "reports memory that remains page-locked" { mistake not-unregistered; }

# bats test_tags=slow
@test "reports that the oldest samples are kept instead of the newest" { mistake oldest-kept; }

# bats test_tags=slow
@test "reports one copy for each record" { mistake one-copy-a-record; }

# bats test_tags=slow
@test "reports a staging buffer from malloc" { mistake pageable-staging; }

@test "reports memory that is registered and unregistered in every trip" { mistake pinned-every-trip; }

# bats test_tags=slow
@test "reports a record that starts again when a buffer splits it" { mistake record-begun-again; }

# bats test_tags=slow
@test "reports a registration of n bytes, a quarter of the array" { mistake registered-elements; }

# bats test_tags=slow
@test "reports key % n instead of place_of" { mistake remainder-for-place; }

# bats test_tags=slow
@test "reports places that are counted up to the number of keys" { mistake place-among-the-keys; }

# bats test_tags=slow
@test "reports new samples that are put in front" { mistake samples-at-the-front; }

# bats test_tags=slow
@test "reports a staging buffer that is not freed" { mistake staging-not-freed; }

# bats test_tags=slow
@test "reports m > n that is not rejected" { mistake too-many-samples; }

# bats test_tags=slow
@test "reports the host's turn before the trip" { mistake turn-before-the-trip; }

# bats test_tags=slow
@test "reports a missing turn of the host" { mistake turn-forgotten; }

# bats test_tags=slow
@test "reports elements that are not copied back" { mistake way-back-forgotten; }

# bats test_tags=slow
@test "reports the direction host to device for a copy on the device" { mistake wrong-kind; }

# bats test_tags=slow
@test "reports a copy of one sample too many" { mistake copy-past-the-samples; }

# bats test_tags=slow
@test "reports memory that stays registered after an error" { mistake still-registered-after-an-error; }

# bats test_tags=slow
@test "reports a last turn of the host that is left out" { mistake last-turn-left-out; }

# bats test_tags=slow
@test "reports that only a part of the array is pinned" { mistake part-registered; }

# bats test_tags=slow
@test "reports a place that does not depend on the key" { mistake place-of-the-number; }

@test "a pinned copy, grid strides and one kernel for the window lose no point" {
  right_answer pinned-copy.cu && full_marks pinned-copy.cu
}

# bats test_tags=slow
@test "kernels that access host memory lose no point" { right_answer mapped.cu && full_marks mapped.cu; }

# bats test_tags=slow
@test "created streams, templates and registered staging memory lose no point" {
  right_answer streams.cu && full_marks streams.cu
}

# bats test_tags=slow
@test "managed memory and two-dimensional copies lose no point" {
  right_answer managed.cu && full_marks managed.cu
}

# bats test_tags=slow
@test "processing everything in small pieces loses no point" {
  right_answer pieces.cu && full_marks pieces.cu
}

# bats test_tags=slow
@test "the solution gets every point that can be measured here" { full_marks solution; }

@test "warns of a place in int, and of bytes in 32 bits" {
  warned_of_int 2 'with n k = 2181038091x1000003' 'table[place_of(d_key[j], n)]' \
    'table[(int)place_of(d_key[j], n)]'
  warned_of_int 3 'with n m = 2181038091x0, which the contract allows: copies touch nothing of d_new' \
    'kept * sizeof(uint32_t), cudaMemcpyDeviceToDevice' \
    '(unsigned)(kept * sizeof(uint32_t)), cudaMemcpyDeviceToDevice'
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "keys are scattered over the table: the 32 keys of a warp touch 32 sectors" {
  mkdir "$BATS_TEST_TMPDIR/solution"
  cp "$ROOT/solutions/lesson04/transfers.cu" "$BATS_TEST_TMPDIR/solution/"
  program cpu "$BATS_TEST_TMPDIR/solution"
  CUCC_PROFILE=text run -0 "$BATS_TEST_TMPDIR/solution/lesson04-cpu" --once --task 2 --size 1048576x8192
  [[ $output == *"from 4.0 to 32.0 sectors each"* ]]
}

@test "names the trip number that turn gets, and halves of a buffer that overlap" {
  spoiled 's/turn(h_x, n, trip);/turn(h_x, n, 0);/; s/half \* STAGE;/half * (STAGE - 256);/' \
    1 'turn got trip = 0 after each trip' \
    further 'it belongs 256 places further on: did a record run over the end of its half'
}

# bats test_tags=slow
@test "names a size in bytes that turn gets, and a buffer that is filled too early" {
  spoiled 's/turn(h_x, n, trip);/turn(h_x, size_bytes, trip);/
    s/error = cudaEventSynchronize(copied\[half\]);/error = cudaSuccess;/' \
    1 'turn got n in bytes' further 'the buffer was filled again before the copy out of it was done'
}

@test "a function that makes a trip where none is asked for is reported" {
  spoiled 's/if (n == 0 || trips == 0) return/if (n == 0) return/; /^  \/\/:/d
    s/for (int trip = 0; trip < trips \&\& !error; trip++) {/int trip = 0;\n  do {/
    /^    if (!error) turn(h_x, n, trip);/{n;s/}/} while (++trip < trips \&\& !error);/}' 1 'n x trips = 33x0'
}

@test "names memory of CUDA past whose end the host writes, and pinned memory that is registered again" {
  spoiled 's/2 \* STAGE \* sizeof(uint32_t)/STAGE * sizeof(uint32_t)/
    s/^  void \*mapped = NULL;/&\n  if (cudaHostRegister((void *)h_table, 4, 0)) return cudaErrorUnknown;/' \
    further 'It wrote past the end of 262144 bytes of pinned host memory from cudaMallocHost' \
    2 'then do not register it again'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }
