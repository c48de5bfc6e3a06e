/* Products of tiles on tensor cores: every type, shape and layout that is offered, in shared memory, with
 * padded rows, by several warps, element by element, and a product of TF32 in three parts.
 *
 * The digests at the end were printed by the same program on an H200: sums of tensor cores are cut off as
 * they are there. */
#include <mma.h>
#include <string.h>

#include "program.h"

using namespace nvcuda;

/* One tile a warp: d = a b + c. */
template <int M, int N, int K, class T, class V, class Acc, class LayoutA, class LayoutB>
__global__ void multiply(const V *a, const V *b, const Acc *c, Acc *d, bool round) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const bool a_rows = std::is_same<LayoutA, wmma::row_major>::value;
  const bool b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Acc> fc;
  wmma::load_matrix_sync(fa, a + warp * M * K, a_rows ? K : M);
  wmma::load_matrix_sync(fb, b + warp * K * N, b_rows ? N : K);
  wmma::load_matrix_sync(fc, c + warp * M * N, N, wmma::mem_row_major);
  if (round) {
    for (int i = 0; i < fa.num_elements; i++) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
    for (int i = 0; i < fb.num_elements; i++) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  }
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d + warp * M * N, fc, N, wmma::mem_row_major);
}

static unsigned state = 1;
static bool wrong;

/* From -1 to 1, with `spread` binary orders of magnitude; or a small integer. */
static double number(int spread, bool integer) {
  state = state * 1664525u + 1013904223u;
  const int low = static_cast<int>(state >> 8 & 15u);
  if (integer) return low - 7;
  const double fraction = (state >> 7) * 0x1p-24 - 1.0;
  return ldexp(fraction, spread ? low % spread - spread / 2 : 0);
}

template <class V> static unsigned digest(const V *values, int count) {
  unsigned hash = 2166136261u;
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(values);
  for (size_t i = 0; i < count * sizeof(V); i++) hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

/* Integers must be exact; of other numbers the digest of all bits must be the one measured. */
template <int M, int N, int K, class T, class V, class Acc, class LayoutA, class LayoutB>
static void judge(const char *what, unsigned measured) {
  const int tiles = 16, na = tiles * M * K, nb = tiles * K * N, nc = tiles * M * N;
  const bool a_rows = std::is_same<LayoutA, wmma::row_major>::value;
  const bool b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  V *a, *b;
  Acc *c, *d;
  CHECK(cudaMallocManaged(&a, na * sizeof *a));
  CHECK(cudaMallocManaged(&b, nb * sizeof *b));
  CHECK(cudaMallocManaged(&c, nc * sizeof *c));
  CHECK(cudaMallocManaged(&d, nc * sizeof *d));
  for (int integers = 1; integers >= 0; integers--) {
    state = M * 64 + N + integers;
    for (int i = 0; i < na; i++) a[i] = V(float(number(i / (M * K) % 2 ? 12 : 0, integers)));
    for (int i = 0; i < nb; i++) b[i] = V(float(number(i / (K * N) % 3 ? 0 : 8, integers)));
    for (int i = 0; i < nc; i++) c[i] = Acc(i % 3 ? 0.0f : float(number(0, integers)));
    multiply<M, N, K, T, V, Acc, LayoutA, LayoutB><<<tiles / 4, 128>>>(a, b, c, d, sizeof(V) == 4);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int e = 0; integers && e < nc; e++) {
      const int tile = e / (M * N), i = e % (M * N) / N, j = e % N;
      double sum = float(c[e]);
      for (int k = 0; k < K; k++)
        sum += double(float(a[tile * M * K + (a_rows ? i * K + k : k * M + i)])) *
               float(b[tile * K * N + (b_rows ? k * N + j : j * K + k)]);
      expect(what, e, float(d[e]), sum);
    }
  }
  if (digest(d, nc) != measured) {
    fprintf(stderr, "%s: digest 0x%08x, measured was 0x%08x\n", what, digest(d, nc), measured);
    wrong = true;
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  CHECK(cudaFree(d));
}

/* A float as the sum of two TF32 values: the product of two floats in three products. */
__global__ void split(const float *a, const float *b, float *c, float *plain, int k) {
  __shared__ alignas(32) float tile_a[16][24], tile_b[8][24]; /* rows of 96 bytes */
  typedef wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> part_a;
  typedef wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum, slab, direct;
  part_a a_high, a_low;
  part_b b_high, b_low;
  wmma::fill_fragment(sum, 0.0f);
  wmma::fill_fragment(direct, 0.0f);
  for (int from = 0; from < k; from += 8) {
    for (int i = threadIdx.x; i < 128; i += 32) {
      tile_a[i / 8][i % 8] = a[i / 8 * k + from + i % 8];
      tile_b[i / 16][i % 16] = b[(from + i / 16) * 16 + i % 16];
    }
    __syncwarp();
    wmma::load_matrix_sync(a_high, &tile_a[0][0], 24);
    wmma::load_matrix_sync(b_high, &tile_b[0][0], 24);
    __syncwarp();
    for (int i = 0; i < a_high.num_elements; i++) {
      const float x = a_high.x[i];
      a_high.x[i] = wmma::__float_to_tf32(x);
      a_low.x[i] = wmma::__float_to_tf32(x - a_high.x[i]);
    }
    for (int i = 0; i < b_high.num_elements; i++) {
      const float x = b_high.x[i];
      b_high.x[i] = wmma::__float_to_tf32(x);
      b_low.x[i] = wmma::__float_to_tf32(x - b_high.x[i]);
    }
    wmma::mma_sync(direct, a_high, b_high, direct);
    if (from % 32 == 0) wmma::fill_fragment(slab, 0.0f);
    wmma::mma_sync(slab, a_low, b_high, slab);
    wmma::mma_sync(slab, a_high, b_low, slab);
    wmma::mma_sync(slab, a_high, b_high, slab);
    if (from % 32 == 24) /* a fresh accumulator for each 32 terms, added by ordinary additions */
      for (int i = 0; i < sum.num_elements; i++) sum.x[i] += slab.x[i];
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
  wmma::store_matrix_sync(plain, direct, 16, wmma::mem_row_major);
}

static void judge_split() {
  const int k = 512;
  float *a, *b, *c, *plain;
  CHECK(cudaMallocManaged(&a, 16 * k * sizeof *a));
  CHECK(cudaMallocManaged(&b, 16 * k * sizeof *b));
  CHECK(cudaMallocManaged(&c, 256 * sizeof *c));
  CHECK(cudaMallocManaged(&plain, 256 * sizeof *plain));
  for (int i = 0; i < 16 * k; i++) a[i] = float(0.5 * number(0, false) + 0.5);
  for (int i = 0; i < 16 * k; i++) b[i] = float(0.5 * number(0, false) + 0.5);
  split<<<1, 32>>>(a, b, c, plain, k);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  double parts = 0, one = 0;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) {
      double want = 0;
      for (int e = 0; e < k; e++) want += double(a[i * k + e]) * b[e * 16 + j];
      parts = fmax(parts, fabs(c[j * 16 + i] - want) / want);
      one = fmax(one, fabs(plain[i * 16 + j] - want) / want);
    }
  if (!(parts < 2e-6) || !(one > 1e-5)) {
    fprintf(stderr, "errors %g in three parts, %g in one\n", parts, one);
    exit(1);
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  CHECK(cudaFree(plain));
}

int main() {
  typedef wmma::row_major R;
  typedef wmma::col_major C;
  typedef wmma::precision::tf32 tf32;
  judge<16, 16, 16, __half, __half, float, R, R>("half", 0x6fc684a5u);
  judge<16, 16, 16, __half, __half, float, C, R>("half by columns and rows", 0x637a1300u);
  judge<32, 8, 16, __half, __half, float, R, C>("half 32 x 8", 0x1a2319a3u);
  judge<8, 32, 16, __half, __half, __half, C, C>("half 8 x 32 in half", 0x8733867bu);
  judge<16, 16, 16, __half, __half, __half, R, R>("half in half", 0xfcd53282u);
  judge<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, R, C>("bfloat16", 0xb18c03a5u);
  judge<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float, C, R>("bfloat16 32 x 8", 0x7bc78e6au);
  judge<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, R, R>("bfloat16 8 x 32", 0xf5efc03du);
  judge<16, 16, 8, tf32, float, float, R, R>("TF32", 0x511ddd05u);
  judge<16, 16, 8, tf32, float, float, C, C>("TF32 by columns", 0x95092552u);
  judge_split();
  return wrong;
}
