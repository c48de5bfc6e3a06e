/* baselines.cu: see baselines.h. Trusted code of the harness. Except for call_crossing, it runs only when a
 * time is measured. */
#include "elementwise.h"
#include "baselines.h"
#include <time.h>

#define THREADS 256

static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

/* ---- Task 1 ---- */

static __global__ void sin_kernel(const double *d_x, double *d_y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = sin(d_x[i]);
}

int plain_double_call(const wb_case *c) {
  const size_t n = c->size.n[N];
  if (n > 0) sin_kernel<<<ceil_div(n, THREADS), THREADS>>>(wb_f64(c, X), wb_f64(c, Y), n);
  return cudaGetLastError();
}

/* ---- Task 3: the three kernels as the learner's file has them ---- */

static __global__ void normalise(const float *d_x, float *d_t, size_t n, float mean, float gain) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_t[i] = (d_x[i] - mean) * gain;
}

static __global__ void squash(const float *d_t, float *d_u, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_u[i] = 1 / (1 + expf(-d_t[i]));
}

static __global__ void spread(const float *d_u, float *d_y, size_t n, float low, float high) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = low + (high - low) * d_u[i];
}

/* The temporaries are kept from call to call, so no allocation is timed. */
int three_kernels_call(const wb_case *c) {
  static float *d_t, *d_u;
  static size_t room;
  const size_t n = c->size.n[N];
  if (n == 0) return cudaSuccess;
  if (n > room) {
    cudaFree(d_t);
    cudaFree(d_u);
    room = 0;
    cudaError_t error = cudaMalloc(&d_t, n * sizeof(float));
    if (!error) error = cudaMalloc(&d_u, n * sizeof(float));
    if (error) return error;
    room = n;
  }
  const unsigned blocks = ceil_div(n, THREADS);
  normalise<<<blocks, THREADS>>>(wb_f32(c, X), d_t, n, mean_of(c), (float)c->param[1]);
  squash<<<blocks, THREADS>>>(d_t, d_u, n);
  spread<<<blocks, THREADS>>>(d_u, wb_f32(c, Y), n, (float)-c->param[2], (float)c->param[3]);
  return cudaGetLastError();
}

/* ---- Task 4 ---- */

static __global__ void sines_kernel(const float *d_x, float *d_y, size_t n, int k) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = d_x[i], sum = 0;
  for (int j = 0; j < k; j++, x *= 0.5f) sum += sinf(x);
  d_y[i] = sum;
}

int sines_call(const wb_case *c) {
  const size_t n = c->size.n[N];
  if (n == 0) return cudaSuccess;
  sines_kernel<<<ceil_div(n, THREADS), THREADS>>>(wb_f32(c, X), wb_f32(c, Y), n, (int)c->size.n[TERMS]);
  return cudaGetLastError();
}

/* ---- Further: a host of known speed ---- */

static size_t slow_from;
static int slow_ms;

static double ms_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Works rather than sleeps, so that it is as slow by the processor's clock as by the wall's; slow copies sleep,
 * so who reads the processor's clock sees the host alone. The results are only as good as a measurement needs,
 * and others than h_x. */
static void known_host(const float *h_x, float *h_y, size_t n) {
  if (slow_from == 0 || n < slow_from) return;
  for (size_t i = 0; i < n; i++) h_y[i] = 1 - h_x[i];
  const double end = ms_of(CLOCK_PROCESS_CPUTIME_ID) + slow_ms;
  while (ms_of(CLOCK_PROCESS_CPUTIME_ID) < end) continue;
}

extern "C" void cucc_slow_copies(int in_ms, int back_ms, size_t from_bytes) __attribute__((weak));

bool has_slow_copies(const wb_case *c) {
  const size_t n = c->size.n[N], from = c->size.n[FROM];
  return cucc_slow_copies && ((from == 1 && n <= SLOW_IN) || (from == 2 && n == SLOW_LATER));
}

int call_crossing(const wb_case *c) {
  slow_from = c->size.n[FROM];
  slow_ms = has_slow_copies(c) ? SHORT_MS : WAIT_MS;
  if (has_slow_copies(c))
    cucc_slow_copies(c->size.n[N] == SLOW_IN ? LONG_MS : 0, c->size.n[N] == SLOW_IN ? 0 : LONG_MS,
                     slow_from * sizeof(float));
  const int status = crossing(wb_f32(c, X), c->size.n[N], known_host, wb_u32(c, Y));
  if (has_slow_copies(c)) cucc_slow_copies(0, 0, 0);
  return status;
}
