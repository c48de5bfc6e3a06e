/* See state/loaded.h. Entries stay: there are few. */
#include "state/loaded.h"

#include <stdlib.h>

#include "base/needed.h"
#include "state/state.h"
#include "cucc.h"

struct loaded *loaded_things;
static bool reuse;

void cucc_reuse_handles(void) { __atomic_store_n(&reuse, true, __ATOMIC_RELAXED); }
bool loaded_reuses_handles(void) { return __atomic_load_n(&reuse, __ATOMIC_RELAXED); }

struct loaded *loaded_add(const char *what, const char *call, const char *cause, uintptr_t site) {
  struct loaded *l = needed(malloc(sizeof *l));
  pthread_mutex_lock(&cucc.lock);
  *l = (struct loaded){what, call, cause, site, cucc.epoch, false, loaded_things};
  loaded_things = l;
  pthread_mutex_unlock(&cucc.lock);
  return l;
}

void loaded_gone(struct loaded *loaded) {
  pthread_mutex_lock(&cucc.lock);
  loaded->gone = true;
  pthread_mutex_unlock(&cucc.lock);
}
