/* run/own_blocks.h: sizes around the program's own blocks. */
#ifndef WB_OWN_BLOCKS_H
#define WB_OWN_BLOCKS_H

#include "run/runner.h"

/*
 * Runs a task whose first size is n at a few small n that lie around multiples of the blocks that it launched at
 * the largest size: where a thread does several elements, the last ones may be left out just there, and no list
 * of sizes knows every block. Does nothing where launches are not known. Returns false when an answer was wrong:
 * its case replaces the largest one in the result.
 */
bool wb_own_blocks_run(wb_runner *runner, uint64_t key);

#endif
