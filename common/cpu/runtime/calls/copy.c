/* cudaMemcpy, cudaMemset and their relatives with one row. */
#include "base/base.h"

#include "base/clock.h"
#include "base/options.h"
#include "state/failed.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/arena.h"
#include "checker/bad_copy.h"
#include "engine/copy.h"
#include "engine/engine.h"
#include "engine/entry.h"

static cudaError_t refuse_null(const char *call, const void *dst, size_t bytes, uintptr_t site) {
  check_null_copy(call, dst ? "source" : "destination", bytes, site);
  return cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  if (count && (!src || !dst)) return refuse_null("cudaMemcpy", dst, count, CALLER);
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
  if (count && (!src || !dst)) return refuse_null("cudaMemcpyAsync", dst, count, CALLER);
  const struct transfer_request r = {.call = "cudaMemcpyAsync",
                                     .dst = dst,
                                     .src = src,
                                     .bytes = count,
                                     .kind = kind,
                                     .stream = stream,
                                     .site = CALLER};
  return copy_transfer(&r);
}

/* Pointers of a device's memory must be of the device that the caller names. */
static bool peers_right(const void *dst, int dst_device, const void *src, int src_device) {
  const int to = memory_device_of((uintptr_t)dst), from = memory_device_of((uintptr_t)src);
  return dst && src && (to < 0 || to == dst_device) && (from < 0 || from == src_device);
}

static bool devices_exist(int a, int b) {
  return a >= 0 && b >= 0 && a < options()->devices && b < options()->devices;
}

/* Between two devices, or within one: after all work of both, and before what is asked for later. */
cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t count) {
  if (!devices_exist(dst_device, src_device)) return cucc_refuse(cudaErrorInvalidDevice);
  if (count && !peers_right(dst, dst_device, src, src_device)) return cucc_refuse(cudaErrorInvalidValue);
  cudaError_t error = cucc_enter("cudaMemcpyPeer");
  if (error) return error;
  struct clock both = {0};
  pthread_mutex_lock(&cucc.lock);
  stream_join_device(&both, dst_device);
  stream_join_device(&both, src_device);
  engine_wait(&both);
  pthread_mutex_unlock(&cucc.lock);
  clock_free(&both);
  const struct transfer_request r = {.call = "cudaMemcpyPeer",
                                     .dst = dst,
                                     .src = src,
                                     .bytes = count,
                                     .kind = cudaMemcpyDefault,
                                     .wait = true,
                                     .site = CALLER};
  return copy_transfer(&r);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t count,
                                cudaStream_t stream) {
  if (!devices_exist(dst_device, src_device)) return cucc_refuse(cudaErrorInvalidDevice);
  if (count && !peers_right(dst, dst_device, src, src_device)) return cucc_refuse(cudaErrorInvalidValue);
  const struct transfer_request r = {.call = "cudaMemcpyPeerAsync",
                                     .dst = dst,
                                     .src = src,
                                     .bytes = count,
                                     .kind = cudaMemcpyDefault,
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
