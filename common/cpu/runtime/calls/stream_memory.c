/*
 * Memory that is allocated and freed in a stream's order. The address is known at once. Work may use it when
 * it comes after the allocation's place in its stream and before that of cudaFreeAsync. Pools only count:
 * memory goes back to the system when it is freed.
 */
#include "base/base.h"

#include <stdlib.h>

#include "base/needed.h"
#include "base/options.h"
#include "state/counters.h"
#include "state/device.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "checker/bad_copy.h"
#include "checker/transfer.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/memory.h"
#include "engine/stream.h"

#define POOL_MAGIC 0x9001u

struct CUmemPoolHandle_st {
  unsigned magic;
  int device;
  uint64_t release_threshold;
  int reuse[4];
};
static struct CUmemPoolHandle_st defaults[DEVICES_MAX], *chosen[DEVICES_MAX];

struct mark {
  uint32_t slot;
  uint64_t seq, issue;
  uintptr_t site;
  size_t size;
  bool right;
};

/* An operation that marks a place in the stream. */
static void queue_mark(enum op_kind kind, void (*run)(struct op *op), const char *call, struct CUstream_st *s,
                       void *pointer, size_t size, uintptr_t site, struct mark *m) {
  struct op *op = needed(calloc(1, sizeof *op));
  *op = (struct op){
      .kind = kind, .run = run, .call = call, .site = site, .stream = s, .dst = pointer, .bytes = size};
  engine_queue(op); /* with the lock held the engine does not get to it */
  m->slot = s->slot;
  m->seq = s->issued;
}

static void mark_made(struct allocation *a, void *context) {
  const struct mark *m = context;
  a->made_slot = m->slot;
  a->made_seq = m->seq;
}

static cudaError_t allocate(const char *call, void **pointer, size_t size, int device, cudaStream_t stream,
                            uintptr_t site) {
  struct allocation a = {.size = size, .space = SPACE_DEVICE, .call = call, .site = site, .device = device};
  struct CUstream_st *s;
  struct mark m;
  if (!size && pointer) return cucc_fail(cudaErrorInvalidValue);
  cudaError_t error = memory_allocate(&a, pointer);
  if (error) return error;
  count(COUNT_STREAM_ALLOCATIONS);
  pthread_mutex_lock(&cucc.lock);
  if (!(error = stream_use(call, stream, USE_WAIT, &s, site)))
    queue_mark(OP_ALLOCATE, NULL, call, s, *pointer, size, site, &m);
  pthread_mutex_unlock(&cucc.lock);
  if (error)
    arena_free(a.start, SPACE_DEVICE, site, check_freed);
  else
    arena_update(a.start, mark_made, &m);
  return cucc_fail(error);
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
  return allocate("cudaMallocAsync", pointer, size, device_current(), stream, CALLER);
}

static void mark_free(struct allocation *a, void *context) {
  struct mark *m = context;
  m->right = a->space == SPACE_DEVICE && !a->free_issue;
  if (!m->right) return;
  a->free_issue = m->issue;
  a->freed_site = m->site;
  m->size = a->size;
}

/* The engine got to a cudaFreeAsync. */
static void free_reached(struct op *op) {
  check_free(op);
  arena_free((uintptr_t)op->dst, SPACE_DEVICE, 0, check_freed);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  cudaError_t error = cucc_enter("cudaFreeAsync");
  if (error || !pointer) return error;
  const uintptr_t address = (uintptr_t)pointer, site = CALLER;
  struct CUstream_st *s;
  struct mark m = {.site = site};
  pthread_mutex_lock(&cucc.lock);
  m.issue = cucc.issued + 1;
  error = stream_use("cudaFreeAsync", stream, USE_WAIT, &s, site);
  if (!error && arena_update(address, mark_free, &m) && m.right)
    queue_mark(OP_FREE, free_reached, "cudaFreeAsync", s, pointer, m.size, site, &m);
  pthread_mutex_unlock(&cucc.lock);
  if (!error && !m.right) {
    check_bad_free("cudaFreeAsync", address, SPACE_DEVICE, site);
    error = cudaErrorInvalidValue;
  }
  return cucc_fail(error);
}

static cudaMemPool_t default_pool(int device) {
  defaults[device].magic = POOL_MAGIC;
  defaults[device].device = device;
  return &defaults[device];
}

static cudaError_t pool_enter(const char *call, cudaMemPool_t pool) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  return pool && pool->magic == POOL_MAGIC ? cudaSuccess : cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  cudaError_t error = cucc_enter("cudaDeviceGetDefaultMemPool");
  if (error) return error;
  if (!device_exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  if (!pool) return cucc_fail(cudaErrorInvalidValue);
  *pool = default_pool(device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);
  if (!error && chosen[device]) *pool = chosen[device];
  return error;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  cudaError_t error = pool_enter("cudaDeviceSetMemPool", pool);
  if (error) return error;
  if (!device_exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  if (pool->device != device) return cucc_fail(cudaErrorInvalidValue);
  chosen[device] = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props) {
  cudaError_t error = cucc_enter("cudaMemPoolCreate");
  if (error) return error;
  if (!pool || !props || props->allocType != cudaMemAllocationTypePinned ||
      props->location.type != cudaMemLocationTypeDevice || !device_exists(props->location.id))
    return cucc_fail(cudaErrorInvalidValue);
  *pool = needed(calloc(1, sizeof **pool));
  **pool = (struct CUmemPoolHandle_st){.magic = POOL_MAGIC, .device = props->location.id};
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  cudaError_t error = pool_enter("cudaMemPoolDestroy", pool);
  if (error) return error;
  if (pool == &defaults[pool->device]) return cucc_fail(cudaErrorInvalidValue);
  if (chosen[pool->device] == pool) chosen[pool->device] = NULL;
  pool->magic = 0;
  free(pool);
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  cudaError_t error = pool_enter("cudaMallocFromPoolAsync", pool);
  return error ? error : allocate("cudaMallocFromPoolAsync", pointer, size, pool->device, stream, CALLER);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  cudaError_t error = pool_enter("cudaMemPoolSetAttribute", pool);
  if (error) return error;
  if (value && attribute == cudaMemPoolAttrReleaseThreshold)
    pool->release_threshold = *(const uint64_t *)value;
  else if (value && attribute >= cudaMemPoolReuseFollowEventDependencies &&
           attribute <= cudaMemPoolReuseAllowInternalDependencies)
    pool->reuse[attribute] = *(const int *)value;
  else
    return cucc_fail(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  cudaError_t error = pool_enter("cudaMemPoolGetAttribute", pool);
  if (error) return error;
  if (!value) return cucc_fail(cudaErrorInvalidValue);
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    *(int *)value = pool->reuse[attribute];
    break;
  case cudaMemPoolAttrReleaseThreshold:
    *(uint64_t *)value = pool->release_threshold;
    break;
  default: /* what is reserved is what is in use */
    *(uint64_t *)value = memory_live_on(pool->device);
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) {
  (void)kept;
  return pool_enter("cudaMemPoolTrimTo", pool);
}
