/* cudaMalloc, cudaFree and their relatives. */
#include "base/base.h"

#include "base/clock.h"
#include "state/counters.h"
#include "state/device.h"
#include "state/failed.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "state/work_record.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/symbol.h"
#include "checker/bad_copy.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/memory.h"

#define PITCH ((size_t)512)

/* One of its operations waits for what a thread has still to ask for: a call of NCCL, for the other ranks. */
static bool waits_for_a_thread(const struct CUstream_st *s) {
  const struct op *op = s->first;
  while (op && !(op->work && op->work->held)) op = op->next;
  return op;
}

/* Freeing waits for the device, as on hardware; and for other devices, which may use the memory, too, unless they
 * wait for a thread: that can be this one. */
static void join_users(struct clock *all, uintptr_t address, enum space space) {
  const int device = space == SPACE_DEVICE ? memory_device_of(address) : device_current();
  for (const struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (s->device == device || !waits_for_a_thread(s)) clock_join(all, &s->clock);
}

/* Whether the current device has something left to do: then the host waits. With cucc.lock held. */
static bool is_busy(void) {
  for (const struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (s->device == device_current() && s->completed < s->issued) return true;
  return false;
}

/* The host frees pinned memory, or unpins it, and may not have waited for its last copy. With cucc.lock held. */
static void count_if_copied(uintptr_t address) {
  struct allocation a;
  if (memory_find(address, &a) && a.start == address && !a.freed &&
      clock_get(&cucc.host, a.copied_slot) < a.copied_seq)
    count(COUNT_FREED_WHILE_COPIED);
}

static cudaError_t release(enum space space, const char *call, void *pointer, uintptr_t site) {
  const uintptr_t address = (uintptr_t)pointer;
  cudaError_t error = cucc_enter(call);
  if (error || !pointer) return error;
  pthread_mutex_lock(&cucc.lock);
  if (space == SPACE_PINNED) count_if_copied(address);
  struct clock all = {0};
  join_users(&all, address, space);
  if (is_busy()) count(COUNT_SYNCHRONISATIONS);
  engine_wait(&all);
  clock_free(&all);
  pthread_mutex_unlock(&cucc.lock);
  if (arena_free(address, space, site, check_freed)) return cucc_fail(cucc.sticky);
  check_bad_free(call, address, space, site);
  return cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaMalloc(void **pointer, size_t size) {
  struct allocation a = {
      .size = size, .space = SPACE_DEVICE, .call = "cudaMalloc", .site = CALLER, .device = device_current()};
  return memory_allocate(&a, pointer);
}

cudaError_t cudaMallocHost(void **pointer, size_t size) {
  struct allocation a = {.size = size,
                         .space = SPACE_PINNED,
                         .call = "cudaMallocHost",
                         .site = CALLER,
                         .device = device_current()};
  return memory_allocate(&a, pointer);
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags) {
  struct allocation a = {.size = size,
                         .space = SPACE_PINNED,
                         .flags = flags,
                         .call = "cudaHostAlloc",
                         .site = CALLER,
                         .device = device_current()};
  if (flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
    return cucc_refuse(cudaErrorInvalidValue);
  return memory_allocate(&a, pointer);
}

/* The rows of a pitched array: as long as the device likes them, a multiple of PITCH bytes. */
static cudaError_t allocate_rows(const char *call, void **pointer, size_t *pitch, struct cudaExtent extent,
                                 uintptr_t site) {
  if (!pitch || !pointer) return cucc_fail(cudaErrorInvalidValue);
  size_t row, size;
  const bool fits = !__builtin_add_overflow(extent.width, PITCH - 1, &row) &&
                    !__builtin_mul_overflow(row & ~(PITCH - 1), extent.height, &size) &&
                    !__builtin_mul_overflow(size, extent.depth, &size);
  struct allocation a = {.size = fits ? size : SIZE_MAX,
                         .space = SPACE_DEVICE,
                         .call = call,
                         .site = site,
                         .device = device_current()};
  *pitch = row & ~(PITCH - 1);
  return memory_allocate(&a, pointer);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return allocate_rows("cudaMallocPitch", pointer, pitch, (struct cudaExtent){width, height, 1}, CALLER);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  if (!pitched) return cucc_refuse(cudaErrorInvalidValue);
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return allocate_rows("cudaMalloc3D", &pitched->ptr, &pitched->pitch, extent, CALLER);
}

int cucc_past(const void *address, char *words, size_t size) {
  struct allocation a;
  if (!memory_past((uintptr_t)address, &a)) return 0;
  snprintf(words, size, "the end of %zu byte%s of %s from %s", a.size, a.size == 1 ? "" : "s",
           memory_name(a.space), a.call);
  return 1;
}

cudaError_t cudaFree(void *pointer) {
  return release(is_managed((uintptr_t)pointer) ? SPACE_MANAGED : SPACE_DEVICE, "cudaFree", pointer, CALLER);
}

cudaError_t cudaFreeHost(void *pointer) { return release(SPACE_PINNED, "cudaFreeHost", pointer, CALLER); }

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags) {
  cudaError_t error = cucc_enter("cudaHostRegister");
  if (error) return error;
  const struct allocation a = {.start = (uintptr_t)pointer,
                               .size = size,
                               .space = SPACE_REGISTERED,
                               .flags = flags,
                               .site = CALLER,
                               .call = "cudaHostRegister",
                               .epoch = cucc.epoch};
  if (!pointer || !size || size > UINTPTR_MAX - a.start || (flags & ~15u) || in_arena(a.start)) {
    failed_because(!size ? "an empty array must not be registered"
                   : in_arena(a.start)
                       ? "this memory belongs to CUDA already; only memory of the host, as from "
                         "malloc, can be registered"
                       : "it is given a null pointer, or flags that do not exist",
                   NULL);
    return cucc_fail(cudaErrorInvalidValue);
  }
  if (flags & cudaHostRegisterReadOnly) { /* as on a machine with an x86 processor */
    failed_because("no device here has the attribute HostRegisterReadOnlySupported, which this flag needs",
                   NULL);
    return cucc_fail(cudaErrorNotSupported);
  }
  if (flags & cudaHostRegisterIoMemory) {
    failed_because(
        "the flag cudaHostRegisterIoMemory is for memory of another device, not for that of malloc", NULL);
    return cucc_fail(cudaErrorInvalidValue);
  }
  error = arena_register(&a);
  if (error == cudaErrorHostMemoryAlreadyRegistered)
    failed_because(
        "part of this memory is registered already: by its owner, where the function is given pinned memory "
        "(then do not register it again), or by a call that did not unregister it",
        NULL);
  if (!error) {
    count(COUNT_PINNED_ALLOCATIONS);
    count(COUNT_REGISTRATIONS);
    count_more(COUNT_PINNED_BYTES, size);
    count_largest(COUNT_LARGEST_REGISTRATION, size);
  }
  return cucc_fail(error);
}

cudaError_t cudaHostUnregister(void *pointer) {
  cudaError_t error = cucc_enter("cudaHostUnregister");
  if (error) return error;
  if (!pointer) return cucc_fail(cudaErrorInvalidValue);
  pthread_mutex_lock(&cucc.lock);
  count_if_copied((uintptr_t)pointer);
  pthread_mutex_unlock(&cucc.lock);
  if (arena_unregister((uintptr_t)pointer)) return cudaSuccess;
  failed_because("no registered memory begins at this address: it never was registered, or no longer is",
                 NULL);
  return cucc_fail(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  cudaError_t error = cucc_enter("cudaMemGetInfo");
  if (error) return error;
  if (!free_bytes || !total_bytes) return cucc_fail(cudaErrorInvalidValue);
  *total_bytes = memory_total();
  *free_bytes = *total_bytes - memory_live_on(device_current());
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **pointer, void *host, unsigned int flags) {
  cudaError_t error = cucc_enter("cudaHostGetDevicePointer");
  if (error) return error;
  if (!memory_pinned((uintptr_t)host, 1))
    failed_because("this memory is not pinned: allocate it with cudaHostAlloc, or register it first", NULL);
  if (!pointer || flags || !memory_pinned((uintptr_t)host, 1)) return cucc_fail(cudaErrorInvalidValue);
  memory_set_mapped((uintptr_t)host);
  *pointer = host; /* one address space: the mapped pointer is the host's */
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  struct allocation a;
  cudaError_t error = cucc_enter("cudaHostGetFlags");
  if (error) return error;
  if (!flags || !memory_pinned((uintptr_t)host, 1) || !memory_find((uintptr_t)host, &a))
    return cucc_fail(cudaErrorInvalidValue);
  *flags = a.flags | cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  cudaError_t error = cucc_enter("cudaPointerGetAttributes");
  if (error) return error;
  if (!attributes) return cucc_fail(cudaErrorInvalidValue);
  struct allocation a;
  struct device_variable v;
  const uintptr_t address = (uintptr_t)pointer;
  void *const both = (void *)address;
  *attributes =
      (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2, .hostPointer = both};
  if (symbol_find(address, &v) && (v.given || v.kind == VARIABLE_MANAGED)) {
    attributes->type = v.kind == VARIABLE_MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    attributes->device = device_current();
  } else if (memory_contains(address, 1, &a)) {
    if (memory_pinned(address, 1)) memory_set_mapped(address);
    attributes->type = is_device(address)         ? cudaMemoryTypeDevice
                       : a.space == SPACE_MANAGED ? cudaMemoryTypeManaged
                                                  : cudaMemoryTypeHost;
    attributes->device = a.device;
  } else
    return cudaSuccess;
  attributes->devicePointer = both;
  attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? NULL : both;
  return cudaSuccess;
}
