/*
 * lesson13, multigpu: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; multigpu.h says what you write in multigpu.cu.
 */
#include "multigpu.h"
#include "wb.h"
#include "baselines.h"
#include "causes.h"
#include "cpu.h"
#include "oracle.h"
#include "problem.h"
#include "processes.h"
#include "ranks.h"

#include <math.h>

static size_t count_cells(const wb_case *c) { return c->size.n[ROWS] * c->size.n[COLS]; }
static size_t count_one(const wb_case *c) { return (void)c, 1; }
static size_t count_ranks(const wb_case *c) { return c->size.n[DEVICES]; }

/* Three additions and a division for each cell. */
static double flops_swept(const wb_case *c) { return 4 * (double)count_cells(c) * (double)c->size.n[COUNT]; }

/* ---- The learner's functions ---- */

/* --size may give any numbers: the learner's functions are never called with sizes that multigpu.h excludes.
 * Returns the number of devices; 0: a bad size. */
static int devices_of(const wb_case *c) {
  int there = 0;
  const size_t asked = c->size.n[DEVICES];
  wb_own_calls(1);
  cudaGetDeviceCount(&there);
  wb_own_calls(0);
  if (there == 0 || c->size.n[ROWS] > 500000 || c->size.n[COLS] > 500000) return 0;
  if (asked > (size_t)there || c->size.n[COUNT] > 1 << 30) return 0;
  return asked == ALL ? there : (int)asked;
}

typedef cudaError_t sweep_function(float *d_p, plate plate, int devices, int count);

static int call_function(const wb_case *c, sweep_function *function) {
  int after = -1;
  const int devices = devices_of(c);
  if (devices == 0) return cudaErrorInvalidDevice;
  wb_pretend_no_peers(c->size.n[ROWS] == NO_PEERS);
  const int status = function(wb_f32(c, P), problem_plate(c), devices, (int)c->size.n[COUNT]);
  wb_pretend_no_peers(0);
  wb_own_calls(1);
  cudaGetDevice(&after);
  wb_own_calls(0);
  wb_i32(c, DEVICE_AFTER)[0] = after; /* the harness sets the device again, and looks at it after errors */
  return status;
}

static int call_sweeps(const wb_case *c) { return call_function(c, sweeps); }
static int call_hidden(const wb_case *c) { return call_function(c, sweeps_hidden); }
static int call_deep(const wb_case *c) { return call_function(c, sweeps_deep); }

static int rank_sweeps(const wb_case *c, float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id) {
  return sweeps_rank(d_rows, plate, rank, ranks, id, (int)c->size.n[COUNT]);
}

static int call_rank(const wb_case *c) {
  const int ranks = devices_of(c);
  if (ranks == 0) return cudaErrorInvalidDevice;
  const int error = run_ranks(c, wb_f32(c, P), ranks, rank_sweeps);
  if (!error) try_groups(c, wb_f32(c, P), ranks, rank_sweeps);
  return error;
}

/* If the function never wrote its outcome, the poison value stays. A NaN that comes from memory without a
 * value has the same bits: it becomes another NaN. */
static int rank_solve(const wb_case *c, float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id) {
  outcome reached = {-1, -1};
  const int status = solve_rank(d_rows, plate, rank, ranks, id, problem_stop(c), &reached);
  if (reached.sweeps >= 0) wb_i32(c, SOLVE_SWEEPS)[rank] = reached.sweeps;
  if (!(reached.change < 0)) wb_f64(c, SOLVE_CHANGE)[rank] = isnan(reached.change) ? NAN : reached.change;
  return status;
}

/* The outcome is not kept. */
static int rank_solve_only(const wb_case *c, float *d_rows, plate plate, int rank, int ranks,
                           ncclUniqueId id) {
  outcome reached;
  return solve_rank(d_rows, plate, rank, ranks, id, problem_stop(c), &reached);
}

static int call_solve(const wb_case *c) {
  const int ranks = devices_of(c);
  if (ranks == 0 || c->size.n[DEVICES] == ALL || count_cells(c) == 0 || c->size.n[EVERY] == 0)
    return cudaErrorInvalidValue;
  const int error = run_ranks(c, wb_f32(c, SOLVE_P), ranks, rank_solve);
  if (!error) try_groups(c, wb_f32(c, SOLVE_P), ranks, rank_solve_only);
  return error;
}

static int needs_devices(const wb_case *c) { return c->size.n[DEVICES] == ALL ? 1 : (int)c->size.n[DEVICES]; }

/* A rank owns its rows of the plate. */
static void rows_of_rank(const wb_case *c, int array, int rank, size_t *first, size_t *end) {
  const int rows = (int)c->size.n[ROWS], ranks = (int)c->size.n[DEVICES];
  (void)array;
  *first = (size_t)first_row(rows, ranks, rank) * c->size.n[COLS];
  *end = (size_t)first_row(rows, ranks, rank + 1) * c->size.n[COLS];
}

/* ... and of the other outputs one element. */
static void part_of_rank(const wb_case *c, int array, int rank, size_t *first, size_t *end) {
  if (array == SOLVE_P) return rows_of_rank(c, array, rank, first, end);
  *first = (size_t)rank;
  *end = (size_t)rank + 1;
}

/* ---- Sizes ---- */

/* On the CPU backend: more rows than the y dimension of a grid has blocks, as many columns, and more cells than an
 * int counts. */
#define BEYOND                                                                                               \
  {                                                                                                          \
    {{500000, 16, 1, 1}}, {{16, 500000, 1, 1}}, {                                                            \
      { 46349, 46351, 1, 1 }                                                                                 \
    }                                                                                                        \
  }

/* One to four devices: no row, one row, all edge; more devices than rows; parts of one row, of two, of three, and
 * parts that differ by one; as many rows, and as many columns, as there may be; rows longer than a block and
 * shorter; no sweep, one, many; devices without access to each other. The first and the last part of four have one
 * neighbour, the others two. Rows of whole float4s, and others. */
static const wb_size sizes[] = {
    {{5, 6, 2, 1}},         {{7, 9, 3, 2}},      {{6, 33, 1, 5}},    {{0, 5, 2, 3}},    {{4, 0, 3, 2}},
    {{1, 1, 3, 1}},         {{2, 40, 4, 3}},     {{3, 5, 4, 7}},     {{4, 35, 4, 6}},   {{9, 4, 4, 5}},
    {{NO_PEERS, 70, 3, 8}}, {{40, 12, 2, 0}},    {{33, 31, 2, 13}},  {{64, 65, 4, 20}}, {{7, 1027, 3, 4}},
    {{21, 260, 3, 9}},      {{500000, 1, 3, 1}}, {{3, 500000, 2, 1}}};
static const wb_size deep_sizes[] = {
    {{5, 6, 2, 1}},   {{9, 7, 3, 4}},  {{1, 5, 2, 3}},         {{3, 5, 4, 9}},     {{23, 9, 2, 10}},
    {{16, 12, 2, 8}}, {{17, 9, 2, 9}}, {{31, 33, 4, 23}},      {{64, 65, 4, 20}},  {{40, 12, 3, 0}},
    {{12, 9, 1, 3}},  {{6, 0, 2, 3}},  {{NO_PEERS, 20, 3, 7}}, {{53, 136, 3, 19}}, {{500000, 1, 3, 2}}};
/* rows, cols, ranks, sweeps between checks. */
static const wb_size solve_sizes[] = {
    {{6, 7, 2, 1}},  {{6, 7, 2, 100}},    {{9, 8, 3, 10}},    {{5, 5, 1, 10}},   {{1, 1, 2, 7}},
    {{3, 9, 4, 10}}, {{3, 40, 4, 1}},     {{12, 33, 4, 10}},  {{30, 20, 2, 10}}, {{20, 40, 3, 100}},
    {{2, 6, 2, 7}},  {{500000, 1, 3, 1}}, {{1, 500000, 2, 1}}};

/* ---- The table ---- */

#ifdef NCCL_MISSING
#define no_nccl NCCL_MISSING
#else
#define no_nccl NULL
#endif

static const wb_baseline baselines[] = {{"one-device",
                                         "as many sweeps by the same kernels on one device, by the harness",
                                         one_device_call, NULL}};

#define PLATE_ARRAYS                                                                                         \
  .arrays = {{"d_p", WB_INOUT, WB_DEVICE, WB_F32, count_cells},                                              \
             {"device_after", WB_OUT, WB_HOST, WB_I32, count_one}}
#define SIZES(list) .dims = "rows cols devices sweeps", .sizes = list, .size_count = WB_COUNT(list)
/* Indices of cells pass 2^31 on one device sooner than on two. */
#define GIGABYTES .large = {{23173, 23175, 1, 1}}, .huge = {{46349, 46351, 1, 1}}
#define COMMON                                                                                               \
  .done = WB_COMPLETE, .releases = 1, .devices = needs_devices, .expect = expect_sweeps, .cause = cause_sweeps
/* The oracle sweeps as often for each round of timing, so 200 sweeps of half a plate have to be enough. */
#define TIMED                                                                                                \
  .timed = {{8192, 4096, ALL, 200}}, .flops = flops_swept, .baselines = baselines,                           \
  .baseline_count = WB_COUNT(baselines), .cpu = sweeps_cpu, .cpu_size = {{4096, 4096, 1, 4}}

static const wb_task tasks[] = {
    {.name = "sweeps",
     .what = "sweeps of a plate on several devices of one process",
     .number = 1,
     PLATE_ARRAYS,
     SIZES(sizes),
     GIGABYTES,
     .reach = BEYOND,
     .trace = {{45, 70, 3, 24}},
     .longer = {{45, 70, 3, 136}},
     .failing = {{7, 9, 3, 2}},
     .call = call_sweeps,
     COMMON,
     TIMED},
    {.name = "sweeps_hidden",
     .what = "the same with the halo hidden behind the interior",
     .number = 2,
     PLATE_ARRAYS,
     SIZES(sizes),
     GIGABYTES,
     .reach = BEYOND,
     .trace = {{45, 70, 3, 24}},
     .longer = {{45, 70, 3, 136}},
     .failing = {{7, 9, 3, 2}},
     .call = call_hidden,
     .beside_copies = 1,
     COMMON,
     TIMED},
    {.name = "sweeps_rank",
     .what = "sweeps by ranks that exchange rows by NCCL",
     .number = 3,
     .arrays = {{"d_p", WB_INOUT, WB_DEVICE, WB_F32, count_cells}},
     SIZES(sizes),
     GIGABYTES,
     .reach = BEYOND,
     .trace = {{45, 70, 3, 24}},
     .longer = {{45, 70, 3, 136}},
     .failing = {{6, 33, 1, 5}},
     .missing = no_nccl,
     .done = WB_COMPLETE,
     .releases = 1,
     .devices = needs_devices,
     .in_threads = 1,
     .call = call_rank,
     .part_of_rank = rows_of_rank,
     .expect = expect_sweeps,
     .cause = cause_rank},
    {.name = "solve_rank",
     .what = "sweeps by ranks until the plate changes no more",
     .number = 4,
     .dims = "rows cols ranks every",
     .arrays = {{"change", WB_OUT, WB_HOST, WB_F64, count_ranks},
                {"sweeps", WB_OUT, WB_HOST, WB_I32, count_ranks},
                {"d_p", WB_INOUT, WB_DEVICE, WB_F32, count_cells}},
     .sizes = solve_sizes,
     .size_count = WB_COUNT(solve_sizes),
     .trace = {{45, 70, 3, 10}},
     .failing = {{5, 5, 1, 10}},
     .missing = no_nccl,
     .done = WB_COMPLETE,
     .releases = 1,
     .devices = needs_devices,
     .in_threads = 1,
     .call = call_solve,
     .part_of_rank = part_of_rank,
     .expect = expect_solve,
     .cause = cause_solve,
     .cause_of_none = cause_of_no_change},
    {.name = "sweeps_deep",
     .what = "the same with a halo of several rows, and fewer copies",
     .number = 0,
     PLATE_ARRAYS,
     SIZES(deep_sizes),
     GIGABYTES,
     .reach = BEYOND,
     .trace = {{45, 70, 3, 24}},
     .longer = {{45, 70, 3, 136}},
     .failing = {{9, 7, 3, 4}},
     .call = call_deep,
     COMMON,
     TIMED},
};

/* --as-rank: a process for each rank. */
static int as_rank(uint64_t seed) {
  static const rank_task list[] = {{&tasks[2], rank_sweeps}, {&tasks[3], rank_solve}};
  return run_as_rank(list, WB_COUNT(list), seed);
}

static const wb_lesson lesson = {.name = "lesson13",
                                 .title = "multigpu",
                                 .tasks = tasks,
                                 .task_count = WB_COUNT(tasks),
                                 .devices = 4,
                                 .as_rank = as_rank};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
