// flags: -lcuda
/* The driver's attributes of a device have the runtime's values, whatever they are called. */
#include "program.h"
#include <cuda.h>

static int asked(CUdevice_attribute attribute) {
  CUdevice device;
  int value = -1;
  expect("device", 0, cuDeviceGet(&device, 0), CUDA_SUCCESS);
  expect("attribute", attribute, cuDeviceGetAttribute(&value, attribute, device), CUDA_SUCCESS);
  return value;
}

int main() {
  expect("begin", 0, cuInit(0), CUDA_SUCCESS);
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  expect("block", 0, asked(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), p.maxThreadsDim[0]);
  expect("block", 2, asked(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z), p.maxThreadsDim[2]);
  expect("grid", 1, asked(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y), p.maxGridSize[1]);
  expect("constant", 0, asked(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY), p.totalConstMem);
  expect("registers", 0, asked(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK), p.regsPerBlock);
  expect("clock", 0, asked(CU_DEVICE_ATTRIBUTE_CLOCK_RATE), p.clockRate);
  expect("mode", 0, asked(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE), CU_COMPUTEMODE_DEFAULT);
  expect("bus", 0, asked(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH), p.memoryBusWidth);
  expect("cache", 0, asked(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE), p.l2CacheSize);
  expect("addresses", 0, asked(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING), p.unifiedAddressing);
  expect("capability", 0, asked(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), p.major);
  expect("managed", 0, asked(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY), p.managedMemory);
  expect("together", 0, asked(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH), p.cooperativeLaunch);
  expect("pools", 0, asked(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED), p.memoryPoolsSupported);
  expect("textures", 0, asked(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH), p.maxTexture2D[0]);
  CHECK(cudaSetDeviceFlags(cudaDeviceBlockingSync));
}
