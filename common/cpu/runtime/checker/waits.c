/*
 * Where threads may wait for each other's values: the lines that the rewriter found (rewrite/waits.c), of the
 * files that were compiled as a whole.
 */
#include "checker/waits.h"
#if CUCC_CHECKED
#include <string.h>

#include "base/places.h"

struct row {
  unsigned file;
  int first, last, waits;
};
extern const struct row __start_cucc_waits[] __attribute__((weak, visibility("hidden")));
extern const struct row __stop_cucc_waits[] __attribute__((weak, visibility("hidden")));

/* As in rewrite/waits.c. */
static unsigned hash_of(const char *path) {
  const char *slash = strrchr(path, '/');
  unsigned hash = 2166136261u;
  for (const char *p = slash ? slash + 1 : path; *p; p++) hash = (hash ^ (unsigned char)*p) * 16777619u;
  return hash ? hash : 1;
}

static bool waits_at(uintptr_t pc) {
  const struct place place = place_of(pc);
  const unsigned file = hash_of(place.file);
  bool known = false;
  for (const struct row *r = __start_cucc_waits; r < __stop_cucc_waits; r++) {
    if (r->file != file || place.line < r->first || place.line > r->last) continue;
    if (r->waits) return true;
    known = true;
  }
  return !known;
}

bool waits_between(uintptr_t load_pc, uintptr_t store_pc) {
  static __thread struct {
    uintptr_t load_pc, store_pc;
    bool answer;
  } known[64];
  const size_t i = (load_pc * 31 + store_pc) % 64;
  if (known[i].load_pc != load_pc || known[i].store_pc != store_pc) {
    known[i].load_pc = load_pc;
    known[i].store_pc = store_pc;
    known[i].answer = (load_pc && waits_at(load_pc)) || waits_at(store_pc);
  }
  return known[i].answer;
}

#endif
