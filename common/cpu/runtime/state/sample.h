#ifndef CUCC_STATE_SAMPLE_H
#define CUCC_STATE_SAMPLE_H

#include "base/base.h"
#include "base/places.h"

/* Of a launch run the first blocks, one a little before the end, and the last. */
#define SAMPLE_FIRST  2
#define SAMPLE_BLOCKS (SAMPLE_FIRST + 2)
#define SAMPLE_COPY   ((size_t)16 << 20) /* larger copies and fills do nothing, nor do further ones ... */
#define SAMPLE_COPIES ((size_t)64 << 20) /* ... when all have moved so many bytes */

/* See cucc_sample in include/cucc.h: empty, or how its findings begin. */
extern char sample_words[160];
static inline bool sampling(void) { return *sample_words; }

struct launch;

/* From now on findings begin with these words; NULL: launches are whole again. */
void sample_begin(const char *words);
/* See cucc_sample_calls: the calls of a header's function that a right program makes; 0: they are not looked
 * at. */
extern uint64_t sample_needs;
/* Notes a launch: the place of the largest one is kept. */
void sample_launched(const struct launch *l);
/* Whether a copy or a fill of so many bytes does nothing. */
bool sample_skips(size_t bytes);
/* Notes one that does nothing: up to where it would write, and where it was asked for. */
void sample_copied(uintptr_t until, uintptr_t site);
/* Up to where those in a range of addresses would write, and the place of the last one; 0: there was none. */
uintptr_t sample_copied_until(uintptr_t from, uintptr_t to, uintptr_t *site);
/* The threads of the largest launch. */
uint64_t sample_threads(void);
/* Notes a call of such a function. True: there have been enough, and the launch may end. */
bool sample_called(const struct launch *l);
/* How many calls all blocks would have made, if the blocks that ran made their share; and where they, or those
 * of the largest launch, were launched. */
uint64_t sample_calls(struct place *launched);

#endif
