/* Findings about calls that the runtime refused because of a handle: what was wrong with it, and where it
 * comes from. On a GPU such a call only returns an error. */
#include "checker/misuse.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "memory/arena.h"
#include "checker/findings.h"
#include "checker/host.h"
#include "checker/thread_state.h"

void check_bad_handle(const char *call, const char *what, const char *cause, uintptr_t site,
                      uintptr_t origin) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site, .other_site = origin, .cause = cause, .call = call};
  snprintf(f.sentence, sizeof f.sentence, "%s %s", call, what);
  if (origin) snprintf(f.other, sizeof f.other, "where that was");
  finding_add(&f);
}

void check_callback_calls(const char *call, uintptr_t site) {
  if (!checking(TOOL_SYNC)) return;
  struct finding f = {.tool = TOOL_SYNC, .site = site};
  snprintf(f.sentence, sizeof f.sentence, "%s is called from within a host callback", call);
  f.cause = "a function given to cudaLaunchHostFunc or cudaStreamAddCallback must not call CUDA: the stream "
            "waits for it, so on a GPU it may wait for ever";
  finding_add(&f);
}

void check_fill_value(const char *call, double value, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence,
           "%s is given the value %g: it sets every byte to %d, not every element", call, value,
           (int)value & 255);
  f.cause =
      "only 0 (and -1 for integers) fill whole elements; write any other value with a kernel, or copy it";
  finding_add(&f);
}

void cucc_float_fill(const char *call, double value);
void cucc_float_fill(const char *call, double value) {
  if (value != 0) check_fill_value(call, value, CALLER);
}

void check_result(void **pointer, uintptr_t site) {
  if (is_device((uintptr_t)pointer)) host_access((uintptr_t)pointer, sizeof *pointer, WRITE, site);
}

#endif
