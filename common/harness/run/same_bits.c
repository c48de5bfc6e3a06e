/* run/same_bits.c: see run/same_bits.h. */
#include "run/same_bits.h"
#include "base/progress.h"
#include "model/check.h"
#include "model/random.h"
#include "model/sizes.h"
#include "device/device.h"
#include "run/case.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 8 /* with other inputs each time */

static bool is_output(const wb_task *task, int a) {
  return task->arrays[a].name && task->arrays[a].role != WB_IN;
}

static size_t bytes_of(const wb_runner *runner, int a) {
  const wb_array *array = &runner->task->arrays[a];
  return array->count(&runner->inputs) * wb_type_bytes(array->type);
}

/* Copies of what the function wrote; the caller frees them. Returns false if there is no memory. */
static bool keep_outputs(const wb_runner *runner, void *kept[WB_MAX_ARRAYS]) {
  for (int a = 0; a < WB_MAX_ARRAYS; a++) {
    if (!is_output(runner->task, a)) continue;
    const size_t bytes = bytes_of(runner, a);
    if (!kept[a] && !(kept[a] = malloc(bytes + 1))) return false;
    memcpy(kept[a], runner->got[a], bytes);
  }
  return true;
}

static bool same_outputs(wb_runner *runner, void *const kept[WB_MAX_ARRAYS]) {
  for (int a = 0; a < WB_MAX_ARRAYS; a++) {
    if (!is_output(runner->task, a) || memcmp(kept[a], runner->got[a], bytes_of(runner, a)) == 0) continue;
    const wb_type type = runner->task->arrays[a].type;
    const size_t bytes = wb_type_bytes(type), count = bytes_of(runner, a) / bytes;
    for (size_t i = 0; i < count; i++) {
      const double before = wb_element(type, kept[a], i), now = wb_element(type, runner->got[a], i);
      if (memcmp((char *)kept[a] + i * bytes, (char *)runner->got[a] + i * bytes, bytes) == 0) continue;
      if (isnan(before) && isnan(now)) continue; /* any NaN is a NaN */
      wb_runner_fail(
          runner, WB_WRONG,
          "%s[%zu] is %.17g, and %.17g when the threads run in reverse order: the bits depend on which "
          "thread comes first, as the order of atomic additions does",
          runner->task->arrays[a].name, i, before, now);
      return false;
    }
  }
  return true;
}

static bool turn_is_right(wb_runner *runner, uint64_t inputs, void *kept[WB_MAX_ARRAYS]) {
  wb_case_result c = {.size = runner->task->same_bits}, again = c;
  return wb_case_run(runner, &c, inputs, 0) && keep_outputs(runner, kept) &&
         wb_case_run(runner, &again, inputs, WB_REVERSE);
}

bool wb_same_bits_run(wb_runner *runner, uint64_t key) {
  const wb_size *size = &runner->task->same_bits;
  wb_task_result *result = runner->result, apart = {.task = result->task};
  void *kept[WB_MAX_ARRAYS] = {NULL};
  bool right = true, same = true;
  if (!wb_size_given(size) || strcmp(wb_device_backend(), "cpu") != 0 || result->sized) return true;
  wb_progress("%s: %s, twice", runner->task->name, wb_text_size(size->n, wb_dims(runner->task)));
  runner->result = &apart;
  for (int turn = 0; turn < TURNS && right && same; turn++) {
    right = turn_is_right(runner, wb_random_key(key, (uint64_t)turn), kept);
    same = !right || same_outputs(runner, kept);
  }
  runner->result = result;
  if (result->message.size == 0) result->state = apart.state;
  if (result->message.size == 0 || !same)
    wb_text_add(&result->message, "%s%s", result->message.size ? "; " : "", wb_text_get(&apart.message));
  wb_text_free(&apart.message);
  wb_text_free(&apart.detail);
  for (int a = 0; a < WB_MAX_ARRAYS; a++) free(kept[a]);
  return right && same;
}
