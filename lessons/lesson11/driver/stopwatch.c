/* stopwatch.c: see stopwatch.h. */
#include "stopwatch.h"
#include "baselines.h"
#include "cublas.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define SPARE    16    /* calls more than asked for whose work is timed, too */
#define SLACK_MS 0.003 /* what events resolve */

/* The call that fails, where one does, and its error, which no call of CUDA gives here. */
#define FAILING 2
#define FAILS   cudaErrorNotSupported

/* Where n is WAITING_SIDE, the device waits, too. The first call takes more than a second, so that a clock without
 * its seconds is a second off. One of `calls` warm calls that follow each other takes far longer than the others, and
 * it is not the last: their mean is unlike the fastest, the median, the last and the slowest of them. */
#define FIRST_WAITS_MS 1030
#define WARM_WAITS_MS  60

typedef struct watch {
  const wb_case *c;
  cublasHandle_t handle;
  cudaStream_t stream;
  cudaEvent_t *begin, *end; /* of each call's work */
  int slots, made;
  int failing;      /* the number of a warm call that fails; 0: none does */
  double second_ms; /* when the second call was made; 0: never */
} watch;

/* The one that runs. time_gemm gets `ticket` for it, which says nothing: an answer can neither read what was
 * measured nor write it. */
static watch running;
static const char ticket[256];

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/*
 * The product that time_gemm times. Its first call makes the handle. A process loads cuBLAS's kernels only
 * once, but the harness tries several sizes; so the first call repeats the product, to cost more than all
 * the others together every time. A random number of the repeats are of one element only: a warm call's time
 * does not follow from the first one's, and the number of calls that may fail stays the same.
 */
static int repeats(const wb_case *c) { return 4 * ((int)c->size.n[CALLS] + 2); }
static int whole_repeats(const wb_case *c) {
  return (int)((double)(c->size.n[CALLS] + 2) * (1.5 + c->param[0]));
}

/* How long the device waits in call number i. */
static int waiting_ms(const wb_case *c, int i) {
  const int calls = (int)c->size.n[CALLS];
  if (c->size.n[SIDE] != WAITING_SIDE) return 0;
  if (i == 0) return FIRST_WAITS_MS;
  const int slow = 1 + (calls > 1 ? (int)(fabs(c->param[0]) * 1000) % (calls - 1) : 0);
  return calls > 1 && i % calls == slow ? WARM_WAITS_MS : 0;
}

static void wait_in_stream(void *ms) {
  const long long ns = 1000000LL * (intptr_t)ms;
  nanosleep(&(struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)},
            NULL);
}

static cublasStatus_t multiply(const watch *w, int n) {
  const int ld = n > 1 ? n : 1;
  const float one = 1, zero = 0;
  return cublasSgemm(w->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, wb_f32(w->c, D_B), ld,
                     wb_f32(w->c, D_A), ld, &zero, wb_f32(w->c, D_C), ld);
}

static cudaError_t product(void *data) {
  if (data != ticket) return cudaErrorInvalidValue;
  watch *w = &running;
  const int i = w->made++, n = (int)w->c->size.n[SIDE];
  if (i == 1) w->second_ms = now_ms();
  if (i > 0 && i == w->failing) return FAILS;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (i == 0) {
    status = cublasCreate(&w->handle);
    if (!status) status = cublasSetStream(w->handle, w->stream);
  }
  cudaError_t error = cuda_error(status);
  if (!error && i < w->slots) error = cudaEventRecord(w->begin[i], w->stream);
  const int wait_ms = waiting_ms(w->c, i);
  if (!error && wait_ms) error = cudaLaunchHostFunc(w->stream, wait_in_stream, (void *)(intptr_t)wait_ms);
  for (int t = 0; i == 0 && t < repeats(w->c) && !error; t++)
    error = cuda_error(multiply(w, t < whole_repeats(w->c) || n == 0 ? n : 1));
  if (i > 0 && !error) error = cuda_error(multiply(w, n));
  if (!error && i < w->slots) error = cudaEventRecord(w->end[i], w->stream);
  return error;
}

static double between_ms(cudaEvent_t from, cudaEvent_t to) {
  float ms = 0;
  return cudaEventElapsedTime(&ms, from, to) ? 0 : ms;
}

static bool within(double ms, double low, double high) {
  return ms >= low - SLACK_MS && ms <= high + SLACK_MS;
}

static bool is_wrong(double ratio) { return fabs(ratio - 1) > TIME_TOLERANCE; }

/* Of the time of `calls` calls, divided by `calls`: 1 if it is within the limits, SECOND_LOST if a second or two
 * bring it there; exactly 1000, say, if it is within them in another unit; STEPS for a wrong one among steps. */
static double ratio_of(double ms, double low, double high, int calls, bool steps) {
  static const double units[] = {1e-3, 1e3, 1e6};
  if (within(ms, low, high)) return 1;
  if (within(ms + 1000.0 / calls, low, high) || within(ms + 2000.0 / calls, low, high)) return SECOND_LOST;
  for (size_t i = 0; i < WB_COUNT(units) && low > SLACK_MS; i++)
    if (within(ms / units[i], low, high)) return units[i];
  const double ratio = ms < low ? ms / low : ms / high;
  return steps && is_wrong(ratio) ? STEPS : ratio;
}

/* Whether both times are multiples of 1/16 ms. */
static bool are_steps(const double ms[2], int calls) {
  const double first = 16 * ms[0], warm = 16 * ms[1] * calls;
  return fabs(first - round(first)) < 1e-6 && fabs(warm - round(warm)) < 1e-6;
}

/* The least time of `calls` warm calls that follow each other, divided by `calls`. A program may make more calls, to
 * warm up for example, and take the time of some. */
static double least_work(const watch *w, int calls, int timed) {
  double least = 0, sum = 0;
  for (int i = 1; i < timed; i++) {
    sum += between_ms(w->begin[i], w->end[i]);
    if (i > calls) sum -= between_ms(w->begin[i - calls], w->end[i - calls]);
    if (i == calls || (i > calls && sum < least)) least = sum;
  }
  return least / calls;
}

/*
 * The first time is taken by the host's clock, and ends before the second call is made; or by events in the
 * stream, and ends before the second call's work begins there. The host may be far ahead of the stream, so
 * the longer of the two spans is the limit.
 */
static void judge(const watch *w, const double ms[2], double start_ms, double end_ms, cudaEvent_t started,
                  cudaEvent_t all_done, double ratio[2]) {
  const int calls = (int)w->c->size.n[CALLS], timed = w->made < w->slots ? w->made : w->slots;
  const double first = between_ms(w->begin[0], w->end[0]);
  const double by_host = (w->second_ms > 0 ? w->second_ms : end_ms) - start_ms;
  const double by_stream = between_ms(started, timed > 1 ? w->begin[1] : all_done);
  const double longest = fmax(by_host, by_stream);
  const bool steps = are_steps(ms, calls);
  ratio[0] = ratio_of(ms[0], first, longest, 1, steps);
  ratio[1] =
      ratio_of(ms[1], least_work(w, calls, timed), between_ms(w->end[0], all_done) / calls, calls, steps);
  if (ratio[0] != STEPS && is_wrong(ratio[0]) && ms[0] < first && within(ms[0] + ms[1], first, longest))
    ratio[0] = WITHOUT_WARM;
  if (w->c->size.n[SIDE] == WAITING_SIDE && ratio[1] > 1e-3 && ratio[1] < 0.5) ratio[1] = NOT_THE_MEAN;
}

static int watch_once(const wb_case *c, int failing, double ratio[2], uint32_t *missing) {
  const int calls = (int)c->size.n[CALLS];
  watch *const w = &running;
  *w = (watch){.c = c, .slots = calls + SPARE, .failing = failing};
  cudaEvent_t started = NULL, all_done = NULL;
  w->begin = calloc(2 * (size_t)w->slots, sizeof *w->begin);
  if (!w->begin) return cudaErrorMemoryAllocation;
  w->end = w->begin + w->slots;
  wb_own_calls(1);
  cudaError_t error = cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking);
  if (!error) error = cudaEventCreate(&started);
  if (!error) error = cudaEventCreate(&all_done);
  for (int i = 0; i < 2 * w->slots && !error; i++) error = cudaEventCreate(&w->begin[i]);
  if (!error) error = cudaEventRecord(started, w->stream);
  wb_own_calls(0);
  if (!error) {
    double ms[2] = {NAN, NAN};
    const double start_ms = now_ms();
    error = time_gemm(product, (void *)ticket, w->stream, calls, ms);
    const double end_ms = now_ms();
    wb_own_calls(1);
    cudaError_t waited = cudaEventRecord(all_done, w->stream);
    if (!waited) waited = cudaStreamSynchronize(w->stream);
    if (!error) error = waited;
    *missing = w->made > calls ? 0 : (uint32_t)(calls + 1 - w->made);
    ratio[0] = ratio[1] = 0;
    if (!error && w->made > 0 && !failing) judge(w, ms, start_ms, end_ms, started, all_done, ratio);
  }
  wb_own_calls(1);
  if (w->handle) cublasDestroy(w->handle);
  for (int i = 0; i < 2 * w->slots; i++)
    if (w->begin[i]) cudaEventDestroy(w->begin[i]);
  if (started) cudaEventDestroy(started);
  if (all_done) cudaEventDestroy(all_done);
  if (w->stream) cudaStreamDestroy(w->stream);
  wb_own_calls(0);
  free(w->begin);
  return error;
}

int watch_time_gemm(const wb_case *c, double ratio[2], uint32_t *missing, uint32_t *ignored) {
  double other[2];
  uint32_t fewer;
  *ignored = 0;
  const int error = watch_once(c, 0, ratio, missing);
  if (error || c->size.n[SIDE] > 0 || *missing) return error;
  const int failed = watch_once(c, FAILING, other, &fewer);
  *ignored = failed == 0;
  return failed == FAILS ? 0 : failed;
}
