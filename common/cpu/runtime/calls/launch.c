/* Calls that launch kernels by their address, and that ask for and set attributes of kernels. */
#include "base/base.h"

#include <link.h>
#include <stdlib.h>

#include "base/occupancy.h"
#include "base/symtab.h"
#include "state/launch_record.h"
#include "state/failed.h"
#include "state/state.h"
#include "engine/entry.h"
#include "engine/launch.h"

struct address_name {
  uintptr_t address;
  char *name;
  size_t size;
};

static void compare_address(const ElfW(Sym) * symbol, const char *name, void *context) {
  const struct address_name *wanted = context;
  if (symbol->st_value == wanted->address && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
    symtab_plain_name(wanted->name, wanted->size, name);
}

/* The function's name; empty in a stripped program. */
static void name_function(const void *function, char *name, size_t size) {
  struct module m = {.address = (uintptr_t)function};
  if (!module_of(&m)) return;
  struct address_name wanted = {m.address - m.base, name, size};
  symtab_each(m.file, compare_address, &wanted);
}

static cudaError_t allow(const void *function, size_t bytes) {
  pthread_mutex_lock(&allowances_lock);
  struct allowance *a = launch_allowances;
  while (a && a->function != function) a = a->next;
  if (!a && (a = calloc(1, sizeof *a))) {
    a->function = function;
    name_function(function, a->name, sizeof a->name);
    a->next = launch_allowances;
    launch_allowances = a;
  }
  if (a) a->bytes = bytes;
  pthread_mutex_unlock(&allowances_lock);
  return a ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
  cudaError_t error = cucc_enter("cudaFuncSetAttribute");
  if (error) return error;
  if (!kernel) return cucc_fail(cudaErrorInvalidDeviceFunction);
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 || (size_t)value > SHARED_MAX) return cucc_fail(cudaErrorInvalidValue);
    return cucc_fail(allow(kernel, (size_t)value));
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    return value < -1 || value > 100 ? cucc_fail(cudaErrorInvalidValue) : cudaSuccess;
  }
  return cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) {
  (void)config;
  cudaError_t error = cucc_enter("cudaFuncSetCacheConfig");
  if (error) return error;
  return kernel ? cudaSuccess : cucc_fail(cudaErrorInvalidDeviceFunction);
}

/* A CPU has no registers per thread to report: the figures are those of a small kernel. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) {
  cudaError_t error = cucc_enter("cudaFuncGetAttributes");
  if (error) return error;
  if (!attributes) return cucc_fail(cudaErrorInvalidValue);
  if (!kernel) return cucc_fail(cudaErrorInvalidDeviceFunction);
  *attributes = (struct cudaFuncAttributes){.maxThreadsPerBlock = MAX_THREADS,
                                            .numRegs = 32,
                                            .ptxVersion = 80,
                                            .binaryVersion = 80,
                                            .maxDynamicSharedSizeBytes = (int)launch_shared_limit(kernel),
                                            .preferredShmemCarveout = -1};
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch_by_address(function, grid, block, arguments, shared_bytes, stream, 0, CALLER);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch_by_address(function, grid, block, arguments, shared_bytes, stream, CUCC_COOPERATIVE, CALLER);
}

unsigned cucc_launch_flags(const cudaLaunchConfig_t *config) {
  unsigned flags = 0;
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const cudaLaunchAttribute *a = &config->attrs[i];
    if (a->id == cudaLaunchAttributeCooperative && a->val.cooperative) flags |= CUCC_COOPERATIVE;
  }
  return flags;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
  if (!config || (config->numAttrs && !config->attrs)) return cucc_refuse(cudaErrorInvalidValue);
  return launch_by_address(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                           config->stream, cucc_launch_flags(config), CALLER);
}
