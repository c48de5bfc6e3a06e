/*
 * Managed memory: one address for the host and all devices. Advice and prefetching change nothing here but
 * are checked as hardware checks them. checker/early_access.c watches that the host and kernels do not use it
 * at the same time.
 */
#include "base/base.h"

#include "base/options.h"
#include "state/device.h"
#include "state/failed.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/arena.h"
#include "memory/symbol.h"
#include "checker/bad_copy.h"
#include "engine/entry.h"
#include "engine/memory.h"
#include "engine/stream.h"

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags) {
  struct allocation a = {.size = size,
                         .space = SPACE_MANAGED,
                         .flags = flags,
                         .call = "cudaMallocManaged",
                         .site = CALLER,
                         .device = device_current()};
  if ((flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || !size)
    return cucc_refuse(cudaErrorInvalidValue);
  return memory_allocate(&a, pointer);
}

static bool managed_range(const void *pointer, size_t size) {
  struct allocation a;
  struct device_variable v;
  const uintptr_t address = (uintptr_t)pointer;
  if (symbol_find(address, &v))
    return v.kind == VARIABLE_MANAGED && address - v.start < v.size && size <= v.size - (address - v.start);
  return memory_contains(address, size, &a) && a.space == SPACE_MANAGED;
}

/* cudaSuccess, or what a range or a place is refused with. */
static cudaError_t check_range(const char *call, const void *pointer, size_t size,
                               struct cudaMemLocation location, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!size || !managed_range(pointer, size)) {
    check_unmanaged(call, pointer, size, site);
    return cucc_fail(cudaErrorInvalidValue);
  }
  if (location.type == cudaMemLocationTypeDevice)
    return location.id >= 0 && location.id < options()->devices ? cudaSuccess
                                                                : cucc_fail(cudaErrorInvalidDevice);
  return location.type == cudaMemLocationTypeInvalid ? cucc_fail(cudaErrorInvalidValue) : cudaSuccess;
}

static cudaError_t check_stream(const char *call, cudaStream_t stream, uintptr_t site) {
  struct CUstream_st *s;
  pthread_mutex_lock(&cucc.lock);
  const cudaError_t error = stream_use(call, stream, USE_QUEUE, &s, site);
  pthread_mutex_unlock(&cucc.lock);
  return error;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  cudaError_t error = check_range("cudaMemPrefetchAsync", pointer, count, location, CALLER);
  if (error) return error;
  if (flags) return cucc_fail(cudaErrorInvalidValue);
  return cucc_fail(check_stream("cudaMemPrefetchAsync", stream, CALLER));
}

cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return cucc_refuse(cudaErrorInvalidValue);
  const struct cudaMemLocation anywhere = {cudaMemLocationTypeHost, 0};
  const bool ignored =
      advice <= cudaMemAdviseUnsetReadMostly || advice == cudaMemAdviseUnsetPreferredLocation;
  return check_range("cudaMemAdvise", pointer, count, ignored ? anywhere : location, CALLER);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length, unsigned int flags) {
  cudaError_t error = cucc_enter("cudaStreamAttachMemAsync");
  if (error || (error = check_stream("cudaStreamAttachMemAsync", stream, CALLER))) return cucc_fail(error);
  const bool one = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
  return one && managed_range(pointer, length ? length : 1) ? cudaSuccess : cucc_fail(cudaErrorInvalidValue);
}
