/* Launches: is the configuration possible, then a copy of it goes into the stream's queue. */
#include "block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static size_t shared_limit = SHARED_DEFAULT;

size_t launch_shared_limit(void) { return __atomic_load_n(&shared_limit, __ATOMIC_RELAXED); }

struct cucc_launch_request {
  const char *file, *name;
  int line;
  uint3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  void (*run)(const void *closure);
  unsigned flags; /* CUCC_COOPERATIVE */
  const void *function;
};
cudaError_t cucc_launch(const struct cucc_launch_request *request, const void *closure, size_t size);

struct cucc_kernel {
  const void *function;
  const char *name, *file;
  int line;
  void (*run)(const void *closure);
  size_t closure_size;
  void (*pack)(void *closure, void *const *arguments);
  int parameters;
  const size_t *parameter_sizes;
  struct cucc_kernel *next;
};
struct cucc_kernel *cucc_kernels; /* newest first; written before main and by dlopen */
void cucc_register_kernel(struct cucc_kernel *kernel);
const struct cucc_kernel *cucc_kernel_of(const void *function);

void cucc_register_kernel(struct cucc_kernel *kernel) {
  kernel->next = cucc_kernels;
  cucc_kernels = kernel;
}

const struct cucc_kernel *cucc_kernel_of(const void *function) {
  const struct cucc_kernel *k = cucc_kernels;
  while (k && k->function != function) k = k->next;
  return k;
}

/* Why a GPU refuses this launch (with cudaErrorInvalidValue: CUDA 13 on an H200; older toolkits said 9). */
struct refusal {
  char reason[128];
  const char *cause;
};

static bool possible(const struct cucc_launch_request *r, struct refusal *why) {
  const uint3 g = r->grid, b = r->block;
  const double threads = (double)b.x * b.y * b.z;
  char *const reason = why->reason;
  const size_t room = sizeof why->reason;
  if (!g.x || !g.y || !g.z) {
    snprintf(reason, room, "a grid of (%u,%u,%u) blocks", g.x, g.y, g.z);
    why->cause = "n / 256 is 0 for a small n: round up, (n + 255) / 256, and do not launch at all for n = 0";
  } else if (threads < 1) {
    snprintf(reason, room, "blocks of (%u,%u,%u) threads", b.x, b.y, b.z);
    why->cause = "grid and block in the wrong order, or a size that was computed as 0";
  } else if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) {
    snprintf(reason, room, "a grid of (%u,%u,%u) blocks, (2147483647,65535,65535) are possible", g.x, g.y,
             g.z);
    why->cause = "the long side of the problem belongs into x; or a negative number that became a huge one";
  } else if (threads > MAX_THREADS) {
    snprintf(reason, room, "%.0f threads per block, %d are possible", threads, MAX_THREADS);
    why->cause =
        "one block for all elements: use many blocks of 256 threads, <<<(n + 255) / 256, 256>>>; or grid "
        "and block in the wrong order";
  } else if (b.z > 64) {
    snprintf(reason, room, "%u threads in z, 64 are possible", b.z);
    why->cause = "the long side of the block belongs into x";
  } else if (r->shared_bytes > launch_shared_limit()) {
    snprintf(reason, room, "%zu bytes of dynamic shared memory, %zu are possible", r->shared_bytes,
             launch_shared_limit());
    why->cause = "more than 48 KiB must be asked for: cudaFuncSetAttribute(kernel, "
                 "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)";
  } else
    return true;
  return false;
}

cudaError_t cucc_launch(const struct cucc_launch_request *r, const void *closure, size_t size) {
  cudaError_t error = cucc_enter("cudaLaunchKernel");
  if (error) return error;
  struct refusal why;
  if (!possible(r, &why)) {
    check_bad_launch(r->name, why.reason, why.cause, r->file, r->line);
    return cucc_fail(cudaErrorInvalidValue);
  }
  struct launch *l = calloc(1, sizeof *l);
  *l = (struct launch){
      .line = r->line, .grid = r->grid, .block = r->block, .shared_bytes = r->shared_bytes, .run = r->run};
  l->name = strdup(r->name);
  l->file = strdup(r->file);
  l->closure = aligned_alloc(64, (size + 63) & ~(size_t)63);
  memcpy(l->closure, closure, size);
  l->closure_size = size;
  l->blocks = (uint64_t)r->grid.x * r->grid.y * r->grid.z;
  l->threads = (int)(r->block.x * r->block.y * r->block.z);
  struct op *op = calloc(1, sizeof *op);
  *op = (struct op){.kind = OP_KERNEL, .call = l->name, .site = CALLER, .launch = l};
  l->op = op;
  pthread_mutex_lock(&cucc.lock);
  error = stream_use(op->call, r->stream, USE_LAUNCH, &op->stream, op->site);
  if (!error) engine_queue(op); /* op is the engine's from here on */
  pthread_mutex_unlock(&cucc.lock);
  if (!error) return cudaSuccess;
  launch_free(l);
  free(op);
  return cucc_fail(error);
}

struct launch *launch_clone(const struct launch *from) {
  struct launch *l = memcpy(malloc(sizeof *l), from, sizeof *l);
  l->name = strdup(from->name);
  l->file = strdup(from->file);
  l->closure = aligned_alloc(64, (from->closure_size + 63) & ~(size_t)63);
  memcpy(l->closure, from->closure, from->closure_size);
  return l;
}

void launch_free(struct launch *l) {
  if (!l) return;
  free(l->name);
  free(l->file);
  free(l->closure);
  free(l);
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
  cudaError_t error = cucc_enter("cudaFuncSetAttribute");
  if (error) return error;
  if (!kernel) return cucc_fail(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || (size_t)value > SHARED_MAX) return cucc_fail(cudaErrorInvalidValue);
    /* for all kernels: a launch does not know the address of its kernel */
    if ((size_t)value > launch_shared_limit())
      __atomic_store_n(&shared_limit, (size_t)value, __ATOMIC_RELAXED);
  }
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) {
  (void)config;
  return kernel ? cucc_enter("cudaFuncSetCacheConfig") : cucc_fail(cudaErrorInvalidDeviceFunction);
}

/* A CPU has no registers per thread to report: the figures are those of a small kernel. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) {
  cudaError_t error = cucc_enter("cudaFuncGetAttributes");
  if (error) return error;
  if (!attributes || !kernel) return cucc_fail(cudaErrorInvalidDeviceFunction);
  *attributes = (struct cudaFuncAttributes){.maxThreadsPerBlock = MAX_THREADS,
                                            .numRegs = 32,
                                            .ptxVersion = 80,
                                            .binaryVersion = 80,
                                            .maxDynamicSharedSizeBytes = (int)launch_shared_limit()};
  return cudaSuccess;
}

/* By threads, blocks and dynamic shared memory of the made-up device; registers never limit. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          size_t dynamic_shared_bytes) {
  cudaError_t error = cucc_enter("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  if (error) return error;
  if (!blocks || !kernel || block_size < 1) return cucc_fail(cudaErrorInvalidValue);
  const int warps = (block_size + 31) / 32;
  int n = block_size > MAX_THREADS ? 0 : 64 / warps;
  const size_t shared = dynamic_shared_bytes + 1024; /* the device keeps 1 KiB of each block's for itself */
  if (n > (int)(((size_t)164 << 10) / shared)) n = (int)(((size_t)164 << 10) / shared);
  *blocks = n > 32 ? 32 : n;
  return cudaSuccess;
}
