#!/usr/bin/env bats
# The checks of lesson13 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend with four virtual devices.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
export LESSON=lesson13 KINDS=cpu
load lesson_helper

@test "reports waits in every 64th sweep, a launch for no columns, and a rank that leaves its device" {
  mistake waits-now-and-then no-columns-launched rank-changes-the-device seven-rows
  mistake arrays-not-freed
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "reports that a rank takes the device with its own number, and not the one that it was given" {
  mistake device-by-the-rank
}

@test "reports that the whole part is swept before its rows are sent, so nothing is hidden" {
  mistake whole-then-copy
}

# bats test_tags=slow
@test "reports that the interior is swept before the border rows of the last sweep are done" {
  mistake border-not-awaited
}

# bats test_tags=slow
@test "reports one thread that sweeps all rows of a part" { mistake one-thread-sweeps; }

# bats test_tags=slow
@test "reports that the ranks add up their changes after every sweep" { mistake checked-every-sweep; }

# bats test_tags=slow
@test "reports that a rank sends a row and receives one in bytes, so the counts differ" {
  mistake counts-differ && ! grep -q '%s' "$BATS_TEST_TMPDIR/counts-differ/grade.json"
}

# bats test_tags=slow
@test "reports that another device is the current one when the function returns" {
  mistake device-left-changed
}

# bats test_tags=slow
@test "reports that the current device is not set before a launch in a part's stream" {
  mistake device-not-set
}

# bats test_tags=slow
@test "reports that a rank without rows takes no part in the all-reduce" { mistake empty-rank-skips; }

# bats test_tags=slow
@test "reports that a second call fails since peer access is enabled already" { mistake enabled-twice; }

@test "reports that the ranks read the plate from a static variable that rank 0 sets" {
  mistake plate-kept-by-rank-0
}

# bats test_tags=slow
@test "reports that each row goes to every rank, not to a neighbour only" { mistake rows-to-every-rank; }

# bats test_tags=slow
@test "reports that every rank takes device 0" { mistake every-rank-on-device-0; }

# bats test_tags=slow
@test "reports that NCCL works in the default stream, and the kernels in another one" {
  mistake exchange-in-the-default-stream
}

# bats test_tags=slow
@test "reports that the change of halo rows is added up, too, so rows count twice" { mistake halo-counted; }

# bats test_tags=slow
@test "reports that a device sweeps before the rows of its neighbours have arrived" {
  mistake halo-not-awaited
}

# bats test_tags=slow
@test "reports that rows are sent before the neighbour has swept for the last time with its old halo" {
  mistake halo-overwritten-early
}

# bats test_tags=slow
@test "reports that every sweep of a batch sweeps the whole halo, of which a row more is stale each time" {
  mistake halo-swept-too-far
}

# bats test_tags=slow
@test "reports that the host waits for every device after every sweep" { mistake host-waits-each-sweep; }

# bats test_tags=slow
@test "reports that the border rows are swept before the interior of the last sweep is done" {
  mistake interior-not-awaited
}

# bats test_tags=slow
@test "reports that the error of a launch is not checked" { mistake launch-not-checked; }

# bats test_tags=slow
@test "reports that devices that own no row get a part and work with arrays without a row" {
  mistake more-devices-than-rows
}

# bats test_tags=slow
@test "reports that the rows that are sent are those from before the sweep" { mistake old-rows-sent; }

# bats test_tags=slow
@test "reports that the halo has one row, as in task 1" { mistake one-row-at-a-time; }

# bats test_tags=slow
@test "reports that a part of one row sweeps it as its first and as its last row, at the same time" {
  mistake one-row-part-swept-twice
}

# bats test_tags=slow
@test "reports that the first and last row of a part are treated as if they were the edge of the plate" {
  mistake part-edge-kept
}

# bats test_tags=slow
@test "reports that peer access is never enabled, so rows go through the host" {
  mistake peer-access-not-enabled
}

# bats test_tags=slow
@test "reports that the event of a sweep is recorded before the neighbour waits for that of the last one" {
  mistake recorded-again-too-early
}

# bats test_tags=slow
@test "reports that rows of other devices go through the memory of device 0" { mistake rows-by-device-0; }

# bats test_tags=slow
@test "reports that rows that do not divide by the number of devices belong to no part" {
  mistake rest-forgotten
}

# bats test_tags=slow
@test "reports that the ranks add up the roots of their sums" { mistake roots-added; }

@test "reports that every rank sends before it receives, without a group" {
  reported cpu send-without-a-group
}

# bats test_tags=slow
@test "reports that the rows are sent in a stream of their own, which does not wait for the sweep" {
  mistake sent-before-swept
}

# bats test_tags=slow
@test "reports that rows are sent after the first sweep only, and never again" { mistake sent-once; }

# bats test_tags=slow
@test "reports that the row of the source is counted from the first row of the part" {
  mistake source-counted-in-the-part
}

# bats test_tags=slow
@test "reports that each rank stops when the change of its own rows is small enough" {
  SEED=1 mistake stops-by-its-own-change # with others both ranks stop after the same sweep
}

@test "reports that the sum is not set to 0 before a check" { mistake sum-not-set-to-0; }

# bats test_tags=slow
@test "reports that the first rank sends its rows to the last one, as if the plate were a ring" {
  mistake wrong-neighbour
}

# bats test_tags=slow
@test "accepts a host thread for each device, and ranks that hide their rows" {
  right_answer thread-for-each-device.cu && full_marks thread-for-each-device.cu
}

# bats test_tags=slow
@test "accepts whole plates, rows that are fetched, and ranks that send in turns without a group" {
  right_answer whole-plates.cu && full_marks whole-plates.cu
}

# bats test_tags=slow
@test "accepts two rows sent after every second sweep, and two sweeps in a kernel" {
  right_answer two-rows-at-a-time.cu && full_marks two-rows-at-a-time.cu
}

# bats test_tags=slow
@test "accepts errors that are thrown, and the interior before the edges" {
  right_answer thrown-errors.cu && full_marks thrown-errors.cu
}

# bats test_tags=slow
@test "accepts two sweeps of all devices as one graph" {
  right_answer graph-of-two-sweeps.cu && full_marks graph-of-two-sweeps.cu
}

@test "make prints the command that asks for two GPUs, as the cluster's profile has it" {
  run -0 make -C "$ROOT" -s lesson13 BACKEND=cpu WORK="$WORK"
  [[ $output == *"sbatch --gres=gpu:2 jobs/run.sh" ]]
  sed -i 's/^# with two GPUs: .*/# with two GPUs: -N 2 -n 2 --gpus-per-task=1/' "$WORK/jobs/run.sh"
  run -0 make -C "$ROOT" -s lesson13 BACKEND=cpu WORK="$WORK"
  [[ $output == *"sbatch -N 2 -n 2 --gpus-per-task=1 jobs/run.sh" ]]
  run -0 make -C "$ROOT" -n lesson14 BACKEND=cpu WORK="$WORK"
  [[ $output == *"sbatch jobs/run.sh"* ]]
}

@test "with one device it runs the cases of one, and says what it did not run" {
  make -C "$ROOT" -s solution13 BACKEND=cpu WORK="$WORK" >/dev/null
  CUCC_DEVICES=1 run -0 "$WORK/build/cpu/solution13" --task sweeps --output "$BATS_TEST_TMPDIR/run.json"
  [[ $output == *"needs 2 devices, and there is 1: unset CUCC_DEVICES"* ]]
  is_true "$BATS_TEST_TMPDIR/run.json" '.device.devices == 1 and .verdict == "right" and (.tasks[0].cases
    | any(.[]; .size[2] == 1 and .state == "right")
      and all(.[]; (.state == "right") == (.size[2] <= 1)))'
}

# bats test_tags=slow
@test "without NCCL the ranks are not measured, with what to install; all else is" {
  without_nccl
  is_true "$BATS_TEST_TMPDIR/run.json" '[.tasks[] | select(.state == "right") | .name]
    == ["sweeps", "sweeps_hidden", "sweeps_deep"]'
  is_true "$BATS_TEST_TMPDIR/run.json" 'all(.tasks[] | select(.name | test("rank")); .state == "not_run"
    and all(.cases[]; .note ==
      "NCCL is not installed here: install libnccl-dev, or load a module that has it"))'
}

# bats test_tags=slow
@test "reports that it stops at a change equal to the tolerance" { mistake stops-at-equal; }

# bats test_tags=slow
@test "reports that peer access is demanded, and sums and communicators that ranks without rows keep" {
  mistake peer-access-demanded idle-rank-keeps-communicator idle-rank-adds-last-total
}

# bats test_tags=slow
@test "reports a number of checks that overflows" { mistake checks-overflow; }

# bats test_tags=slow
@test "reports a grid of more than 65535 blocks in y" { mistake grid-too-high; }

# bats test_tags=slow
@test "reports an end of a group whose error is lost" { mistake group-end-unchecked; }

# bats test_tags=slow
@test "reports another device that is the current one after an error" { mistake device-left-after-an-error; }

# bats test_tags=slow
@test "warns of a cell's index in int" {
  warned_of_int 1 "with rows cols devices sweeps = 46349x46351" \
    "const size_t i = (size_t)(row - top) * plate.cols + col;" "const int i = (row - top) * plate.cols + col;"
}

# bats test_tags=slow
@test "reports a part that was half made and is not released" { mistake half-made-part-left; }

# bats test_tags=slow
@test "a grid-stride loop, and copies that name both devices, lose no point" {
  right_answer peer-copies.cu && full_marks peer-copies.cu
}

# bats test_tags=slow
@test "names a source whose row and column are exchanged, a wrong rank, and too many sweeps" {
  SEED=1 spoiled 's/row == plate.source_row && col ==/col == plate.source_row \&\& row ==/
    s/ncclFloat, other, m.comm/ncclFloat, 99, m.comm/' \
    1 'row and column may be exchanged' 3 'from ncclSend at' 3 'no such rank'
  spoiled 's/batch = left < stop.check_every ? left :/batch = left < 0 ? left :/' 4 \
    'there were more sweeps than stop.most'
}

@test "names the plate's edge that a sweep does not write" {
  spoiled 's/^    d_next\[i\] = d_now\[i\];//' 3 "it is on the plate's edge, whose values each sweep keeps"
}

@test "names the part whose arrays are not exchanged, and the sum of the checks before" {
  local sum='cudaMemsetAsync(m.d_sum, 0, sizeof \*m.d_sum, m.p.stream)'
  spoiled "s/for (part &p : parts) swap/for (size_t i = 0; i < parts.size() - (i > 0); i++) swap/
    s/error = $sum/error = cudaSuccess/
    s/error = cudaMalloc(&m.d_sum, .*/&\n  if (!error) error = cudaMemsetAsync(m.d_sum, 0, 8, m.p.stream);/
    s/i++) swap_arrays(p)/i++) swap_arrays(parts[i])/" \
    1 'it still has its value of the start' 4 'the sum of the checks before is still in it'
}

# bats test_tags=slow
@test "names halo rows that are counted, and those that are filled only once" {
  spoiled 's/(size_t)(p.end - p.first) \* plate.cols;/(size_t)(p.bottom - p.top) * plate.cols;/
    s/p.d_next, plate, p.first),$/p.d_next, plate, p.top),/
    s/p.d_now, plate, p.first), cells/p.d_now, plate, p.top), cells/' \
    4 'the halo rows are added up, too'
  spoiled 's/error = exchange(m, plate, rank);/error = m.swept++ ? cudaSuccess : exchange(m, plate, rank);/
    s/  ncclComm_t comm;/&\n  int swept;/' 3 'needs row 3, of part 1, in its halo'
}

@test "names rows that the kernels of two streams sweep, and copies in the stream of the interior" {
  spoiled 's/plate, p.first + 1, p.end - 1, p.stream)/plate, p.first, p.end, p.stream)/' \
    2 'kernels of two streams write the same elements'
  local sent='send_rows(parts, i, plate, parts[i].stream)'
  named "s/error = send_rows(parts, i, plate, parts.i..border)/error = \
      cudaStreamWaitEvent(parts[i].stream, parts[i].bordered, 0); if (!error) error = $sent/" \
    2 'copies are in the stream of the kernel that'
}

@test "names the check after the last sweep that is left out" {
  local check='if (!error) error = fetch_change(m, plate, &reached->change)' last='batch == stop.check_every'
  spoiled "s/$check/if (!error \&\& $last) error = fetch_change(m, plate, \&reached->change)/" \
    4 'a check comes after the last sweep, too'
  spoiled "s/$check/if (!error \&\& $last) error = fetch_change(m, plate, \&change), reached->change = change/
    s/\*reached = (outcome){0, INFINITY}/double change = INFINITY; reached->sweeps = 0/
    s/!(reached->change </!(change </" 4 'was never written' 4 'a check comes after the last sweep, too'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }
