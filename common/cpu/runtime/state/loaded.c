/* See state/loaded.h. Entries stay: there are few. */
#include "state/loaded.h"

#include <stdlib.h>

#include "base/needed.h"
#include "state/state.h"

struct loaded *loaded_things;

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
