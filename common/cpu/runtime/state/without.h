#ifndef CUCC_STATE_WITHOUT_H
#define CUCC_STATE_WITHOUT_H

#include <stdbool.h>

/* See cucc_without in include/cucc.h. */
extern int without_parts;
static inline bool without(int part) {
  return (__atomic_load_n(&without_parts, __ATOMIC_RELAXED) & part) != 0;
}

#endif
