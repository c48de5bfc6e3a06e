/* The C++ forms of host calls: pointers of any type, kernels by name. Each only converts and calls the C
 * function, always inline, so that a report's place is the learner's line. */
#ifndef CUCC_HOST_H
#define CUCC_HOST_H

#define CUCC_FORWARD static inline __attribute__((always_inline)) cudaError_t

template <class T> CUCC_FORWARD cudaMalloc(T **pointer, size_t size) {
  return cudaMalloc(reinterpret_cast<void **>(pointer), size);
}
template <class T> CUCC_FORWARD cudaMallocHost(T **pointer, size_t size) {
  return cudaMallocHost(reinterpret_cast<void **>(pointer), size);
}
template <class T> CUCC_FORWARD cudaMallocHost(T **pointer, size_t size, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T> CUCC_FORWARD cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T>
CUCC_FORWARD cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T> CUCC_FORWARD cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
template <class T> CUCC_FORWARD cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void **>(pointer), size, stream);
}
CUCC_FORWARD cudaMallocAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, size, pool, stream);
}
template <class T>
CUCC_FORWARD cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void **>(pointer), size, pool, stream);
}
template <class T>
CUCC_FORWARD cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void **>(pointer), size, pool, stream);
}
template <class T>
CUCC_FORWARD cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t length = 0,
                                      unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void *>(pointer), length, flags);
}
template <class T> CUCC_FORWARD cudaHostGetDevicePointer(T **device, void *host, unsigned int flags = 0) {
  return cudaHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
/* CUDA 11's form */
CUCC_FORWARD cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *, char *,
                                  size_t) {
  return cudaGraphInstantiate(exec, graph, 0);
}
CUCC_FORWARD cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
template <class K> CUCC_FORWARD cudaFuncGetAttributes(cudaFuncAttributes *attributes, K *kernel) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <class K> CUCC_FORWARD cudaFuncSetAttribute(K *kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
template <class K> CUCC_FORWARD cudaFuncSetCacheConfig(K *kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void *>(kernel), config);
}
/* nvcc takes cudaMemset(p, 1.0f, n) without a word. Only a floating value comes here; the checker says that
 * it fills bytes. */
template <class T> struct cucc_floating {};
template <> struct cucc_floating<float> { using error = cudaError_t; };
template <> struct cucc_floating<double> { using error = cudaError_t; };
#if CUCC_CHECKED
extern "C" void cucc_float_fill(const char *call, double value);
#else
static inline void cucc_float_fill(const char *, double) {}
#endif
template <class T>
static inline __attribute__((always_inline)) typename cucc_floating<T>::error cudaMemset(void *p, T value,
                                                                                         size_t count) {
  cucc_float_fill("cudaMemset", value);
  return cudaMemset(p, static_cast<int>(value), count);
}
#undef CUCC_FORWARD

#endif
