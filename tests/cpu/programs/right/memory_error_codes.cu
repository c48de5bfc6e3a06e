/* Error codes of calls about memory, as an H200 with CUDA 13 gives them. Each call that fails leaves its code
 * as the last error. */
// with: CUCC_CHECK=race,init,sync,leak
#include "program.h"

__device__ int variable[4];

static void fails(const char *what, cudaError_t got, cudaError_t want) {
  expect(what, 0, got, want);
  expect(what, 1, cudaGetLastError(), want);
  expect(what, 2, cudaGetLastError(), cudaSuccess);
}

static void attributes(const int *host, const int *device, const int *pinned, const int *managed) {
  cudaPointerAttributes a;
  CHECK(cudaPointerGetAttributes(&a, host));
  expect("type", 0, a.type, cudaMemoryTypeUnregistered);
  CHECK(cudaPointerGetAttributes(&a, device + 3));
  expect("type", 1, a.type, cudaMemoryTypeDevice);
  expect("device", 1, a.device, 0);
  CHECK(cudaPointerGetAttributes(&a, pinned + 3));
  expect("type", 2, a.type, cudaMemoryTypeHost);
  expect("pointers", 2, a.hostPointer == a.devicePointer && a.hostPointer == pinned + 3, 1);
  CHECK(cudaPointerGetAttributes(&a, managed));
  expect("type", 3, a.type, cudaMemoryTypeManaged);
}

static void information() {
  void *p;
  size_t free_before, free_after, total;
  CHECK(cudaMemGetInfo(&free_before, &total));
  CHECK(cudaMalloc(&p, (size_t)64 << 20));
  CHECK(cudaMemGetInfo(&free_after, &total));
  expect("used", 0, free_before - free_after >= (size_t)64 << 20, 1);
  CHECK(cudaFree(p));
  CHECK(cudaMemGetInfo(&free_after, &total));
  expect("given back", 0, free_after == free_before, 1);
}

int main() {
  static int host[64];
  int *device, *pinned, *managed, *other;
  void *huge = host;
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMallocHost(&pinned, sizeof host));
  CHECK(cudaMallocManaged(&managed, sizeof host));
  for (int i = 0; i < 64; i++) pinned[i] = managed[i] = i;

  fails("no memory", cudaMalloc(&huge, (size_t)1 << 60), cudaErrorMemoryAllocation);
  fails("no pinned memory", cudaMallocHost(&huge, (size_t)1 << 60), cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&huge, 0));
  expect("no bytes", 0, huge == NULL, 1);
  CHECK(cudaFree(NULL));
  CHECK(cudaFreeHost(NULL));
  fails("free of a host pointer", cudaFree(host), cudaErrorInvalidValue);
  fails("interior free", cudaFree(device + 1), cudaErrorInvalidValue);
  CHECK(cudaMalloc(&other, 16));
  CHECK(cudaFree(other));
  fails("double free", cudaFree(other), cudaErrorInvalidValue);

  CHECK(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  fails("wrong way", cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  fails("wrong way back", cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
  fails("past the end", cudaMemcpy(device, host, sizeof host + 4096, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, pinned, sizeof host, cudaMemcpyDeviceToHost)); /* pinned memory is on both sides */
  CHECK(cudaMemcpy(host, managed, sizeof host, cudaMemcpyDefault));
  expect("host", 63, host[63], 63);

  fails("pitch too short", cudaMemcpy2D(device, 8, host, 16, 12, 2, cudaMemcpyHostToDevice),
        cudaErrorInvalidPitchValue);
  fails("past the variable's end", cudaMemcpyToSymbol(variable, host, 20), cudaErrorInvalidValue);
  fails("offset past the end", cudaMemcpyToSymbol(variable, host, 4, 16), cudaErrorInvalidValue);
  fails("not a symbol", cudaMemcpyToSymbol(host, host, 4), cudaErrorInvalidSymbol);
  fails("wrong kind to a symbol", cudaMemcpyToSymbol(variable, host, 4, 0, cudaMemcpyDeviceToHost),
        cudaErrorInvalidMemcpyDirection);

  int *array = (int *)malloc(sizeof host);
  fails("not registered", cudaHostUnregister(array), cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostRegister(array, sizeof host, cudaHostRegisterMapped));
  fails("registered twice", cudaHostRegister(array, sizeof host, 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostGetDevicePointer(&other, array, 0));
  expect("mapped", 0, other == array, 1);
  CHECK(cudaHostUnregister(array));
  free(array);
  unsigned flags;
  CHECK(cudaHostGetFlags(&flags, pinned));
  fails("flags of a host array", cudaHostGetFlags(&flags, host), cudaErrorInvalidValue);
  fails("unknown flags", cudaHostAlloc(&other, 16, 1u << 20), cudaErrorInvalidValue);

  attributes(host, device, pinned, managed);
  information();
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(device));
}
