/*
 * lesson04, transfers: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; transfers.h says what you write in transfers.cu.
 */
#include "transfers.h"
#include "wb.h"
#include "baselines.h"
#include "causes.h"

#include <stdio.h>
#include <string.h>

/* All values are integers, and copies and steps are exact: no rounding, no tolerance. */
static wb_expected exactly(uint32_t value) { return (wb_expected){.value = value, .tolerance = 0}; }

/* ---- Task 1: round_trips ---- */

#define MOST_TRIPS 1024

static size_t count_trip(const wb_case *c) { return c->size.n[TRIP_N]; }

/* --size may give any numbers: the learner's function is never called with more trips than the oracle's
 * tables have room for. */
static int call_trips(const wb_case *c) {
  return c->size.n[TRIP_TRIPS] > MOST_TRIPS ? cudaErrorInvalidValue : call_round_trips(c);
}

/*
 * The result of `trips` steps of an element, without running them for each element. A step consists of shifts
 * and exclusive ors, so steps(a ^ b) = steps(a) ^ steps(b): four tables of 256, one for each byte, are
 * enough. A value that a turn writes gets only the steps that are left. Each thread of the harness that
 * checks has its own set of tables, computed again when the number of trips changes.
 */
typedef struct trip_tables {
  int trips;                 /* the number of trips, + 1 */
  uint32_t byte[4][256];     /* byte[b][v]: v << 8 * b after all steps */
  uint32_t late[MOST_TRIPS]; /* late[t]: the value of turn t, after the steps of trips t + 1 ... */
} trip_tables;

static uint32_t steps(uint32_t x, int count) {
  for (int s = 0; s < count; s++) x = step(x);
  return x;
}

static void make_tables(trip_tables *t, int trips) {
  for (int b = 0; b < 4; b++)
    for (uint32_t v = 1; v < 256; v++) {
      const uint32_t low = v & -v; /* v's lowest bit; the rest of v is in the table already */
      t->byte[b][v] = v == low ? steps(v << 8 * b, trips) : t->byte[b][v ^ low] ^ t->byte[b][low];
    }
  for (int trip = 0; trip < trips; trip++) t->late[trip] = steps(turn_value(trip), trips - 1 - trip);
  t->trips = trips + 1;
}

static wb_expected expect_trips(const wb_case *c, int array, size_t i) {
  (void)array;
  static _Thread_local trip_tables t;
  const int trips = (int)c->size.n[TRIP_TRIPS];
  if (t.trips != trips + 1) make_tables(&t, trips);
  const uint32_t x = wb_u32(c, TRIP_X)[i];
  uint32_t y = t.byte[0][x & 255] ^ t.byte[1][x >> 8 & 255] ^ t.byte[2][x >> 16 & 255] ^ t.byte[3][x >> 24];
  const size_t stride = turn_stride(c->size.n[TRIP_N]);
  for (size_t trip = i % stride; trip < (size_t)trips; trip += stride) y ^= t.late[trip];
  return exactly(y);
}

/* No elements; no trips; one; around a block; a prime; more turns than the host's stride; whole blocks;
 * large. */
static const wb_size trip_sizes[] = {{{0, 3}},     {{255, 2}},    {{33, 0}},     {{1, 1}},
                                     {{257, 5}},   {{1021, 40}},  {{8192, 1}},   {{1027, 7}},
                                     {{65537, 3}}, {{100003, 4}}, {{1000003, 2}}};

/* Over the link: every element once in and once out, each trip. */
static double bytes_trips(const wb_case *c) {
  return 8.0 * (double)c->size.n[TRIP_N] * (double)c->size.n[TRIP_TRIPS];
}

static const wb_baseline trips_baselines[] = {
    {"link", "the same copies of memory that was pinned long ago, and nothing else", link_call, link_work},
    {"pageable", "cudaMemcpy, kernel, cudaMemcpy with h_x as it is", pageable_call, few_trips_work},
    {"mapped", "no copies: the kernel works in pinned host memory", mapped_call, few_trips_work}};

/* ---- Task 2: gather_sparse ---- */

/*
 * The harness's random words are within 2^20 of 0 (model/random.h): as keys they would all stand for places
 * at the two ends of a table. Combined with their index, and multiplied (Knuth's multiplicative hashing),
 * they are spread over the whole table. The first key stands for the first place, the last for the last.
 */
static int spread(uint32_t *key, size_t count) {
  for (size_t i = 0; i < count; i++)
    key[i] = (uint32_t)(((uint64_t)i << 32 | key[i]) * 0x9E3779B97F4A7C15u >> 32);
  if (count > 1) key[0] = 0, key[count - 1] = UINT32_MAX;
  return 1;
}

static size_t count_table(const wb_case *c) { return c->size.n[GATHER_N]; }
static size_t count_keys(const wb_case *c) { return c->size.n[GATHER_K]; }

static int shape_gather(const wb_case *c, int array, void *values) {
  return array == GATHER_KEY && spread(values, count_keys(c));
}

static int call_gather(const wb_case *c) {
  return gather_sparse(wb_u32(c, GATHER_TABLE), c->size.n[GATHER_N], wb_u32(c, GATHER_KEY),
                       wb_u32(c, GATHER_OUT), c->size.n[GATHER_K]);
}

static wb_expected expect_gather(const wb_case *c, int array, size_t j) {
  (void)array;
  return exactly(wb_u32(c, GATHER_TABLE)[place_of(wb_u32(c, GATHER_KEY)[j], c->size.n[GATHER_N])]);
}

static const wb_size gather_sizes[] = {{{1, 0}},          {{1, 1}},         {{257, 257}},
                                       {{1021, 100}},     {{1027, 1025}},   {{65536, 512}},
                                       {{1000003, 4099}}, {{4096, 100003}}, {{2, 255}}};

/* The bytes that were requested. More cross the link: 32 bytes for an element, or the whole table. */
static double bytes_gather(const wb_case *c) { return 4.0 * (double)c->size.n[GATHER_K]; }

static const wb_baseline gather_baselines[] = {
    {"copy-all", "the whole table to the device, then the gather there", copy_all_call, NULL}};

/* ---- Task 3: slide_window ---- */

static size_t count_window(const wb_case *c) { return c->size.n[SLIDE_N]; }
static size_t count_samples(const wb_case *c) { return c->size.n[SLIDE_M]; }
static int slides_too_far(const wb_case *c) { return c->size.n[SLIDE_M] > c->size.n[SLIDE_N]; }

static int call_slide(const wb_case *c) {
  return slide_window(wb_u32(c, SLIDE_OLD), wb_u32(c, SLIDE_NEW), c->size.n[SLIDE_N],
                      wb_u32(c, SLIDE_SAMPLES), c->size.n[SLIDE_M]);
}

static wb_expected expect_slide(const wb_case *c, int array, size_t i) {
  (void)array;
  const size_t kept = c->size.n[SLIDE_N] - c->size.n[SLIDE_M];
  return exactly(i < kept ? wb_u32(c, SLIDE_OLD)[i + c->size.n[SLIDE_M]]
                          : wb_u32(c, SLIDE_SAMPLES)[i - kept]);
}

/* Empty windows; no samples; only samples; one of each; too many samples; with an overlap and without one. */
static const wb_size slide_sizes[] = {{{0, 0}},         {{1021, 1}},   {{1, 0}},       {{1, 1}},
                                      {{255, 255}},     {{256, 257}},  {{1021, 1020}}, {{1027, 1025}},
                                      {{2049, 2}},      {{4096, 512}}, {{4096, 3000}}, {{100003, 17}},
                                      {{1000003, 1024}}};

/* Every element of the new window is read once and written once. */
static double bytes_slide(const wb_case *c) { return 8.0 * (double)c->size.n[SLIDE_N]; }

static const wb_baseline slide_baselines[] = {
    {"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work},
    {"through-host", "the window out, moved on by the host, and in again", through_host_call, NULL}};

/* ---- Further: upload_records ---- */

static size_t count_pool(const wb_case *c) { return c->size.n[PLACES] * c->size.n[LENGTH]; }
static size_t count_records(const wb_case *c) { return c->size.n[RECORDS]; }
static size_t count_uploaded(const wb_case *c) { return c->size.n[RECORDS] * c->size.n[LENGTH]; }

static int shape_upload(const wb_case *c, int array, void *values) {
  return array == POOL_KEY && spread(values, count_records(c));
}

static int call_upload(const wb_case *c) {
  return upload_records(wb_u32(c, POOL), c->size.n[PLACES], c->size.n[LENGTH], wb_u32(c, POOL_KEY),
                        c->size.n[RECORDS], wb_u32(c, POOL_OUT));
}

static wb_expected expect_upload(const wb_case *c, int array, size_t i) {
  (void)array;
  const size_t length = c->size.n[LENGTH];
  const size_t place = place_of(wb_u32(c, POOL_KEY)[i / length], c->size.n[PLACES]);
  return exactly(wb_u32(c, POOL)[place * length + i % length]);
}

/* No record; one of one element; many short ones; a prime length; records longer than any staging buffer. */
static const wb_size upload_sizes[] = {{{1, 0, 1}},     {{10, 1021, 3}},  {{1, 1, 1}},      {{1000, 255, 64}},
                                       {{7, 300, 257}}, {{3, 2, 100003}}, {{500, 4099, 64}}};

static double bytes_upload(const wb_case *c) { return 4.0 * (double)count_uploaded(c); }

static const wb_baseline upload_baselines[] = {
    {"one-by-one", "cudaMemcpy for each record", one_by_one_call, one_by_one_work},
    {"pin-all", "pins the pool, lets a kernel fetch the records, unpins it", pin_all_call, NULL}};

/* ---- CPU baselines ---- */

static void trips_cpu(const wb_case *c) {
  uint32_t *x = wb_u32(c, TRIP_X);
  for (int trip = 0; trip < (int)c->size.n[TRIP_TRIPS]; trip++) {
#pragma omp parallel for
    for (size_t i = 0; i < c->size.n[TRIP_N]; i++) x[i] = step(x[i]);
    take_turn(x, c->size.n[TRIP_N], trip);
  }
}

static void gather_cpu(const wb_case *c) {
  const uint32_t *table = wb_u32(c, GATHER_TABLE), *key = wb_u32(c, GATHER_KEY);
  uint32_t *out = wb_u32(c, GATHER_OUT);
#pragma omp parallel for
  for (size_t j = 0; j < c->size.n[GATHER_K]; j++) out[j] = table[place_of(key[j], c->size.n[GATHER_N])];
}

static void slide_cpu(const wb_case *c) {
  const uint32_t *old = wb_u32(c, SLIDE_OLD), *samples = wb_u32(c, SLIDE_SAMPLES);
  const size_t m = c->size.n[SLIDE_M], kept = c->size.n[SLIDE_N] - m;
  uint32_t *new = wb_u32(c, SLIDE_NEW);
#pragma omp parallel for
  for (size_t i = 0; i < kept; i++) new[i] = old[i + m];
  memcpy(new + kept, samples, m * sizeof *new);
}

static void upload_cpu(const wb_case *c) {
  const uint32_t *pool = wb_u32(c, POOL), *key = wb_u32(c, POOL_KEY);
  const size_t length = c->size.n[LENGTH];
  uint32_t *out = wb_u32(c, POOL_OUT);
#pragma omp parallel for
  for (size_t r = 0; r < c->size.n[RECORDS]; r++)
    memcpy(out + r * length, pool + place_of(key[r], c->size.n[PLACES]) * length, length * sizeof *out);
}

/* ---- The table ---- */

/* Arrays of so many elements are on the device, or a kernel reads a few of them: a copy of the host takes
 * seconds. */
#define BEYOND_INT (((size_t)65 << 25) + 11)

/* d_x is an input only in name: the harness fills it with random words, so that no solution can rely on its
 * initial contents. */
static const wb_task tasks[] = {
    {.name = "round_trips",
     .what = "the same array to the device and back, many times",
     .number = 1,
     .dims = "n trips",
     .arrays = {{"h_x", WB_INOUT, WB_HOST, WB_U32, count_trip},
                {"d_x", WB_IN, WB_DEVICE, WB_U32, count_trip}},
     .sizes = trip_sizes,
     .size_count = WB_COUNT(trip_sizes),
     .timed = {{1 << 22, 256}},
     .trace = {{100003, 6}},
     .in_kernels = 1,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_trips,
     .expect = expect_trips,
     .cause = cause_trips,
     .bytes = bytes_trips,
     .baselines = trips_baselines,
     .baseline_count = WB_COUNT(trips_baselines),
     .cpu = trips_cpu,
     .cpu_size = {{1 << 22, 16}}},
    {.name = "gather_sparse",
     .what = "a few elements of a large table in host memory",
     .number = 2,
     .dims = "n k",
     .arrays = {{"h_table", WB_IN, WB_PINNED, WB_U32, count_table},
                {"d_key", WB_IN, WB_DEVICE, WB_U32, count_keys},
                {"d_out", WB_OUT, WB_DEVICE, WB_U32, count_keys}},
     .sizes = gather_sizes,
     .size_count = WB_COUNT(gather_sizes),
     .timed = {{1 << 26, 1 << 16}},
     .large = {{(1u << 29) + 3, 1000003}},
     .huge = {{(1u << 31) + 11, 1000003}},
     .reach = {{{BEYOND_INT, 1000003}}},
     .trace = {{1000003, 4096}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_gather,
     .expect = expect_gather,
     .cause = cause_gather,
     .shape = shape_gather,
     .bytes = bytes_gather,
     .baselines = gather_baselines,
     .baseline_count = WB_COUNT(gather_baselines),
     .cpu = gather_cpu},
    {.name = "slide_window",
     .what = "a window on the device moves on",
     .number = 3,
     .dims = "n m",
     .arrays = {{"d_old", WB_IN, WB_DEVICE, WB_U32, count_window},
                {"h_samples", WB_IN, WB_PINNED, WB_U32, count_samples},
                {"d_new", WB_OUT, WB_DEVICE, WB_U32, count_window}},
     .sizes = slide_sizes,
     .size_count = WB_COUNT(slide_sizes),
     .timed = {{1 << 26, 4096}},
     .large = {{(1u << 29) + 3, 1021}},
     .huge = {{(1u << 31) + 11, 1021}},
     .reach = {{{BEYOND_INT, 0}}},
     .trace = {{1000003, 4096}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_slide,
     .expect = expect_slide,
     .cause = cause_slide,
     .must_fail = slides_too_far,
     .must_fail_with = cudaErrorInvalidValue,
     .bytes = bytes_slide,
     .baselines = slide_baselines,
     .baseline_count = WB_COUNT(slide_baselines),
     .cpu = slide_cpu},
    {.name = "upload_records",
     .what = "many short records out of pageable memory",
     .number = 0,
     .dims = "places records length",
     .arrays = {{"h_pool", WB_IN, WB_HOST, WB_U32, count_pool},
                {"h_key", WB_IN, WB_HOST, WB_U32, count_records},
                {"d_out", WB_OUT, WB_DEVICE, WB_U32, count_uploaded}},
     .sizes = upload_sizes,
     .size_count = WB_COUNT(upload_sizes),
     .timed = {{1 << 20, 1 << 16, 64}},
     .trace = {{500, 4099, 64}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_upload,
     .expect = expect_upload,
     .cause = cause_upload,
     .shape = shape_upload,
     .bytes = bytes_upload,
     .baselines = upload_baselines,
     .baseline_count = WB_COUNT(upload_baselines),
     .cpu = upload_cpu},
};

static const wb_lesson lesson = {
    .name = "lesson04", .title = "transfers", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
