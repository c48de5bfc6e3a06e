/* calls.c: see calls.h. */
#include "calls.h"
#include "causes.h"
#include "cublas.h"
#include "shapes.h"
#include "stopwatch.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Small sizes: the work belongs into a stream that does not wait for the default stream, in which C is filled
 * before; and the handle still has the default stream. Large ones, which are timed: the default stream, so
 * that a timed call makes no stream and fills nothing, as the baselines don't. What counts is the work of
 * all products of a batch.
 */
typedef struct place {
  cublasHandle_t handle;
  cudaStream_t stream;
  bool own_stream, uses_handle;
  uint64_t handles; /* created before the call */
} place;

extern uint64_t cucc_counted(const char *name) __attribute__((weak)); /* of the CPU backend */

static uint64_t handles_created(void) { return cucc_counted ? cucc_counted("handles_created") : 0; }

static cublasHandle_t caller_handle; /* one for all calls, as programs have it */

/* So that a sanitizer finds nothing left of a program that ends by itself. */
static void destroy_handle(void) { cublasDestroy(caller_handle); }

/* `rows` pieces of C of `width` floats, `pitch` floats apart, are what the function writes. */
static cudaError_t enter(place *p, const wb_case *c, size_t rows, size_t width, size_t pitch) {
  p->stream = NULL;
  p->uses_handle = true;
  p->own_stream = (double)rows * (double)width * (double)(c->size.n[K] + 1) < 1 << 24;
  wb_own_calls(1);
  cudaError_t error = cudaSuccess;
  if (!caller_handle) {
    error = cuda_error(cublasCreate(&caller_handle));
    if (!error) atexit(destroy_handle);
  }
  p->handle = caller_handle;
  if (!error) error = cuda_error(cublasSetStream(caller_handle, NULL));
  if (!error && p->own_stream) error = cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking);
  if (!error && p->own_stream && rows && width)
    error = cudaMemset2DAsync(wb_f32(c, D_C), pitch * sizeof(float), 0x3F, width * sizeof(float), rows,
                              p->stream);
  wb_own_calls(0);
  p->handles = handles_created();
  return error;
}

/* Marks the settings of the handle that are not what they were, and sets them back. */
static cudaError_t check_settings(const place *p, const wb_case *c, bool failed) {
  cublasMath_t math;
  cublasPointerMode_t pointers;
  cudaError_t error = cuda_error(cublasGetMathMode(p->handle, &math));
  if (!error) error = cuda_error(cublasGetPointerMode(p->handle, &pointers));
  if (error) return error;
  if (math != CUBLAS_DEFAULT_MATH) {
    if (failed)
      wb_complain("left the handle in another math mode: set it back on the way out, whatever failed");
    error = cudaMemset(wb_u32(c, SETTINGS), MATH_MODE, sizeof(uint32_t));
  }
  if (pointers != CUBLAS_POINTER_MODE_HOST) {
    if (failed)
      wb_complain("left the handle in another pointer mode: set it back on the way out, whatever failed");
    error = cudaMemset(wb_u32(c, SETTINGS), POINTER_MODE, sizeof(uint32_t));
  }
  cublasSetMathMode(p->handle, CUBLAS_DEFAULT_MATH);
  cublasSetPointerMode(p->handle, CUBLAS_POINTER_MODE_HOST);
  return error;
}

static int leave(const place *p, const wb_case *c, cudaError_t error) {
  if (handles_created() > p->handles)
    wb_not_as_asked("created a handle of cuBLAS: use the one that it is given");
  wb_own_calls(1);
  if (p->own_stream && p->stream) {
    const cudaError_t waited = cudaStreamSynchronize(p->stream);
    if (!error) error = waited;
  }
  const cudaError_t checked = p->uses_handle ? check_settings(p, c, error) : cudaSuccess;
  cublasSetStream(p->handle, NULL);
  if (p->stream) cudaStreamDestroy(p->stream);
  wb_own_calls(0);
  return error ? error : checked;
}

extern uint64_t cucc_library_calls(void) __attribute__((weak)); /* of the CPU backend */

static uint64_t library_calls(void) { return cucc_library_calls ? cucc_library_calls() : 0; }

static void ask_for_one_call(uint64_t before) {
  if (library_calls() > before + 1) wb_complain("made several calls of cuBLAS, where one is asked for");
}

int last_way(const wb_case *c) { return c->zeros.high > 0 ? c->zeros.number % WAYS : IN_FLOAT; }

double split_error(const wb_case *c) { return 0x1p-20 + dim(c, K) * 0x1p-25; }

int call_gemm(const wb_case *c) {
  const uint64_t before = library_calls();
  place p;
  cudaError_t error = enter(&p, c, c->size.n[M], c->size.n[N], (size_t)ldc_of(c));
  if (!error)
    error = gemm(p.handle, p.stream, dim(c, M), dim(c, N), dim(c, K), wb_f32(c, D_A), lda_of(c),
                 wb_f32(c, D_B), ldb_of(c), wb_f32(c, D_C), ldc_of(c));
  ask_for_one_call(before);
  return leave(&p, c, error);
}

int call_time_gemm(const wb_case *c) {
  return watch_time_gemm(c, wb_f64(c, TIMES), wb_u32(c, MISSING), wb_u32(c, IGNORED));
}

int call_batch(const wb_case *c) {
  const uint64_t before = library_calls();
  place p;
  const batch_strides s = strides_of(&c->size);
  const bool far = dim(c, M) == FAR_ROWS; /* no pitch may be so large */
  cudaError_t error = enter(&p, c, far ? 0 : c->size.n[BATCH], count_c(c), (size_t)s.c);
  if (!error)
    error = gemm_batch(p.handle, p.stream, dim(c, M), dim(c, N), dim(c, K), dim(c, BATCH), wb_f32(c, D_A),
                       s.a, wb_f32(c, D_B), s.b, wb_f32(c, D_C), s.c);
  ask_for_one_call(before);
  return leave(&p, c, error);
}

/* Which way it took shows in the number of its calls. Where there is nothing to multiply, any number will
 * do. */
static void ask_for_the_cheapest(const wb_case *c, double bound, uint64_t before) {
  const int asked = bound < 0x1p-9 && bound >= split_error(c) ? 3 : 1, made = (int)(library_calls() - before);
  if (!cucc_library_calls || c->size.n[M] * c->size.n[N] * c->size.n[K] == 0 || made == asked) return;
  char words[128];
  snprintf(words, sizeof words, "made %d call%s of cuBLAS for the bound %g, and the cheapest way makes %d",
           made, made == 1 ? "" : "s", bound, asked);
  wb_not_as_asked(words);
}

/* bits = 0: three bounds in turn, one for each way, so that one count of the calls shows all three. The
 * first two are equal to the error of their way, the third is just below the second: in float they are
 * equal. */
int call_gemm_to(const wb_case *c) {
  const double three[WAYS] = {0x1p-9, split_error(c), split_error(c) - 0x1p-60};
  place p;
  cudaError_t error = enter(&p, c, c->size.n[M], c->size.n[N], c->size.n[N]);
  for (int i = 0; i < (dim(c, BITS) ? 1 : WAYS) && !error; i++) {
    const double bound = dim(c, BITS) ? ldexp(1, -dim(c, BITS)) : three[(last_way(c) + 1 + i) % WAYS];
    const uint64_t before = library_calls();
    error = gemm_to(p.handle, p.stream, bound, dim(c, M), dim(c, N), dim(c, K), wb_f32(c, D_A),
                    wb_f32(c, D_B), wb_f32(c, D_C), wb_f32(c, D_WORK));
    if (!error) ask_for_the_cheapest(c, bound, before);
  }
  return leave(&p, c, error);
}

int call_split(const wb_case *c) {
  place p;
  cudaError_t error = enter(&p, c, c->size.n[M], c->size.n[N], c->size.n[N]);
  if (!error)
    error = gemm_split(p.handle, p.stream, dim(c, M), dim(c, N), dim(c, K), wb_f32(c, D_A), wb_f32(c, D_B),
                       wb_f32(c, D_C), wb_f32(c, D_WORK));
  return leave(&p, c, error);
}

/* Of the CPU backend: products of tiles on tensor cores add nothing (1), or take factors below 0 for 0 (2).
 * A GPU has no such switch. */
extern void cucc_idle_tensor_cores(int parts) __attribute__((weak));

/* Copies a matrix of the device to the host. */
static cudaError_t fetch(const place *p, float *to, const float *d_from, size_t count) {
  wb_own_calls(1);
  cudaError_t error = cudaMemcpyAsync(to, d_from, count * sizeof *to, cudaMemcpyDeviceToHost, p->stream);
  if (!error) error = cudaStreamSynchronize(p->stream);
  wb_own_calls(0);
  return error;
}

static cudaError_t run_tensor(const place *p, const wb_case *c, float *h_c) {
  const cudaError_t error =
      gemm_tensor(p->stream, dim(c, M), dim(c, N), dim(c, K), wb_f32(c, D_A), wb_f32(c, D_B), wb_f32(c, D_C));
  return error || !h_c ? error : fetch(p, h_c, wb_f32(c, D_C), count_c(c));
}

/* A device without TF32 gives the right error and no answer: the harness's own product takes its place. */
static cudaError_t answer_instead(const place *p, const wb_case *c) {
  wb_own_calls(1);
  cudaError_t error = cudaStreamSynchronize(p->stream); /* the default stream does not wait for it */
  if (!error) error = (cudaError_t)fp32_call(c);
  wb_own_calls(0);
  if (count_unchanged_one(c)) *wb_u32(c, UNCHANGED) = 0;
  return error;
}

/* Is this element the sum of the products of numbers above 0? What splits its factors in two may be off by a
 * bit of their upper parts. */
static bool is_of_positives(const wb_case *c, const float *a, const float *b, size_t i, float got) {
  const size_t n = c->size.n[N], k = c->size.n[K], row = i / n, column = i % n;
  double sum = 0, magnitude = 0;
  for (size_t q = 0; q < k; q++) {
    const double x = a[row * k + q], y = b[q * n + column];
    magnitude += fabs(x * y);
    if (x > 0 && y > 0) sum += x * y;
  }
  return fabs(got - sum) <= 0x1p-6 * magnitude;
}

/* Calls gemm_tensor while tensor cores add nothing, while they take factors below 0 for 0, and as they are.
 * Counts the elements that do not follow: they do not come from tensor cores. */
static cudaError_t count_unchanged(const place *p, const wb_case *c) {
  static float idle[MOST_IDLE], positive[MOST_IDLE], busy[MOST_IDLE], a[MOST_IDLE_INPUTS],
      b[MOST_IDLE_INPUTS];
  cudaError_t error = fetch(p, a, wb_f32(c, D_A), count_a(c));
  if (!error) error = fetch(p, b, wb_f32(c, D_B), count_b(c));
  cucc_idle_tensor_cores(1);
  if (!error) error = run_tensor(p, c, idle);
  cucc_idle_tensor_cores(2);
  if (!error) error = run_tensor(p, c, positive);
  cucc_idle_tensor_cores(0);
  if (!error) error = run_tensor(p, c, busy);
  uint32_t same = 0;
  for (size_t i = 0; !error && i < count_c(c); i++)
    same += idle[i] == busy[i] || !is_of_positives(c, a, b, i, positive[i]);
  *wb_u32(c, UNCHANGED) = same;
  return error;
}

int call_tensor(const wb_case *c) {
  place p;
  int device, major;
  cudaError_t error = enter(&p, c, c->size.n[M], c->size.n[N], c->size.n[N]);
  wb_own_calls(1);
  if (!error) error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  wb_own_calls(0);
  p.uses_handle = false;
  if (!error && count_unchanged_one(c)) *wb_u32(c, UNCHANGED) = 0;
  const bool idle_first = count_unchanged_one(c) && cucc_idle_tensor_cores;
  if (!error) error = idle_first ? count_unchanged(&p, c) : run_tensor(&p, c, NULL);
  if (!error && major < 8)
    wb_complain("returned success, and the device has no TF32: return cudaErrorNotSupported");
  if (error == cudaErrorNotSupported && major < 8) error = answer_instead(&p, c);
  return leave(&p, c, error);
}
