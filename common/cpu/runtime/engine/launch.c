/* Launches: checks that the configuration is possible, and puts a copy of it into the stream's queue. */
#include "engine/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error_names.h"
#include "base/occupancy.h"
#include "base/places.h"
#include "state/device.h"
#include "state/failed.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/arena.h"
#include "memory/values.h"
#include "checker/epochs.h"
#include "checker/refused.h"
#include "blocks/run.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/stream.h"

struct allowance *launch_allowances;
pthread_mutex_t allowances_lock = PTHREAD_MUTEX_INITIALIZER;

size_t launch_shared_limit(const void *function) {
  pthread_mutex_lock(&allowances_lock);
  size_t limit = SHARED_DEFAULT;
  for (const struct allowance *a = launch_allowances; a; a = a->next)
    if (a->function == function) limit = a->bytes;
  pthread_mutex_unlock(&allowances_lock);
  return limit;
}

/* `ns::scan<float, 256>` is called scan. */
static void plain_name(char *out, size_t size, const char *written) {
  const char *end = written + strcspn(written, "< "), *start = end;
  while (start > written && start[-1] != ':') start--;
  snprintf(out, size, "%.*s", (int)(end - start), start);
}

/* An unknown name may be a macro's or a variable's: it gets the most that was allowed. */
static size_t limit_of_name(const char *written) {
  char name[96];
  size_t limit = 0, most = SHARED_DEFAULT;
  bool known = strchr(written, '<') != NULL;
  plain_name(name, sizeof name, written);
  for (const struct cucc_kernel *k = cucc_kernels; k; k = k->next) known = known || !strcmp(k->name, name);
  pthread_mutex_lock(&allowances_lock);
  for (const struct allowance *a = launch_allowances; a; a = a->next) {
    if (a->bytes > most) most = a->bytes;
    if (!*a->name) known = false; /* this one may be meant */
    if (!strcmp(a->name, name) && a->bytes > limit) limit = a->bytes;
  }
  pthread_mutex_unlock(&allowances_lock);
  if (limit) return limit;
  return known ? SHARED_DEFAULT : most;
}

/* ------------------------------------------------------------------ launches */

/* Why a GPU refuses this launch (with cudaErrorInvalidValue: CUDA 13 on an H200; older toolkits said 9). */
struct refusal {
  char reason[160];
  const char *cause;
};

/* Why so many threads in a block: one block was to do all the work, or the two values are exchanged. */
static const char *many_threads_cause(uint3 grid) {
  return (double)grid.x * grid.y * grid.z == 1
             ? "one block cannot do all elements: launch many blocks of 256 threads, <<<(n + 255) / 256, "
               "256>>>"
             : "the first value in <<< >>> is the number of blocks, the second the number of threads in each "
               "block: are they exchanged?";
}

static const char *long_grid_cause(uint3 grid) {
  return grid.x > 0x7fffffffu || grid.y > 0x7fffffffu || grid.z > 0x7fffffffu
             ? "a number of blocks above 2147483647: was it computed as negative, which is huge as an "
               "unsigned number? Or are there so few threads in a block that too many blocks are needed?"
             : "only x may have more than 65535 blocks: let x run along the long side, or launch fewer "
               "blocks "
               "and let each thread do several elements in a loop";
}

static bool possible(const struct cucc_launch_request *r, struct refusal *why) {
  const uint3 g = r->grid, b = r->block;
  const double threads = (double)b.x * b.y * b.z;
  char *const reason = why->reason;
  const size_t room = sizeof why->reason,
               limit = r->function ? launch_shared_limit(r->function) : limit_of_name(r->name);
  if (!g.x || !g.y || !g.z) {
    snprintf(reason, room, "a grid of (%u,%u,%u) blocks, at least one block is needed", g.x, g.y, g.z);
    why->cause =
        "a number of blocks that is rounded down, as n / 256, is 0 for a small n: round it up, as in "
        "(n + 255) / 256. Rounded up it is 0 for 0 elements alone: launch nothing where there is nothing to "
        "do "
        "(n = 0), and make no part of the work that has no elements";
  } else if (threads < 1) {
    snprintf(reason, room, "blocks of (%u,%u,%u) threads, at least one thread is needed", b.x, b.y, b.z);
    why->cause = "the number of threads in a block, the second value in <<< >>>, was computed as 0";
  } else if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) {
    snprintf(reason, room, "a grid of (%u,%u,%u) blocks, (2147483647,65535,65535) are possible", g.x, g.y,
             g.z);
    why->cause = long_grid_cause(g);
  } else if (threads > MAX_THREADS) {
    snprintf(reason, room, "%.0f threads per block, %d are possible", threads, MAX_THREADS);
    why->cause = many_threads_cause(g);
  } else if (b.z > 64) {
    snprintf(reason, room, "%u threads in z, 64 are possible", b.z);
    why->cause = "the long side of the block belongs into x";
  } else if (r->shared_bytes > limit) {
    snprintf(reason, room, "%zu bytes of dynamic shared memory, %zu are possible", r->shared_bytes, limit);
    why->cause = "more than 48 KiB must be requested: cudaFuncSetAttribute(kernel, "
                 "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)";
  } else
    return true;
  return false;
}

/* Blocks that shall wait for each other must all be on the device at once. */
static bool fits_at_once(const struct cucc_launch_request *r) {
  const int threads = (int)(r->block.x * r->block.y * r->block.z);
  return (uint64_t)r->grid.x * r->grid.y * r->grid.z <=
         (uint64_t)multiprocessors() * (unsigned)occupancy_blocks(threads, r->shared_bytes);
}

static void launch_execute(struct op *op) {
  check_launch_begin(op);
  symbols_enter(op->launch->device);
  pool_run(op->launch);
  symbols_leave(op->launch->device);
  check_launch_end(op);
  if (op->launch->error) cucc_fault(op->launch->error, op->launch->device, op);
}

/* The launch and its operation, not yet queued; NULL when there is no memory for them. */
static struct op *prepare(const struct cucc_launch_request *r, const void *closure, size_t size,
                          uintptr_t site) {
  struct launch *l = calloc(1, sizeof *l);
  struct op *op = calloc(1, sizeof *op);
  if (l) {
    *l = (struct launch){.line = r->line,
                         .grid = r->grid,
                         .block = r->block,
                         .shared_bytes = r->shared_bytes,
                         .run = r->run,
                         .flags = r->flags,
                         .name = strdup(r->name),
                         .file = strdup(r->file),
                         .closure = aligned_alloc(64, (size + 63) & ~(size_t)63),
                         .closure_size = size,
                         .blocks = (uint64_t)r->grid.x * r->grid.y * r->grid.z,
                         .threads = (int)(r->block.x * r->block.y * r->block.z),
                         .op = op};
  }
  if (!op || !l || !l->name || !l->file || !l->closure) {
    launch_free(l);
    free(op);
    return NULL;
  }
  memcpy(l->closure, closure, size);
  *op = (struct op){.kind = OP_KERNEL, .run = launch_execute, .call = l->name, .site = site, .launch = l};
  return op;
}

/* The launch was refused. Where the program got the error as a value, it may have used it, so nothing is
 * reported. */
static void tell(const struct cucc_launch_request *r, const struct refusal *why) {
  char sentence[200];
  snprintf(sentence, sizeof sentence, "it was refused: %s", why->reason);
  failed_because(sentence, why->cause);
  if (!(r->flags & CUCC_RETURNS)) check_bad_launch(r->name, why->reason, why->cause, r->file, r->line);
}

/* Refused because of its stream: one of another device, none (NULL), or one being captured. */
static void tell_stream(const struct cucc_launch_request *r, const struct CUstream_st *s, cudaError_t error) {
  struct refusal why = {.cause = "a stream destroyed before its last use, or the handle of another variable"};
  if (!s)
    snprintf(why.reason, sizeof why.reason, "its stream does not exist, or no longer exists");
  else if (error != cudaErrorInvalidResourceHandle) {
    snprintf(why.reason, sizeof why.reason, "%s", error_text(error));
    why.cause = "a launch without its stream, or in one that another part of the program captures";
  } else {
    snprintf(why.reason, sizeof why.reason, "its stream is of device %d, the current device is %d", s->device,
             device_current());
    why.cause =
        "no cudaSetDevice before the launch: a kernel runs on the current device, and its stream must "
        "be of that device";
  }
  tell(r, &why);
}

static const char *call_of(unsigned flags) {
  return flags & CUCC_COOPERATIVE ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel";
}

static cudaError_t launch(const struct cucc_launch_request *r, const void *closure, size_t size,
                          uintptr_t site) {
  cudaError_t error = cucc_enter(call_of(r->flags));
  if (error) return error;
  failed_launching(r->name, r->grid, r->block, r->file, r->line);
  struct refusal why;
  if (!possible(r, &why)) {
    tell(r, &why);
    return cucc_fail(cudaErrorInvalidValue);
  }
  if ((r->flags & CUCC_COOPERATIVE) && !fits_at_once(r)) {
    failed_because("a cooperative launch needs all of its blocks on the device at once", NULL);
    return cucc_fail(cudaErrorCooperativeLaunchTooLarge);
  }
  struct op *op = prepare(r, closure, size, site);
  if (!op) return cucc_fail(cudaErrorMemoryAllocation);
  pthread_mutex_lock(&cucc.lock);
  error = stream_use(op->call, r->stream, USE_LAUNCH, &op->stream, op->site);
  if (!error) engine_queue(op); /* op is the engine's from here on */
  pthread_mutex_unlock(&cucc.lock);
  if (!error) return cudaSuccess;
  tell_stream(r, op->stream, error);
  launch_free(op->launch);
  free(op);
  return cucc_fail(error);
}

cudaError_t cucc_launch(const struct cucc_launch_request *r, const void *closure, size_t size) {
  return launch(r, closure, size, CALLER);
}

/* What an entry of a launch's arguments is when it is no pointer to `size` bytes of the host; else NULL. */
static const char *no_pointer(const void *entry, size_t size) {
  const uintptr_t at = (uintptr_t)entry, page = at & ~(uintptr_t)4095;
  if (at < 4096) return entry ? "a number" : "NULL";
  if (is_device(at)) return "a pointer into device memory";
  if (msync((void *)page, at + size - page, MS_ASYNC) && errno == ENOMEM) return "a number or a bad address";
  return NULL;
}

cudaError_t cucc_arguments(const char *name, int count, const size_t *sizes, void *const *arguments,
                           const char *file, int line) {
  if (count && !arguments) return cucc_fail(cudaErrorInvalidValue);
  for (int i = 0; i < count; i++) {
    const char *what = no_pointer(arguments[i], sizes[i]);
    if (!what) continue;
    check_bad_argument(name, i, what, file, line);
    return cucc_fail(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

/* A launch by address. Its line is that of the call, or without debugging information the kernel's. */
cudaError_t launch_by_address(const void *function, dim3 grid, dim3 block, void **arguments,
                              size_t shared_bytes, cudaStream_t stream, unsigned flags, uintptr_t site) {
  failed_enter(call_of(flags));
  const struct cucc_kernel *k = function ? cucc_kernel_of(function) : NULL;
  for (const struct cucc_kernel *known = k ? NULL : cucc_kernels; known; known = known->next)
    if (known == function) function = (k = known)->function; /* a cudaKernel_t */
  if (!k) return cucc_fail(function ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction);
  const struct place place = place_of(site);
  const char *file = place.line ? place.file : k->file;
  const int line = place.line ? place.line : k->line;
  cudaError_t error = cucc_arguments(k->name, k->parameters, k->parameter_sizes, arguments, file, line);
  if (error) return error;
  void *closure = aligned_alloc(64, (k->closure_size + 63) & ~(size_t)63);
  if (!closure) return cucc_fail(cudaErrorMemoryAllocation);
  k->pack(closure, k->function, arguments);
  const struct cucc_launch_request request = {.file = file,
                                              .line = line,
                                              .name = k->name,
                                              .grid = {grid.x, grid.y, grid.z},
                                              .block = {block.x, block.y, block.z},
                                              .shared_bytes = shared_bytes,
                                              .stream = stream,
                                              .run = k->run,
                                              .flags = flags | CUCC_RETURNS,
                                              .function = function};
  error = launch(&request, closure, k->closure_size, site);
  free(closure);
  return error;
}
