/*
 * lesson02, kernels: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; kernels.h says what you write in kernels.cu.
 */
#include "kernels.h"
#include "wb.h"

#include <limits.h>

static size_t count_n(const wb_case *c) { return c->size.n[0]; }
static int length(const wb_case *c) { return (int)c->size.n[0]; }

/* Around a block of 256: empty, one, less and more than whole blocks, a prime, and a million and three. */
static const wb_size sizes[] = {WB_SIZES_1D(256)};
/* The same, and every remainder of 4 elements after whole blocks of 16-byte words. */
static const wb_size wide_sizes[] = {WB_SIZES_1D(256), {{1025}}, {{1026}}, {{1027}}, {{2049}}};

/* ---- Task 1: scale_array ---- */

enum { X };

static int call_scale(const wb_case *c) { return scale_array(wb_f32(c, X), length(c), (float)c->param[0]); }

/* One float multiplication rounds once, and so does the conversion of the exact product here, so the results
 * are equal. */
static wb_expected expect_scale(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = (float)(wb_f32(c, X)[i] * c->param[0]), .zero_has_sign = 1};
}

/* ---- Tasks 2 and 3: vector_add ---- */

enum { A, B, C };

static int call_add_device(const wb_case *c) {
  return vector_add_device(wb_f32(c, A), wb_f32(c, B), wb_f32(c, C), length(c));
}

static int call_add_wide(const wb_case *c) {
  return vector_add_wide(wb_f32(c, A), wb_f32(c, B), wb_f32(c, C), length(c));
}

static int call_add(const wb_case *c) {
  return vector_add(wb_f32(c, A), wb_f32(c, B), wb_f32(c, C), length(c), (int)c->size.n[1]);
}

/* One float addition rounds once; the sum of two floats is exact in double, so rounding that gives the same
 * float. */
static wb_expected expect_add(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = (float)((double)wb_f32(c, A)[i] + wb_f32(c, B)[i]), .zero_has_sign = 1};
}

/* The sign of 0. */
static const char *cause_add(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  const float a = wb_f32(c, A)[i], b = wb_f32(c, B)[i];
  return got == 0 && a == 0 && b == 0 ? "-0 + -0 is -0: a sum that begins with 0 loses the sign" : NULL;
}

/* Reads a and b, writes c: 3 arrays of 4-byte floats. */
static double bytes_add(const wb_case *c) { return 12.0 * (double)c->size.n[0]; }

/* CPU baseline. */
static void add_cpu(const wb_case *c) {
  const float *a = wb_f32(c, A), *b = wb_f32(c, B);
  float *sum = wb_f32(c, C);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[0]; i++) sum[i] = a[i] + b[i];
}

static int too_many_threads(const wb_case *c) { return c->size.n[0] > 0 && c->size.n[1] > 1024; }

static int asks_threads(const wb_case *c, int which, wb_asked *asked) {
  *asked = (wb_asked){.threads = (unsigned)c->size.n[1]};
  return which == 0 && c->size.n[0] > 0;
}

/* n and threads: block sizes that divide n, block sizes that don't, and two that no GPU allows, one of them with
 * nothing to do, too. */
static const wb_size job_sizes[] = {{{0, 256}},       {{1, 256}},     {{255, 256}},  {{257, 256}},
                                    {{17, 1}},        {{1000, 33}},   {{1021, 64}},  {{4096, 1024}},
                                    {{1000003, 256}}, {{4096, 2048}}, {{257, 1025}}, {{0, 2048}}};

static const wb_baseline copy[] = {{"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work}};
static const wb_baseline five_steps[] = {
    {"five-steps", "the same five steps by the harness", wb_five_steps_call, NULL}};

#define BEYOND_FLOAT ((1 << 24) + 1) /* the first whole number that no float is */

/* ---- The table ---- */

static const wb_task tasks[] = {
    {.name = "scale_array",
     .what = "x = factor * x, from host memory and back",
     .number = 1,
     .dims = "n",
     .arrays = {{"x", WB_INOUT, WB_HOST, WB_F32, count_n}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .large = {{(1u << 29) + 3}},
     .reach = {{{BEYOND_FLOAT}}},
     .trace = {{250007}},
     .in_kernels = 1,
     .done = WB_COMPLETE,
     .special = WB_ANY,
     .call = call_scale,
     .expect = expect_scale},
    {.name = "vector_add_device",
     .what = "c = a + b, all on the device: the kernel alone",
     .number = 2,
     .dims = "n",
     .arrays = {{"a", WB_IN, WB_DEVICE, WB_F32, count_n},
                {"b", WB_IN, WB_DEVICE, WB_F32, count_n},
                {"c", WB_OUT, WB_DEVICE, WB_F32, count_n}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{1 << 26}},
     .large = {{(1u << 29) + 3}},
     .huge = {{INT_MAX}},
     .reach = {{{BEYOND_FLOAT}}, {{INT_MAX}}},
     .trace = {{250007}},
     .special = WB_ANY,
     .call = call_add_device,
     .expect = expect_add,
     .cause = cause_add,
     .bytes = bytes_add,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = add_cpu},
    {.name = "vector_add",
     .what = "c = a + b, from host memory and back, errors returned",
     .number = 3,
     .dims = "n threads",
     .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_n},
                {"b", WB_IN, WB_HOST, WB_F32, count_n},
                {"c", WB_OUT, WB_HOST, WB_F32, count_n}},
     .sizes = job_sizes,
     .size_count = WB_COUNT(job_sizes),
     .timed = {{1 << 24, 256}},
     .reach = {{{BEYOND_FLOAT, 256}}},
     .trace = {{250007, 256}},
     .in_kernels = 1,
     .done = WB_COMPLETE,
     .releases = 1,
     .keeps_outputs = 1,
     .special = WB_ANY,
     .call = call_add,
     .expect = expect_add,
     .cause = cause_add,
     .asks = asks_threads,
     .must_fail = too_many_threads,
     .bytes = bytes_add,
     .baselines = five_steps,
     .baseline_count = WB_COUNT(five_steps),
     .cpu = add_cpu},
    {.name = "vector_add_wide",
     .what = "c = a + b at the speed of a copy",
     .number = 0,
     .dims = "n",
     .arrays = {{"a", WB_IN, WB_DEVICE, WB_F32, count_n},
                {"b", WB_IN, WB_DEVICE, WB_F32, count_n},
                {"c", WB_OUT, WB_DEVICE, WB_F32, count_n}},
     .sizes = wide_sizes,
     .size_count = WB_COUNT(wide_sizes),
     .timed = {{1 << 26}},
     .large = {{(1u << 29) + 3}},
     .huge = {{INT_MAX}},
     .reach = {{{BEYOND_FLOAT}}, {{INT_MAX}}},
     .trace = {{250007}},
     .special = WB_ANY,
     .call = call_add_wide,
     .expect = expect_add,
     .cause = cause_add,
     .bytes = bytes_add,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = add_cpu},
};

static const wb_lesson lesson = {
    .name = "lesson02", .title = "kernels", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
