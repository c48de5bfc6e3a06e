/*
 * baselines.h: the baselines of lesson04's functions, and the host's turn of task 1. The harness's own code,
 * not the learner's. Each baseline takes the case of the task that it is compared with.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's arrays and sizes, task by task: the driver's table uses this order. */
enum { TRIP_X, TRIP_DEVICE };                  /* round_trips: h_x, d_x */
enum { TRIP_N, TRIP_TRIPS };                   /* n trips */
enum { GATHER_TABLE, GATHER_KEY, GATHER_OUT }; /* gather_sparse: h_table, d_key, d_out */
enum { GATHER_N, GATHER_K };                   /* n k */
enum { SLIDE_OLD, SLIDE_SAMPLES, SLIDE_NEW };  /* slide_window: d_old, h_samples, d_new */
enum { SLIDE_N, SLIDE_M };                     /* n m */
enum { POOL, POOL_KEY, POOL_OUT };             /* upload_records: h_pool, h_key, d_out */
enum { PLACES, RECORDS, LENGTH };              /* places records length */

/*
 * The host's turn in round_trips: changes at most 61 elements, different ones each time. In CUDA C, so that
 * the CPU backend detects a host that reads while a copy is in progress.
 */
#define TURN_ELEMENTS 61
static inline size_t turn_stride(size_t n) { return n / TURN_ELEMENTS + 1; }
static inline uint32_t turn_value(int trip) { return 2654435769u * (uint32_t)(trip + 1); }
void take_turn(uint32_t *x, size_t n, int trip);

/* What round_trips leaves in h_x[0] if it calls turn with another number of elements than n: with that of their
 * bytes, or with any other. */
#define TURN_OF_BYTES 0xBAD0B17Eu
#define TURN_OF_OTHER 0xBAD00000u

/*
 * Calls round_trips for the case and returns its status. With up to half a million elements d_x is new
 * memory, so that the CPU backend's initcheck detects a kernel that reads elements that were never copied in.
 */
int call_round_trips(const wb_case *c);

/* Round trips of the case's array, a few of its trips. Returns a CUDA status, as all baselines. */
int link_call(const wb_case *c);     /* only the copies, from and to memory that was pinned beforehand */
int pageable_call(const wb_case *c); /* cudaMemcpy, kernel, cudaMemcpy with h_x as it is */
int mapped_call(const wb_case *c);   /* no copy: the kernel works in pinned host memory */
double link_work(const wb_case *c);  /* bytes that these move; pageable and mapped the same */
double few_trips_work(const wb_case *c);

int copy_all_call(const wb_case *c); /* copies the whole table to the device, then gathers there */
int through_host_call(
    const wb_case *c);                 /* copies the window out, the host moves it on, copies it in; pinned */
int one_by_one_call(const wb_case *c); /* cudaMemcpy for each record, of a sixteenth of them */
double one_by_one_work(const wb_case *c);
int pin_all_call(const wb_case *c); /* pins the pool, lets a kernel fetch the records, unpins it */

#ifdef __cplusplus
}
#endif
#endif
