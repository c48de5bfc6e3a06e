/* Headers that programs include: NVTX ranges and the profiler's switch do nothing, constants have their
 * values, and vector types have CUDA's sizes and alignments. */
#include "program.h"
#include <cuda_profiler_api.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>

#define SHAPE(TYPE, SIZE, ALIGNMENT)                                                                         \
  static_assert(sizeof(TYPE) == SIZE && alignof(TYPE) == ALIGNMENT, #TYPE " is as the toolkit's")
SHAPE(char1, 1, 1);
SHAPE(char2, 2, 2);
SHAPE(char3, 3, 1);
SHAPE(uchar4, 4, 4);
SHAPE(short2, 4, 4);
SHAPE(ushort3, 6, 2);
SHAPE(short4, 8, 8);
SHAPE(int2, 8, 8);
SHAPE(uint3, 12, 4);
SHAPE(int4, 16, 16);
SHAPE(long2, 16, 16);
SHAPE(ulonglong3, 24, 8);
SHAPE(float1, 4, 4);
SHAPE(float2, 8, 8);
SHAPE(float3, 12, 4);
SHAPE(float4, 16, 16);
SHAPE(double2, 16, 16);
SHAPE(double3, 24, 8);
SHAPE(dim3, 12, 4);

__global__ void constants(float *f, double *d) {
  f[0] = CUDART_PI_F;
  f[1] = CUDART_INF_F;
  f[2] = CUDART_NAN_F;
  f[3] = CUDART_SQRT_TWO_F;
  d[0] = CUDART_PI;
  d[1] = CUDART_LN2;
  const float4 v = make_float4(1, 2, 3, 4);
  const uchar3 u = make_uchar3(7, 8, 9);
  d[2] = v.x + v.y + v.z + v.w + u.x + u.y + u.z;
  d[3] = make_double3(1, 2, 3).z + make_longlong2(4, 5).y;
}

int main() {
  float f[4], *d_f;
  double d[4], *d_d;
  nvtxRangePushA("constants");
  nvtxMark("begin");
  CHECK(cudaProfilerStart());
  CHECK(cudaMalloc(&d_f, sizeof f));
  CHECK(cudaMalloc(&d_d, sizeof d));
  constants<<<1, 1>>>(d_f, d_d);
  CHECK(cudaMemcpy(f, d_f, sizeof f, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost));
  CHECK(cudaProfilerStop());
  nvtxRangePop();
  expect("pi", 0, f[0], 3.14159265358979);
  expect("infinity", 0, isinf(f[1]) != 0, 1);
  expect("no number", 0, isnan(f[2]) != 0, 1);
  expect("root of two", 0, f[3], 1.41421356237310);
  expect("pi", 1, d[0], 3.14159265358979);
  expect("ln 2", 0, d[1], 0.693147180559945);
  expect("vectors", 0, d[2], 34);
  expect("vectors", 1, d[3], 8);
  CHECK(cudaFree(d_f));
  CHECK(cudaFree(d_d));
}
