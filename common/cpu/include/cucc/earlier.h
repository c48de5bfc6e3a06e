/* Names of CUDA 12 and earlier toolkits that CUDA 13 has no more, or has with other arguments: the programs of
 * books and courses use them. */
#ifndef CUCC_EARLIER_H
#define CUCC_EARLIER_H

#define CUCC_EARLIER static inline __attribute__((always_inline)) cudaError_t

#define cudaDeviceBlockingSync cudaDeviceScheduleBlockingSync

enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

CUCC_EARLIER cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
CUCC_EARLIER cudaThreadExit(void) { return cudaDeviceReset(); }

/* Banks are 4 bytes wide on every device of today. */
CUCC_EARLIER cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  (void)config;
  return cudaSuccess;
}
CUCC_EARLIER cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (!config) return cudaErrorInvalidValue;
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

#ifdef __cplusplus
template <class K> CUCC_EARLIER cudaFuncSetSharedMemConfig(K *, cudaSharedMemConfig) { return cudaSuccess; }

/* A place was the number of a device, or cudaCpuDeviceId. */
static inline cudaMemLocation cucc_location(int device) {
  cudaMemLocation location = {};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
CUCC_EARLIER cudaMemPrefetchAsync(const void *pointer, size_t count, int device, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, count, cucc_location(device), 0u, stream);
}
CUCC_EARLIER cudaMemAdvise(const void *pointer, size_t count, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(pointer, count, advice, cucc_location(device));
}

CUCC_EARLIER cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                      const cudaGraphNode_t *to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
/* Before CUDA 12. */
CUCC_EARLIER cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *failed,
                                 cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (failed) *failed = info.errorNode;
  if (result) *result = info.result;
  return error;
}
#endif

#undef CUCC_EARLIER
#endif
