/* Attributes of streams: a window for the L2 cache, whose limits are a driver's, and the priority. */
#include "program.h"

__global__ void add(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

static cudaStreamAttrValue window(void *at, size_t bytes, float share, cudaAccessProperty hit,
                                  cudaAccessProperty miss) {
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = at;
  value.accessPolicyWindow.num_bytes = bytes;
  value.accessPolicyWindow.hitRatio = share;
  value.accessPolicyWindow.hitProp = hit;
  value.accessPolicyWindow.missProp = miss;
  return value;
}

int main() {
  const int n = 1000;
  float *x;
  cudaStream_t stream, other;
  cudaDeviceProp properties;
  int most = 0;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxAccessPolicyWindowSize, 0));
  expect("window", 0, most, properties.accessPolicyMaxWindowSize);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize));
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMemset(x, 0, n * sizeof *x));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  const cudaAccessProperty normal = cudaAccessPropertyNormal, streaming = cudaAccessPropertyStreaming,
                           persisting = cudaAccessPropertyPersisting;
  cudaStreamAttrValue value = window(x, n * sizeof *x, 0.5f, persisting, streaming), found = {};
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  add<<<(n + 255) / 256, 256, 0, stream>>>(x, n);
  CHECK(cudaStreamCopyAttributes(other, stream));
  CHECK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &found));
  expect("bytes", 0, found.accessPolicyWindow.num_bytes, n * sizeof *x);
  expect("share", 0, found.accessPolicyWindow.hitRatio, 0.5f);

  const cudaStreamAttrValue wrong[] = {
      window(x, size_t(most) + 1, 1, persisting, normal), window(x, 64, 1.5f, persisting, normal),
      window(x, 64, -0.5f, persisting, normal), window(x, 64, 1, persisting, persisting)};
  for (int i = 0; i < 4; i++)
    expect("wrong", i, cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &wrong[i]),
           cudaErrorInvalidValue);
  expect("no value", 0, cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, nullptr),
         cudaErrorInvalidValue);
  cudaGetLastError();

  int least, greatest, priority;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  value.priority = greatest;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value));
  CHECK(cudaStreamGetPriority(stream, &priority));
  expect("priority", 0, priority, greatest);

  value = window(nullptr, 0, 0, normal, normal);
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  CHECK(cudaCtxResetPersistingL2Cache());
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaFree(x));
}
