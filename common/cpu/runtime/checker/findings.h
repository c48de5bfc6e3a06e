#ifndef CUCC_CHECKER_FINDINGS_H
#define CUCC_CHECKER_FINDINGS_H

#include "base/base.h"
#include "base/options.h"
#include "base/places.h"

struct launch;

struct finding {
  enum tool tool;
  bool warning;
  char sentence[640];
  const struct launch *launch; /* NULL: on the host */
  bool in_thread;              /* block and thread are known */
  bool of_library;             /* a library's work accesses what it must not */
  uint3 block, thread;
  uintptr_t site, other_site; /* return addresses; 0: unknown */
  struct place at;            /* where site is 0: the place, when it is known otherwise */
  char other[160];            /* what happened at the other site */
  char allocation[320], index[160];
  const char *cause;
  const char *call; /* the CUDA function that was given something wrong; NULL: not known, or none */
};

/* True when this very fault, by the address of its instruction, was seen before: then it is counted. Else the
 * caller reports it. */
bool finding_repeats(enum tool tool, bool warning, uintptr_t pc, const struct launch *launch);
/* Prints and keeps the finding, or counts it as a repeat of an earlier one of the same tool, kernel and
 * line. */
void finding_add(const struct finding *f);
/* A finding of the running thread: kernel, block and thread filled in. */
struct finding finding_here(enum tool tool, uintptr_t site);
void findings_reset(void);
/* At the end of the process. */
void findings_at_exit(void);
static inline bool checking(enum tool tool) { return CUCC_CHECKED && (options()->checks >> tool & 1); }

#endif
