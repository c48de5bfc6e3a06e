/*
 * The properties of the simulated device: they are consistent, and its name says what it is. Compute
 * capability 8.0 with an A100's limits per block and multiprocessor, because programs choose their launches
 * by them. All devices are alike but for their identifiers.
 */
#include "base/base.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/occupancy.h"
#include "base/options.h"
#include "state/device.h"
#include "state/failed.h"
#include "state/state.h"
#include "memory/arena.h"
#include "engine/entry.h"

#define L2_BYTES        (4 << 20)
#define L2_PERSISTING   (L2_BYTES / 4 * 3)
#define CLOCK_KHZ       1000000
#define PCI_BUS(device) (1 + (device)) /* 0000:01:00.0 and on */

static void name_device(struct cudaDeviceProp *prop, int device) {
  const int workers = options()->workers;
  snprintf(prop->name, sizeof prop->name, "CPU backend (%d thread%s)", workers, workers == 1 ? "" : "s");
  memcpy(prop->uuid.bytes, "cucc device", 11);
  prop->uuid.bytes[15] = (char)(1 + device);
}

static cudaError_t properties(const char *call, struct cudaDeviceProp *prop, int device) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!prop) return cucc_fail(cudaErrorInvalidValue);
  if (!device_exists(device)) return cucc_fail(cudaErrorInvalidDevice);
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
      .major = device_capability(device) / 10,
      .minor = device_capability(device) % 10,
      .textureAlignment = 512,
      .texturePitchAlignment = 32,
      .multiProcessorCount = multiprocessors(),
      .canMapHostMemory = 1,
      .concurrentKernels = 1,
      .pciBusID = PCI_BUS(device),
      .asyncEngineCount = 2,
      .unifiedAddressing = 1,
      .memoryBusWidth = 128,
      .l2CacheSize = L2_BYTES,
      .persistingL2CacheMaxSize = L2_PERSISTING,
      .accessPolicyMaxWindowSize = WINDOW_BYTES,
      .maxThreadsPerMultiProcessor = 2048,
      .streamPrioritiesSupported = 1,
      .globalL1CacheSupported = 1,
      .localL1CacheSupported = 1,
      .sharedMemPerMultiprocessor = (size_t)164 << 10,
      .regsPerMultiprocessor = 65536,
      .managedMemory = 1,
      .hostNativeAtomicSupported = 1,
      .concurrentManagedAccess = 1,
      .computePreemptionSupported = 1,
      .canUseHostPointerForRegisteredMem = 1,
      .cooperativeLaunch = 1,
      .sharedMemPerBlockOptin = SHARED_MAX,
      .maxBlocksPerMultiProcessor = 32,
      .reservedSharedMemPerBlock = SHARED_RESERVED,
      .hostRegisterSupported = 1,
      .memoryPoolsSupported = 1,
      .unifiedFunctionPointers = 1,
      .deviceNumaId = -1,
      .hostNumaId = -1,
      .clockRate = CLOCK_KHZ,
      .deviceOverlap = 1,
      .memoryClockRate = CLOCK_KHZ,
      .singleToDoublePrecisionPerfRatio = 2,
  };
  name_device(prop, device);
  return cudaSuccess;
}

static int attribute_of_cache(const struct cudaDeviceProp *p, enum cudaDeviceAttr attr) {
  return attr == cudaDevAttrL2CacheSize                 ? p->l2CacheSize
         : attr == cudaDevAttrMaxPersistingL2CacheSize  ? p->persistingL2CacheMaxSize
         : attr == cudaDevAttrMaxAccessPolicyWindowSize ? p->accessPolicyMaxWindowSize
                                                        : 0;
}

/* The attributes, most of them properties too. Those that are not in the table are of what this device does
 * not have, textures for one: 0. */
static int attribute(const struct cudaDeviceProp *p, enum cudaDeviceAttr attr) {
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
      {cudaDevAttrClockRate, p->clockRate},
      {cudaDevAttrMemoryClockRate, p->memoryClockRate},
      {cudaDevAttrTextureAlignment, (int)p->textureAlignment},
      {cudaDevAttrMultiProcessorCount, p->multiProcessorCount},
      {cudaDevAttrCanMapHostMemory, p->canMapHostMemory},
      {cudaDevAttrConcurrentKernels, p->concurrentKernels},
      {cudaDevAttrPciBusId, p->pciBusID},
      {cudaDevAttrPciDeviceId, p->pciDeviceID},
      {cudaDevAttrPciDomainId, p->pciDomainID},
      {cudaDevAttrGlobalMemoryBusWidth, p->memoryBusWidth},
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
      {cudaDevAttrGpuOverlap, p->deviceOverlap},
      {cudaDevAttrTexturePitchAlignment, (int)p->texturePitchAlignment},
      {cudaDevAttrManagedMemory, p->managedMemory},
      {cudaDevAttrHostNativeAtomicSupported, p->hostNativeAtomicSupported},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, p->singleToDoublePrecisionPerfRatio},
      {cudaDevAttrConcurrentManagedAccess, p->concurrentManagedAccess},
      {cudaDevAttrComputePreemptionSupported, p->computePreemptionSupported},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, p->canUseHostPointerForRegisteredMem},
      {cudaDevAttrCooperativeLaunch, p->cooperativeLaunch},
      {cudaDevAttrMemoryPoolsSupported, p->memoryPoolsSupported},
      {cudaDevAttrNumaId, p->deviceNumaId},
      {cudaDevAttrHostNumaId, p->hostNumaId},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (table[i].attr == attr) return table[i].value;
  return attribute_of_cache(p, attr);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  return properties("cudaGetDeviceProperties", prop, device);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  struct cudaDeviceProp p;
  cudaError_t error = properties("cudaDeviceGetAttribute", &p, device);
  if (error) return error;
  if (!value || attr < 1 || attr >= cudaDevAttrMax) return cucc_refuse(cudaErrorInvalidValue);
  *value = attribute(&p, attr);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
  cudaError_t error = cucc_enter("cudaDeviceGetPCIBusId");
  if (error) return error;
  if (!device_exists(device)) return cucc_fail(cudaErrorInvalidDevice);
  if (!id || size < 13) return cucc_fail(cudaErrorInvalidValue);
  snprintf(id, (size_t)size, "0000:%02x:00.0", PCI_BUS(device));
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
  cudaError_t error = cucc_enter("cudaDeviceGetByPCIBusId");
  if (error) return error;
  if (!device || !id) return cucc_fail(cudaErrorInvalidValue);
  unsigned domain = 0, bus, slot;
  if (sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
      (domain = 0, sscanf(id, "%x:%x", &bus, &slot) != 2))
    return cucc_fail(cudaErrorInvalidValue);
  for (int d = 0; d < options()->devices; d++)
    if (domain == 0 && slot == 0 && bus == (unsigned)PCI_BUS(d)) {
      *device = d;
      return cudaSuccess;
    }
  return cucc_fail(cudaErrorInvalidDevice);
}
