# counters.jq: everything that a check page may count, a line each: name, meaning, value. The values are of
# the traced call of a task on the CPU backend; input is that task in run.json. All are whole numbers.
# `grader/check --counters` prints the list.
#
# Where a kernel made more requests than can be counted one by one (estimated), or has too many instructions
# (crowded), the values that depend on requests are estimates; a check that asks for one is not measured then.
# Atomics and launches are always exact, and what depends on lanes alone is unless a kernel is crowded.

def counter($name; $means; value): {($name): {$means, value: (value // 0), uncertain: false}};
def of_requests($name; $means; value):
  {($name): {$means, value: (value // 0),
    uncertain: any(.counters.profile[]?; .estimated or .crowded)}};
# Bytes that cross the link: without an access to the host's memory there is nothing to estimate.
def of_link($name; $means; $mapped; value):
  of_requests($name; $means; value) | .[$name].uncertain |= (. and $mapped > 0);
def of_lanes($name; $means; value):
  {($name): {$means, value: (value // 0), uncertain: any(.counters.profile[]?; .crowded)}};
# Of the compiler's code for the kernels (compiled.jq), not of their run.
def of_code($name; $means; value):
  {($name): {$means, value: (value // 0),
    uncertain: (if .compiled.counts then false else .compiled.unknown // "not compiled" end)}};
def copies($suffix): [.counters.copies // {} | to_entries[] | select(.key | endswith($suffix)) | .value]
  | add;
def kernels(f): [.counters.kernels[]? | f] | add;
def product: reduce .[] as $n (1; . * $n);
def copies_to_host: .copies // {} | (.d2h_pageable_count // 0) + (.d2h_pinned_count // 0);
def waits: (.synchronisations // 0) + copies_to_host;
def first($field; $i): .counters.kernels[0]?[$field][$i]?;
# Accesses to global or shared memory by line of the source; those of an op: ld, st or atom.
def accesses($space): .counters.profile[]?.lines[]? | select(.space == $space);
def total(f): [f] | add // 0;
def metric($name): total(.counters.profile[]?.metrics[$name] // 0);
# Kernels that stored something or made atomic operations, and not merely ran.
def working: .counters.profile[]?
  | select((.metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] // 0)
    + (.metrics.global_atomic_operations // 0) > 0);
def share_of_most($name): [.counters.devices[]?[$name] // 0]
  | if (add // 0) == 0 then 0 else max * 100 / add | ceil end;
def largest($kind): [.timeline.activities[]? | select(.kind == $kind) | .bytes] | max;
def ratio_in_tenths($of; $per): if ($per // 0) == 0 then 0 else ($of // 0) * 10 / $per end;

# A stream of objects, one for each.
def counters:
  counter("launches"; "kernels launched"; .counters.launches),
  counter("blocks"; "blocks of all launches"; kernels(.launches * (.grid | product))),
  counter("threads"; "threads of all launches"; kernels(.launches * (.grid | product) * (.block | product))),
  counter("working_launches"; "launches of kernels that wrote to global memory";
      total(working | .metrics.launches)),
  counter("working_blocks"; "their blocks";
      total(working | (.metrics.launches // 1) * (.grid // [] | product))),
  counter("writing_threads"; "threads that wrote to global memory"; metric("writing_threads")),
  counter("writing_blocks"; "blocks with such a thread"; metric("writing_blocks")),
  counter("grid_x"; "blocks in x of the first kernel"; first("grid"; 0)),
  counter("grid_y"; "blocks in y of the first kernel"; first("grid"; 1)),
  counter("grid_z"; "blocks in z of the first kernel"; first("grid"; 2)),
  counter("block_x"; "threads in x of a block of the first kernel"; first("block"; 0)),
  counter("block_y"; "threads in y of a block of the first kernel"; first("block"; 1)),
  counter("block_z"; "threads in z of a block of the first kernel"; first("block"; 2)),
  counter("block_shapes"; "different shapes of blocks"; [.counters.kernels[]?.block] | unique | length),
  counter("synchronisations";
      "calls in which the host waited for the device, frees too, and queries that found it done";
      .counters.synchronisations),
  counter("device_synchronisations"; "those by cudaDeviceSynchronize"; .counters.device_synchronisations),
  counter("longest_run";
      "the most launches that were queued before the host had waited for all work so far";
      .counters.longest_run),
  counter("blocking_copies"; "copies that the host waited for"; .counters.blocking_copies),
  counter("host_functions"; "host functions queued in streams"; .counters.host_functions),
  counter("handles_created"; "handles of cuBLAS that were created"; .counters.handles_created),
  counter("library_calls"; "calls of a library that queued work, such as products"; .counters.library_calls),
  counter("library_read_bytes"; "bytes of arrays that calls of libraries read";
      .counters.library_read_bytes),
  counter("most_library_bytes";
      "bytes of arrays that calls of libraries read or write on one device, the most";
      [.counters.devices[]?.library_bytes] | max),
  counter("collectives"; "calls of NCCL in which all ranks take part, counted for each rank";
      [.timeline.activities[]? | select(.name | test("^nccl(AllReduce|Reduce|Bcast|Broadcast|AllGather)"))]
      | length),
  counter("peer_copies"; "copies from device to device"; .counters.peers.count),
  counter("peer_bytes"; "bytes of such copies"; .counters.peers.bytes),
  counter("staged_peer_copies"; "those between devices without peer access, which go through the host";
      .counters.peers.staged_count),
  counter("serial_peer_copies"; "those by calls without Async"; .counters.peers.serial_count),
  counter("most_port_bytes"; "bytes that such copies bring to one device and take from it, the most";
      [.counters.devices[]? | .received_bytes + .sent_bytes] | max),
  counter("peer_touched_bytes"; "bytes of other devices' memory that kernels read or wrote";
      metric("peer_touched_bytes")),
  counter("busy_devices"; "devices that kernels were launched on";
      [.counters.devices[]? | select(.launches > 0)] | length),
  counter("busiest_percent"; "share of the device with the most threads in all threads of all launches";
      share_of_most("threads")),
  counter("busiest_product_percent";
      "share of the device with the most multiplications in those of all products by cuBLAS";
      share_of_most("multiplications")),
  counter("hidden_percent";
      "share of the time of copies from device to device during which a kernel runs there, too";
      .timeline | if (.peer_us // 0) == 0 then 0 else .hidden_us * 100 / .peer_us | floor end),
  counter("peer_copies_in_line";
      "copies from device to device in the stream of the kernel that was the last to end there before them";
      .timeline.activities // [] | [.[] | select(.kind == "kernel")] as $kernels
      | [.[] | select(.to_device != null) | . as $copy
        | [$kernels[] | select(.device == $copy.device and .end_us <= $copy.start_us)] | max_by(.end_us)
        | select(. != null and .stream == $copy.stream)]
      | length),
  counter("gpus"; "GPUs that the program saw; 0: no GPU was used";
      .gpu | if . then .devices // 1 else 0 end),
  counter("tf32_calls"; "those of cuBLAS with TF32 inputs"; .counters.tf32_calls),
  counter("library_multiplications"; "multiplications of two numbers in products of matrices by cuBLAS";
      .counters.library_multiplications // 0),
  counter("tf32_multiplications"; "those with TF32 inputs"; .counters.tf32_multiplications // 0),
  counter("operations"; "kernels, calls of libraries, copies and memsets that were queued";
      .counters.operations),
  counter("graph_operations"; "those of them that graphs queued, and not the host one by one";
      .counters.graph_operations),
  counter("graph_launches"; "launches of graphs"; .counters.graph_launches // 0),
  counter("default_stream_operations"; "those in the default stream"; .counters.default_stream_operations),
  counter("blocking_stream_operations";
      "those in blocking streams, which wait for the default stream as it waits for them";
      .counters.blocking_stream_operations),
  counter("tensor_products"; "products of two tiles on tensor cores, each by a warp";
      .counters.tensor_products),
  counter("given_calls"; "calls in kernels of the function that a lesson's header gives";
    .counters.given_calls),
  counter("given_callers"; "threads that called it"; .counters.given_callers),
  counter("compilations"; "texts that were compiled at run time, by nvrtcCompileProgram";
    .counters.compilations),
  counter("module_loads"; "modules that were loaded"; .counters.module_loads),
  counter("module_launches"; "launches of kernels of modules"; .counters.module_launches // 0),
  counter("waits"; "synchronisations and copies to the host"; .counters // {} | waits),
  counter("longer_waits"; "those of a call with more rounds (`longer` in the driver)"; .longer // {} | waits),
  counter("longer_peer_copies"; "copies from device to device in that call"; .longer.peers.count),
  counter("device_allocations"; "allocations of device memory"; .counters.device_allocations),
  counter("stream_allocations"; "those by cudaMallocAsync: no call waits for them";
      .counters.stream_allocations // 0),
  counter("pinned_allocations"; "allocations of pinned host memory"; .counters.pinned_allocations),
  counter("registrations"; "those that pinned memory which existed before"; .counters.registrations),
  counter("largest_registration"; "bytes of the largest of those"; .counters.largest_registration),
  counter("freed_while_copied"; "frees of pinned memory before the host had waited for its last copy";
    .counters.freed_while_copied // 0),
  counter("pinned_bytes"; "bytes of all pinned memory that was allocated or registered";
      .counters.pinned_bytes),
  counter("copies"; "copies of any kind"; copies("_count")),
  counter("h2d_count"; "copies to the device"; .counters.copies | .h2d_pageable_count + .h2d_pinned_count),
  counter("h2d_bytes"; "bytes copied to the device"; .counters.copies
    | .h2d_pageable_bytes + .h2d_pinned_bytes),
  counter("h2d_pinned_count"; "copies to the device from pinned memory"; .counters.copies.h2d_pinned_count),
  counter("h2d_pageable_count"; "copies to the device from pageable memory";
    .counters.copies.h2d_pageable_count),
  counter("h2d_pageable_bytes"; "bytes of such copies"; .counters.copies.h2d_pageable_bytes),
  counter("d2h_count"; "copies to the host"; .counters // {} | copies_to_host),
  counter("d2h_bytes"; "bytes copied to the host"; .counters.copies
    | .d2h_pageable_bytes + .d2h_pinned_bytes),
  counter("d2h_pinned_count"; "copies to the host, into pinned memory"; .counters.copies.d2h_pinned_count),
  counter("d2h_pageable_count"; "copies to the host, into pageable memory";
    .counters.copies.d2h_pageable_count),
  counter("d2h_pageable_bytes"; "bytes of such copies"; .counters.copies.d2h_pageable_bytes),
  counter("largest_h2d"; "bytes of the largest copy to the device"; largest("h2d")),
  counter("largest_d2h"; "bytes of the largest copy to the host"; largest("d2h")),
  of_link("bytes_in";
      "bytes copied to the device, or read by kernels in pinned, registered or managed memory";
      metric("mapped_read_bytes");
      (.counters.copies | (.h2d_pageable_bytes // 0) + (.h2d_pinned_bytes // 0))
      + metric("mapped_read_bytes")),
  of_link("bytes_out";
      "bytes copied to the host, or written by kernels to pinned, registered or managed memory";
      metric("mapped_written_bytes");
      (.counters.copies | (.d2h_pageable_bytes // 0) + (.d2h_pinned_bytes // 0))
      + metric("mapped_written_bytes")),
  counter("d2d_count"; "copies from device to device"; .counters.copies.d2d_count),
  counter("d2d_bytes"; "bytes of such copies"; .counters.copies.d2d_bytes),
  of_requests("global_sectors"; "sectors of 32 bytes that global accesses touched";
    total(accesses("global").sectors)),
  of_requests("graph_sectors"; "those of kernels that graphs launched";
      total(.counters.profile[]? | select(.of_graph) | .lines[]? | select(.space == "global") | .sectors)),
  of_requests("ungraphed_requests";
      "requests to memory of any kind, shared memory too, by kernels that no graph launched";
      total(.counters.profile[]? | select(.of_graph | not) | .lines[]? | .requests)),
  of_requests("ideal_sectors"; "the fewest that hold the same bytes";
      total(accesses("global").ideal_sectors)),
  of_requests("fetched_sectors";
      "global_sectors, where the parts of a float4 access count once; rounded up";
      total(accesses("global") | (.sectors // 0) / ([.instructions // 1, 4] | min)) // 0 | ceil),
  of_requests("loaded_sectors"; "global_sectors without those of stores, and sectors of constant memory";
      total((accesses("global") | select(.op != "st") | .sectors), (accesses("constant") | .sectors))),
  of_requests("ideal_loaded_sectors"; "the fewest that hold the bytes of loads from global memory";
      total(accesses("global") | select(.op == "ld") | .ideal_sectors)),
  of_requests("stored_sectors"; "sectors that stores to global memory touched";
      metric("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")),
  of_requests("ideal_stored_sectors"; "the fewest that hold the bytes of stores and atomic operations";
      total(accesses("global") | select(.op != "ld") | .ideal_sectors)),
  of_requests("stored_bytes"; "bytes that stores to global memory wrote";
      total(accesses("global") | select(.op == "st") | .bytes // 0)),
  of_requests("written_sectors";
      "stored_sectors, where the parts of a float4 count once, and those of atomic operations; rounded up";
      total(accesses("global") | select(.op != "ld") | (.sectors // 0) / ([.instructions // 1, 4] | min))
        | ceil),
  of_requests("most_stored_sectors"; "of one launch, the most";
      [.counters.profile[]?.metrics.most_stored_sectors_in_a_launch // 0] | max),
  of_requests("sectors_per_request"; "global_sectors for a warp's request, in tenths";
      ratio_in_tenths(total(accesses("global").sectors); total(accesses("global").requests)) | round),
  of_requests("ideal_sectors_per_request"; "the same of ideal_sectors";
      ratio_in_tenths(total(accesses("global").ideal_sectors); total(accesses("global").requests)) | round),
  of_requests("most_sectors_per_request"; "of the line with the most, in tenths, rounded up";
      [accesses("global").sectors_per_request] | max // 0 | . * 10 | ceil),
  of_requests("threads_together";
      "threads of a warp in a request to global memory, on average, in tenths, rounded down; not counted: "
      + "requests of all for one address";
      ratio_in_tenths(
        total(accesses("global") | (.lanes_per_request // 0) * .requests - (.broadcast_lanes // 0));
        total(accesses("global") | .requests - (.broadcasts // 0))) | floor),
  of_lanes("lone_accesses"; "accesses to global memory in requests of fewer than four threads of a warp";
      total(accesses("global").few_lanes // 0)),
  of_lanes("lone_atomics"; "those of atomic operations";
      total(accesses("global") | select(.op == "atom") | .few_lanes // 0)),
  counter("global_atomics"; "atomic operations on global memory";
    metric("global_atomic_operations")),
  counter("whole_atomics"; "those that add whole numbers, so that no order changes the result";
    .counters.whole_atomics // 0),
  of_requests("shared_loads"; "warps' loads from shared memory";
      total(accesses("shared") | select(.op == "ld") | .requests // .instructions)),
  of_requests("bank_conflicts"; "bank conflicts in shared memory"; total(accesses("shared").bank_conflicts)),
  of_requests("plain_bank_conflicts"; "the same without those of atomics";
      total(accesses("shared") | select(.op != "atom") | .bank_conflicts)),
  of_code("double_instructions";
      "arithmetic in double that clang makes of the launched kernels; what is in a loop counts once";
      .compiled.counts.double_operations),
  of_code("double_line"; "the first line with such an instruction, or 0"; .compiled.line),
  of_code("compiled_loops"; "loops that are left in their code"; .compiled.counts.loops),
  of_code("compiled_branches"; "branches in it"; .compiled.counts.branches),
  of_code("compiled_loads"; "loads from memory in it";
      [.compiled.counts // {} | to_entries[] | select(.key | startswith("loads_")) | .value] | add),
  of_code("compiled_fma"; "multiplications with an addition in it"; .compiled.counts.fma),
  of_code("compiled_certain_fma"; "those of them that each thread runs before it stores";
      .compiled.counts.certain_fma),
  of_code("compiled_special"; "operations of the special function units in it, and other approximations";
      .compiled.counts.special),
  counter("capability"; "compute capability of the GPU, in tenths: 90 for 9.0; 0: no GPU was used";
      .gpu.compute_capability // "0" | tonumber * 10 | round),
  counter("cores_gain";
    "how many times as fast all cores are as one, in percent, for the host's own loop; 999 where unknown";
      (.baselines // [] | map({key: .name, value: .median_ms}) | from_entries) as $ms
      | if ($ms["one-core"] // 0) > 0 and ($ms["all-cores"] // 0) > 0
        then $ms["one-core"] / $ms["all-cores"] * 100 | floor else 999 end);
