/* Calls of cucc.h that reset what was counted. */
#include "base/base.h"

#include "state/counters.h"
#include "state/state.h"
#include "state/timeline.h"
#include "checker/findings.h"
#include "checker/profile.h"
#include "cucc.h"

void cucc_reset(void) {
  pthread_mutex_lock(&cucc.lock);
  cucc.epoch++;
  counters_reset();
  profile_reset();
  timeline_reset();
  pthread_mutex_unlock(&cucc.lock);
  findings_reset();
}
