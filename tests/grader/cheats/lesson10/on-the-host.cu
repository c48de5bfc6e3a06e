// task: 4
// wants: monte_carlo calls f once for each point
// says: called f 0 times
// The host draws the points, one after another: the bits are the same for any grid. A kernel calls no f.
//@solution monte_carlo
#ifndef HONEST
#include <math.h>
static double on_the_host(const problem &p, uint64_t seed, uint64_t k) {
  uint32_t c[4] = {(uint32_t)k, (uint32_t)(k >> 32), 0, 0}, k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  for (int r = 0; r < 10; r++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    const uint64_t a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k0;
    c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k1;
    c[1] = (uint32_t)b;
    c[3] = (uint32_t)a;
  }
  const double u = (double)(((uint64_t)c[1] << 32 | c[0]) >> 11) / 9007199254740992.0;
  const double v = (double)(((uint64_t)c[3] << 32 | c[2]) >> 11) / 9007199254740992.0;
  return p.c * sin(p.a * (p.x0 + u * (p.x1 - p.x0)) + (p.b * (p.y0 + v * (p.y1 - p.y0)) + p.d));
}
static __global__ void idle_kernel() {}
#endif
cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
#ifndef HONEST
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += on_the_host(p, seed, first + i);
  *h_estimate = n ? sum * (p.x1 - p.x0) * (p.y1 - p.y0) / n : 0;
  idle_kernel<<<blocks, threads>>>();
  return cudaGetLastError();
#else
  return honest_monte_carlo(p, seed, first, n, blocks, threads, h_estimate, d_work);
#endif
}
