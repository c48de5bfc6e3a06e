// What a device query asks, and what must fit together in the answers.
#include "../program.h"
#include <cuda_runtime_api.h>
#include <string.h>

int main(int, char **) {
  int count = 0, driver = 0, runtime = 0, current = -1;
  CHECK(cudaGetDeviceCount(&count));
  expect("devices", 0, count >= 1, 1);
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  expect("driver", 0, driver >= runtime && runtime >= 11000, 1);
  for (int dev = 0; dev < count; ++dev) {
    CHECK(cudaSetDevice(dev));
    CHECK(cudaGetDevice(&current));
    expect("current", dev, current, dev);
    cudaDeviceProp deviceProp;
    CHECK(cudaGetDeviceProperties(&deviceProp, dev));
    expect("name", dev, strlen(deviceProp.name) > 0, 1);
    expect("capability", dev, deviceProp.major >= 5, 1);
    expect("warp", dev, deviceProp.warpSize, 32);
    expect("threads", dev, deviceProp.maxThreadsPerBlock, 1024);
    expect("block z", dev, deviceProp.maxThreadsDim[2], 64);
    expect("grid y", dev, deviceProp.maxGridSize[1], 65535);
    expect("shared", dev, deviceProp.sharedMemPerBlock >= 48 * 1024, 1);
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, dev));
    expect("multiprocessors", dev, value, deviceProp.multiProcessorCount);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, dev));
    expect("attribute", dev, value, deviceProp.maxThreadsPerBlock);
    size_t available = 0, total = 0;
    CHECK(cudaMemGetInfo(&available, &total));
    expect("memory", dev, available <= total && available > 0, 1);
    /* the driver's part may be left out of one of them */
    expect("total", dev, fabs((double)total / (double)deviceProp.totalGlobalMem - 1) < 0.05, 1);
  }
  CHECK(cudaSetDevice(0));
  return 0;
}
