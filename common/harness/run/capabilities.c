/* run/capabilities.c: see run/capabilities.h. */
#include "run/capabilities.h"
#include "base/progress.h"
#include "device/device.h"
#include "run/case.h"
#include <string.h>

static void try_capability(wb_runner *runner, int tenths, uint64_t key) {
  wb_case_result c = {.size = runner->task->sizes[0]};
  if (!wb_runner_open(runner, 0)) return;
  runner->capability = tenths;
  if (!wb_case_run(runner, &c, key, 0))
    wb_text_add(&runner->result->message, " (on a device of compute capability %d.%d)", tenths / 10,
                tenths % 10);
  runner->capability = 0;
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
}

void wb_capabilities_run(wb_runner *runner, uint64_t key) {
  const int *tenths = runner->task->capabilities;
  if (runner->result->sized || strcmp(wb_device_backend(), "cpu") != 0) return;
  for (size_t i = 0; i < WB_COUNT(runner->task->capabilities) && tenths[i]; i++) {
    if (runner->result->state != WB_RIGHT) return;
    wb_progress("%s: compute capability %d.%d", runner->task->name, tenths[i] / 10, tenths[i] % 10);
    try_capability(runner, tenths[i], key);
  }
}
