/* The benchmark's kernels, as a course would write them. Times are
   of launch and synchronise, without copies. */
#include "timing.h"
#define TILE 16

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void matmul_naive(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void matmul_tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float s[TILE][TILE], t[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += TILE) {
    s[y][x] = a[row * n + k + x];
    t[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += s[y][i] * t[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

static float *d_a, *d_b, *d_c;

static void finish() {
  if (cudaDeviceSynchronize() != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
}
static void add() {
  vector_add<<<(VECTOR + 255) / 256, 256>>>(d_a, d_b, d_c, VECTOR);
  finish();
}
static void naive() {
  matmul_naive<<<dim3(SIDE / 16, SIDE / 16), dim3(16, 16)>>>(d_a, d_b, d_c, SIDE);
  finish();
}
static void tiled() {
  matmul_tiled<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(d_a, d_b, d_c, SIDE);
  finish();
}

static void product(const char *name, void (*work)(), const float *a, const float *b, float *c) {
  const size_t bytes = SIDE * SIDE * sizeof(float);
  cudaMemset(d_c, 0xff, bytes);
  measure(name, work);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  check_product(a, b, c);
}

int main() {
  const size_t bytes = VECTOR * sizeof(float);
  float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
  for (int i = 0; i < VECTOR; i++) {
    a[i] = input(i);
    b[i] = input(i + 500);
  }
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  measure("vector_add", add);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < VECTOR; i++)
    if (c[i] != a[i] + b[i]) {
      fprintf(stderr, "sum[%d] is %g\n", i, c[i]);
      return 1;
    }
  product("matmul_naive", naive, a, b, c);
  product("matmul_tiled", tiled, a, b, c);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  free(a);
  free(b);
  free(c);
}
