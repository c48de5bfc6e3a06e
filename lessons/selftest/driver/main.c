/* The self-test's driver: sizes, and what is right. */
#include "double.h"
#include "wb.h"

static size_t count_n(const wb_case *c) { return c->size.n[0]; }

static const wb_size sizes[] = {WB_SIZES_1D(256)};

static int call_double(const wb_case *c) { return double_array((int)c->size.n[0], wb_f32(c, 0)); }

/* Doubling a float is exact. */
static wb_expected expect_double(const wb_case *c, int array, size_t i) {
  return (wb_expected){.value = 2.0 * wb_f32(c, array)[i], .tolerance = 0};
}

static double bytes_double(const wb_case *c) { return 8.0 * (double)c->size.n[0]; }

static const wb_baseline copy[] = {{"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work}};

static const wb_task tasks[] = {
    {.name = "double_array",
     .what = "x = 2 * x, on the device",
     .number = 1,
     .dims = "n",
     .arrays = {{"x", WB_INOUT, WB_DEVICE, WB_F32, count_n}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{1 << 24}},
     .trace = {{1000003}},
     .call = call_double,
     .expect = expect_double,
     .bytes = bytes_double,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy)},
};

static const wb_lesson lesson = {
    .name = "selftest", .title = "selftest", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
