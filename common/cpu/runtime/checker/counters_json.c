/* The counters and the profile as JSON, and the profile at the end of the process. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/needed.h"
#include "base/options.h"
#include "state/counters.h"
#include "state/state.h"
#include "memory/arena.h"
#include "checker/profile.h"
#include "checker/profile_report.h"
#include "cucc.h"

size_t cucc_counters_json(char *buffer, size_t size) {
  wb_text t = {0};
  pthread_mutex_lock(&cucc.lock);
  counters_json(&t, memory_live(SPACE_DEVICE));
  profile_json(&t);
  /* as the profile: complete once the kernels are done */
  wb_text_add(&t, ",\"whole_atomics\":%llu}", (unsigned long long)count_now(COUNT_WHOLE_ATOMICS));
  pthread_mutex_unlock(&cucc.lock);
  return json_give(&t, buffer, size);
}

void profile_report(void) {
  const struct options *o = options();
  if (o->profile == PROFILE_OFF || !CUCC_CHECKED) return;
  wb_text t = {0};
  if (o->profile == PROFILE_TEXT) {
    profile_text(&t);
  } else {
    const size_t size = cucc_counters_json(NULL, 0);
    char *json = needed(calloc(1, size));
    cucc_counters_json(json, size);
    wb_text_add(&t, "%s\n", json);
    free(json);
  }
  fflush(stdout);
  FILE *file = *o->profile_file ? fopen(o->profile_file, "w") : stderr;
  if (!file) {
    perror(o->profile_file);
    file = stderr;
  }
  fwrite(t.data, 1, t.size, file);
  if (file != stderr) fclose(file);
  wb_text_free(&t);
}
