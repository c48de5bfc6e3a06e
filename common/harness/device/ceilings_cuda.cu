/*
 * device/ceilings_cuda.cu: the best rates of this GPU, measured in a few tens of milliseconds each: memory
 * (copy, cudaMemcpy, triad, read), multiply-adds in registers, and the link to the host in both
 * directions. See device/ceilings.h. Not used with common/cpu, which measures no time.
 */
#include "device/ceilings.h"

#ifdef CUCC

int wb_device_ceilings(int needs, wb_ceiling *list) {
  (void)needs, (void)list;
  return 0;
}

#else

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#define THREADS 256
#define REPEATS 8 /* the best counts */

/* ---- Kernels: each thread moves PER float4 from each array, all loads before the first use ---- */

template <int PER> static __global__ void copy_kernel(const float4 *d_from, float4 *d_to) {
  const size_t first = (size_t)blockIdx.x * (PER * THREADS) + threadIdx.x;
  float4 v[PER];
  for (int k = 0; k < PER; k++) v[k] = d_from[first + k * THREADS];
  for (int k = 0; k < PER; k++) d_to[first + k * THREADS] = v[k];
}

template <int PER> static __global__ void triad_kernel(const float4 *d_b, const float4 *d_c, float4 *d_a) {
  const size_t first = (size_t)blockIdx.x * (PER * THREADS) + threadIdx.x;
  float4 b[PER], c[PER];
  for (int k = 0; k < PER; k++) b[k] = d_b[first + k * THREADS], c[k] = d_c[first + k * THREADS];
  for (int k = 0; k < PER; k++)
    d_a[first + k * THREADS] = make_float4(b[k].x + 1.5f * c[k].x, b[k].y + 1.5f * c[k].y,
                                           b[k].z + 1.5f * c[k].z, b[k].w + 1.5f * c[k].w);
}

/* Never writes, but the compiler can't know that: no sum of these numbers is 12345. */
template <int PER> static __global__ void read_kernel(const float4 *d_from, float *d_never) {
  const size_t first = (size_t)blockIdx.x * (PER * THREADS) + threadIdx.x;
  float4 v[PER];
  for (int k = 0; k < PER; k++) v[k] = d_from[first + k * THREADS];
  float sum = 0;
  for (int k = 0; k < PER; k++) sum += v[k].x + v[k].y + v[k].z + v[k].w;
  if (sum == 12345.0f) *d_never = sum;
}

/* 8 independent chains of multiply-adds per thread, which hide each other's latency. */
#define CHAINS  8
#define STEPS   4096

template <typename T> static __global__ void fma_kernel(T *d_never, T f, T g) {
  T x[CHAINS];
  for (int k = 0; k < CHAINS; k++) x[k] = (T)(threadIdx.x + k);
  for (int step = 0; step < STEPS; step++)
    for (int k = 0; k < CHAINS; k++) x[k] = x[k] * f + g;
  T sum = 0;
  for (int k = 0; k < CHAINS; k++) sum += x[k];
  if (sum == (T)12345) *d_never = sum;
}

/* ---- Timing ---- */

static cudaEvent_t before, after;

/* The shortest of REPEATS runs of run(context) in the default stream, in ms; -1 on an error. */
static double best_ms(void (*run)(void *context), void *context) {
  double best = -1;
  for (int r = 0; r <= REPEATS; r++) { /* the first doesn't count: it loads the code */
    float ms = 0;
    cudaEventRecord(before, 0);
    run(context);
    cudaEventRecord(after, 0);
    if (cudaEventSynchronize(after) || cudaGetLastError() || cudaEventElapsedTime(&ms, before, after))
      return -1;
    if (r > 0 && (best < 0 || ms < best)) best = ms;
  }
  return best;
}

static int add(wb_ceiling *list, int count, const char *name, const char *what, double value,
               const char *unit) {
  if (count == WB_MAX_CEILINGS || !(value > 0)) return count;
  wb_ceiling *c = &list[count];
  snprintf(c->name, sizeof c->name, "%s", name);
  snprintf(c->what, sizeof c->what, "%s", what);
  snprintf(c->unit, sizeof c->unit, "%s", unit);
  c->value = value;
  return count + 1;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* ---- Memory ---- */

typedef struct buffers {
  float4 *a, *b, *c;
  size_t count; /* float4s of each: a multiple of 4 * THREADS */
} buffers;

template <int PER> static unsigned blocks(const buffers *m) { return (unsigned)(m->count / (PER * THREADS)); }

template <int PER> static void run_copy(void *p) {
  const buffers *m = (const buffers *)p;
  copy_kernel<PER><<<blocks<PER>(m), THREADS>>>(m->b, m->a);
}
template <int PER> static void run_triad(void *p) {
  const buffers *m = (const buffers *)p;
  triad_kernel<PER><<<blocks<PER>(m), THREADS>>>(m->b, m->c, m->a);
}
template <int PER> static void run_read(void *p) {
  const buffers *m = (const buffers *)p;
  read_kernel<PER><<<blocks<PER>(m), THREADS>>>(m->b, (float *)m->a);
}
static void run_memcpy(void *p) {
  const buffers *m = (const buffers *)p;
  cudaMemcpyAsync(m->a, m->b, m->count * sizeof(float4), cudaMemcpyDeviceToDevice, 0);
}

/* GB/s of a run that moves `bytes`; 0 on an error. */
static double rate(void (*run)(void *), buffers *m, double bytes) {
  const double ms = best_ms(run, m);
  return ms > 0 ? bytes / ms / 1e6 : 0;
}

static int memory_ceilings(wb_ceiling *list, int count) {
  int l2_bytes = 0;
  size_t free_bytes = 0, total_bytes = 0;
  cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0);
  cudaMemGetInfo(&free_bytes, &total_bytes);
  size_t bytes = (size_t)l2_bytes * 4 > (256u << 20) ? (size_t)l2_bytes * 4 : 256u << 20; /* of each array */
  if (bytes > free_bytes / 4) bytes = free_bytes / 4;
  buffers m = {NULL, NULL, NULL, bytes / sizeof(float4) / (4 * THREADS) * (4 * THREADS)};
  bytes = m.count * sizeof(float4);
  if (bytes && !cudaMalloc(&m.a, bytes) && !cudaMalloc(&m.b, bytes) && !cudaMalloc(&m.c, bytes)) {
    cudaMemset(m.b, 0, bytes);
    cudaMemset(m.c, 0, bytes);
    const double size = (double)bytes;
    const double kernel = larger(rate(run_copy<1>, &m, 2 * size), rate(run_copy<4>, &m, 2 * size));
    const double library = rate(run_memcpy, &m, 2 * size);
    const double triad = larger(rate(run_triad<1>, &m, 3 * size), rate(run_triad<4>, &m, 3 * size));
    const double read = larger(rate(run_read<2>, &m, size), rate(run_read<4>, &m, size));
    count = add(list, count, "copy",
                "the best copy on the device, by a kernel or by cudaMemcpy, bytes read and written",
                larger(kernel, library), "GB/s");
    count =
        add(list, count, "triad", "a = b + s * c, 16 bytes a load, bytes read and written", triad, "GB/s");
    count = add(list, count, "read", "reading alone, 16 bytes a load", read, "GB/s");
  }
  cudaGetLastError();
  cudaFree(m.a);
  cudaFree(m.b);
  cudaFree(m.c);
  return count;
}

/* ---- Arithmetic ---- */

typedef struct arithmetic {
  void *d_never;
  unsigned blocks;
} arithmetic;

static void run_fma32(void *p) {
  const arithmetic *m = (const arithmetic *)p;
  fma_kernel<float><<<m->blocks, THREADS>>>((float *)m->d_never, 0.999f, 0.001f);
}
static void run_fma64(void *p) {
  const arithmetic *m = (const arithmetic *)p;
  fma_kernel<double><<<m->blocks, THREADS>>>((double *)m->d_never, 0.999, 0.001);
}

static int flops_ceiling(wb_ceiling *list, int count, bool wide) {
  int sm_count = 1;
  cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, 0);
  arithmetic m = {NULL, (unsigned)sm_count * 32};
  if (cudaMalloc(&m.d_never, 8)) return count;
  const double ms = best_ms(wide ? run_fma64 : run_fma32, &m);
  const double flops = 2.0 * CHAINS * STEPS * THREADS * m.blocks;
  cudaFree(m.d_never);
  return add(list, count, wide ? "fma64" : "fma",
             wide ? "float64 multiply-adds in registers" : "float32 multiply-adds in registers",
             ms > 0 ? flops / ms / 1e6 : 0, "GFLOP/s");
}

/* ---- The link ---- */

#define LINK_BYTES ((size_t)64 << 20) /* so large that the start of a copy doesn't matter */

typedef struct link_buffers {
  void *h_in, *h_out, *d_in, *d_out;
  cudaStream_t in, out;
  cudaEvent_t start, done;
} link_buffers;

static void run_h2d(void *p) {
  const link_buffers *m = (const link_buffers *)p;
  cudaMemcpyAsync(m->d_in, m->h_in, LINK_BYTES, cudaMemcpyHostToDevice, 0);
}
static void run_d2h(void *p) {
  const link_buffers *m = (const link_buffers *)p;
  cudaMemcpyAsync(m->h_out, m->d_out, LINK_BYTES, cudaMemcpyDeviceToHost, 0);
}
/* Both directions at once: two streams start after an event of the default stream, and it waits for both. */
static void run_both(void *p) {
  const link_buffers *m = (const link_buffers *)p;
  cudaEventRecord(m->start, 0);
  cudaStreamWaitEvent(m->in, m->start, 0);
  cudaStreamWaitEvent(m->out, m->start, 0);
  cudaMemcpyAsync(m->d_in, m->h_in, LINK_BYTES, cudaMemcpyHostToDevice, m->in);
  cudaMemcpyAsync(m->h_out, m->d_out, LINK_BYTES, cudaMemcpyDeviceToHost, m->out);
  cudaEventRecord(m->done, m->in);
  cudaStreamWaitEvent(0, m->done, 0);
  cudaEventRecord(m->done, m->out);
  cudaStreamWaitEvent(0, m->done, 0);
}

static int link_ceilings(wb_ceiling *list, int count) {
  link_buffers m;
  memset(&m, 0, sizeof m);
  const double size = (double)LINK_BYTES;
  if (!cudaMallocHost(&m.h_in, LINK_BYTES) && !cudaMallocHost(&m.h_out, LINK_BYTES) &&
      !cudaMalloc(&m.d_in, LINK_BYTES) && !cudaMalloc(&m.d_out, LINK_BYTES) &&
      !cudaStreamCreateWithFlags(&m.in, cudaStreamNonBlocking) &&
      !cudaStreamCreateWithFlags(&m.out, cudaStreamNonBlocking) && !cudaEventCreate(&m.start) &&
      !cudaEventCreate(&m.done)) {
    memset(m.h_in, 1, LINK_BYTES);
    cudaMemset(m.d_out, 1, LINK_BYTES);
    const double in = best_ms(run_h2d, &m), out = best_ms(run_d2h, &m), both = best_ms(run_both, &m);
    count = add(list, count, "h2d", "page-locked host memory to the device", in > 0 ? size / in / 1e6 : 0,
                "GB/s");
    count =
        add(list, count, "d2h", "device to page-locked host memory", out > 0 ? size / out / 1e6 : 0, "GB/s");
    count = add(list, count, "link", "both ways at once, their sum", both > 0 ? 2 * size / both / 1e6 : 0,
                "GB/s");
  }
  cudaGetLastError();
  if (m.in) cudaStreamDestroy(m.in);
  if (m.out) cudaStreamDestroy(m.out);
  if (m.start) cudaEventDestroy(m.start);
  if (m.done) cudaEventDestroy(m.done);
  cudaFreeHost(m.h_in);
  cudaFreeHost(m.h_out);
  cudaFree(m.d_in);
  cudaFree(m.d_out);
  return count;
}

int wb_device_ceilings(int needs, wb_ceiling *list) {
  int count = 0;
  if (cudaEventCreate(&before) || cudaEventCreate(&after)) return 0;
  if (needs & WB_NEED_MEMORY) count = memory_ceilings(list, count);
  if (needs & WB_NEED_FLOPS) count = flops_ceiling(list, count, false);
  if (needs & WB_NEED_FLOPS64) count = flops_ceiling(list, count, true);
  if (needs & WB_NEED_LINK) count = link_ceilings(list, count);
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  return count;
}

#endif
