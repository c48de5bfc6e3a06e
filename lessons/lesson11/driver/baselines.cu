/* baselines.cu: see baselines.h. Trusted code of the harness. */
#include "baselines.h"
#include "cublas.h"

static const float one = 1, zero = 0;

static int at_least_1(size_t n) { return n > 1 ? (int)n : 1; }

/* The handle of all baselines; null where it cannot be made. */
static cublasHandle_t own_handle(void) {
  static cublasHandle_t handle;
  if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) handle = nullptr;
  return handle;
}

/* ---- One product ---- */

static cublasStatus_t product(const wb_case *c, cublasComputeType_t type) {
  const size_t *size = c->size.n;
  return cublasGemmEx(own_handle(), CUBLAS_OP_N, CUBLAS_OP_N, (int)size[N], (int)size[M], (int)size[K], &one,
                      wb_f32(c, D_B), CUDA_R_32F, at_least_1(size[N]), wb_f32(c, D_A), CUDA_R_32F,
                      at_least_1(size[K]), &zero, wb_f32(c, D_C), CUDA_R_32F, at_least_1(size[N]), type,
                      CUBLAS_GEMM_DEFAULT);
}

int fp32_call(const wb_case *c) { return cuda_error(product(c, CUBLAS_COMPUTE_32F)); }
int tf32_call(const wb_case *c) { return cuda_error(product(c, CUBLAS_COMPUTE_32F_FAST_TF32)); }

/* ---- A batch ---- */

batch_strides strides_of(const wb_size *size) {
  const long long m = (long long)size->n[M], n = (long long)size->n[N], k = (long long)size->n[K];
  const long long gap = size->n[M] == FAR_ROWS ? FAR_APART : size->n[BATCH] % 2 ? 5 : 0;
  return {n == 1 ? 0 : m * k + gap, k * n + gap, m * n + gap};
}

static cublasStatus_t some_of_batch(const wb_case *c, size_t first, size_t count) {
  const size_t *size = c->size.n;
  const batch_strides s = strides_of(&c->size);
  return cublasSgemmStridedBatched(own_handle(), CUBLAS_OP_N, CUBLAS_OP_N, (int)size[N], (int)size[M],
                                   (int)size[K], &one, wb_f32(c, D_B) + first * s.b, at_least_1(size[N]), s.b,
                                   wb_f32(c, D_A) + first * s.a, at_least_1(size[K]), s.a, &zero,
                                   wb_f32(c, D_C) + first * s.c, at_least_1(size[N]), s.c, (int)count);
}

int strided_call(const wb_case *c) { return cuda_error(some_of_batch(c, 0, c->size.n[BATCH])); }

int loop_call(const wb_case *c) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (size_t i = 0; i < c->size.n[BATCH] && !status; i++) status = some_of_batch(c, i, 1);
  return cuda_error(status);
}

/* ---- Three TF32 products ---- */

static __global__ void split_kernel(const float *d_x, float *d_high, float *d_low, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  d_high[i] = __uint_as_float((__float_as_uint(d_x[i]) + 0x1000u) & ~0x1fffu);
  d_low[i] = d_x[i] - d_high[i];
}

static int split(const float *d_x, float *d_high, float *d_low, size_t count) {
  if (count) split_kernel<<<(unsigned)((count + 255) / 256), 256>>>(d_x, d_high, d_low, count);
  return cudaGetLastError();
}

int chunks_call(const wb_case *c) {
  const size_t m = c->size.n[M], n = c->size.n[N], k = c->size.n[K], a_count = m * k, b_count = k * n;
  float *const a[] = {wb_f32(c, D_WORK), wb_f32(c, D_WORK) + a_count}; /* high, low */
  float *const b[] = {a[1] + a_count, a[1] + a_count + b_count};
  int error = split(wb_f32(c, D_A), a[0], a[1], a_count);
  if (!error) error = split(wb_f32(c, D_B), b[0], b[1], b_count);
  for (size_t p = 0; p < k; p += 512)
    for (int part = 0; part < 3 && !error; part++) {
      const float beta = p > 0 || part > 0;
      error = cuda_error(cublasGemmEx(
          own_handle(), CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)m, (int)(k - p < 512 ? k - p : 512), &one,
          b[part == 1] + p * n, CUDA_R_32F, at_least_1(n), a[part == 0] + p, CUDA_R_32F, at_least_1(k), &beta,
          wb_f32(c, D_C), CUDA_R_32F, at_least_1(n), CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT));
    }
  return error;
}
