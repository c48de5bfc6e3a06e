/*
 * What the CPU backend saw: findings of its checks, counters, and a modelled timeline. For C and C++.
 *
 * All functions speak of the calling process, may be called from any of its threads, need no device, and wait
 * for nothing: call cudaDeviceSynchronize first when kernels may still be queued.
 *
 *     cucc_reset();                          before the code in question
 *     … learner's code … cudaDeviceSynchronize();
 *     cucc_check_leaks();
 *     size_t size = cucc_findings_json(NULL, 0);
 *     char *json = malloc(size);
 *     cucc_findings_json(json, size);
 */
#ifndef CUCC_H
#define CUCC_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The findings since the last cucc_reset, as a JSON array, oldest first:
 *   {"tool":"memcheck|racecheck|initcheck|synccheck|leakcheck","severity":"error|warning","sentence":…,
 *    "kernel":… or null,"block":[x,y,z] or null,"thread":[x,y,z] or null,"file":… or null,"line":…,
 *    "other_file":… or null,"other_line":…,"allocation":… or null,"cause":… or null,"repeats":3,
 *    "text":"the block as printed on standard error"}
 * Repeats are further occurrences of the same tool, kernel and line. Returns the bytes needed, including the
 * final NUL; writes at most `size` bytes, always NUL-terminated when size > 0. In the fast build: [].
 */
size_t cucc_findings_json(char *buffer, size_t size);

/*
 * What was asked of the device since the last cucc_reset, as a JSON object; buffer as above:
 *   {"launches":n,"kernels":[{"name","file","line","grid":[x,y,z],"block":[x,y,z],"launches","stream"}],
 *    "copies":{"h2d_pageable_bytes","h2d_pageable_count","h2d_pinned_…","d2h_pageable_…","d2h_pinned_…","d2d_…"},
 *    "device_allocations","pinned_allocations","streams_created","events_created","pinned_bytes",
 *    "handles_created" (of cuBLAS),"library_calls" (that queued work),"tf32_calls" (of those, with TF32 inputs),
 *    "tensor_products" (of tiles, by a warp),"operations" (kernels, calls of libraries, copies, memsets),
 *    "graph_operations" (those of them that graphs queued),"graph_launches",
 *    "default_stream_operations","blocking_stream_operations" (those in either kind of stream),"launch_streams"
 *    (that had their first launch),"pageable_copies" (between the device and pageable memory),"copies_back" (to the
 *    host),"copied_bytes" (between the device and the host),
 *    "registrations","largest_registration" (bytes),"freed_while_copied" (pinned memory that was freed or
 *    unpinned before the host had waited for its last copy),"device_synchronisations","blocking_copies" (that the
 *    host waited for),"host_functions","given_calls" (of cucc_count_call, while profiling is on),
 *    "given_callers" (threads that called it),"stream_allocations" (those device_allocations that
 *    cudaMallocAsync made),"live_device_bytes","live_streams","live_events","synchronisations","profile":[…],
 *    "peers":{"count","bytes" (of copies between devices),"staged_count" (between devices without peer access),
 *    "serial_count" (by calls without Async)},
 *    "devices":[{"launches","threads" (of the launches),"multiplications" (of
 *    products of matrices),"received_bytes","sent_bytes" (by such copies),
 *    "library_bytes" (of arrays that calls of libraries read or write there)}],
 *    "fills_of_ones" (memsets of bytes 0xff),
 *    "longest_run" (the most launches that were queued before the host had waited for all work so far),
 *    "library_read_bytes" (of arrays that calls of libraries read),
 *    "library_multiplications" (of two numbers, in products of matrices by cuBLAS),"tf32_multiplications" (of
 *    those, with TF32 inputs),"compilations","module_loads","module_launches" (of kernels of modules),
 *    "whole_atomics" (atomicAdd, atomicInc and their kind on whole numbers in global memory, while profiling is
 *    on)}
 * Pinned allocations include registrations; synchronisations include those of the device, and queries that
 * found the work done. A copy counts by where its two ends are, whatever direction the call names. Launches
 * of the same kernel, line, shape and stream are one entry. "stream" is the small number of
 * cucc_activity.
 *
 * "profile" has an entry for each kernel, line of launch and shape, by a graph or not, that ran while profiling
 * was on (cucc_profile, or CUCC_PROFILE=text|json[:FILE] in the environment, which also writes a report at the
 * end of the program); wait for the device before you ask. Sums over all its launches:
 *   {"name","file","line","grid","block","of_graph","estimated" (true: there were more requests
 *    than are kept; their number and lanes are exact, sectors, conflicts and broadcasts extrapolated),
 *    "crowded" (true: more instructions than are kept; only the sums of lanes are exact),
 *    "metrics":{"launches","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", … as Nsight Compute names them,
 * and "smsp__inst_executed_op_global_atom.sum" (with or without a use of the old value),
 * "global_atomic_operations", "shared_atomic_operations" (lanes), "global_atomics_on_one_address" (the most
 * in one launch), "shared_atomics_on_one_address" (the most in one block), "barriers" (of blocks),
 * "most_stored_sectors_in_a_launch" (of global memory), "lanes_per_request", "mapped_read_bytes",
 * "mapped_written_bytes" (sectors of page-locked, registered and managed memory, times 32),
 * "peer_touched_bytes" (sectors of other devices' memory, times 32)},
 *    "lines":[{"file","line","space":"global|shared|constant|block","op":"ld|st|atom|barrier","instructions",
 *        "requests","lanes_per_request","broadcasts" (requests of several lanes for one and the same word),
 *        "broadcast_lanes","few_lanes" (in requests of fewer than four),
 *        global, constant: "sectors","ideal_sectors","sectors_per_request",
 *        shared: "wavefronts","bank_conflicts","wavefronts_per_request"}]}
 * A request is one instruction executed by a warp. These are counts of what the source asks for, at -O1: nvcc
 * may keep in a register what is loaded again here, so compare figures per request. Nothing in them is a
 * time.
 */
size_t cucc_counters_json(char *buffer, size_t size);

/*
 * Switches the counting of accesses on (1) or off (0) for launches that begin to run from now on: wait for
 * the device before and after. Returns 0, or -1 in the fast build, which sees no accesses. A kernel takes
 * some ten times as long while it is on; off, it costs nothing.
 */
int cucc_profile(int on);

/* Launches that begin to run from now on run their blocks and threads in reverse order (1) or in the order of
 * their indices (0), and streams that could run now likewise. With CUCC_ORDER=random it does nothing. */
void cucc_reverse(int reverse);

/* From now on products of tiles on tensor cores (nvcuda::wmma) add nothing (1), or take factors below 0 for 0 (2), or
 * do as usual (0): results that do not follow do not come from them. Wait for the device before and after. */
void cucc_idle_tensor_cores(int parts);

/* From now on these parts of the device do nothing, 0: all do what they should. What is right all the same
 * comes from elsewhere. Wait for the device before and after. */
enum {
  CUCC_KERNELS = 1,         /* no block of a kernel runs */
  CUCC_PRODUCTS = 2,        /* cuBLAS multiplies nothing */
  CUCC_HOST_ACCESS = 8,     /* the host cannot access memory of the device: it faults, as on a GPU */
  CUCC_DEVICE_0 = 16,       /* no block of a kernel runs on device 0; 32: on device 1, and so on */
  CUCC_BESIDE_COPIES = 4096 /* none of a kernel that runs while data leaves its device for another */
};
void cucc_without(int parts);

/* From now on numbers whose magnitude is at least `low` and below `high` count as 0, where they are factors of a product
 * by cuBLAS (the forms of gemm) or values of the function that a header gives (cucc_count_call); 0 and 0: none do.
 * An answer that does not follow comes from elsewhere. Wait for the device before and after. */
void cucc_zeros(double low, double high);

/* Calls of libraries that queued work, products for example, since the last cucc_reset. */
uint64_t cucc_library_calls(void);

/* A plain count of cucc_counters_json, by its name: "synchronisations", "launch_streams", "copied_bytes" and
 * others; 0 where there is no such name. A program may compare it before and after each call. */
uint64_t cucc_counted(const char *name);

/* Option number `number`, from 0, of the last call of nvrtcCompileProgram; NULL: it had no more. In libnvrtc. */
const char *cucc_nvrtc_option(int number);

/* From now on each copy from the host to the device, and each copy back, takes so many milliseconds of the
 * processor at least, if it copies from_bytes or more; 0: as long as it takes. */
void cucc_slow_copies(int in_ms, int back_ms, size_t from_bytes);

/*
 * Until it is called with NULL: of each kernel only the first two and the last two blocks run, copies and
 * fills of more than 16 MiB, or after 64 MiB in all, do nothing, and device memory may be larger than the
 * machine's, so that a program can try sizes of thousands of millions of elements within a second. Answers are of
 * no use then. Of what is found only accesses of kernels and libraries outside their arrays are kept, as warnings
 * that begin with the words (such as "with n = 3000000000"): an index that is computed in int has passed its
 * range. Variables of the devices have their values of before when it ends. Wait for the device before and after.
 */
void cucc_sample(const char *words);

/* While cucc_sample is on: a right program now makes `needs` calls of the function that a header gives
 * (cucc_count_call). A launch ends when there have been enough. With 0: if the blocks that ran made less than half
 * of their share, that is a warning at the place of the launch. */
void cucc_sample_calls(uint64_t needs);

/* While cucc_sample is on, after the device was waited for: looks at an array of `count` elements of `bytes`
 * bytes. If blocks touched some of it, but nothing of the last 2^25 elements, that is a warning at the place of
 * the largest launch, and sampling ends; and so it is if copies alone write to it, up to where the number of its
 * bytes would end in 32 bits. Arrays of less than 2^30 elements are not looked at: a right program's first and
 * last blocks might have nothing there. Returns up to which element, rounded up to a page, blocks touched it, or
 * `count`. */
size_t cucc_sample_reached(const void *array, const char *name, size_t count, size_t bytes);

/* Forgets findings, counters and the timeline; keeps allocations, streams and events, and takes those that
 * live now as no leaks. */
void cucc_reset(void);

/* Adds a leakcheck finding for each device or pinned allocation, stream and event made since the last
 * cucc_reset and still alive. Does nothing in the fast build. */
void cucc_check_leaks(void);

/* How many calls might have failed (allocations, copies, launches, waits, calls that create or set something,
 * and questions) since cucc_fail_call, and the error of the one that did, on purpose; 0: none. final: a program
 * has no other way to its answer, so it must return that error. */
typedef struct cucc_failure {
  int calls, error, final;
} cucc_failure;

/* From now on counts the calls that may fail, and lets call number `number` fail; the next one is number 1. 0: none
 * fails. -1: they are not counted any more. */
void cucc_fail_call(int number);
/* From now on, until cucc_fail_call, the waits and ends of captures by the same thread fail, too, with
 * cudaErrorUnknown, if they come after the call that failed. */
void cucc_fail_later(void);
cucc_failure cucc_failed_call(void);
/* From now on calls are a harness's own: they are not counted among those that may fail, none fails, and their
 * fills are not in "fills_of_ones". Or again as before. */
void cucc_fail_none(int none);
/* The name of one of the counted calls, "cudaMalloc"; "" where it is not known. */
const char *cucc_call_that_may_fail(int number);
/* Whether the address is after the end of memory that CUDA gave, in the unmapped page there, where an access faults:
 * then the words are "the end of 4096 bytes of pinned host memory from cudaMallocHost". For handlers of signals. */
int cucc_past(const void *address, char *words, size_t size);
/* From the one with this number on, the allocations of host memory that this thread makes fail, by malloc, calloc,
 * realloc and new in what cucc has compiled; 0: none. Returns how many have failed since the last call. Not
 * with --fast. */
int cucc_fail_memory(int number);

/* What failed, and why, as far as it is known. */
typedef struct cucc_origin {
  char call
      [480]; /* "cudaMemcpy at add.cu:41", "the launch of add<<<(0,1,1), (256,1,1)>>> at add.cu:44", "kernel
                    * add<<<(1,1,1), (256,1,1)>>>, launched at add.cu:44" */
  char place[280];  /* "add.cu:41", or "" */
  char reason[640]; /* perhaps with advice in a second line */
} cucc_origin;
/* What failed with this error since cucc_forget_failures: the first call whose error the program has not asked
 * for; after a kernel's fault that kernel. error 0: with whatever error. Returns 0 if nothing did. */
int cucc_failed_with(int error, cucc_origin *origin);
void cucc_forget_failures(void);

/* The different shapes of the launches since cucc_forget_launches, the first CUCC_MOST_SHAPES of them, and
 * in *count how many these are; in *given_calls all calls of the function that a header gives. Returns the number
 * of launches. */
#define CUCC_MOST_SHAPES 16
typedef struct cucc_shape {
  unsigned grid[3], block[3];
  uint64_t given_calls; /* of the function that a header gives, by all launches of this shape */
} cucc_shape;
size_t cucc_launches(cucc_shape *shapes, size_t *count, uint64_t *given_calls);
void cucc_forget_launches(void);

/* From now on this device is of this compute capability, in tenths (90 for 9.0); 0: of the usual one,
 * 8.0. Kernels run as before; but a module is refused that was compiled for another one (NVRTC). */
void cucc_set_capability(int device, int tenths);

/* From now on the devices have so many multiprocessors; 0: as many as usual, 16. */
void cucc_set_multiprocessors(int number);

/* From now on no device can access the memory of another one, so copies between them go through the host (1); or all
 * can that are allowed to (0). */
void cucc_without_peers(int without);

/* From now on each ncclGroupEnd that ends a group with work does that work, and then returns ncclInternalError (1); or
 * none does (0). Returns how many did since the last call. */
int cucc_fail_groups(int fail);

/* From now on a module that is loaded gets the handle of one that was unloaded, if there is one, as it may on a
 * GPU. Without this no handle comes twice for different code, so that the use of an old one is found. */
void cucc_reuse_handles(void);

/* The bytes of a global object of the host that begins at this address; 0: not known. */
size_t cucc_bytes_of(const void *object);

/* What lives now. The harness compares the figures of before and after a call. */
typedef struct cucc_alive {
  size_t device_bytes, pinned_bytes, managed_bytes, registered_bytes;
  int streams, events, graphs;
  int loaded;         /* modules, programs of NVRTC, communicators */
  const char *newest; /* of these, "a module"; NULL: there are none */
} cucc_alive;
cucc_alive cucc_alive_now(void);

/*
 * Memory of the caller that the code in question gets, on the host or on the device. Findings name it. A copy
 * that begins in or near such an array of the host and leaves it is a finding, and fails. `name` is kept, not copied. cucc_no_arrays forgets all.
 */
void cucc_array(const void *start, size_t bytes, const char *name);
void cucc_no_arrays(void);

/* What a caller who waits like this still finds undone. */
enum { CUCC_NO_WAIT, CUCC_WAIT_DEFAULT, CUCC_WAIT_BLOCKING };
/*
 * Waits for nothing, for the default stream, or also for the blocking streams, whose work comes before the
 * next operation in the default stream. Returns how many operations are left. It does not count as a
 * synchronisation.
 */
size_t cucc_undone(int wait);

/*
 * Compiling at run time (NVRTC) for a process that may not run a compiler, over a stream socket. Only in
 * programs that are linked with -lnvrtc and use it.
 */
/* In that process: from now on nvrtcCompileProgram asks the other end of this socket. -1: it compiles itself. */
void cucc_compile_through(int descriptor);
typedef struct cucc_compile_limits {
  int seconds;      /* of the processor for one text; 5 times as long by the clock */
  int count;        /* different texts in all */
  const char *look; /* a program that refuses texts and objects (cucc.d/module), or NULL */
} cucc_compile_limits;
/* In the other, when its end can be read: answers one request, which may be hostile, or the same as before from
 * memory. Returns 0, or -1: the socket is of no more use. */
int cucc_compile_serve(int descriptor, const cucc_compile_limits *limits);
/* There, too: the text of the modules that were given out since the last call of this function, after a
 * line for each macro of its options. NULL: none, or several different texts; "": a long one. */
const char *cucc_compiled_text(void);

/*
 * Ranks of NCCL that are processes without sockets of their own. Only in programs that are linked with -lnccl and use
 * it. A process in which no rank runs has a stream socket to each rank.
 */
/* In that process: makes an id for ranks at the other ends of these sockets, and serves them in a thread. `id` has
 * 128 bytes. Returns 0, or -1. */
int cucc_nccl_hub(const int *sockets, int count, void *id);
/* In a rank: the next communicator that this process joins uses this socket. */
void cucc_nccl_link(int socket);

/*
 * One step of the modelled timeline. NOT a measurement: a small, deterministic model of a GPU with one copy
 * engine for each direction, a link for each direction and one kernel engine per device, whose constants are in runtime/timeline.c.
 */
typedef struct cucc_activity {
  int kind;                /* 0 host to device, 1 device to host, 2 within the device, 3 memset, 4 kernel */
  int device;              /* whose engines did it; of a copy between devices, the one that it comes from */
  int to_device;           /* of a copy between devices, the other one; else -1 */
  int stream;              /* small number in order of creation, 0 = the device's default stream */
  double start_us, end_us; /* since the last cucc_reset, modelled */
  size_t bytes;            /* of a copy or memset */
  int pinned;              /* of a copy: the host's side is page-locked */
  char name[48];           /* of a kernel, else the call's */
  char file[64];           /* where it was asked for; of calls from plain C without line information: "" */
  int line;
} cucc_activity;

/* From now on a call takes the modelled host so many microseconds. With 0 no device ever waits for work that was
 * not asked for yet, as with large kernels; negative: the usual time. */
void cucc_call_time(double us);

/* Writes the first `capacity` activities in the order of their issue; returns how many there are. */
size_t cucc_timeline(cucc_activity *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
