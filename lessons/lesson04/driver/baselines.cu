/*
 * baselines.cu: see baselines.h. Trusted code of the harness. Except for the host's turn and the call of
 * round_trips, it runs only when a time is measured.
 *
 * Buffers are kept from call to call, so no allocation is timed, except in the baselines that measure the
 * cost of pinning.
 */
#include "transfers.h"
#include "baselines.h"
#include <string.h>

#define THREADS    256
#define LINK_TRIPS 32 /* enough for a median; the ratio counts work per time */
#define FEW_TRIPS  4
#define ONE_IN     16
#define FRESH_UPTO ((size_t)1 << 19)

/* n / d, rounded up. */
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

/* *buffer, kept, with room for at least `bytes`: pinned host memory or device memory. */
static cudaError_t keep(void **buffer, size_t *room, size_t bytes, bool on_device) {
  if (*room >= bytes) return cudaSuccess;
  if (on_device)
    cudaFree(*buffer);
  else
    cudaFreeHost(*buffer);
  *buffer = NULL;
  *room = 0;
  const cudaError_t error = on_device ? cudaMalloc(buffer, bytes) : cudaMallocHost(buffer, bytes);
  if (error) return error;
  if (!on_device) memset(*buffer, 1, bytes);
  *room = bytes;
  return cudaSuccess;
}

static cudaError_t keep_pinned(uint32_t **buffer, size_t count) {
  static void *h_kept;
  static size_t room;
  const cudaError_t error = keep(&h_kept, &room, count * sizeof(uint32_t), false);
  *buffer = (uint32_t *)h_kept;
  return error;
}

/* ---- Task 1: round trips ---- */

void take_turn(uint32_t *x, size_t n, int trip) {
  const size_t stride = turn_stride(n);
  for (size_t i = (size_t)trip % stride; i < n; i += stride) x[i] ^= turn_value(trip);
}

/* The turn of a call: with another number of elements than n_of_call it would leave the array. */
static size_t n_of_call;

static void turn_of_call(uint32_t *x, size_t n, int trip) {
  if (n == n_of_call)
    take_turn(x, n, trip);
  else
    x[0] = n == n_of_call * sizeof *x ? TURN_OF_BYTES : TURN_OF_OTHER;
}

int call_round_trips(const wb_case *c) {
  const size_t n = c->size.n[TRIP_N];
  n_of_call = n;
  const int trips = (int)c->size.n[TRIP_TRIPS];
  uint32_t *h_x = wb_u32(c, TRIP_X);
  if (n == 0 || n > FRESH_UPTO) return round_trips(h_x, n, wb_u32(c, TRIP_DEVICE), trips, turn_of_call);
  uint32_t *d_fresh = NULL;
  const cudaError_t allocated = cudaMalloc(&d_fresh, n * sizeof(uint32_t));
  if (allocated) return allocated;
  const cudaError_t status = round_trips(h_x, n, d_fresh, trips, turn_of_call);
  const cudaError_t freed = cudaFree(d_fresh);
  return status ? status : freed;
}

static __global__ void step_kernel(uint32_t *x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = step(x[i]);
}

static int trips_of(const wb_case *c, int most) {
  return c->size.n[TRIP_TRIPS] < (size_t)most ? (int)c->size.n[TRIP_TRIPS] : most;
}

static double work_of(const wb_case *c, int most) {
  return 2.0 * sizeof(uint32_t) * (double)c->size.n[TRIP_N] * trips_of(c, most);
}

double link_work(const wb_case *c) { return work_of(c, LINK_TRIPS); }
double few_trips_work(const wb_case *c) { return work_of(c, FEW_TRIPS); }

/* Trips of n elements between host and device, with the kernel or without. */
static cudaError_t trips_between(uint32_t *h_x, uint32_t *d_words, size_t n, int trips, bool kernel) {
  const size_t bytes = n * sizeof(uint32_t);
  cudaError_t error = cudaSuccess;
  for (int trip = 0; trip < trips && !error; trip++) {
    error = cudaMemcpyAsync(d_words, h_x, bytes, cudaMemcpyHostToDevice, 0);
    if (!error && kernel) {
      step_kernel<<<ceil_div(n, THREADS), THREADS>>>(d_words, n);
      error = cudaGetLastError();
    }
    if (!error) error = cudaMemcpyAsync(h_x, d_words, bytes, cudaMemcpyDeviceToHost, 0);
    if (!error) error = cudaStreamSynchronize(0);
  }
  return error;
}

int link_call(const wb_case *c) {
  const size_t n = c->size.n[TRIP_N];
  if (n == 0) return cudaSuccess;
  uint32_t *h_x = NULL;
  const cudaError_t error = keep_pinned(&h_x, n);
  return error ? error : trips_between(h_x, wb_u32(c, TRIP_DEVICE), n, trips_of(c, LINK_TRIPS), false);
}

int pageable_call(const wb_case *c) {
  const size_t n = c->size.n[TRIP_N];
  if (n == 0) return cudaSuccess;
  return trips_between(wb_u32(c, TRIP_X), wb_u32(c, TRIP_DEVICE), n, trips_of(c, FEW_TRIPS), true);
}

int mapped_call(const wb_case *c) {
  const size_t n = c->size.n[TRIP_N];
  if (n == 0) return cudaSuccess;
  uint32_t *h_x = NULL;
  cudaError_t error = keep_pinned(&h_x, n);
  for (int trip = 0; trip < trips_of(c, FEW_TRIPS) && !error; trip++) {
    step_kernel<<<ceil_div(n, THREADS), THREADS>>>(h_x, n);
    error = cudaGetLastError();
    if (!error) error = cudaStreamSynchronize(0);
  }
  return error;
}

/* ---- Task 2: gather ---- */

/* d_out[r * length + j] = element j of the record in the place of key r; a gather is records of length 1. */
static __global__ void fetch_kernel(const uint32_t *pool, size_t places, size_t length, const uint32_t *key,
                                    size_t records, uint32_t *d_out) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < records * length) d_out[i] = pool[place_of(key[i / length], places) * length + i % length];
}

static cudaError_t fetch(const uint32_t *pool, size_t places, size_t length, const uint32_t *key,
                         size_t records, uint32_t *d_out) {
  fetch_kernel<<<ceil_div(records * length, THREADS), THREADS>>>(pool, places, length, key, records, d_out);
  return cudaGetLastError();
}

int copy_all_call(const wb_case *c) {
  static void *d_table;
  static size_t room;
  const size_t n = c->size.n[GATHER_N], bytes = n * sizeof(uint32_t), k = c->size.n[GATHER_K];
  if (n == 0 || k == 0) return cudaSuccess;
  cudaError_t error = keep(&d_table, &room, bytes, true);
  if (!error) error = cudaMemcpyAsync(d_table, wb_u32(c, GATHER_TABLE), bytes, cudaMemcpyHostToDevice, 0);
  return error ? error
               : fetch((const uint32_t *)d_table, n, 1, wb_u32(c, GATHER_KEY), k, wb_u32(c, GATHER_OUT));
}

/* ---- Task 3: the window ---- */

int through_host_call(const wb_case *c) {
  const size_t n = c->size.n[SLIDE_N], m = c->size.n[SLIDE_M], size = sizeof(uint32_t);
  if (n == 0 || m > n) return cudaSuccess;
  uint32_t *h_window = NULL;
  cudaError_t error = keep_pinned(&h_window, n + m);
  if (!error) error = cudaMemcpy(h_window, wb_u32(c, SLIDE_OLD), n * size, cudaMemcpyDeviceToHost);
  if (error) return error;
  memcpy(h_window + n, wb_u32(c, SLIDE_SAMPLES), m * size);
  return cudaMemcpy(wb_u32(c, SLIDE_NEW), h_window + m, n * size, cudaMemcpyHostToDevice);
}

/* ---- Further: records ---- */

static size_t some_records(const wb_case *c) { return (c->size.n[RECORDS] + ONE_IN - 1) / ONE_IN; }

double one_by_one_work(const wb_case *c) {
  return (double)sizeof(uint32_t) * (double)(some_records(c) * c->size.n[LENGTH]);
}

int one_by_one_call(const wb_case *c) {
  const size_t length = c->size.n[LENGTH], count = some_records(c);
  cudaError_t error = cudaSuccess;
  for (size_t r = 0; r < count && !error; r++) {
    const uint32_t *h_record = wb_u32(c, POOL) + place_of(wb_u32(c, POOL_KEY)[r], c->size.n[PLACES]) * length;
    error = cudaMemcpy(wb_u32(c, POOL_OUT) + r * length, h_record, length * sizeof(uint32_t),
                       cudaMemcpyHostToDevice);
  }
  return error;
}

int pin_all_call(const wb_case *c) {
  static void *d_key;
  static size_t room;
  const size_t places = c->size.n[PLACES], length = c->size.n[LENGTH], records = c->size.n[RECORDS];
  if (records == 0) return cudaSuccess;
  uint32_t *h_pool = wb_u32(c, POOL);
  cudaError_t error = keep(&d_key, &room, records * sizeof(uint32_t), true);
  if (!error)
    error = cudaMemcpy(d_key, wb_u32(c, POOL_KEY), records * sizeof(uint32_t), cudaMemcpyHostToDevice);
  if (!error) error = cudaHostRegister(h_pool, places * length * sizeof(uint32_t), cudaHostRegisterDefault);
  if (error) return error;
  error = fetch(h_pool, places, length, (const uint32_t *)d_key, records, wb_u32(c, POOL_OUT));
  if (!error) error = cudaStreamSynchronize(0);
  const cudaError_t unpinned = cudaHostUnregister(h_pool);
  return error ? error : unpinned;
}
