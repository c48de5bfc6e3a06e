/* causes.h: what a wrong element of h_out shows about its cause. */
#ifndef CAUSES_H
#define CAUSES_H

#include "wb.h"

/* As wb_task.cause: for process_chunks and process_tuned, process_streams, and process_batches. NULL: it shows
 * nothing. */
const char *cause_of_kernel(const wb_case *c, int array, size_t i, double got);
const char *cause_of_chunks(const wb_case *c, int array, size_t i, double got);
const char *cause_of_batches(const wb_case *c, int array, size_t i, double got);

#endif
