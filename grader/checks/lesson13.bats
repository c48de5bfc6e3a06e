# The checks of lesson13, multigpu. grader/README.md explains the verbs.
#
# Counters are recorded for three devices and a plate of 45 x 70: 15 rows of 280 bytes each. Those of sweeps,
# sweeps_hidden, sweeps_rank and sweeps_deep for 24 sweeps: four rows travel in each, 1120 bytes. Those of
# solve_rank for a check after every 10th of at most 59 sweeps: six checks. For the tasks with ranks the
# driver deals out the rows and collects them by 4 copies, and waits 3 times.

load ../lib/check

# shared TASK [PERCENT]: each device has its part of the work. With a deep halo the device in the middle may
# sweep the whole plate of 45 rows, while the others sweep 22 on average: 51 %.
shared() {
  counter "$1" "busy_devices == 3 && busiest_percent <= ${2:-50}" \
    "Of 3 devices {busy_devices} ran kernels, and one of them {busiest_percent} % of all threads: each \
shall sweep its own rows."
  counter "$1" 'working_launches == launches' \
    "{launches - working_launches} of its {launches} kernels wrote nothing: kernels sweep rows."
  # In change_kernel one thread of each warp adds its sum, however many warps there are.
  counter "$1" 'lone_accesses - lone_atomics <= 60000' \
    "{lone_accesses - lone_atomics} accesses to global memory were made by fewer than four threads of a warp \
at a time: some threads do the work of all. Use blocks of at least 32 threads, and let all of them share it."
  together "$1"
  stays "$1"
}

# asked TASK: what each device, and the kernels that run while rows travel, do is part of the answer.
asked() { as_asked "$1" 'What the other devices sweep is part of the answer.'; }

# no_row_twice TASK SECTORS: a sweep of all rows of the plate writes 45 * 280 bytes, 405 to 585 sectors. Sums
# that warps add up are no rows.
no_row_twice() {
  counter "$1" "ideal_stored_sectors - lone_atomics <= $2" \
    "Its kernels wrote what fills {ideal_stored_sectors - lone_atomics} sectors of 32 bytes, twice as many \
as the rows need: do all devices sweep the same?"
}

# rows_travel TASK: the plate to the devices and back, and in between a row a sweep and neighbour.
rows_travel() {
  counter "$1" 'peer_bytes <= 61600' \
    "{peer_bytes} bytes were copied from device to device, {most_port_bytes} to or from one of them. \
24 sweeps need 4 rows each, 26880 bytes, and dealing out and collecting some 18000: send a row to each \
neighbour, not more."
  counter "$1" 'most_port_bytes <= 48000' \
    "{most_port_bytes} bytes were copied to or from one device. In 24 sweeps one in the middle sends 2 rows \
and gets 2, 26880 bytes, and dealing out and collecting need less than 20000: do rows go through another \
device?"
  counter "$1" 'peer_bytes >= 42000' \
    "Only {peer_bytes} bytes were copied from device to device. 24 sweeps need 4 rows each, 26880 bytes, and \
dealing out and collecting 16800: do rows go through the host, does one device do the work of all, or are \
the arrays of a part on another device than its kernels?"
}

# reads_its_own TASK: ranks are threads here, and could pass each other pointers.
reads_its_own() {
  counter "$1" 'peer_touched_bytes == 0' \
    "Its kernels read or wrote {peer_touched_bytes} bytes in the memory of another rank's device. On a \
cluster ranks are processes, and have no pointers of each other: send and receive by NCCL."
}

# never_waits TASK: for 112 sweeps more the host waits no more often.
never_waits() {
  counter "$1" 'serial_peer_copies <= 20' \
    "In 24 sweeps {serial_peer_copies} copies without Async held up all work of two devices: queue copies in \
streams, and let streams wait for events, cudaStreamWaitEvent."
  counter "$1" 'longer_waits <= waits + 1' \
    "In 24 sweeps the host waited {waits} times, and in 136 {longer_waits} times: let streams wait for \
events, cudaStreamWaitEvent, and the host only before and after the sweeps."
}

# bats test_tags=task:1,points:2
@test "sweeps is right to the last bit on one to four devices" { right sweeps; }

# bats test_tags=task:1,points:1
@test "nothing races in sweeps: between devices" { clean sweeps racecheck; }

# bats test_tags=task:1,points:1
@test "sweeps makes no memory errors, and frees what it allocates" {
  clean sweeps memcheck initcheck synccheck leakcheck
}

# bats test_tags=task:1,points:1
@test "sweeps returns the error of any call that fails, and releases everything" { failures sweeps; }

# bats test_tags=task:1,points:1
@test "each device sweeps its own rows, and gets one from each neighbour" {
  shared sweeps
  asked sweeps
  no_row_twice sweeps 24000
  rows_travel sweeps
}

# bats test_tags=task:1,points:1
@test "rows go straight from device to device, and the host waits for none" {
  # Between devices that are no neighbours a part may come, and go back, through the host.
  counter sweeps 'staged_peer_copies <= 4' \
    "{staged_peer_copies} of {peer_copies} copies from device to device went through the host: enable peer \
access."
  never_waits sweeps
}

# bats test_tags=task:1,points:1
@test "sweeps is not slower than one device" { faster sweeps one-device; }

# bats test_tags=task:2,points:2
@test "sweeps_hidden is right to the last bit on one to four devices" { right sweeps_hidden; }

# bats test_tags=task:2,points:1
@test "nothing races in sweeps_hidden: between streams" { clean sweeps_hidden racecheck; }

# bats test_tags=task:2,points:1
@test "sweeps_hidden makes no memory errors, and frees what it allocates" {
  clean sweeps_hidden memcheck initcheck synccheck leakcheck
}

# bats test_tags=task:2,points:1
@test "sweeps_hidden returns the error of any call that fails, and releases everything" {
  failures sweeps_hidden
}

# bats test_tags=task:2,points:2
@test "the halo travels while kernels run" {
  shared sweeps_hidden
  no_row_twice sweeps_hidden 24000
  rows_travel sweeps_hidden
  never_waits sweeps_hidden
  counter sweeps_hidden 'hidden_percent >= 60 || 2 * peer_copies_in_line < peer_copies' \
    "During {hidden_percent} % of the time in which rows travelled, a kernel ran on the same device: sweep \
the first and last row of each part first, and the others while these two travel. {peer_copies_in_line} of \
{peer_copies} copies are in the stream of the kernel that was the last to end on their device before them: \
is that the kernel of the first and last row, and that of the others in another stream?"
  counter sweeps_hidden 'hidden_percent >= 60' \
    "During {hidden_percent} % of the time in which rows travelled, a kernel ran on the same device: sweep \
the first and last row of each part first, and the others while these two travel."
  asked sweeps_hidden
}

# bats test_tags=task:2,points:1
@test "sweeps_hidden is not slower than one device" { faster sweeps_hidden one-device; }

# bats test_tags=task:2,points:1
@test "two GPUs are much faster than one" {
  needs sweeps_hidden 'gpus != 1' \
    "this machine has one GPU: several show the speed-up"
  excellent sweeps_hidden one-device
}

# bats test_tags=task:3,points:3
@test "sweeps_rank is right to the last bit with one to four ranks" { right sweeps_rank; }

# bats test_tags=task:3,points:1
@test "nothing races in sweeps_rank: neither kernels nor NCCL" { clean sweeps_rank racecheck; }

# bats test_tags=task:3,points:1
@test "sweeps_rank makes no memory errors, and no rank waits for ever" {
  clean sweeps_rank memcheck initcheck synccheck leakcheck
}

# bats test_tags=task:3,points:1
@test "sweeps_rank returns the error of any call that fails, and releases everything" {
  failures sweeps_rank
}

# bats test_tags=task:3,points:1
@test "ranks exchange rows by NCCL, and nothing else" {
  shared sweeps_rank
  asked sweeps_rank
  no_row_twice sweeps_rank 24000
  counter sweeps_rank 'peer_copies <= 4' \
    "Beside the driver's 4 it made {peer_copies - 4} copies between devices: does a rank leave the device \
that it was given? A rank has no pointer of another one's device: send and receive by NCCL."
  reads_its_own sweeps_rank
  counter sweeps_rank 'library_read_bytes >= 25760 && library_read_bytes <= 29120' \
    "NCCL sent {library_read_bytes} bytes in 24 sweeps; 4 rows a sweep are 26880."
  counter sweeps_rank 'most_library_bytes <= 29120' \
    "NCCL sent and received {most_library_bytes} bytes on one device. In 24 sweeps one in the middle sends 2 \
rows and gets 2, 26880 bytes: send a row to the neighbour that needs it, and to no other rank."
  counter sweeps_rank 'longer_waits <= waits + 1' \
    "In 24 sweeps of 3 ranks the host waited {waits} times, and in 136 {longer_waits} times: queue the work, \
and wait at the end."
}

# bats test_tags=task:4,points:3
@test "solve_rank stops all ranks after the same sweep, with the right plate" { right solve_rank; }

# bats test_tags=task:4,points:1
@test "nothing races in solve_rank: neither kernels nor NCCL" { clean solve_rank racecheck; }

# bats test_tags=task:4,points:1
@test "solve_rank makes no memory errors, and no rank waits for ever" {
  clean solve_rank memcheck initcheck synccheck leakcheck
}

# bats test_tags=task:4,points:1
@test "solve_rank returns the error of any call that fails, and releases everything" { failures solve_rank; }

# bats test_tags=task:4,points:1
@test "one collective for each check" {
  shared solve_rank
  asked solve_rank
  no_row_twice solve_rank 59000
  reads_its_own solve_rank
  counter solve_rank 'collectives >= 18' \
    "3 ranks made only {collectives} calls of collectives for 6 checks: NCCL adds up their changes. Ranks \
share no memory, also where they are threads."
  counter solve_rank 'library_read_bytes >= 64960' \
    "NCCL sent only {library_read_bytes} bytes; the rows of 59 sweeps are 66080."
  counter solve_rank 'collectives <= 24' \
    "3 ranks made {collectives} calls of collectives for 6 checks: one number is enough, after every 10th \
sweep."
  counter solve_rank 'waits <= 92' \
    "For 6 checks of 3 ranks the host waited {waits} times: it needs one number at each check."
  counter solve_rank 'peer_copies <= 4' \
    "Beside the driver's 4 it made {peer_copies - 4} copies between devices: send and receive by NCCL."
}

# bats test_tags=task:0,points:1
@test "sweeps_deep is right to the last bit on one to four devices" { right sweeps_deep; }

# bats test_tags=task:0,points:1
@test "nothing races in sweeps_deep: between devices" { clean sweeps_deep racecheck; }

# bats test_tags=task:0,points:1
@test "sweeps_deep makes no memory errors, and frees what it allocates" {
  clean sweeps_deep memcheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "sweeps_deep returns the error of any call that fails, and releases everything" {
  failures sweeps_deep
}

# bats test_tags=task:0,points:1
@test "a copy of several rows replaces several copies" {
  shared sweeps_deep 60
  asked sweeps_deep
  counter sweeps_deep 'peer_copies <= 20' \
    "It made {peer_copies} copies between devices in 24 sweeps: with 8 rows in a copy 12 are enough, and \
some 4 to deal out and collect."
  counter sweeps_deep 'longer_peer_copies <= peer_copies + 60' \
    "For 112 sweeps more it made {longer_peer_copies - peer_copies} copies more: with 8 rows in a copy, 4 \
for 8 sweeps, 56 are enough."
  never_waits sweeps_deep
}

# bats test_tags=task:0,points:1
@test "sweeps_deep is not slower than one device" { faster sweeps_deep one-device; }
