/*
 * Variables of the device: what cucc makes of `__device__ int total;` at namespace scope, and the C++ forms
 * of the calls that take such a variable by its name.
 *
 * The variable's own memory is the host's shadow of it, as with nvcc. Variables of a kind lie together in a
 * section, so that the runtime can bring in the device's values before a kernel runs and take them out
 * afterwards (runtime/symbol.c). A program or shared object tells where its sections are, that of its kernels
 * too, before its own constructors run.
 */
#ifndef CUCC_SYMBOL_H
#define CUCC_SYMBOL_H

#define CUCC_DEVICE_VARIABLE   __attribute__((section("cucc_device")))
#define CUCC_CONSTANT_VARIABLE __attribute__((section("cucc_constant")))
#define CUCC_MANAGED_VARIABLE  __attribute__((section("cucc_managed")))

extern "C" {
/* kind: 0 __device__, 1 __constant__, 2 __managed__. A section that is empty or known is left out. */
void cucc_register_variables(int kind, char *start, char *stop);
/* The same for each instance of a variable template in the program or shared object that holds `here`: the
   compilers put these where they want. */
void cucc_register_template(int kind, const char *name, const void *here);

#define CUCC_SECTION(name)                                                                                   \
  extern char __start_##name[] __attribute__((weak, visibility("hidden")));                                  \
  extern char __stop_##name[] __attribute__((weak, visibility("hidden")));
CUCC_SECTION(cucc_device)
CUCC_SECTION(cucc_constant)
CUCC_SECTION(cucc_managed)
#undef CUCC_SECTION
extern cucc_kernel *const __start_cucc_kernels[] __attribute__((weak, visibility("hidden")));
extern cucc_kernel *const __stop_cucc_kernels[] __attribute__((weak, visibility("hidden")));
}

__attribute__((constructor(101))) CUCC_UNCHECKED static void cucc_register_module(void) {
  cucc_register_variables(0, __start_cucc_device, __stop_cucc_device);
  cucc_register_variables(1, __start_cucc_constant, __stop_cucc_constant);
  cucc_register_variables(2, __start_cucc_managed, __stop_cucc_managed);
  cucc_register_kernels(__start_cucc_kernels, __stop_cucc_kernels);
}

namespace cucc {
struct variable_template {
  variable_template(const char *name, int kind) { cucc_register_template(kind, name, this); }
};
} // namespace cucc

#define CUCC_FORWARD template <class T> static inline __attribute__((always_inline)) cudaError_t

CUCC_FORWARD cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
CUCC_FORWARD cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
CUCC_FORWARD cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                     cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
CUCC_FORWARD cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                       cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                       cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
CUCC_FORWARD cudaGetSymbolAddress(void **pointer, const T &symbol) {
  return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
CUCC_FORWARD cudaGetSymbolSize(size_t *size, const T &symbol) {
  return cudaGetSymbolSize(size, (const void *)&symbol);
}
#undef CUCC_FORWARD

#endif
