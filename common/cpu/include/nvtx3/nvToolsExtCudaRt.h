/* NVTX's names of the runtime's streams, events and devices, which no one reads here. */
#ifndef NVTOOLSEXT_CUDART_H_
#define NVTOOLSEXT_CUDART_H_

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

#define CUCC_NVTX static inline __attribute__((unused)) void

CUCC_NVTX nvtxNameCudaDeviceA(int device, const char *name) { (void)device, (void)name; }
CUCC_NVTX nvtxNameCudaStreamA(cudaStream_t stream, const char *name) { (void)stream, (void)name; }
CUCC_NVTX nvtxNameCudaEventA(cudaEvent_t event, const char *name) { (void)event, (void)name; }
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA

#undef CUCC_NVTX
#endif
