#ifndef CUCC_CHECKER_WAITS_H
#define CUCC_CHECKER_WAITS_H

#include "base/base.h"

/* May a thread that loads a word at one place and stores it at another one have waited for the word? Of a
 * store alone, load_pc is 0. True where the text is not known. Fast for places that were asked before. */
bool waits_between(uintptr_t load_pc, uintptr_t store_pc);

#endif
