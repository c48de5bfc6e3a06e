// Right in an unusual way: float4 in rows that start anywhere: each row is cut at the multiples of 16 bytes,
// and the elements before the first and after the last are processed one by one. Task 1 with pointers, two
// elements in each step of the loop.
#include "hierarchy.h"

static __global__ void scale_pointers(float *x, float *const end, float factor) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  x += (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (; x < end && (size_t)(end - x) > stride; x += 2 * stride) {
    const float a = x[0], b = x[stride];
    x[0] = a * factor;
    x[stride] = b * factor;
  }
  if (x < end) *x *= factor;
}

static __global__ void scale_vectors(float *m, size_t rows, size_t columns, size_t pitch, float factor) {
  const size_t across = (size_t)gridDim.x * blockDim.x, down = (size_t)gridDim.y * blockDim.y;
  for (size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += down) {
    const size_t begin = row * pitch, end = begin + columns;
    for (size_t v = begin / 4 + (size_t)blockIdx.x * blockDim.x + threadIdx.x; 4 * v < end; v += across) {
      if (4 * v >= begin && 4 * v + 4 <= end) {
        const float4 old = reinterpret_cast<const float4 *>(m)[v];
        reinterpret_cast<float4 *>(m)[v] =
            make_float4(old.x * factor, old.y * factor, old.z * factor, old.w * factor);
        continue;
      }
      for (size_t i = 4 * v; i < 4 * v + 4; i++)
        if (i >= begin && i < end) m[i] *= factor;
    }
  }
}

static cudaError_t launch(float *d_m, size_t rows, size_t columns, size_t pitch, float factor, dim3 block) {
  if (rows == 0 || columns == 0) return cudaSuccess;
  scale_vectors<<<dim3(2, 512), block>>>(d_m, rows, columns, pitch, factor);
  return cudaGetLastError();
}

cudaError_t scale_grid_stride(float *d_x, size_t n, float factor, int blocks, int threads) {
  if (n == 0) return cudaSuccess;
  scale_pointers<<<blocks, threads>>>(d_x, d_x + n, factor);
  return cudaGetLastError();
}

cudaError_t scale_matrix(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  return launch(d_m, rows, columns, pitch, factor, dim3(128));
}

cudaError_t scale_in_blocks(float *d_m, size_t rows, size_t columns, float factor, int width, int height) {
  return launch(d_m, rows, columns, columns, factor, dim3(width, height));
}

cudaError_t scale_matrix_fast(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  return launch(d_m, rows, columns, pitch, factor, dim3(64, 4));
}
