/* Calls that choose devices, and read and change their settings. */
#include "base/base.h"

#include "base/clock.h"
#include "base/options.h"
#include "state/counters.h"
#include "state/device.h"
#include "state/failed.h"
#include "state/state.h"
#include "state/streams.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/stream.h"

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count) return cucc_refuse(cudaErrorInvalidValue);
  const cudaError_t error = cucc_enter("cudaGetDeviceCount");
  if (!error || cucc.sticky) *count = options()->devices;
  return error;
}

cudaError_t cudaGetDevice(int *device) {
  if (!device) return cucc_refuse(cudaErrorInvalidValue);
  const cudaError_t error = cucc_enter("cudaGetDevice");
  if (!error || cucc.sticky) *device = device_current();
  return error;
}

cudaError_t cudaSetDevice(int device) {
  cudaError_t error = cucc_enter("cudaSetDevice");
  if (error && !cucc.sticky) return error;
  if (!device_exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  device_choose(device);
  return cucc.sticky ? cucc_fail(cucc_after_fault()) : cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  cudaError_t error = cucc_enter("cudaInitDevice");
  if (error) return error;
  if (!device_exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  if (flags & cudaInitDeviceFlagsAreValid) device_settings[device].flags = device_flags;
  return cudaSuccess;
}

/* All are alike: the first is as good a choice as any. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
  cudaError_t error = cucc_enter("cudaChooseDevice");
  if (error) return error;
  if (!device || !wanted) return cucc_fail(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  cudaError_t error = cucc_enter("cudaDeviceCanAccessPeer");
  if (error) return error;
  if (!can) return cucc_fail(cudaErrorInvalidValue);
  if (!device_exists(device) || !device_exists(peer)) return cucc_fail(cudaErrorInvalidDevice);
  *can = device != peer && device_peers_exist();
  return cudaSuccess;
}

static cudaError_t set_peer(const char *call, int peer, bool allow, cudaError_t already) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!device_exists(peer)) return cucc_fail(cudaErrorInvalidDevice);
  if (peer == device_current()) return cucc_fail(cudaErrorPeerAccessUnsupported);
  if (!device_peers_exist()) {
    if (!allow) return cucc_fail(already);
    failed_because(
        "cudaDeviceCanAccessPeer gives 0 for these two devices",
        "ask it first: without peer access copies between them go through the host, and are right, too");
    return cucc_fail(cudaErrorPeerAccessUnsupported);
  }
  if (__atomic_exchange_n(&device_settings[device_current()].peer[peer], allow, __ATOMIC_RELAXED) == allow)
    return cucc_fail(already);
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  if (flags) return cucc_refuse(cudaErrorInvalidValue);
  return set_peer("cudaDeviceEnablePeerAccess", peer, true, cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return set_peer("cudaDeviceDisablePeerAccess", peer, false, cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from, int to) {
  cudaError_t error = cucc_enter("cudaDeviceGetP2PAttribute");
  if (error) return error;
  if (!device_exists(from) || !device_exists(to) || from == to) return cucc_fail(cudaErrorInvalidDevice);
  if (!value) return cucc_fail(cudaErrorInvalidValue);
  switch (attribute) {
  case cudaDevP2PAttrAccessSupported:
  case cudaDevP2PAttrNativeAtomicSupported:
    *value = device_peers_exist();
    return cudaSuccess;
  case cudaDevP2PAttrPerformanceRank:
  case cudaDevP2PAttrCudaArrayAccessSupported:
  case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
    *value = 0;
    return cudaSuccess;
  }
  return cucc_fail(cudaErrorInvalidValue);
}

static bool limit_exists(enum cudaLimit limit) {
  return (unsigned)limit <= cudaLimitPersistingL2CacheSize && limit != cudaLimitDevRuntimeSyncDepth;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  cudaError_t error = cucc_enter("cudaDeviceSetLimit");
  if (error) return error;
  if (!limit_exists(limit)) return cucc_fail(cudaErrorUnsupportedLimit);
  device_settings[device_current()].limits[limit] = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  cudaError_t error = cucc_enter("cudaDeviceGetLimit");
  if (error) return error;
  if (!value) return cucc_fail(cudaErrorInvalidValue);
  if (!limit_exists(limit)) return cucc_fail(cudaErrorUnsupportedLimit);
  *value = device_limit(device_current(), limit);
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  cudaError_t error = cucc_enter("cudaSetDeviceFlags");
  if (error) return error;
  if (flags & ~(unsigned)cudaDeviceMask) return cucc_fail(cudaErrorInvalidValue);
  device_settings[device_current()].flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  cudaError_t error = cucc_enter("cudaGetDeviceFlags");
  if (error) return error;
  if (!flags) return cucc_fail(cudaErrorInvalidValue);
  *flags =
      device_settings[device_current()].flags | cudaDeviceMapHost; /* with one address space all is mapped */
  return cudaSuccess;
}

/* A hint: a CPU's cache is no shared memory. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  cudaError_t error = cucc_enter("cudaDeviceSetCacheConfig");
  if (error) return error;
  device_settings[device_current()].cache = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  cudaError_t error = cucc_enter("cudaDeviceGetCacheConfig");
  if (error) return error;
  if (!config) return cucc_fail(cudaErrorInvalidValue);
  *config = device_settings[device_current()].cache;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  const cudaError_t error = cucc_enter("cudaDeviceGetStreamPriorityRange");
  if (error) return error;
  if (least) *least = PRIORITY_LEAST;
  if (greatest) *greatest = PRIORITY_GREATEST;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) { return device_wait("cudaDeviceSynchronize"); }

/* Waits for the device, and gives back its settings. Memory, streams and events stay: a program that resets
 * and goes on is rare, and for one that uses them afterwards, the leak check is a more reliable report than
 * chance. */
cudaError_t cudaDeviceReset(void) {
  cudaError_t error = cudaDeviceSynchronize();
  if (cucc.sticky) { /* as on an H200 with CUDA 13: it succeeds, and nothing works any more */
    cucc.sticky = cudaErrorDevicesUnavailable;
    return cudaSuccess;
  }
  if (error) return error;
  for (int peer = 0; peer < DEVICES_MAX; peer++) device_settings[device_current()].peer[peer] = false;
  for (unsigned i = 0; i <= cudaLimitPersistingL2CacheSize; i++)
    device_settings[device_current()].limits[i] = 0;
  device_settings[device_current()].flags = 0;
  device_settings[device_current()].cache = cudaFuncCachePreferNone;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version) return cucc_refuse(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cucc_enter("cudaRuntimeGetVersion");
}

cudaError_t cudaDriverGetVersion(int *version) {
  if (!version) return cucc_refuse(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cucc_enter("cudaDriverGetVersion");
}
