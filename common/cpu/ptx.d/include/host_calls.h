/* Calls of the host that take kernels and variables of the device by their names, and what <<< >>> becomes. */
#ifndef PTX_HOST_CALLS_H
#define PTX_HOST_CALLS_H

extern "C" unsigned cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

template <class K>
static inline cudaError_t cudaLaunchKernel(K *kernel, dim3 grid, dim3 block, void **arguments,
                                           size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class K>
static inline cudaError_t cudaLaunchCooperativeKernel(K *kernel, dim3 grid, dim3 block, void **arguments,
                                                      size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*kernel)(P...), A &&...) {
  return cudaLaunchKernel((const void *)kernel, 1, 1, nullptr, 0, 0);
}

#define PTX_SYMBOL template <class T> static inline cudaError_t
PTX_SYMBOL cudaMemcpyToSymbol(const T &symbol, const void *from, size_t count, size_t offset = 0,
                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, count, offset, kind);
}
PTX_SYMBOL cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count, size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, count, offset, kind);
}
PTX_SYMBOL cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t count, size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, count, offset, kind, stream);
}
PTX_SYMBOL cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t count, size_t offset = 0,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, count, offset, kind, stream);
}
PTX_SYMBOL cudaGetSymbolAddress(void **pointer, const T &symbol) {
  return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
PTX_SYMBOL cudaGetSymbolSize(size_t *size, const T &symbol) {
  return cudaGetSymbolSize(size, (const void *)&symbol);
}
#undef PTX_SYMBOL

/* nvcc has min and max for the host, too, of mixed types as well. */
template <class A, class B> static inline auto min(A a, B b) -> decltype(a + b) { return b < a ? b : a; }
template <class A, class B> static inline auto max(A a, B b) -> decltype(a + b) { return a < b ? b : a; }

#endif
