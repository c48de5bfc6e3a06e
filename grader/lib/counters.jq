# counters.jq: everything that a check page may count, a line each: name, meaning, value. The values are of
# the traced call of a task on the CPU backend; input is that task in run.json. All are whole numbers.
# `grader/check --counters` prints the list.

def counter($name; $means; value): {($name): {$means, value: (value // 0)}};
def copies($suffix): [.counters.copies // {} | to_entries[] | select(.key | endswith($suffix)) | .value]
  | add;
def kernels(f): [.counters.kernels[]? | f] | add;
def product: reduce .[] as $n (1; . * $n);
def copies_to_host: .counters.copies | (.d2h_pageable_count // 0) + (.d2h_pinned_count // 0);
def first($field; $i): .counters.kernels[0]?[$field][$i]?;
# Accesses to global or shared memory by line of the source; those of an op: ld, st or atom.
def accesses($space): .counters.profile[]?.lines[]? | select(.space == $space);
def total(f): [f] | add;
def ratio_in_tenths($of; $per): if ($per // 0) == 0 then 0 else ($of // 0) * 10 / $per end;

def counters:
  counter("launches"; "kernels launched"; .counters.launches)
  + counter("blocks"; "blocks of all launches"; kernels(.launches * (.grid | product)))
  + counter("threads"; "threads of all launches"; kernels(.launches * (.grid | product) * (.block | product)))
  + counter("grid_x"; "blocks in x of the first kernel"; first("grid"; 0))
  + counter("grid_y"; "blocks in y of the first kernel"; first("grid"; 1))
  + counter("grid_z"; "blocks in z of the first kernel"; first("grid"; 2))
  + counter("block_x"; "threads in x of a block of the first kernel"; first("block"; 0))
  + counter("block_y"; "threads in y of a block of the first kernel"; first("block"; 1))
  + counter("block_z"; "threads in z of a block of the first kernel"; first("block"; 2))
  + counter("block_shapes"; "different shapes of blocks"; [.counters.kernels[]?.block] | unique | length)
  + counter("synchronisations"; "calls in which the host waited for the device"; .counters.synchronisations)
  + counter("waits"; "synchronisations and copies to the host"; .counters.synchronisations + copies_to_host)
  + counter("device_allocations"; "allocations of device memory"; .counters.device_allocations)
  + counter("pinned_allocations"; "allocations of pinned host memory"; .counters.pinned_allocations)
  + counter("copies"; "copies of any kind"; copies("_count"))
  + counter("h2d_count"; "copies to the device"; .counters.copies | .h2d_pageable_count + .h2d_pinned_count)
  + counter("h2d_bytes"; "bytes copied to the device"; .counters.copies
    | .h2d_pageable_bytes + .h2d_pinned_bytes)
  + counter("h2d_pinned_count"; "copies to the device from pinned memory"; .counters.copies.h2d_pinned_count)
  + counter("h2d_pageable_count"; "copies to the device from pageable memory";
    .counters.copies.h2d_pageable_count)
  + counter("h2d_pageable_bytes"; "bytes of such copies"; .counters.copies.h2d_pageable_bytes)
  + counter("d2h_count"; "copies to the host"; copies_to_host)
  + counter("d2h_bytes"; "bytes copied to the host"; .counters.copies
    | .d2h_pageable_bytes + .d2h_pinned_bytes)
  + counter("d2h_pinned_count"; "copies to the host, into pinned memory"; .counters.copies.d2h_pinned_count)
  + counter("d2h_pageable_count"; "copies to the host, into pageable memory";
    .counters.copies.d2h_pageable_count)
  + counter("d2h_pageable_bytes"; "bytes of such copies"; .counters.copies.d2h_pageable_bytes)
  + counter("d2d_count"; "copies from device to device"; .counters.copies.d2d_count)
  + counter("d2d_bytes"; "bytes of such copies"; .counters.copies.d2d_bytes)
  + counter("global_sectors"; "sectors of 32 bytes that global accesses touched";
    total(accesses("global").sectors))
  + counter("ideal_sectors"; "the fewest that hold the same bytes"; total(accesses("global").ideal_sectors))
  + counter("fetched_sectors"; "global_sectors, where the parts of a float4 access count once; rounded up";
      total(accesses("global") | (.sectors // 0) / ([.instructions // 1, 4] | min)) // 0 | ceil)
  + counter("loaded_sectors"; "global_sectors without those of stores"; total(accesses("global")
    | select(.op != "st") | .sectors))
  + counter("stored_sectors"; "sectors that stores to global memory touched";
      total(.counters.profile[]?.metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] // 0))
  + counter("sectors_per_request"; "global_sectors for a warp's request, in tenths";
      ratio_in_tenths(total(accesses("global").sectors); total(accesses("global").requests)) | round)
  + counter("ideal_sectors_per_request"; "the same of ideal_sectors";
      ratio_in_tenths(total(accesses("global").ideal_sectors); total(accesses("global").requests)) | round)
  + counter("most_sectors_per_request"; "of the line with the most, in tenths, rounded up";
      [accesses("global").sectors_per_request] | max // 0 | . * 10 | ceil)
  + counter("threads_together";
    "threads of a warp in a request to global memory, on average, in tenths, rounded down";
      ratio_in_tenths(total(accesses("global") | (.lanes_per_request // 0) * .requests);
        total(accesses("global").requests)) | floor)
  + counter("global_atomics"; "atomic operations on global memory";
    total(.counters.profile[]?.metrics.global_atomic_operations))
  + counter("shared_loads"; "warps' loads from shared memory"; total(accesses("shared") | select(.op == "ld")
    | .requests // .instructions))
  + counter("bank_conflicts"; "bank conflicts in shared memory"; total(accesses("shared").bank_conflicts))
  + counter("plain_bank_conflicts"; "the same without those of atomics";
      total(accesses("shared") | select(.op != "atom") | .bank_conflicts))
  + counter("cores_gain";
    "how many times as fast all cores are as one, in percent, for the host's own loop; 999 where unknown";
      (.baselines // [] | map({key: .name, value: .median_ms}) | from_entries) as $ms
      | if ($ms["one-core"] // 0) > 0 and ($ms["all-cores"] // 0) > 0
        then $ms["one-core"] / $ms["all-cores"] * 100 | floor else 999 end);
