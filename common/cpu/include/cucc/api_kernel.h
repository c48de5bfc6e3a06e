/* Part of cuda_runtime_api.h: Kernels by their address: launches, attributes, with the types that
 * only they need. Runtime: runtime/launch.c. */
#ifndef CUCC_API_KERNEL_H
#define CUCC_API_KERNEL_H

/* kernels, by their address */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);

#endif
