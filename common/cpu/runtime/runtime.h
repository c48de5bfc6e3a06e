/*
 * The runtime's inner interface: what its files know of each other.
 *
 *   host calls          memory.c stream.c event.c copy.c launch.c device.c properties.c error.c
 *        | queue operations, each with the clock of all that must come before it
 *        v
 *   engine.c            one thread, made at the first call, that runs ready operations
 *        | kernels
 *        v
 *   pool.c block.c      blocks spread over a few threads; within a block, CUDA threads are fibers
 *
 *   work.c              what the libraries beside the runtime (../libraries) queue
 *   findings.c places.c counters.c timeline.c json.c      what was seen, and where
 *   shadow.c check.c hooks.c shared.c bounds.c            the checker (checked build only, see check.h)
 *
 * One mutex, cucc.lock, guards everything that host calls and the engine share. Kernels run without it.
 */
#ifndef CUCC_RUNTIME_H
#define CUCC_RUNTIME_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"

#ifndef CUCC_CHECKED
#define CUCC_CHECKED 0
#endif

#define DEVICES_MAX 8 /* of CUCC_DEVICES */

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Where the host's call came from: for the places in reports. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* ------------------------------------------------------------------ options.c: the environment, read once */

enum order { ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM };
enum tool { TOOL_MEM, TOOL_RACE, TOOL_INIT, TOOL_SYNC, TOOL_LEAK, TOOL_COUNT };
enum profile { PROFILE_OFF, PROFILE_TEXT, PROFILE_JSON };

struct options {
  unsigned checks; /* bit per tool */
  enum order order;
  uint64_t seed;
  int devices, workers;
  double kernel_limit; /* seconds without the end of a block; 0: none */
  char fail_call[64];
  int fail_at; /* the which-th call of fail_call fails; 0: none */
  enum profile profile;
  char profile_file[256]; /* empty: standard error */
};
const struct options *options(void);
/* A well-mixed function of (seed, n): all the randomness there is, so that a seed repeats a run. */
uint64_t random_of(uint64_t n);

/* ------------------------------------------------------------------ clock.c: what comes before what */

/* A vector clock: for each stream slot, how many of its operations come before. `us` is the same in the
 * modelled time of timeline.c: when all of them have ended. A zeroed struct is the empty clock. */
struct clock {
  uint32_t count;
  uint64_t *at;
  double us;
};
void clock_join(struct clock *into, const struct clock *other);
void clock_set(struct clock *c, uint32_t slot, uint64_t seq);
void clock_free(struct clock *c);
static inline uint64_t clock_get(const struct clock *c, uint32_t slot) {
  return slot < c->count ? c->at[slot] : 0;
}
/* All of `other` is in c. */
bool clock_covers(const struct clock *c, const struct clock *other);

/* ------------------------------------------------------------------ operations and streams */

enum op_kind { OP_COPY, OP_FILL, OP_KERNEL, OP_EVENT, OP_HOST, OP_WORK, OP_ALLOCATE, OP_FREE };

/* The rows of a copy or fill; height 0: one row of all bytes. Pitches and slices in bytes. */
struct rows {
  size_t width, height, depth;
  size_t dst_pitch, dst_slice, src_pitch, src_slice;
};
static inline size_t rows_count(const struct rows *r) { return r->height ? r->height * r->depth : 1; }
/* Where row i begins, from the first one. */
static inline size_t rows_destination(const struct rows *r, size_t i) {
  return r->height ? i / r->height * r->dst_slice + i % r->height * r->dst_pitch : 0;
}
static inline size_t rows_source(const struct rows *r, size_t i) {
  return r->height ? i / r->height * r->src_slice + i % r->height * r->src_pitch : 0;
}
/* From the first row's begin to the last one's end. */
static inline size_t rows_span(const struct rows *r, size_t width, size_t pitch, size_t slice) {
  return r->height ? (r->depth - 1) * slice + (r->height - 1) * pitch + width : width;
}

struct launch;         /* block.h */
struct capture;        /* capture.c */
struct CUgraphNode_st; /* graph.h */
struct node_set {
  struct CUgraphNode_st **at;
  size_t count;
};
struct work; /* work.h */

struct op {
  enum op_kind kind;
  void (*run)(struct op *op); /* what the engine does when it is its turn; NULL: nothing */
  struct CUstream_st *stream;
  uint64_t seq, issue; /* place in its stream; place in the order of all operations */
  struct clock clock;  /* what must have ended before, this operation's stream included */
  uintptr_t site;      /* return address of the call that asked for it */
  const char *call;    /* its name */
  struct op *next;
  /* copy and fill */
  void *dst;
  const void *src;
  size_t bytes; /* of all rows */
  struct rows rows;
  int value;
  enum cudaMemcpyKind direction;
  bool pinned;
  void *staging;      /* the operation's own copy of pageable source memory */
  const void *origin; /* and where it was copied from */
  /* others */
  struct launch *launch;
  struct work *work; /* malloc'ed; of a library */
  struct CUevent_st *event;
  uint64_t recording;
  cudaHostFn_t function; /* of cudaLaunchHostFunc, or of cudaStreamAddCallback: */
  cudaStreamCallback_t callback;
  cudaStream_t handle;
  void *user_data;
  bool in_graph; /* asked for by a graph's launch, and not as its first */
};

struct CUstream_st {
  uint32_t slot;
  int device;
  int id;      /* small number in order of creation; 0 the default stream of each device */
  bool legacy; /* it is its device's default stream */
  unsigned flags;
  int priority;
  bool internal, destroyed;
  uintptr_t site, destroyed_site;
  unsigned epoch;     /* of cucc_reset, for leaks */
  struct clock clock; /* everything asked of this stream up to now */
  uint64_t issued, completed;
  struct op *first, *last;
  struct capture *capture; /* it is being captured: */
  struct node_set tail;    /* what its next operation has to follow */
  struct CUstream_st *next;
};

struct CUevent_st {
  int device;
  unsigned flags;
  uintptr_t site, destroyed_site;
  unsigned epoch;
  bool recorded, destroyed;
  uint64_t recordings, reached; /* a later record replaces an earlier one */
  struct clock clock;           /* of the last record */
  double time_ms;               /* when the engine reached it */
  uint64_t capture;             /* the last record was captured, by this one: */
  struct node_set point;        /* what whoever waits for the event has to follow */
  struct CUevent_st *next;
};

/* ------------------------------------------------------------------ the one shared state */

struct state {
  pthread_mutex_t lock;
  pthread_cond_t work, done; /* engine: something to do; hosts: something ended */
  bool started;
  int pid;
  cudaError_t sticky; /* of the kernel that faulted on this device: */
  int faulty_device;
  struct CUstream_st *streams; /* in order of creation */
  struct CUevent_st *events;
  struct clock host; /* what the host has waited for */
  /* of each device, the last work in its default stream: later work of blocking streams waits for it */
  struct clock legacy[DEVICES_MAX];
  struct clock wanted; /* what hosts are waiting for right now: run first */
  int waiters;
  bool kicked; /* somebody polls: run all there is */
  uint64_t issued, pending;
  double last_call_ms, last_call_cpu_ms; /* wall clock, and the process's processor time */
  unsigned epoch;                        /* number of cucc_reset calls */
};
extern struct state cucc;

/* Entry of every runtime call: reads options, refuses after a fork, gives the sticky error, injects
 * CUCC_FAIL. */
cudaError_t cucc_enter(const char *call);
/* A kernel or a library's work on a device faulted. With cucc.lock held, or by the engine. */
void cucc_fault(cudaError_t error, int device);
/* What each call on the chosen device gives since then; cudaSuccess: nothing has faulted. */
cudaError_t cucc_after_fault(void);
/* Records the calling thread's last error and returns it. */
cudaError_t cucc_fail(cudaError_t error);
double now_ms(void);
/* error_names.c: for a number that is no error "unrecognized error code". */
const char *error_name(cudaError_t error);
const char *error_text(cudaError_t error);

/* ------------------------------------------------------------------ engine.c */

/* Makes the engine's thread, unless there is one. With cucc.lock held; false: the system gives none. */
bool engine_start(void);
/* Both with cucc.lock held. Queues op (malloc'ed, now the engine's) in its stream. */
void engine_queue(struct op *op);
/* Adds what an operation that is asked of the stream now has to follow. */
void engine_join_order(struct clock *clock, const struct CUstream_st *s);
/* The host made a call: it is not idle. */
void engine_host_active(void);
/* Waits until everything in `target` has run, and notes that the host knows. */
void engine_wait(const struct clock *target);
/* True when all of `target` has run; polling makes the engine work. */
bool engine_reached(const struct clock *target);
/* The clock of everything asked of any stream so far, added to `all`. */
void stream_join_all(struct clock *all);
/* The same for the streams of one device. */
void stream_join_device(struct clock *all, int device);
/* Makes a stream; an internal one is the runtime's own and no leak. */
struct CUstream_st *stream_new(int device, unsigned flags, int priority, bool internal, uintptr_t site);
/* Finds the stream of a handle for a call, or gives the error why it must not be used so, which the checked
 * build reports (but of a launch: the caller does). With cucc.lock held. */
enum use {
  USE_LOOK,  /* asks or destroys */
  USE_QUEUE, /* queues an operation */
  USE_WAIT,  /* waits for it */
  USE_LAUNCH /* queues a kernel: the stream must be the current device's */
};
cudaError_t stream_use(const char *call, cudaStream_t handle, enum use use, struct CUstream_st **stream,
                       uintptr_t site);
/* Both at once, for a call that begins so: takes the lock; on an error it is not held. */
cudaError_t stream_enter(const char *call, cudaStream_t handle, enum use use, struct CUstream_st **stream,
                         uintptr_t site);
/* cudaLaunchHostFunc for a call of this name. */
cudaError_t stream_queue_host(const char *call, cudaStream_t stream, cudaHostFn_t function, void *user_data,
                              uintptr_t site);
/* Where the function that runs now on this thread was given to a stream; 0: none runs. */
extern __thread uintptr_t cucc_callback;

/* ------------------------------------------------------------------ capture.c, graph.c; with cucc.lock held
 */

/* Whether a call may be made while streams are captured, by its name; whether a stream may be used so. */
cudaError_t capture_enter(const char *call);
cudaError_t capture_use(const char *call, struct CUstream_st *s, enum use use);
/* An operation of a stream that is being captured. */
void capture_take(struct op *op);
/* An event is recorded in a stream: true when that is part of a capture. */
bool capture_record(struct CUevent_st *e, struct CUstream_st *s);
/* A stream waits for an event, one of which is being captured. */
cudaError_t capture_wait(struct CUstream_st *s, const struct CUevent_st *e);
/* The host asks for an event whose last record was captured, and so is never reached. */
cudaError_t capture_ask(const struct CUevent_st *e);
void capture_destroyed(struct CUstream_st *s);
void graph_each_leak(void (*leak)(const char *what, const char *call, uintptr_t site));

/* ------------------------------------------------------------------ device.c */

/* The device that the calling thread has chosen. */
int device_current(void);
bool device_exists(int device);
/* Kernels on device `from` may touch the memory of device `to`: the same, or peer access is enabled. */
bool device_peer_allowed(int from, int to);
#define PRIORITY_LEAST    0 /* of streams; the greatest is the smallest number, as in CUDA */
#define PRIORITY_GREATEST (-5)
/* What cudaDeviceSetLimit has set, or its default; 0 for a limit that there is not. */
size_t device_limit(int device, enum cudaLimit limit);

/* ------------------------------------------------------------------ symbol.c: variables of the device */

enum variable_kind { VARIABLE_DEVICE, VARIABLE_CONSTANT, VARIABLE_MANAGED };

struct device_variable {
  enum variable_kind kind;
  uintptr_t start;
  size_t size;
  const char *name;
  bool given; /* cudaGetSymbolAddress was asked for its address */
};

/* The variable at an address of the program, or the nearest one before it in its section; false when the
 * address lies in no section of device variables. Any thread may ask. */
bool symbol_find(uintptr_t address, struct device_variable *found);
bool symbol_is_variable(uintptr_t address);
/* The same for an address in the arena, where a device's values are kept. */
bool symbol_find_place(uintptr_t place, struct device_variable *found);
/* Where in the arena the device keeps the value of what the program has at this address; 0: nowhere, as it is
 * no __device__ or __constant__ variable or there is no memory. */
uintptr_t symbol_place(uintptr_t address, int device);
/* Around a kernel, by the engine: the device's values come to where the program has its variables, and go. */
void symbols_enter(int device);
void symbols_leave(int device);

/* ------------------------------------------------------------------ arena.c, memory.c */

enum space { SPACE_DEVICE, SPACE_PINNED, SPACE_REGISTERED, SPACE_VARIABLE, SPACE_MANAGED };

struct allocation {
  uintptr_t start;
  size_t size;
  enum space space;
  bool freed;
  int device;
  unsigned flags, epoch;
  uintptr_t site, freed_site;
  const char *call;
  uint64_t freed_number;           /* the how many-th that was freed */
  uint32_t made_slot;              /* cudaMallocAsync: its place in a stream */
  uint64_t made_seq;               /* 0: made by another call */
  uint64_t free_issue;             /* cudaFreeAsync was asked for; its place among all operations */
  struct device_variable variable; /* with SPACE_VARIABLE: which one */
};

/* All memory but the registered has fixed places, so that a pointer's kind is two comparisons. */
#define ARENA_BASE   ((uintptr_t)0x200000000000)
#define DEVICE_SIZE  ((size_t)1 << 38) /* the devices share it evenly */
#define PINNED_BASE  (ARENA_BASE + DEVICE_SIZE)
#define PINNED_SIZE  ((size_t)1 << 36)
#define MANAGED_BASE (PINNED_BASE + PINNED_SIZE)
#define MANAGED_SIZE ((size_t)1 << 36)
#define ARENA_SIZE   (DEVICE_SIZE + PINNED_SIZE + MANAGED_SIZE)
static inline bool is_device(uintptr_t a) { return a - ARENA_BASE < DEVICE_SIZE; }
static inline bool is_managed(uintptr_t a) { return a - MANAGED_BASE < MANAGED_SIZE; }
static inline bool in_arena(uintptr_t a) { return a - ARENA_BASE < ARENA_SIZE; }

/* Copies the allocation, live or freed, that contains `address`, or in the arena the one closest to it, to
 * *found; false when there is none. Takes no lock but its own: kernels may ask. */
bool memory_find(uintptr_t address, struct allocation *found);
/* The same for a live allocation that holds all of [address, address + size). */
bool memory_contains(uintptr_t address, size_t size, struct allocation *found);
/* The device whose memory an address is in, -1 for the host's and managed memory. */
int memory_device_of(uintptr_t address);
/* True when all of [address, address + size) is page-locked. */
bool memory_pinned(uintptr_t address, size_t size);
/* The allocation has its place before an operation with this clock: always, but for cudaMallocAsync. */
static inline bool memory_made_before(const struct allocation *a, const struct clock *c) {
  return !a->made_seq || clock_get(c, a->made_slot) >= a->made_seq;
}
/* "device memory", for reports. */
const char *memory_name(enum space space);
size_t memory_live(enum space space);
size_t memory_live_on(int device);
void memory_each(void (*visit)(const struct allocation *a, void *context), void *context);
/* Bytes of the made-up device. */
size_t memory_total(void);

/* ------------------------------------------------------------------ counters.c, timeline.c */

enum counter {
  COUNT_DEVICE_ALLOCATIONS,
  COUNT_PINNED_ALLOCATIONS,
  COUNT_STREAMS,
  COUNT_EVENTS,
  COUNT_SYNCHRONISATIONS,
  COUNTERS
};
void count(enum counter which);
/* An operation was queued. With cucc.lock held. */
void count_operation(const struct op *op);
void counters_reset(void);
struct text;
/* Adds a line for each way of copying that was used. */
void count_copies_text(struct text *t);
/* Models the operation: reads and advances op->clock.us. With cucc.lock held. */
void timeline_add(struct op *op);

void timeline_reset(void);

/* ------------------------------------------------------------------ needed.c */

/* Takes what malloc, realloc or strdup gave, and gives it back; where it is NULL the program ends, and says
 * so. For records whose absence cannot be told to the caller. */
void *needed(void *memory) __attribute__((returns_nonnull));

/* ------------------------------------------------------------------ json.c: text that grows */

struct text {
  char *at;
  size_t length, room;
};
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As a JSON string with quotes; null when s is NULL. */
void text_string(struct text *t, const char *s);
/* Copies to the caller's buffer, frees, and returns the size needed. */
size_t text_give(struct text *t, char *buffer, size_t size);

/* ------------------------------------------------------------------ places.c */

struct place {
  char file[256];
  int line; /* 0: unknown */
};
/* The source line of the instruction before a return address; the learner's, where our headers were inlined.
 */
struct place place_of(uintptr_t return_address);

#endif
