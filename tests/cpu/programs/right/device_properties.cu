// with: CUCC_DEVICES=3
/* What devices say of themselves is consistent: properties and attributes agree, identifiers differ. */
#include "program.h"

#include <string.h>

static void agrees(const char *what, cudaDeviceAttr attribute, int device, size_t property) {
  int value;
  CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  expect(what, device, value, (double)property);
}

static void check_device(int device) {
  cudaDeviceProp p;
  char id[32];
  int same;
  CHECK(cudaGetDeviceProperties(&p, device));
  CHECK(cudaDeviceGetPCIBusId(id, sizeof id, device));
  CHECK(cudaDeviceGetByPCIBusId(&same, id));
  expect("device of its PCI id", device, same, device);
  agrees("maxThreadsPerBlock", cudaDevAttrMaxThreadsPerBlock, device, p.maxThreadsPerBlock);
  agrees("maxGridSize", cudaDevAttrMaxGridDimY, device, p.maxGridSize[1]);
  agrees("sharedMemPerBlock", cudaDevAttrMaxSharedMemoryPerBlock, device, p.sharedMemPerBlock);
  agrees("sharedMemPerBlockOptin", cudaDevAttrMaxSharedMemoryPerBlockOptin, device, p.sharedMemPerBlockOptin);
  agrees("warpSize", cudaDevAttrWarpSize, device, 32);
  agrees("multiProcessorCount", cudaDevAttrMultiProcessorCount, device, p.multiProcessorCount);
  agrees("pciBusID", cudaDevAttrPciBusId, device, p.pciBusID);
  agrees("major", cudaDevAttrComputeCapabilityMajor, device, p.major);
  agrees("managedMemory", cudaDevAttrManagedMemory, device, p.managedMemory);
  agrees("cooperativeLaunch", cudaDevAttrCooperativeLaunch, device, 1);
  agrees("memoryPoolsSupported", cudaDevAttrMemoryPoolsSupported, device, 1);
  for (int other = 0; other < device; other++) {
    cudaDeviceProp q;
    CHECK(cudaGetDeviceProperties(&q, other));
    if (!memcmp(&p.uuid, &q.uuid, sizeof p.uuid)) expect("two devices with one UUID", device, other, -1);
    if (p.pciBusID == q.pciBusID && p.pciDomainID == q.pciDomainID && p.pciDeviceID == q.pciDeviceID)
      expect("two devices in one place", device, other, -1);
  }
}

int main() {
  int devices, chosen, value;
  size_t limit, stack;
  cudaFuncCache cache;
  unsigned flags;
  cudaDeviceProp wanted = {};
  CHECK(cudaGetDeviceCount(&devices));
  for (int d = 0; d < devices; d++) check_device(d);
  expect("unknown device", 0, cudaGetDeviceProperties(&wanted, devices), cudaErrorInvalidDevice);
  expect("unknown attribute", 0, cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0),
         cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaChooseDevice(&chosen, &wanted));
  CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 2 * stack));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  expect("stack", 0, (double)limit, 2.0 * (double)stack);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)64 << 20));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  if (limit < (size_t)64 << 20) expect("heap", 0, (double)limit, 64 << 20);
  CHECK(cudaDeviceGetCacheConfig(&cache));
  CHECK(cudaGetDeviceFlags(&flags));
  CHECK(cudaDeviceReset());
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  expect("stack after reset", 0, (double)limit, (double)stack);
}
