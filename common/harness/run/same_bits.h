/* run/same_bits.h: whether a function gives the same bits in another order of threads. */
#ifndef WB_SAME_BITS_H
#define WB_SAME_BITS_H

#include "run/runner.h"

/*
 * Where the header promises the same bits in every run (wb_task.same_bits), the CPU backend calls the
 * function twice with the same inputs: with threads, blocks and streams in their order, and in reverse. Sums
 * in two orders may round to the same bits, so this is done with several inputs. A task that is wrong already
 * is asked, too: that the bits differ may be why. Returns false, with the result's state and message set,
 * when a call is wrong or the bits differ.
 */
bool wb_same_bits_run(wb_runner *runner, uint64_t key);

#endif
