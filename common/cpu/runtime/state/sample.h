#ifndef CUCC_STATE_SAMPLE_H
#define CUCC_STATE_SAMPLE_H

#include "base/base.h"

#define SAMPLE_BLOCKS 2                  /* the first ones and the last ones of a launch that run */
#define SAMPLE_COPY   ((size_t)16 << 20) /* larger copies and fills do nothing */

/* See cucc_sample in include/cucc.h: empty, or how its findings begin. */
extern char sample_words[160];
static inline bool sampling(void) { return *sample_words; }

#endif
