/*
 * baselines.h: what lesson04's functions are timed against, and the host's turn of task 1. The harness's own
 * code, not the learner's; each baseline takes the case of the task that it stands beside.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a case's arrays and sizes are, task by task: the driver's table keeps to it. */
enum { TRIP_X, TRIP_DEVICE };                  /* round_trips: h_x, d_x */
enum { TRIP_N, TRIP_TRIPS };                   /* n trips */
enum { GATHER_TABLE, GATHER_KEY, GATHER_OUT }; /* gather_sparse: h_table, d_key, d_out */
enum { GATHER_N, GATHER_K };                   /* n k */
enum { SLIDE_OLD, SLIDE_SAMPLES, SLIDE_NEW };  /* slide_window: d_old, h_samples, d_new */
enum { SLIDE_N, SLIDE_M };                     /* n m */
enum { POOL, POOL_KEY, POOL_OUT };             /* upload_records: h_pool, h_key, d_out */
enum { PLACES, RECORDS, LENGTH };              /* places records length */

/*
 * The host's turn in round_trips: changes at most 61 elements, others each time. In CUDA C, so that the CPU
 * backend sees a host that looks while a copy is under way.
 */
#define TURN_ELEMENTS 61
static inline size_t turn_stride(size_t n) { return n / TURN_ELEMENTS + 1; }
static inline uint32_t turn_value(int trip) { return 2654435769u * (uint32_t)(trip + 1); }
void take_turn(uint32_t *x, size_t n, int trip);

/*
 * Calls round_trips for the case; up to half a million elements d_x is fresh memory, so that the CPU
 * backend's initcheck sees a kernel that reads what no copy has brought. Returns its status.
 */
int call_round_trips(const wb_case *c);

/* Round trips of the case's array, a few of its trips. Returns a CUDA status, as all baselines. */
int link_call(const wb_case *c);     /* copies of memory that was pinned long ago, and nothing else */
int pageable_call(const wb_case *c); /* cudaMemcpy, kernel, cudaMemcpy with h_x as it is */
int mapped_call(const wb_case *c);   /* no copy: the kernel works in pinned host memory */
double link_work(const wb_case *c);  /* bytes that these move; pageable and mapped the same */
double few_trips_work(const wb_case *c);

int copy_all_call(const wb_case *c);     /* the whole table to the device, then the gather there */
int through_host_call(const wb_case *c); /* the window out, moved on by the host, and in again; pinned */
int one_by_one_call(const wb_case *c);   /* cudaMemcpy for each record, of a sixteenth of them */
double one_by_one_work(const wb_case *c);
int pin_all_call(const wb_case *c); /* pins the pool, lets a kernel fetch the records, unpins it */

#ifdef __cplusplus
}
#endif
#endif
