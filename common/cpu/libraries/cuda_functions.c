/* Kernels of modules and libraries: finding, asking, launching them. A CUfunction is the runtime's record of a
 * kernel, and so is a CUkernel; a CUlibrary is a module. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_inner.h"
#include "state/counters.h"
#include "state/failed.h"
#include "state/launch_record.h"
#include "state/state.h"
#include "engine/entry.h"
#include "engine/launch.h"
#include "engine/work.h"

#define KERNEL(function) ((const struct cucc_kernel *)(function))

/* Notes why a call fails, and what to do about it or NULL, for people. */
static CUresult refuse(const char *call, CUresult error, const char *sentence, const char *advice) {
  failed_enter(call);
  failed_because(sentence, advice);
  failed_note((cudaError_t)error);
  return error;
}

/* Whether it is a kernel, of the program or of a module that is loaded; a finding if it was unloaded. */
static CUresult check_function(CUfunction function, const char *call, uintptr_t site) {
  const struct cucc_kernel *k = cucc_kernels;
  while (k && k != KERNEL(function)) k = k->next;
  if (!k)
    return refuse(call, CUDA_ERROR_INVALID_HANDLE, "its function is no kernel of a module",
                  "a CUfunction that no successful cuModuleGetFunction has written");
  const CUmodule module = module_of_code(k->function);
  if (!module || module_is_loaded(module)) return CUDA_SUCCESS;
  work_finding(TOOL_MEM, "a kernel is used whose module was unloaded", site, 0, NULL,
               "cuModuleUnload before the last launch: a kernel lives as long as its module");
  return CUDA_ERROR_INVALID_HANDLE;
}

/* ---------------------------------------------------------------------------------------------- modules */

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return module_load(module, image, "cuModuleLoadData", CALLER);
}

/* Buffers for a log get an empty one. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options_given,
                            void **values) {
  if (count && (!options_given || !values)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; i++) {
    const CUjit_option o = options_given[i];
    if ((o == CU_JIT_INFO_LOG_BUFFER || o == CU_JIT_ERROR_LOG_BUFFER) && values[i]) *(char *)values[i] = 0;
  }
  return module_load(module, image, "cuModuleLoadDataEx", CALLER);
}

CUresult cuModuleUnload(CUmodule module) { return module_unload(module, "cuModuleUnload", CALLER); }

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  return module_kernel(function, module, name, "cuModuleGetFunction");
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
  return module_kernel_count(count, module);
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  return module_global(address, bytes, module, name);
}

/* ---------------------------------------------------------------------------------------------- libraries */

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit, void **jit_values,
                           unsigned jit_count, CUlibraryOption *options_given, void **values,
                           unsigned count) {
  (void)jit, (void)jit_values, (void)jit_count, (void)options_given, (void)values, (void)count;
  return module_load((CUmodule *)library, image, "cuLibraryLoadData", CALLER);
}

CUresult cuLibraryUnload(CUlibrary library) {
  return module_unload((CUmodule)library, "cuLibraryUnload", CALLER);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return module_kernel((CUfunction *)kernel, (CUmodule)library, name, "cuLibraryGetKernel");
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
  return module_kernel_count(count, (CUmodule)library);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  if (!module) return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_loaded((CUmodule)library)) return CUDA_ERROR_INVALID_HANDLE;
  *module = (CUmodule)library;
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  return module_global(address, bytes, (CUmodule)library, name);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = check_function((CUfunction)kernel, "cuKernelGetFunction", CALLER);
  if (!error) *function = (CUfunction)kernel;
  return error;
}

/* The runtime's names for the same. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, enum cudaJitOption *jit,
                                void **jit_values, unsigned jit_count, enum cudaLibraryOption *options_given,
                                void **values, unsigned count) {
  (void)jit, (void)jit_values, (void)jit_count, (void)options_given, (void)values, (void)count;
  const CUresult error = module_load((CUmodule *)library, image, "cudaLibraryLoadData", CALLER);
  return error ? cucc_fail((cudaError_t)error) : cudaSuccess;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  const CUresult error = module_unload((CUmodule)library, "cudaLibraryUnload", CALLER);
  return error ? cucc_fail((cudaError_t)error) : cudaSuccess;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  const CUresult error = module_kernel((CUfunction *)kernel, (CUmodule)library, name, "cudaLibraryGetKernel");
  return error ? cucc_refuse((cudaError_t)error) : cudaSuccess;
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
  const CUresult error = module_kernel_count(count, (CUmodule)library);
  return error ? cucc_refuse((cudaError_t)error) : cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library, const char *name) {
  const CUresult error = module_global((CUdeviceptr *)address, bytes, (CUmodule)library, name);
  return error ? cucc_refuse((cudaError_t)error) : cudaSuccess;
}

/* ---------------------------------------------------------------------------------------------- functions */

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  if (!module) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = check_function(function, "cuFuncGetModule", CALLER);
  if (!error) *module = module_of_code(KERNEL(function)->function);
  return error ? error : *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = check_function(function, "cuFuncGetName", CALLER);
  if (!error) *name = KERNEL(function)->name;
  return error;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  struct cudaFuncAttributes a;
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = check_function(function, "cuFuncGetAttribute", CALLER);
  if (!error) error = (CUresult)cudaFuncGetAttributes(&a, KERNEL(function)->function);
  if (error) return error;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = a.maxThreadsPerBlock;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = (int)a.sharedSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value = (int)a.constSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = (int)a.localSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = a.numRegs;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *value = a.ptxVersion;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = a.binaryVersion;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    *value = 0;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = a.maxDynamicSharedSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = a.preferredShmemCarveout;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  const CUresult error = check_function(function, "cuFuncSetAttribute", CALLER);
  return error ? error
               : (CUresult)cudaFuncSetAttribute(KERNEL(function)->function, (enum cudaFuncAttribute)attribute,
                                                value);
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  (void)config;
  return check_function(function, "cuFuncSetCacheConfig", CALLER);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
                                                     size_t shared_bytes) {
  const CUresult error = check_function(function, "cuOccupancyMaxActiveBlocksPerMultiprocessor", CALLER);
  return error ? error
               : (CUresult)cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, KERNEL(function)->function,
                                                                         block_size, shared_bytes);
}

/* As cudaOccupancyMaxPotentialBlockSize (include/cucc/occupancy.h). */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared_bytes, int limit) {
  CUresult error = check_function(function, "cuOccupancyMaxPotentialBlockSize", CALLER);
  if (error) return error;
  if (!grid_size || !block_size) return CUDA_ERROR_INVALID_VALUE;
  int device, most, multiprocessors, best = 0;
  error = (CUresult)cudaGetDevice(&device);
  if (!error) error = (CUresult)cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  if (!error)
    error = (CUresult)cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error) return error;
  if (limit <= 0 || limit > most) limit = most;
  *grid_size = *block_size = 0;
  for (int size = (limit + 31) / 32 * 32; !error && size > 0; size -= 32) {
    const int tried = size < limit ? size : limit;
    int n = 0;
    error = (CUresult)cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &n, KERNEL(function)->function, tried, shared_of ? shared_of(tried) : shared_bytes, 0);
    if (n * tried <= best) continue;
    best = n * tried;
    *block_size = tried;
    *grid_size = n * multiprocessors;
  }
  return error;
}

/* ---------------------------------------------------------------------------------------------- launches */

/* The arguments in one buffer, each at a multiple of its alignment, become pointers to them. */
static CUresult take_buffer(const char *call, const struct cucc_kernel *k, void **extra, void **pointers) {
  char *buffer = NULL;
  size_t size = 0, at = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
      size = *(size_t *)extra[1];
    else
      return refuse(call, CUDA_ERROR_INVALID_VALUE,
                    "its last parameter, extra, is no list of tags such as CU_LAUNCH_PARAM_BUFFER_POINTER",
                    "pointers to the arguments are the last parameter but one; extra is NULL then");
  }
  for (int i = 0; i < k->parameters; i++) {
    at = (at + k->parameter_alignments[i] - 1) / k->parameter_alignments[i] * k->parameter_alignments[i];
    pointers[i] = buffer + at;
    at += k->parameter_sizes[i];
  }
  if (at == size) return CUDA_SUCCESS;
  char sentence[100];
  snprintf(sentence, sizeof sentence,
           "the buffer of extra has %zu bytes, and the kernel's arguments have %zu", size, at);
  return refuse(call, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, sentence, NULL); /* as an H100 says */
}

static CUresult launch_function(const char *call, CUfunction function, dim3 grid, dim3 block,
                                unsigned shared_bytes, CUstream stream, void **arguments, void **extra,
                                unsigned flags, uintptr_t site) {
  CUresult error = check_function(function, call, site);
  if (error) return error;
  const struct cucc_kernel *k = KERNEL(function);
  if (arguments && extra)
    return refuse(call, CUDA_ERROR_INVALID_VALUE, "it got arguments in both ways: one of them is NULL", NULL);
  void **pointers = NULL;
  if (extra) {
    pointers = calloc((size_t)k->parameters + 1, sizeof *pointers);
    error = pointers ? take_buffer(call, k, extra, pointers) : CUDA_ERROR_OUT_OF_MEMORY;
  }
  const cudaError_t before = cucc_last_error(false);
  if (!error)
    error = (CUresult)launch_by_address(k->function, grid, block, extra ? pointers : arguments, shared_bytes,
                                        stream, flags, site);
  cucc_set_last_error(before); /* cudaGetLastError knows no errors of the driver's calls */
  if (!error && module_of_code(k->function)) count(COUNT_MODULE_LAUNCHES);
  free(pointers);
  return error;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **arguments, void **extra) {
  return launch_function("cuLaunchKernel", function, (dim3){grid_x, grid_y, grid_z},
                         (dim3){block_x, block_y, block_z}, shared_bytes, stream, arguments, extra, 0,
                         CALLER);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z,
                                   unsigned shared_bytes, CUstream stream, void **arguments) {
  return launch_function("cuLaunchCooperativeKernel", function, (dim3){grid_x, grid_y, grid_z},
                         (dim3){block_x, block_y, block_z}, shared_bytes, stream, arguments, NULL,
                         CUCC_COOPERATIVE, CALLER);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **arguments, void **extra) {
  unsigned flags = 0;
  if (!c || (c->numAttrs && !c->attrs)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < c->numAttrs; i++)
    if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && c->attrs[i].value.cooperative)
      flags |= CUCC_COOPERATIVE;
  return launch_function("cuLaunchKernelEx", function, (dim3){c->gridDimX, c->gridDimY, c->gridDimZ},
                         (dim3){c->blockDimX, c->blockDimY, c->blockDimZ}, c->sharedMemBytes, c->hStream,
                         arguments, extra, flags, CALLER);
}
