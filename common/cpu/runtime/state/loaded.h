/* What a program loads or creates in libraries and has to give back: NVRTC's programs, modules, NCCL's
 * communicators. */
#ifndef CUCC_STATE_LOADED_H
#define CUCC_STATE_LOADED_H

#include "base/base.h"

/* The words are constants: "a module", the call that made it, "a missing cuModuleUnload". */
struct loaded {
  const char *what, *call, *cause;
  uintptr_t site;
  unsigned epoch; /* cucc.epoch when it was made */
  bool gone;
  struct loaded *next;
};

struct loaded *loaded_add(const char *what, const char *call, const char *cause, uintptr_t site);
void loaded_gone(struct loaded *loaded);
/* Whether a new one gets the handle of an old one, as cucc_reuse_handles asks. */
bool loaded_reuses_handles(void);
/* The newest, with cucc.lock held. */
extern struct loaded *loaded_things;

#endif
