/* Barriers that lie in memory, 8 bytes each (runtime/state/phase.h). */
#ifndef CUCC_PHASES_H
#define CUCC_PHASES_H

#include "kernel.h"

namespace cucc {
/* What a thread does that waits, for the words of a report. As in runtime/state/phase.h. */
enum phase_use { OF_BARRIER, PRODUCER_ACQUIRES, CONSUMER_WAITS };
} // namespace cucc

extern "C" {
/* A barrier begins, with its phase 0. */
void cucc_phase_init(unsigned long *state, unsigned long expected) CUCC_APART;
/* Arrives `count` times, and gives the number of the phase; drops: later phases expect one arrival less. */
unsigned cucc_phase_arrive(unsigned long *state, unsigned long count, int drops, int of_block) CUCC_APART;
/* Waits for the end of a phase, named by its number or by whether that is odd. */
void cucc_phase_wait(const unsigned long *state, unsigned phase, int by_parity,
                     enum ::cucc::phase_use use) CUCC_APART;
/* Has it ended? */
int cucc_phase_try(const unsigned long *state, unsigned phase, int by_parity) CUCC_APART;
}

#endif
