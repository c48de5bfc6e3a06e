/*
 * cudaMemcpy, cudaMemset and their asynchronous forms.
 *
 * When the host's side is pageable memory, the device cannot read it by itself: a copy to the device takes
 * the bytes before the call returns, one from the device returns when it is done. With pinned memory both
 * happen later, when the stream gets there. What a copy may touch is checked when it is asked for; a bad one
 * returns an error and, in the checked build, says why.
 */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"

/* The range lies in one live allocation of device or pinned memory; memory that is no arena's is the host's
 * affair. */
static bool range_valid(uintptr_t address, size_t size) {
  struct allocation a;
  if (!in_arena(address)) return address != 0;
  return memory_find(address, &a) && !a.freed && address - a.start < a.size &&
         size <= a.size - (address - a.start);
}

/* The direction that the pointers ask for, or -1 when `kind` contradicts them. Pinned memory is mapped: it
 * may stand on either side. */
static int direction(const void *dst, const void *src, enum cudaMemcpyKind kind) {
  const bool to = is_device((uintptr_t)dst), from = is_device((uintptr_t)src);
  const bool to_any = !to && in_arena((uintptr_t)dst), from_any = !from && in_arena((uintptr_t)src);
  switch (kind) {
  case cudaMemcpyHostToHost:
    return to || from ? -1 : (int)kind;
  case cudaMemcpyHostToDevice:
    return (to || to_any) && !from ? (int)kind : -1;
  case cudaMemcpyDeviceToHost:
    return (from || from_any) && !to ? (int)kind : -1;
  case cudaMemcpyDeviceToDevice:
    return (to || to_any) && (from || from_any) ? (int)kind : -1;
  case cudaMemcpyDefault:
    return to ? (from ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
              : (from ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
  }
  return -1;
}

static cudaError_t validate(const struct transfer_request *r, int *way) {
  const bool fill = !r->src;
  *way = fill
             ? (is_device((uintptr_t)r->dst) || memory_pinned((uintptr_t)r->dst, 1) ? cudaMemcpyDeviceToDevice
                                                                                    : -1)
             : direction(r->dst, r->src, r->kind);
  if (*way < 0 || !range_valid((uintptr_t)r->dst, r->bytes) ||
      (!fill && !range_valid((uintptr_t)r->src, r->bytes))) {
    check_bad_copy(r->call, r->dst, fill ? NULL : r->src, r->bytes, *way < 0, r->site);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/* Where a copy goes that was asked for with an address from cudaGetSymbolAddress: to the device's value. */
static const void *value_of(const void *p) {
  struct device_variable v;
  if (!symbol_find((uintptr_t)p, &v) || !v.given) return p;
  const uintptr_t place = symbol_place((uintptr_t)p, device_current());
  return place ? (const void *)place : p;
}

cudaError_t copy_transfer(const struct transfer_request *asked) {
  struct transfer_request resolved = *asked;
  const struct transfer_request *const r = &resolved;
  resolved.dst = (void *)value_of(asked->dst);
  resolved.src = value_of(asked->src);

  cudaError_t error = cucc_enter(r->call);
  if (error || r->bytes == 0) return error;
  int way;
  if ((error = validate(r, &way))) return cucc_fail(error);
  struct op *op = calloc(1, sizeof *op);
  *op = (struct op){
      .kind = r->src ? OP_COPY : OP_FILL, .call = r->call, .site = r->site, .dst = r->dst, .src = r->src};
  op->bytes = r->bytes;
  op->value = r->value;
  op->direction = (enum cudaMemcpyKind)way;
  const void *host = way == cudaMemcpyHostToDevice ? r->src : way == cudaMemcpyDeviceToHost ? r->dst : NULL;
  op->pinned = host && memory_pinned((uintptr_t)host, r->bytes);
  bool wait = r->wait && !(op->kind == OP_FILL) && way != cudaMemcpyDeviceToDevice;
  op->origin = op->src;
  if (host && !op->pinned) {
    if (way == cudaMemcpyHostToDevice && !wait && (op->staging = malloc(r->bytes)))
      op->src = memcpy(op->staging, r->src, r->bytes);
    else
      wait = true;
  }
  if (way == cudaMemcpyHostToHost) wait = true;
  pthread_mutex_lock(&cucc.lock);
  if ((error = stream_use(r->call, r->stream, r->wait ? USE_WAIT : USE_QUEUE, &op->stream, r->site))) {
    pthread_mutex_unlock(&cucc.lock);
    free(op->staging);
    free(op);
    return cucc_fail(error);
  }
  struct CUstream_st *s = op->stream;
  engine_queue(op); /* op is the engine's from here on */
  if (wait) {
    struct clock target = {0};
    clock_join(&target, &s->clock);
    engine_wait(&target);
    clock_free(&target);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(wait ? cucc.sticky : cudaSuccess);
}

void copy_execute(struct op *op) {
  check_copy(op);
  if (op->kind == OP_FILL)
    memset(op->dst, op->value, op->bytes);
  else
    memmove(op->dst, op->src, op->bytes);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  if (count && (!src || !dst)) return cucc_fail(cudaErrorInvalidValue);
  const struct transfer_request r = {.call = "cudaMemcpy",
                                     .dst = dst,
                                     .src = src,
                                     .bytes = count,
                                     .kind = kind,
                                     .wait = true,
                                     .site = CALLER};
  return copy_transfer(&r);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (count && (!src || !dst)) return cucc_fail(cudaErrorInvalidValue);
  const struct transfer_request r = {.call = "cudaMemcpyAsync",
                                     .dst = dst,
                                     .src = src,
                                     .bytes = count,
                                     .kind = kind,
                                     .stream = stream,
                                     .site = CALLER};
  return copy_transfer(&r);
}

cudaError_t cudaMemset(void *dst, int value, size_t count) {
  const struct transfer_request r = {
      .call = "cudaMemset", .dst = dst, .value = value, .bytes = count, .wait = true, .site = CALLER};
  return copy_transfer(&r);
}

cudaError_t cudaMemsetAsync(void *dst, int value, size_t count, cudaStream_t stream) {
  const struct transfer_request r = {.call = "cudaMemsetAsync",
                                     .dst = dst,
                                     .value = value,
                                     .bytes = count,
                                     .stream = stream,
                                     .site = CALLER};
  return copy_transfer(&r);
}
