/* Programs ask which of the toolkit's headers were read before them, by the headers' guard macros, and use what
 * these headers bring along; parts of cuda_runtime.h can be included by their own names. */
#include "program.h"
#include <builtin_types.h>
#include <crt/host_defines.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <curand.h>
#include <curand_kernel.h>
#include <device_functions.h>
#include <host_defines.h>
#include <math_constants.h>
#include <math_functions.h>
#include <nvToolsExtCudaRt.h>
#include <nvrtc.h>
#include <sm_60_atomic_functions.h>

#if !defined __CUDA_RUNTIME_H__ || !defined __CUDA_RUNTIME_API_H__ || !defined __DRIVER_TYPES_H__ ||         \
    !defined __VECTOR_TYPES_H__ || !defined __VECTOR_FUNCTIONS_H__ || !defined __BUILTIN_TYPES_H__ ||        \
    !defined __HOST_DEFINES_H__ || !defined __DEVICE_LAUNCH_PARAMETERS_H__ || !defined __MATH_FUNCTIONS_H__
#error "the runtime's headers have no guards"
#endif
#if !defined CUBLAS_API_H_ || !defined CUBLAS_V2_H_ || !defined CURAND_H_ || !defined CURAND_KERNEL_H_ ||    \
    !defined __cuda_cuda_h__ || !defined __CUDA_FP16_H__ || !defined __NVRTC_H__ ||                          \
    !defined __MATH_CONSTANTS_H__ || !defined __CUDA_PROFILER_API_H__
#error "the libraries' headers have no guards"
#endif
#if CUDART_VERSION < 12000 || __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 != CUDART_VERSION
#error "the versions do not agree"
#endif

/* As NVIDIA's samples do. */
static const char *name_of(cudaError_t error) { return cudaGetErrorName(error); }
static const char *name_of(CUresult error) { return error == CUDA_SUCCESS ? "success" : "error"; }
static const char *name_of(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return "success";
  case CUBLAS_STATUS_NOT_INITIALIZED:
  case CUBLAS_STATUS_ALLOC_FAILED:
  case CUBLAS_STATUS_INVALID_VALUE:
  case CUBLAS_STATUS_ARCH_MISMATCH:
  case CUBLAS_STATUS_MAPPING_ERROR:
  case CUBLAS_STATUS_EXECUTION_FAILED:
  case CUBLAS_STATUS_INTERNAL_ERROR:
  case CUBLAS_STATUS_NOT_SUPPORTED:
  case CUBLAS_STATUS_LICENSE_ERROR:
    break;
  }
  return "error";
}
static const char *name_of(curandStatus_t status) { return status ? "error" : "success"; }

__global__ void smallest(int *out, const int *in, int n) {
  int least = INT_MAX;
  for (int i = 0; i < n; i++) least = min(least, in[i]);
  *out = least;
  if (threadIdx.x == UINT_MAX) printf("%d\n", least);
}

int main() {
  int in[] = {3, -7, 5}, out = 0, *d;
  CHECK(cudaMalloc(&d, sizeof in + sizeof out));
  CHECK(cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice));
  smallest<<<1, 1>>>(d + 3, d, 3);
  CHECK(cudaMemcpy(&out, d + 3, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  nvtxNameCudaStreamA(0, "default");
  CHECK(cudaFuncSetAttribute(smallest, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared));
  expect("least", 0, out, -7);
  expect("names", 0, name_of(CUDA_SUCCESS)[0] + name_of(CUBLAS_STATUS_SUCCESS)[0], 's' + 's');
  expect("names", 1, name_of(CURAND_STATUS_TYPE_ERROR)[0] + name_of(cudaSuccess)[0], 'e' + 'c');
}
