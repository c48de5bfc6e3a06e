/*
 * device/device.h: the device that a program uses. One of two implementations is linked: device_cuda.c (an
 * NVIDIA GPU, or common/cpu when compiled with -DWB_CPU_BACKEND) or device_host.c (plain C lessons). The
 * parent may call only the first group. Everything else opens the device, so it runs in a worker (or, with
 * --once, in the only process).
 */
#ifndef WB_DEVICE_H
#define WB_DEVICE_H

#include "wb.h"
#include "model/timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- For the parent: nothing here touches the device ---- */

/* "cuda", "cpu" or "host". */
const char *wb_device_backend(void);

/* Why this backend measures no time, NULL where it does. */
const char *wb_device_no_timing(void);

/* Seconds that a call may take unless WB_TIME_LIMIT says otherwise. */
int wb_device_time_limit(void);

/*
 * Seconds that the timing of one task may take unless WB_TIME_BUDGET says otherwise. A GPU serves one
 * program at a time. On a processor a learner waits, so a lesson's tasks together should take at most ten
 * seconds.
 */
double wb_device_time_budget(void);

/* Whether the program compiles texts while it runs (NVRTC on the CPU backend). A worker may not: it sends them
 * to the parent, over a socket whose other end serves one request at a time. Returns 0, or -1 when the socket
 * is of no more use. */
bool wb_device_compiles(void);
int wb_device_compile_serve(int socket);

/* The text that was compiled since the last call of this function; NULL: none, or several. */
const char *wb_device_compiled_text(void);

/* Whether ranks can be processes that have no sockets of their own (NCCL on the CPU backend). Then one that runs no
 * rank has a stream socket to each: it makes the id of 128 bytes, and serves them in a thread. Returns 0, or -1. */
bool wb_device_has_ranks(void);
int wb_device_serve_ranks(const int *sockets, int count, void *id);

/* ---- For the worker ---- */

/* This process is a rank, and this its socket. */
void wb_device_is_rank(int socket);

/* Sends the texts that NVRTC shall compile over this socket. */
void wb_device_compile_through(int socket);

/* Before the device is opened: from now on as many threads as on any other machine. One runs the blocks of a
 * kernel (CPU backend); three run the learner's parallel loops (plain C). */
void wb_device_steady(void);

/* Before the device is opened: on the CPU backend there are so many, unless CUCC_DEVICES says another number. */
void wb_device_virtual(int devices);

/* Device memory for WB_DEVICE arrays. All return 0 or an error code of the backend. `bytes` may be 0. */
int wb_device_allocate(void **pointer, size_t bytes);
int wb_device_free(void *pointer);
int wb_device_copy_in(void *device, const void *host, size_t bytes);
/* Copies the first `period` bytes of an array over and over to the rest of its `bytes`. */
int wb_device_repeat(void *device, size_t period, size_t bytes);
int wb_device_copy_out(void *host, const void *device, size_t bytes);
int wb_device_poison(void *device, size_t bytes); /* bytes 0xFF */

/* Page-lock host memory, and undo that. `bytes` > 0. */
int wb_device_pin(void *host, size_t bytes);
int wb_device_unpin(void *host);

/* Waits until the device is idle. Returns 0 or the error that its work ended with. */
int wb_device_wait(void);

/* Overwrites a buffer twice as large as the device's last cache, so that the next call finds the cache
 * cold. Waits until it is done. */
int wb_device_flush(void);

/* An error code's name ("cudaErrorInvalidValue", "cudaSuccess", "0") and text; borrowed. */
const char *wb_device_error_name(int error);
const char *wb_device_error_text(int error);

/* What failed in a call, and why, as far as the backend knows: see cucc_origin in cpu/include/cucc.h. */
typedef struct wb_origin {
  bool known;
  char call[480], place[280], reason[640];
} wb_origin;
/* What failed with this error, or with any (0), in the last wb_device_call. Only the CPU backend knows. */
void wb_device_failed_with(int error, wb_origin *origin);

/* The caller's arrays, for the CPU backend: findings name them, and copies that leave one of the host's fail;
 * forgets all of them. */
void wb_device_given(const void *array, size_t bytes, const char *name);
void wb_device_no_arrays(void);

/* Lets the `number`-th of the calls that may fail (allocations, copies, launches, waits) fail in the next call;
 * 0: none. and_later: later waits of the same thread, too, with another error. On the CPU backend only. */
void wb_device_fail(int number, bool and_later);
/* The name of one of those calls: "cudaMalloc", or "". */
const char *wb_device_failing_call(int number);

/* Operations that are not done when the function has returned, after what `done` lets its caller wait for.
 * 0 except on the CPU backend. */
size_t wb_device_undone(wb_done done);

/* As cucc_past of common/cpu. Elsewhere false. */
bool wb_device_past(const void *address, char *words, size_t size);

/* The launches of one call: how many, and their different shapes. */
#define WB_MOST_SHAPES 16
#define WB_MOST_IN_Y   65535 /* blocks of a grid, in z too */
typedef struct wb_shape_of_launch {
  unsigned grid[3], block[3];
  uint64_t given_calls; /* by launches of this shape, of the function that a header gives */
} wb_shape_of_launch;
typedef struct wb_launched {
  int known; /* 0: on this backend they are not */
  size_t launches, shapes;
  size_t allocations;   /* of device and pinned memory */
  size_t copies_back;   /* from a device to the host */
  uint64_t given_calls; /* by all launches */
  wb_shape_of_launch shape[WB_MOST_SHAPES];
} wb_launched;

/* What one call did. */
typedef struct wb_call_figures {
  int status;        /* what it returned */
  int pending_error; /* a pending error: neither returned nor read; 0: none */
  int wait_error;    /* what the wait for the device returned afterwards */
  double wall_ms;    /* call and wait, by the wall clock */
  double event_ms;   /* between two events around the call; -1 where there are none */
  double cpu_ms;     /* time of all cores in it */
  int threads;       /* of the host that did its work (base/cpu_time.h) */
  int may_fail;      /* how many of its calls could have failed (wb_device_fail) */
  int injected;      /* the error with which one of them did; 0: none */
  int final;         /* there is no other way to the answer: the error must be returned */
  char left[64];     /* allocated or created, and left so: "4000 bytes of device memory"; "": nothing */
  int64_t heap;      /* bytes of host memory that it left allocated */
  int device;        /* that it left as the current one, if that was another one before; -1: it was not */
  wb_launched launched;
} wb_call_figures;

/* Calls, waits, times. `returned`, if not NULL, is called before the wait. */
void wb_device_call(int (*call)(const wb_case *c), const wb_case *c, void (*returned)(void),
                    wb_call_figures *figures);

/* Bytes of device memory in use by this process, as exactly as the backend knows them; 0 when it doesn't. */
uint64_t wb_device_used_bytes(void);
/* Whether that is exact to the byte (common/cpu) or comes in pages (a GPU's driver). */
bool wb_device_used_is_exact(void);

/* ---- What the backend recorded of the learner's code; strings are JSON ---- */

/* Threads, blocks and streams of the calls from now on run in reverse order, or again in the usual one. Does
 * nothing where the hardware chooses. */
void wb_device_reverse(bool reverse);

/* In the calls from now on these parts do nothing, 0: all do again (cucc_without). On the CPU backend. */
typedef enum wb_without {
  WB_KERNELS = 1,
  WB_PRODUCTS = 2,
  WB_HOST_ACCESS = 8,
  WB_DEVICE_0 = 16,       /* kernels of device 0; 32: of device 1, and so on */
  WB_BESIDE_COPIES = 4096 /* kernels that run while data travels between their device and another */
} wb_without;
void wb_device_without(int parts);

/* In the calls from now on these numbers count as 0 (cucc_zeros). On the CPU backend. */
void wb_device_zeros(const wb_window *zeros);

/* From now on device 0 is of this compute capability, in tenths. On the CPU backend. */
void wb_device_capability(int tenths);

/* Starts recording counters and activities; findings go on being collected. */
void wb_device_trace_begin(void);

/*
 * Ends it. Writes a JSON object of counters ("{}" where there are none), up to `capacity` activities, their
 * number, the source of the times and, without a timeline, the reason.
 */
void wb_device_trace_end(char *counters, size_t counters_size, wb_activity *list, size_t capacity,
                         size_t *count, wb_source *source, char *reason, size_t reason_size);

/* The findings of this process so far, as a JSON array; "[]" where the backend checks nothing. */
void wb_device_findings(char *findings, size_t size);

/* CPU backend: from begin to end a few blocks of each kernel run, on arrays of any size, and their accesses
 * outside of these become warnings that begin with the words. Too few calls of the function that a header gives
 * become one, too: `calls` are needed in all; 0: any number will do. Elsewhere nothing. */
void wb_device_reach_begin(const char *words, uint64_t calls);
/* After a call between the two: an array whose end no kernel touched becomes a warning. Returns up to which element
 * they did, about, or `count`. */
size_t wb_device_reached(const void *array, const char *name, size_t count, size_t bytes);
void wb_device_reach_end(void);

/* Looks for memory that the learner's code allocated and never freed, and adds findings. The harness must
 * have freed its own. */
void wb_device_check_leaks(void);

#ifdef __cplusplus
}
#endif
#endif
