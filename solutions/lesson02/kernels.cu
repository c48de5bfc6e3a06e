/*
 * lesson02, kernels: from a loop to a kernel, and the five steps around it.
 *
 * A kernel is the body of a loop. The launch kernel<<<blocks, threads>>>(...) runs that body once per thread,
 * and each thread computes from blockIdx, blockDim and threadIdx which element is its own. The kernel is one
 * of five steps: allocate on the device, copy in, launch, copy out, free.
 *
 * kernels.h says what each function must do. h_ is host memory, d_ device memory; sizes in elements unless
 * named bytes.
 */
#include "kernels.h"

/* Threads in a block: a multiple of the warp's 32. */
#define THREADS 256

// #region task-1
//: /* TODO task 1: n / d rounded up: how many blocks cover n elements if each block does d of them? */
//: static int ceil_div(int n, int d) { return 0; }
//:
//: /* TODO task 1: a kernel that multiplies d_x[i] by factor for its own i, and does nothing if i >= n. */
/* n / d rounded up; in 64 bits, since n + d may pass the largest int. */
static int ceil_div(int n, int d) { return (int)(((long long)n + d - 1) / d); }

static __global__ void scale_kernel(float *d_x, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= factor; /* the last block has more threads than elements left */
}
// #endregion task-1

cudaError_t scale_array(float *h_x, int n, float factor) {
  // #region task-1
  //: /* TODO task 1: the five steps. Allocate d_x, copy h_x there, launch, copy back, free. */
  //: return cudaSuccess;
  if (n == 0) return cudaSuccess; /* a grid of 0 blocks is an error */
  const size_t size_bytes = (size_t)n * sizeof(float);
  float *d_x = NULL;
  cudaError_t error = cudaMalloc(&d_x, size_bytes);
  if (!error) error = cudaMemcpy(d_x, h_x, size_bytes, cudaMemcpyHostToDevice);
  if (!error) {
    scale_kernel<<<ceil_div(n, THREADS), THREADS>>>(d_x, n, factor);
    error = cudaGetLastError(); /* a launch returns nothing: this call says whether it was accepted */
  }
  if (!error) error = cudaMemcpy(h_x, d_x, size_bytes, cudaMemcpyDeviceToHost); /* waits for the kernel */
  cudaFree(d_x);
  return error;
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: a kernel that writes d_a[i] + d_b[i] into d_c[i]. */
/*
 * One element a thread. Neighbouring threads touch neighbouring floats, so a warp's 32 loads are 128
 * contiguous bytes: four sectors of 32 bytes, and every byte that is fetched is used. 12 bytes an element for
 * one addition: memory limits the speed.
 */
static __global__ void vector_add_kernel(const float *d_a, const float *d_b, float *d_c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}
// #endregion task-2

cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n) {
  // #region task-2
  //: /* TODO task 2: launch it. The arrays are already on the device: no allocation, no copies. */
  //: return cudaSuccess;
  if (n == 0) return cudaSuccess;
  vector_add_kernel<<<ceil_div(n, THREADS), THREADS>>>(d_a, d_b, d_c, n);
  return cudaGetLastError();
  // #endregion task-2
}

cudaError_t vector_add(const float *h_a, const float *h_b, float *h_c, int n, int threads) {
  // #region task-3
  //: /* TODO task 3: the five steps with your kernel of task 2, in blocks of `threads`, every call checked. */
  //: return cudaSuccess;
  if (n == 0) return cudaSuccess;
  const size_t size_bytes = (size_t)n * sizeof(float);
  float *d_a = NULL, *d_b = NULL, *d_c = NULL;
  cudaError_t error = cudaMalloc(&d_a, size_bytes);
  if (!error) error = cudaMalloc(&d_b, size_bytes);
  if (!error) error = cudaMalloc(&d_c, size_bytes);
  if (!error) error = cudaMemcpy(d_a, h_a, size_bytes, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(d_b, h_b, size_bytes, cudaMemcpyHostToDevice);
  if (!error) {
    vector_add_kernel<<<ceil_div(n, threads), threads>>>(d_a, d_b, d_c, n);
    error = cudaGetLastError(); /* a block with too many threads is reported only here */
  }
  if (!error) error = cudaMemcpy(h_c, d_c, size_bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return error;
  // #endregion task-3
}

// #region task-further
//: /* TODO go further: a kernel in which each thread moves 16 bytes at a time (float4). */
/*
 * What changed from vector_add_kernel: each thread loads and stores 16 bytes at a time instead of 4. Why it
 * should help: bandwidth = bytes in flight / latency of a byte, and one 4-byte load from each array leaves
 * too few bytes in flight. Measured at n = 2^26 on an H200 (results/): 0.80 of the speed of a copy before,
 * 1.01 now. More float4s a thread bring no further gain there: the remaining limit is the memory itself.
 */
static __global__ void vector_add_wide_kernel(const float *d_a, const float *d_b, float *d_c, int n) {
  const float4 *a4 = (const float4 *)d_a, *b4 = (const float4 *)d_b;
  float4 *c4 = (float4 *)d_c;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int vectors = n / 4; /* whole float4s; one to three floats may be left over */

  if (i < vectors) {
    const float4 a = a4[i], b = b4[i];
    c4[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  } else if (i == vectors) {
    for (int j = 4 * vectors; j < n; j++) d_c[j] = d_a[j] + d_b[j]; /* the thread after the last vector */
  }
}
// #endregion task-further

cudaError_t vector_add_wide(const float *d_a, const float *d_b, float *d_c, int n) {
  // #region task-further
  //: /* TODO go further: launch it; n need not be a multiple of 4. */
  //: return cudaSuccess;
  if (n == 0) return cudaSuccess;
  vector_add_wide_kernel<<<ceil_div(n, 4 * THREADS), THREADS>>>(d_a, d_b, d_c, n);
  return cudaGetLastError();
  // #endregion task-further
}
