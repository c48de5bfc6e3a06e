/*
 * lessonNN, lesson_name: the driver. It is the lesson's specification: which functions, at which
 * sizes, what is right. You don't change this file; lesson_name.h says what you write in
 * lesson_name.cu.
 */
#include "lesson_name.h"
#include "wb.h"

#include <math.h>

static size_t count_n(const wb_case *c) { return c->size.n[0]; }

/* TEMPLATE: sizes around your block size; shapes that aren't square where there are two dimensions. */
static const wb_size sizes[] = {WB_SIZES_1D(256)};

/* ---- Task 1: saxpy ---- */

enum { X, Y };

static int call_saxpy(const wb_case *c) {
  return saxpy((int)c->size.n[0], (float)c->param[0], wb_f32(c, X), wb_f32(c, Y));
}

/*
 * TEMPLATE: derive the tolerance, so that correct answers with another order of operations pass and lower
 * precision doesn't. A sum of many inputs is kept for the next element: wb.h, `expect`.
 * factor * x rounds once (or not at all, in a fused multiply-add) and the sum rounds once: each by at most
 * WB_EPS32 of its own size. The product of two floats is exact in double; 1.001 covers the roundings here and
 * of the rounded.
 */
static wb_expected expect_saxpy(const wb_case *c, int array, size_t i) {
  (void)array;
  const double product = c->param[0] * wb_f32(c, X)[i], sum = product + wb_f32(c, Y)[i];
  return (wb_expected){.value = sum, .tolerance = 1.001 * WB_EPS32 * (fabs(product) + fabs(sum))};
}

/* Reads x and y, writes y: 3 times n floats of 4 bytes. */
static double bytes_saxpy(const wb_case *c) { return 12.0 * (double)c->size.n[0]; }

/* TEMPLATE: the baselines that the answer's speed is compared with; timed in turn with it, in the same
 * process. */
static const wb_baseline copy[] = {{"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work}};

/* TEMPLATE: CPU baseline, with all arrays in host memory: a timed run compares it on one core and on all
 * cores. If it takes one core more than a second, give a smaller .cpu_size as well. */
static void saxpy_cpu(const wb_case *c) {
  const float factor = (float)c->param[0], *x = wb_f32(c, X);
  float *y = wb_f32(c, Y);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[0]; i++) y[i] += factor * x[i];
}

/* ---- The table ---- */

static const wb_task tasks[] = {
    {.name = "saxpy",
     .what = "y = factor * x + y, all on the device",
     .number = 1, /* 2, 3 ... for the tasks that follow, 0 for the one for going further */
     .dims = "n",
     .arrays = {{"x", WB_IN, WB_DEVICE, WB_F32, count_n}, {"y", WB_INOUT, WB_DEVICE, WB_F32, count_n}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{1 << 26}},
     .large = {{(1u << 29) + 3}}, /* more than 2^31 bytes: an index in int shows */
     .trace = {{1000003}},        /* the call that counters are of */
     .call = call_saxpy,
     .expect = expect_saxpy,
     .bytes = bytes_saxpy,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = saxpy_cpu},
};

static const wb_lesson lesson = {
    .name = "lessonNN", .title = "lesson_name", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
