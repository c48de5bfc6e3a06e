/* A launch: its kernel, its shape and its progress. */
#include "state/launch_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/needed.h"

struct launch *launch_clone(const struct launch *from) {
  struct launch *l = memcpy(needed(malloc(sizeof *l)), from, sizeof *l);
  l->name = needed(strdup(from->name));
  l->file = needed(strdup(from->file));
  l->closure = needed(aligned_alloc(64, (from->closure_size + 63) & ~(size_t)63));
  memcpy(l->closure, from->closure, from->closure_size);
  return l;
}

void launch_free(struct launch *l) {
  if (!l) return;
  free(l->name);
  free(l->file);
  free(l->closure);
  free(l);
}
