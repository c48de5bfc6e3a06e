/* ranks.h: train_rank, and train_cnn, by several threads, each with a device of its own. */
#ifndef RANKS_H
#define RANKS_H

#include "wb.h"

#include <cuda_runtime.h>

/* As many devices as the CPU backend shall have. */
#define MOST_RANKS 4

/* The call of task 5: rank 0's results go to the case's arrays, and to STEP how many ranks have other bits
 * than rank 0 in what (oracle.h). Each rank needs a device of its own. */
int call_train_rank(const wb_case *c);
int call_train_cnn(const wb_case *c); /* the same of train_cnn */

/* Complains (wb_complain) if the stream is still capturing. NULL: no stream. */
void complain_of_capture(cudaStream_t stream);

#endif
