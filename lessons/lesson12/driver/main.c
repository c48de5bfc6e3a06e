/*
 * lesson12, nvrtc: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; jit.h says what you write in jit.cu.
 */
#include "jit.h"
#include "wb.h"
#include "baselines.h"
#include "cache.h"
#include "causes.h"
#include "modules.h"
#include "ptx.h"
#include "texts.h"

#include <string.h>

static size_t count_one(const wb_case *c) { return (void)c, 1; }
static size_t count_n(const wb_case *c) { return c->size.n[0]; }

/* ---- Task 4: break-even ---- */

enum { COUNT, COSTS };
enum { GENERIC_NS, SPECIAL_NS, CALLS };

static int call_break_even(const wb_case *c) {
  wb_f64(c, CALLS)[0] =
      (double)calls_to_break_even(wb_u32(c, GENERIC_NS), wb_u32(c, SPECIAL_NS), c->size.n[COUNT]);
  return 0;
}

/* What a first and a further call cost, in each kind of costs. */
static const struct {
  uint32_t generic, special, first, spread, far;
} costs[] = {
    {9000, 6000, 42000000, 2000, 0},      /* 13999 calls */
    {9000, 6000, 42000001, 0, 0},         /* one more */
    {6000, 9000, 42000000, 0, 0},         /* never */
    {6000, 6000, 42000000, 0, 0},         /* never: no gain */
    {9000, 12000, 9000, 0, 0},            /* one call, though no call gains */
    {9000, 6000, 9001, 0, 0},             /* two calls */
    {1000001, 1000000, 4294967295, 0, 0}, /* more calls than fit in 32 bits times a call */
    {4000000000, 3000000000, 4200000000, 1000000, 0},
    {9000, 6000, 6003000, 4000, 0},
    {4000000000, 1000, 4294967295, 0, 0},             /* compiling and a gain pass 2^32 */
    {6000, 9000, 11000, 0, 0},                        /* never: a call loses more than compiling costs */
    {900000, 400000, 4200000000, 300000, 3000000000}, /* differences of times pass 2^31 */
};

/* The random values become costs around those of the kind; one in nine calls was disturbed. Every third is `far`
 * more: of three, the larger one of the other two is the median. */
static int shape_costs(const wb_case *c, int array, void *values) {
  uint32_t *ns = values;
  const size_t kind = c->size.n[COSTS] % WB_COUNT(costs), count = c->size.n[COUNT];
  const uint32_t typical = array == GENERIC_NS ? costs[kind].generic : costs[kind].special;
  if (array != GENERIC_NS && array != SPECIAL_NS) return 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t random = ns[i] * 2654435761u >> 8;
    ns[i] = typical + (costs[kind].spread ? random % (costs[kind].spread / 10 + 1) : 0);
    if (costs[kind].spread && random % 9 == 0) ns[i] += costs[kind].spread;
    if (i % 3 == 0) ns[i] += costs[kind].far;
  }
  ns[0] = array == SPECIAL_NS ? costs[kind].first : typical > 2000000000 ? 1000 : 4 * typical;
  return 1;
}

static wb_expected expect_break_even(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  return (wb_expected){.value =
                           (double)break_even(wb_u32(c, GENERIC_NS), wb_u32(c, SPECIAL_NS), c->size.n[COUNT]),
                       .tolerance = 0};
}

static const char *cause_break_even(const wb_case *c, int array, size_t i, double got) {
  (void)array, (void)i;
  return cause_of_calls(wb_u32(c, GENERIC_NS), wb_u32(c, SPECIAL_NS), c->size.n[COUNT], got);
}

/* ---- Go further: PTX ---- */

enum { PTX, COUNTS };
enum { LENGTH_OF_PTX, NAME };

static const char *const kernel_names[] = {"map", "map_fast", "map2", "remap", "ma"};
static const char *name_of(const wb_case *c) {
  return kernel_names[c->size.n[NAME] % WB_COUNT(kernel_names)];
}
static size_t count_characters(const wb_case *c) { return (void)c, PTX_ROOM; }
static size_t count_counts(const wb_case *c) { return (void)c, PTX_COUNTS; }
static int ptx_must_fail(const wb_case *c) { return strcmp(name_of(c), "ma") == 0; }

static int shape_ptx(const wb_case *c, int array, void *values) {
  uint64_t seed = c->size.n[LENGTH_OF_PTX];
  unsigned counts[PTX_COUNTS];
  if (array != PTX) return 0;
  for (int i = 0; i < 64; i++) seed = seed * 0x100000001B3u + ((uint8_t *)values)[i];
  make_ptx(seed, name_of(c), values, counts);
  return 1;
}

static int call_read_ptx(const wb_case *c) {
  unsigned *counts = wb_u32(c, COUNTS), before[PTX_COUNTS];
  memcpy(before, counts, sizeof before);
  const cudaError_t error = read_ptx(c->array[PTX], name_of(c), counts);
  if (error) memcpy(counts, before, sizeof before); /* jit.h leaves open what they hold then */
  return (int)error;
}

static wb_expected expect_ptx(const wb_case *c, int array, size_t i) {
  static char text[PTX_ROOM];
  unsigned counts[PTX_COUNTS];
  (void)array;
  make_ptx(seed_of_ptx(c->array[PTX]), name_of(c), text, counts);
  return (wb_expected){.value = counts[i], .tolerance = 0};
}

/* ---- Sizes ---- */

static const wb_size text_sizes[] = {
    {{1, TEXT_PLAIN}},      {{1021, TEXT_OPTIONS}}, {{1, TEXT_BROKEN}},
    {{1, TEXT_MANY}},       {{0, TEXT_PLAIN}},      {{257, TEXT_NO_KERNEL}},
    {{1, TEXT_BAD_OPTION}}, {{5, TEXT_WARNING}},    {{300007, TEXT_OPTIONS}}};
static const wb_size polynomial_sizes[] = {
    {{3, 1}},  {{0, 257}}, {{1, 0}},  {{2, 1000}}, {{7, 1021}}, {{127, 33}}, {{EIGHT_DIGITS, 300}},
    {{0, 33}}, {{0, 34}},  {{0, 35}}, {{0, 36}},   {{0, 37}},   {{0, 38}},   {{1500, 65}}};
static const wb_size cache_sizes[] = {{{1, 1}},   {{0, 1}},       {{5, 3}},
                                      {{64, 2}},  {{513, 12}},    {{2048, 13}},
                                      {{48, 17}}, {{3000, 4000}}, {{GLUED_REQUESTS, 1}}};
static const wb_size cost_sizes[] = {{{16, 0}}, {{12, 1}}, {{2, 2}},  {{4, 3}},   {{2, 4}},
                                     {{6, 5}},  {{8, 6}},  {{32, 7}}, {{100, 8}}, {{2, 1}},
                                     {{6, 7}},  {{4, 9}},  {{2, 10}}, {{4, 11}},  {{32, 11}}};
static const wb_size ptx_sizes[] = {{{1, 0}}, {{2, 0}}, {{3, 1}}, {{4, 2}},  {{5, 3}},  {{6, 4}},
                                    {{7, 0}}, {{8, 1}}, {{9, 2}}, {{10, 3}}, {{11, 0}}, {{12, 1}}};

static const char *cause_ptx(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  return cause_of_ptx_count(c->array[PTX], name_of(c), i, got);
}

/* ---- The table ---- */

static const wb_baseline loop[] = {
    {"loop", "a kernel with degree and coefficients at run time", loop_call, NULL}};
static const wb_baseline launches[] = {
    {"launches", "the same launches without a cache", launches_call, NULL}};

static const wb_task tasks[] = {
    {.name = "compile_module",
     .what = "a text, compiled for this device; launch_map launches its kernel",
     .number = 1,
     .dims = "n text",
     .arrays = {{"x", WB_IN, WB_DEVICE, WB_F32, count_text_n},
                {"y", WB_OUT, WB_DEVICE, WB_F32, count_text_n},
                {"seen", WB_OUT, WB_HOST, WB_U32, count_text_seen}},
     .sizes = text_sizes,
     .size_count = WB_COUNT(text_sizes),
     .large = {{(1u << 29) + 3, TEXT_PLAIN}},
     .huge = {{(1u << 31) + 11, TEXT_PLAIN}},
     .reach = {{{((size_t)65 << 25) + 11, TEXT_PLAIN}}},
     .trace = {{1003, TEXT_OPTIONS}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_text,
     .expect = expect_text,
     .cause = cause_text,
     .must_fail = text_must_fail,
     .must_fail_with = cudaErrorSymbolNotFound},
    {.name = "write_polynomial",
     .what = "the text of a polynomial with its coefficients baked in",
     .number = 2,
     .dims = "degree n",
     .arrays = {{"coefficients", WB_IN, WB_HOST, WB_F32, count_coefficients},
                {"x", WB_IN, WB_DEVICE, WB_F32, count_points},
                {"y", WB_OUT, WB_DEVICE, WB_F32, count_points},
                {"seen", WB_OUT, WB_HOST, WB_U32, count_poly_seen}},
     .sizes = polynomial_sizes,
     .size_count = WB_COUNT(polynomial_sizes),
     .timed = {{TIMED_DEGREE, TIMED_POINTS}},
     .reach = {{{1, ((size_t)65 << 26) + 11}}}, /* more than 2^32 */
     .trace = {{5, 1003}},
     .special = WB_ANY,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_polynomial,
     .expect = expect_polynomial,
     .shape = shape_coefficients,
     .cause = cause_polynomial,
     .bytes = bytes_polynomial,
     .flops = flops_polynomial,
     .baselines = loop,
     .baseline_count = WB_COUNT(loop)},
    {.name = "cache_get",
     .what = "kernels kept by source, options and device",
     .number = 3,
     .dims = "requests sources",
     .arrays = {{"wanted", WB_IN, WB_HOST, WB_U32, count_n},
                {"kernels", WB_OUT, WB_HOST, WB_U32, count_n},
                {"builds", WB_OUT, WB_HOST, WB_U32, count_n},
                {"statuses", WB_OUT, WB_HOST, WB_U32, count_n}},
     .sizes = cache_sizes,
     .size_count = WB_COUNT(cache_sizes),
     .timed = {{TIMED_REQUESTS, 5}},
     .trace = {{600, 12}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_cache,
     .expect = expect_cache,
     .cause = cause_cache,
     .bytes = requests,
     .baselines = launches,
     .baseline_count = WB_COUNT(launches)},
    {.name = "calls_to_break_even",
     .what = "after how many calls compiling has paid",
     .number = 4,
     .dims = "count costs",
     .arrays = {{"generic_ns", WB_IN, WB_HOST, WB_U32, count_n},
                {"special_ns", WB_IN, WB_HOST, WB_U32, count_n},
                {"calls", WB_OUT, WB_HOST, WB_F64, count_one}},
     .sizes = cost_sizes,
     .size_count = WB_COUNT(cost_sizes),
     .step = {{2}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_break_even,
     .expect = expect_break_even,
     .shape = shape_costs,
     .cause = cause_break_even},
    {.name = "read_ptx",
     .what = "what a kernel's PTX contains",
     .number = 0,
     .dims = "number name",
     .arrays = {{"ptx", WB_IN, WB_HOST, WB_U8, count_characters},
                {"counts", WB_OUT, WB_HOST, WB_U32, count_counts}},
     .sizes = ptx_sizes,
     .size_count = WB_COUNT(ptx_sizes),
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_read_ptx,
     .expect = expect_ptx,
     .cause = cause_ptx,
     .shape = shape_ptx,
     .must_fail = ptx_must_fail,
     .must_fail_with = cudaErrorSymbolNotFound},
};

static const wb_lesson lesson = {
    .name = "lesson12", .title = "nvrtc", .tasks = tasks, .task_count = WB_COUNT(tasks), .devices = 2};

/* On the CPU backend the devices are such as few know by heart: who compiles for a fixed one fails. So does who
 * compiles for the first one where the second is the current one. */
int main(int argc, char **argv) {
  wb_pretend_capability(0, 87);
  wb_pretend_capability(1, 86);
  wb_reuse_handles();
  return wb_main(argc, argv, &lesson);
}
