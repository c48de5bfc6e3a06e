/* baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured. */
#include "baselines.h"
#include "integration.h"

#include <string.h>

#define THREADS 256
#define BLOCKS  (1 << 12)
#define STEPS   512
#define CHAINS  4 /* sums of a thread, so that no addition waits for the one before */

/* Never writes, but the compiler cannot know that. */
static __global__ void __launch_bounds__(THREADS) sines_kernel(problem p, double *d_never) {
  double x[CHAINS], sum[CHAINS] = {};
  for (int k = 0; k < CHAINS; k++) x[k] = p.x0 + (threadIdx.x * CHAINS + k) * 1e-6;
  const double y = p.y0 + blockIdx.x * 1e-6;
  for (int i = 0; i < STEPS; i++)
    for (int k = 0; k < CHAINS; k++) {
      sum[k] += f(p, x[k], y);
      x[k] += 1e-9;
    }
  double all = 0;
  for (int k = 0; k < CHAINS; k++) all += sum[k];
  if (all == 12345.678) *d_never = all;
}

int sines_call(const wb_case *c) {
  problem p;
  memcpy(&p, wb_f64(c, PROBLEM), sizeof p);
  sines_kernel<<<BLOCKS, THREADS>>>(p, wb_f64(c, D_WORK));
  const cudaError_t error = cudaGetLastError();
  return error ? error : cudaDeviceSynchronize();
}

double sines_work(const wb_case *) { return FLOPS_OF_F * STEPS * CHAINS * THREADS * BLOCKS; }
