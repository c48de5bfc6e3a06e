/*
 * The made-up device: consistent, and plainly named for what it is. Compute capability 8.0 with an A100's
 * limits per block and multiprocessor, because programs choose their launches by them.
 */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#include "block.h"

#define L2_BYTES (4 << 20)

static __thread int selected;

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count) return cucc_fail(cudaErrorInvalidValue);
  *count = options()->devices;
  return cucc_enter("cudaGetDeviceCount");
}

cudaError_t cudaGetDevice(int *device) {
  if (!device) return cucc_fail(cudaErrorInvalidValue);
  *device = selected;
  return cucc_enter("cudaGetDevice");
}

int device_current(void) { return selected; }

static bool exists(int device) { return device >= 0 && device < options()->devices; }

cudaError_t cudaSetDevice(int device) {
  cudaError_t error = cucc_enter("cudaSetDevice");
  if (error) return error;
  if (!exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  selected = device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  cudaError_t error = cucc_enter("cudaGetDeviceProperties");
  if (error) return error;
  if (!prop) return cucc_fail(cudaErrorInvalidValue);
  if (!exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  *prop = (struct cudaDeviceProp){
      .totalGlobalMem = memory_total(),
      .sharedMemPerBlock = SHARED_DEFAULT,
      .regsPerBlock = 65536,
      .warpSize = 32,
      .memPitch = 2147483647,
      .maxThreadsPerBlock = MAX_THREADS,
      .maxThreadsDim = {1024, 1024, 64},
      .maxGridSize = {2147483647, 65535, 65535},
      .totalConstMem = 65536,
      .major = 8,
      .minor = 0,
      .textureAlignment = 512,
      .texturePitchAlignment = 32,
      .multiProcessorCount = MULTIPROCESSORS,
      .canMapHostMemory = 1,
      .concurrentKernels = 1,
      .pciBusID = 1 + device,
      .asyncEngineCount = 2,
      .unifiedAddressing = 1,
      .memoryBusWidth = 128,
      .l2CacheSize = L2_BYTES,
      .maxThreadsPerMultiProcessor = 2048,
      .streamPrioritiesSupported = 1,
      .globalL1CacheSupported = 1,
      .localL1CacheSupported = 1,
      .sharedMemPerMultiprocessor = (size_t)164 << 10,
      .regsPerMultiprocessor = 65536,
      .hostNativeAtomicSupported = 1,
      .canUseHostPointerForRegisteredMem = 1,
      .sharedMemPerBlockOptin = SHARED_MAX,
      .maxBlocksPerMultiProcessor = 32,
      .reservedSharedMemPerBlock = 1024,
      .hostRegisterSupported = 1,
  };
  snprintf(prop->name, sizeof prop->name, "CPU backend (%d threads)", options()->workers);
  memcpy(prop->uuid.bytes, "cucc-device", 11);
  prop->uuid.bytes[15] = (char)device;
  return cudaSuccess;
}

/* The attributes, most of them properties too. Those that are 0 are what this device does not have. */
static bool attribute(const struct cudaDeviceProp *p, enum cudaDeviceAttr attr, int *value) {
  const struct {
    enum cudaDeviceAttr attr;
    int value;
  } table[] = {
      {cudaDevAttrMaxThreadsPerBlock, p->maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p->maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p->maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p->maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p->maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p->maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p->maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, (int)p->sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, (int)p->totalConstMem},
      {cudaDevAttrWarpSize, p->warpSize},
      {cudaDevAttrMaxPitch, (int)p->memPitch},
      {cudaDevAttrMaxRegistersPerBlock, p->regsPerBlock},
      {cudaDevAttrClockRate, 1000000},
      {cudaDevAttrMemoryClockRate, 1000000},
      {cudaDevAttrTextureAlignment, (int)p->textureAlignment},
      {cudaDevAttrMultiProcessorCount, p->multiProcessorCount},
      {cudaDevAttrCanMapHostMemory, p->canMapHostMemory},
      {cudaDevAttrConcurrentKernels, p->concurrentKernels},
      {cudaDevAttrPciBusId, p->pciBusID},
      {cudaDevAttrPciDeviceId, p->pciDeviceID},
      {cudaDevAttrPciDomainId, p->pciDomainID},
      {cudaDevAttrGlobalMemoryBusWidth, p->memoryBusWidth},
      {cudaDevAttrL2CacheSize, p->l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p->maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, p->asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, p->unifiedAddressing},
      {cudaDevAttrComputeCapabilityMajor, p->major},
      {cudaDevAttrComputeCapabilityMinor, p->minor},
      {cudaDevAttrStreamPrioritiesSupported, p->streamPrioritiesSupported},
      {cudaDevAttrGlobalL1CacheSupported, p->globalL1CacheSupported},
      {cudaDevAttrLocalL1CacheSupported, p->localL1CacheSupported},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)p->sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p->regsPerMultiprocessor},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)p->sharedMemPerBlockOptin},
      {cudaDevAttrHostRegisterSupported, p->hostRegisterSupported},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p->maxBlocksPerMultiProcessor},
      {cudaDevAttrReservedSharedMemoryPerBlock, (int)p->reservedSharedMemPerBlock},
      {cudaDevAttrIntegrated, 0},
      {cudaDevAttrComputeMode, 0},
      {cudaDevAttrEccEnabled, 0},
      {cudaDevAttrManagedMemory, 0},
      {cudaDevAttrIsMultiGpuBoard, 0},
      {cudaDevAttrPageableMemoryAccess, 0},
      {cudaDevAttrConcurrentManagedAccess, 0},
      {cudaDevAttrCooperativeLaunch, 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].attr != attr) continue;
    *value = table[i].value;
    return true;
  }
  return false;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  struct cudaDeviceProp p;
  cudaError_t error = cudaGetDeviceProperties(&p, device);
  if (error) return error;
  if (!value || !attribute(&p, attr, value)) return cucc_fail(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
  cudaError_t error = cucc_enter("cudaDeviceGetPCIBusId");
  if (error) return error;
  if (!exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  if (!id || size < 13) return cucc_fail(cudaErrorInvalidValue);
  snprintf(id, (size_t)size, "0000:%02x:00.0", 1 + device);
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  cudaError_t error = cucc_enter("cudaSetDeviceFlags");
  return error ? error : cucc_fail(flags & ~0x1fu ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  (void)config;
  return cucc_enter("cudaDeviceSetCacheConfig");
}

/* Waits for the device. Memory, streams and events stay: a program that resets and goes on is rare, and one
 * that uses them afterwards is better told by the leak check than by chance. */
cudaError_t cudaDeviceReset(void) { return cudaDeviceSynchronize(); }

cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version) return cucc_fail(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) { return cudaRuntimeGetVersion(version); }
