/* Part of cuda_runtime_api.h: Kernels by their address: launches, attributes, with the types that
 * only they need. Runtime: runtime/launch.c. */
#ifndef CUCC_API_KERNEL_H
#define CUCC_API_KERNEL_H

/* A kernel's address is what its name decays to: `(const void *)add`. All of these return
 * cudaErrorInvalidDeviceFunction for a null pointer; a launch does so for anything that is not a kernel of
 * the program and no template. */

/* Launches a kernel by its address. `arguments` holds, for each parameter, a pointer to its value in host
 * memory; values are copied before the call returns. shared_bytes: of dynamic shared memory per block. */
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes CUCC_DEFAULT(0), cudaStream_t stream CUCC_DEFAULT(0));
/* The same for a kernel whose blocks wait for each other (cooperative_groups' grid.sync()): all of them run
 * at once. More than the device holds: cudaErrorCooperativeLaunchTooLarge. */
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes CUCC_DEFAULT(0),
                                        cudaStream_t stream CUCC_DEFAULT(0));

typedef enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributePriority = 8 /* accepted, without effect */
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  int priority;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes; /* per block */
  cudaStream_t stream;
  cudaLaunchAttribute *attrs; /* the caller's, numAttrs of them */
  unsigned int numAttrs;
} cudaLaunchConfig_t;
/* What its attributes mean, as flags of cucc/launch.h. */
unsigned cucc_launch_flags(const cudaLaunchConfig_t *config);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments);

/* What is known of a kernel; registers are made up. Written to *attributes, which is the caller's. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
/* How much dynamic shared memory, in bytes, launches of this kernel may ask for (at most 163 KiB; 48 KiB
 * without). A carveout is accepted, without effect. */
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
/* Modules that NVRTC has compiled, by the names of CUDA 12: see cuda.h. A cudaKernel_t stands for a kernel's
 * address in all of these calls. Link with -lcuda. */
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUkern_st *cudaKernel_t;
enum cudaJitOption { cudaJitMaxRegisters = 0 };
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, enum cudaJitOption *jit,
                                void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library, const char *name);

/* Accepted, without effect. */
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);

#endif
