/* base/heap.h: how much host memory this process has allocated. */
#ifndef WB_HEAP_H
#define WB_HEAP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that malloc and its relatives have given and not got back, of all threads. Small blocks that a thread
 * keeps for later count, so one call may leave a little more or less without a leak. */
int64_t wb_heap_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
