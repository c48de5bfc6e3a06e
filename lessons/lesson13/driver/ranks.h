/* ranks.h: runs the learner's function as ranks, each a thread of its own on a device of its own. */
#ifndef RANKS_H
#define RANKS_H

#include "problem.h"

/* A rank: d_rows holds its part of the plate, on the current device. Returns a CUDA status. */
typedef int rank_call(const wb_case *c, float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id);

/* Deals the rows of d_p, on device 0, out to `ranks` ranks, runs them, and brings the rows together again.
 * Returns the first error that a rank returned. A single rank is called by this thread. Where this process is one rank
 * (wb_own_rank), it runs only that one. */
int run_ranks(const wb_case *c, float *d_p, int ranks, rank_call *call);
/* After a call that went well: calls two ranks once more, on a copy of a small plate, where each ncclGroupEnd gives an
 * error, since what goes wrong in a group shows there. If both return success, that is not as the header asks. */
void try_groups(const wb_case *c, const float *d_p, int ranks, rank_call *call);

#endif
