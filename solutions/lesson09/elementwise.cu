/*
 * lesson09, elementwise: what an operation costs.
 *
 * Every element is read, changed and written by itself. Such a kernel has two costs: its bytes and its
 * operations. The device works on both at the same time, so the larger of the two decides. A sine takes some
 * twenty operations, and a GPU does about that many in the time in which it moves the 8 bytes of a float that
 * is read and written. So for most functions the bytes decide, and there are two ways to be faster: move
 * enough bytes at a time (16 a thread and load), and move fewer of them (one kernel instead of three).
 *
 * elementwise.h says what each public function must do. n counts elements.
 */
#include "elementwise.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Threads in a block: a multiple of the warp's 32. */
#define THREADS 256
#define MOST    2147483647 /* blocks that a grid may have in x */

/* Blocks for `count` loads, one a thread: when a block ends, the next one begins while others wait for memory. On an
 * H100 a grid of 65536 blocks, whose threads go on in strides, takes 1.035 times as long for 10^9 floats. */
static unsigned blocks_for(size_t count) {
  const size_t blocks = (count + THREADS - 1) / THREADS;
  return blocks < MOST ? (unsigned)blocks : MOST;
}

// #region task-1
//: /* TODO task 1: a kernel for floats and one for doubles, or one template for both. Each thread starts at its
//:  * own element and goes on in strides of the whole grid. Which function is the sine of a float? */
/* How many elements of a type make 16 bytes, and the type of such a vector. */
template <class number> struct wide;
template <> struct wide<float> { typedef float4 vector; };
template <> struct wide<double> { typedef double2 vector; };

/* What changes an element is a structure with a function, so that one kernel serves all of them. */
struct sine {
  __device__ float operator()(float x) const { return sinf(x); }
  __device__ double operator()(double x) const { return sin(x); }
};

/* The plain version: 4 or 8 bytes a load. Neighbouring threads have neighbouring elements. What remains: one
 * load a thread leaves the memory too few bytes to work on. */
template <class number, class operation>
static __global__ void map_plain_kernel(const number *d_x, number *d_y, size_t n, operation change) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) d_y[i] = change(d_x[i]);
}

template <class operation> static __device__ float4 change_all(float4 v, operation change) {
  return make_float4(change(v.x), change(v.y), change(v.z), change(v.w));
}
template <class operation> static __device__ double2 change_all(double2 v, operation change) {
  return make_double2(change(v.x), change(v.y));
}

/* The same with 16 bytes a load: four times the bytes are on their way. The elements after the last whole
 * vector are done by the first threads, one each. */
template <class number, class operation>
static __global__ void __launch_bounds__(THREADS)
    map_wide_kernel(const number *d_x, number *d_y, size_t n, operation change) {
  typedef typename wide<number>::vector vector;
  const size_t each = sizeof(vector) / sizeof(number), vectors = n / each;
  const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  const vector *from = (const vector *)d_x;
  vector *to = (vector *)d_y;
  for (size_t i = first; i < vectors; i += stride) to[i] = change_all(from[i], change);
  if (first < n % each) d_y[each * vectors + first] = change(d_x[each * vectors + first]);
}

template <class number, class operation>
static cudaError_t map(const number *d_x, number *d_y, size_t n, operation change) {
  if (n == 0) return cudaSuccess; /* a grid of 0 blocks is an error */
  const size_t each = sizeof(typename wide<number>::vector) / sizeof(number);
  map_wide_kernel<<<blocks_for((n + each - 1) / each), THREADS>>>(d_x, d_y, n, change);
  return cudaGetLastError();
}

template <class number, class operation>
static cudaError_t map_plain(const number *d_x, number *d_y, size_t n, operation change) {
  if (n == 0) return cudaSuccess;
  map_plain_kernel<<<blocks_for(n), THREADS>>>(d_x, d_y, n, change);
  return cudaGetLastError();
}
// #endregion task-1

cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) {
  // #region task-1
  //: /* TODO task 1: launch your kernel. For n = 0 launch nothing: a grid of 0 blocks is an error. */
  //: return cudaSuccess;
  return map(d_x, d_y, n, sine());
  // #endregion task-1
}

cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n) {
  // #region task-1
  //: /* TODO task 1: the same for doubles. */
  //: return cudaSuccess;
  return map(d_x, d_y, n, sine());
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: a kernel that computes SELU. What is 1.05 * x, if x is a float? */
/*
 * expm1f(x) is e^x - 1 with all its digits, where expf(x) - 1 loses those that e^x has in common with 1: all
 * of them for |x| < 6e-8. The constants are converted to float by the compiler; as doubles they would make
 * the products doubles. x > 0 is false for NaN, which then goes through expm1f and stays NaN.
 */
struct selu_of {
  __device__ float operator()(float x) const {
    return x > 0 ? (float)SELU_SCALE * x : (float)(SELU_SCALE * SELU_ALPHA) * expm1f(x);
  }
};
// #endregion task-2

cudaError_t selu(const float *d_x, float *d_y, size_t n) {
  // #region task-2
  //: /* TODO task 2: launch it. */
  //: return cudaSuccess;
  return map(d_x, d_y, n, selu_of());
  // #endregion task-2
}

/* Given: the three kernels of chain. Each reads n floats and writes n floats. */
__global__ void normalise_kernel(const float *d_x, float *d_t, size_t n, float mean, float gain) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_t[i] = (d_x[i] - mean) * gain;
}

__global__ void squash_kernel(const float *d_t, float *d_u, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_u[i] = 1 / (1 + expf(-d_t[i]));
}

__global__ void spread_kernel(const float *d_u, float *d_y, size_t n, float low, float high) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = low + (high - low) * d_u[i];
}

// #region task-3
//: /* TODO task 3: one kernel in which t and u are registers. */
/* The three in a row: 8 bytes an element instead of 24, because t and u stay in registers. */
struct chain_of {
  float mean, gain, low, high;
  __device__ float operator()(float x) const {
    const float t = (x - mean) * gain;
    const float u = 1 / (1 + expf(-t));
    return low + (high - low) * u;
  }
};
// #endregion task-3

cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high) {
  // #region task-3
  //: /* TODO task 3: launch it. */
  //: return cudaSuccess;
  const chain_of change = {mean, gain, low, high};
  return map(d_x, d_y, n, change);
  // #endregion task-3
}

// #region task-4
//: /* TODO task 4: a function that brings x into [-pi, pi], and a kernel that adds k times __sinf of that. */
/*
 * __sinf is one operation of the special function units, after one multiplication. NVIDIA states its error
 * for [-pi, pi] only, 2^-21.41; outside, the multiplication's rounding grows with |x|. So first take off whole
 * turns. 2 pi needs more digits than a float has: up to 160 turns of its error would be 3e-5. So it comes in
 * two parts, high + low, and fmaf rounds only once (Cody and Waite, 1980).
 */
static __device__ float short_sine(float x) {
  const float turns = rintf(x * 0.159154943f); /* 1 / (2 pi) */
  const float high = 6.28318548f, low = -1.74845553e-7f;
  const float rest = fmaf(-turns, low, fmaf(-turns, high, x));
  return __sinf(rest);
}

/* Halving is exact, so every argument is. The sum begins with the largest argument. */
struct sines_of {
  int k;
  __device__ float operator()(float x) const {
    float sum = 0;
    for (int j = 0; j < k; j++, x *= 0.5f) sum += short_sine(x);
    return sum;
  }
};
// #endregion task-4

cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k) {
  // #region task-4
  //: /* TODO task 4: launch it. */
  //: return cudaSuccess;
  const sines_of change = {k};
  return map(d_x, d_y, n, change);
  // #endregion task-4
}

// #region task-further
//: /* TODO go further: the time of one call of the host; the time of copy in, sin_map_float, copy out. */
#define TRIES 5 /* the least of so many times counts: other programs only add to a time */

static double now_ms(void) {
  struct timespec since_boot;
  clock_gettime(CLOCK_MONOTONIC, &since_boot);
  return 1e3 * (double)since_boot.tv_sec + 1e-6 * (double)since_boot.tv_nsec;
}

/* Where the measurement works: an array of the host, and two of the device. */
struct places {
  float *h_y, *d_x, *d_y;
};

/* The GPU's part for n floats, complete when it returns: cudaMemcpy to the host waits for the kernel. */
static cudaError_t on_device(const places *p, const float *h_x, size_t n) {
  cudaError_t error = cudaMemcpy(p->d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice);
  if (!error) error = sin_map_float(p->d_x, p->d_y, n);
  if (!error) error = cudaMemcpy(p->h_y, p->d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  return error;
}

/* The first try of each is not counted: it loads the kernel and touches the memory. */
static cudaError_t measure(const places *p, const float *h_x, size_t n, host_map host, double *device_ms,
                           double *host_ms) {
  *device_ms = *host_ms = INFINITY;
  for (int attempt = 0; attempt <= TRIES; attempt++) {
    const double start = now_ms();
    const cudaError_t error = on_device(p, h_x, n);
    if (error) return error;
    const double between = now_ms();
    if (attempt > 0) *device_ms = fmin(*device_ms, between - start);
    host(h_x, p->h_y, n);
    if (attempt > 0) *host_ms = fmin(*host_ms, now_ms() - between);
  }
  return cudaSuccess;
}
// #endregion task-further

cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from) {
  // #region task-further
  //: /* TODO go further: allocate; for n = 1, 2, 4 ... measure both, until the GPU takes less time; free. */
  //: return cudaSuccess;
  *h_from = 0;
  if (most == 0) return cudaSuccess;
  places p = {(float *)malloc(most * sizeof(float)), NULL, NULL};
  if (!p.h_y) return cudaErrorMemoryAllocation;
  cudaError_t error = cudaMalloc(&p.d_x, most * sizeof(float));
  if (!error) error = cudaMalloc(&p.d_y, most * sizeof(float));
  for (size_t n = 1; n <= most && !error && *h_from == 0; n *= 2) {
    double device_ms = 0, host_ms = 0;
    error = measure(&p, h_x, n, host, &device_ms, &host_ms);
    if (!error && device_ms < host_ms) *h_from = (uint32_t)n;
  }
  cudaFree(p.d_x);
  cudaFree(p.d_y);
  free(p.h_y);
  return error;
  // #endregion task-further
}
