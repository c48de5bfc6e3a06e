// flags: -I ../../../../lessons/lesson11
/* Products of 16 x 8 by 8 x 8 numbers of TF32 by mma.sync, of which each lane knows which elements it holds:
 * small integers, where every sum is exact, and random numbers, whose bits are those of an H100. */
#include "cublas.h"

#include "program.h"

#define TILES 64

__global__ void multiply(const float *a, const float *b, const float *c, float *d) {
  const int tile = blockIdx.x, g = threadIdx.x / 4, q = threadIdx.x % 4;
  const float *at = a + tile * 128, *bt = b + tile * 64, *ct = c + tile * 128;
  const float fa[4] = {at[g * 8 + q], at[(g + 8) * 8 + q], at[g * 8 + q + 4], at[(g + 8) * 8 + q + 4]};
  const float fb[2] = {bt[q * 8 + g], bt[(q + 4) * 8 + g]};
  float fd[4];
  for (int e = 0; e < 4; e++) fd[e] = ct[(g + e / 2 * 8) * 8 + 2 * q + e % 2];
  warp_mma(fd, fa, fb);
  for (int e = 0; e < 4; e++) d[tile * 128 + (g + e / 2 * 8) * 8 + 2 * q + e % 2] = fd[e];
}

static unsigned state = 1;

/* From -1 to 1 in steps of 2^-23, times 2^-8 to 2^7; or a small integer. */
static float number(bool integer) {
  state = state * 1664525u + 1013904223u;
  const int low = static_cast<int>(state >> 8 & 15u);
  state = state * 1664525u + 1013904223u;
  return integer ? static_cast<float>(low - 7)
                 : ldexpf(static_cast<float>(static_cast<int>(state >> 8) - (1 << 23)), low - 31);
}

int main() {
  float *a, *b, *c, *d;
  CHECK(cudaMallocManaged(&a, TILES * 128 * sizeof *a));
  CHECK(cudaMallocManaged(&b, TILES * 64 * sizeof *b));
  CHECK(cudaMallocManaged(&c, TILES * 128 * sizeof *c));
  CHECK(cudaMallocManaged(&d, TILES * 128 * sizeof *d));
  for (int integer = 1; integer >= 0; integer--) {
    for (int i = 0; i < TILES * 128; i++) a[i] = number(integer), c[i] = number(integer);
    for (int i = 0; i < TILES * 64; i++) b[i] = number(integer);
    multiply<<<TILES, 32>>>(a, b, c, d);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    unsigned hash = 2166136261u;
    for (int i = 0; i < TILES * 128; i++) {
      const int tile = i / 128, row = i / 8 % 16, column = i % 8;
      double sum = c[i];
      for (int k = 0; k < 8; k++)
        sum += static_cast<double>(a[tile * 128 + row * 8 + k]) * b[tile * 64 + k * 8 + column];
      if (integer) expect("sum", i, d[i], sum);
      unsigned bits;
      memcpy(&bits, &d[i], sizeof bits);
      for (int byte = 0; byte < 4; byte++) hash = (hash ^ (bits >> 8 * byte & 255u)) * 16777619u;
    }
    if (!integer) expect("digest of an H100", 0, hash, 0x2efd7fa2u);
  }
  for (float *array : {a, b, c, d}) CHECK(cudaFree(array));
}
