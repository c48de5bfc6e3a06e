/*
 * Work of a library (../libraries): a routine of cuBLAS, a collective of NCCL. It is queued in a stream and
 * runs there as a kernel does, later than the call. Before it touches memory it says what it is going to read
 * and write: the bounds are judged here, order and initialisation by the checker.
 */
#ifndef CUCC_ENGINE_WORK_H
#define CUCC_ENGINE_WORK_H

#include "base/base.h"
#include "base/options.h"
#include "state/streams.h"
#include "state/work_record.h"

struct op;

/* Queues a copy of the work; with `wait`, returns when it has run. Errors as cudaLaunchKernel's. */
cudaError_t work_queue(const struct work *work, cudaStream_t stream, bool wait);
/* The same without waiting, with cucc.lock held and after cucc_enter; gives the operation. */
cudaError_t work_put(const struct work *work, cudaStream_t stream, enum use use, struct op **op);
/* Before the first touch, of work that another one does along with its own. */
void work_begins(struct work *work, const struct op *op);
/* Said by run before it reads or writes. False, and a finding: that is not device memory's, or not all
 * of it. Extents without elements are right wherever they are. */
bool work_reads(struct work *work, const struct extent *extent);
bool work_writes(struct work *work, const struct extent *extent);
/* A value that the host gives with the call lies in device memory: a finding, and false. */
bool work_host_value(const char *call, const char *name, const void *value, uintptr_t site);
/* A finding of a library's own; in the fast build nothing. other_site and buffer, whose allocation is
 * described, may be 0; the cause is a constant string. */
void work_finding(enum tool tool, const char *sentence, uintptr_t site, uintptr_t other_site,
                  const void *buffer, const char *cause);
/* A shared object with kernels was loaded; handle is what dlopen gave. */
void work_module(void *handle);
/* "checked" or "fast". */
const char *cucc_kind(void);

#endif
