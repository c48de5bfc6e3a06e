/*
 * lesson13, multigpu: the functions you write, in multigpu.cu. README.md is the lesson.
 *
 * The plate is lesson08's: rows x cols floats, row after row. A sweep gives every inner cell
 *
 *     ((above + below) + (left + right)) / 4        at the source: ((above + below) + (left + right) + strength) / 4
 *
 * of the values from before the sweep, added in this order. So the answer has the same bits on any number of
 * devices. The cells of the first and last row and column, the edge, keep their values; a plate with fewer than
 * three rows or columns is all edge, and a source on the edge has no effect. All numbers of a plate are finite and
 * stay so; 0 and -0 count as equal.
 *
 * The plate is cut into parts of whole rows, one for each device: first_row says who owns which. A part may own
 * no row at all. A halo row is a copy of a neighbour's row. It travels from device to device by a copy, in tasks 3
 * and 4 by NCCL.
 *
 * d_ is memory of the device. rows and cols are at most 500,000 each and may be 0, and so may `count`. Each
 * function returns cudaSuccess, or the error of the first call that failed; for one of NCCL that is
 * cuda_error(result). It releases what it allocates or creates, and all its work is done when it returns.
 */
#ifndef MULTIGPU_H
#define MULTIGPU_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include "wb_nccl.h"

typedef struct plate {
  int rows, cols;
  int source_row, source_col;
  float strength;
} plate;

/* When to stop: a solver computes the change of the plate in one sweep, the root of the sum of all squared
 * differences, after every check_every-th sweep, and after the last. */
typedef struct stopping {
  double tolerance; /* 0, or at least 1e-15; stop if the change is below it: never, if it is 0 */
  int check_every;  /* >= 1 */
  int most;         /* >= 1; stop after this many sweeps in any case */
} stopping;

/* The number of sweeps done, and the change that the last of them made. */
typedef struct outcome {
  int sweeps;
  double change;
} outcome;

#ifdef __cplusplus
extern "C" {
#endif

/* Part i of `parts` owns the rows first_row(rows, parts, i) to first_row(rows, parts, i + 1) - 1: rows / parts of
 * them, and one more in the first rows % parts parts. If there are more parts than rows, the last own none. */
static inline int first_row(int rows, int parts, int i) {
  const int each = rows / parts, more = rows % parts;
  return i * each + (i < more ? i : more);
}

/* What your functions return when a call of NCCL returned `result`. */
static inline cudaError_t cuda_error(ncclResult_t result) {
  switch (result) {
  case ncclSuccess:
    return cudaSuccess;
  case ncclUnhandledCudaError: { /* the error of the CUDA call that NCCL made */
    const cudaError_t error = cudaPeekAtLastError();
    return error ? error : cudaErrorUnknown;
  }
  case ncclInvalidArgument:
  case ncclInvalidUsage:
    return cudaErrorInvalidValue;
  default:
    return cudaErrorUnknown;
  }
}

/*
 * Task 1. `count` sweeps of the plate in d_p, in memory of device 0, by the devices 0 to devices - 1; the result is
 * in d_p again. All these devices exist, with peer access or without. Each sweeps its own part, and gets one row from
 * each neighbour for each sweep. The host waits for no device within the loop over the sweeps. The current device is
 * 0, and again when the function returns.
 */
cudaError_t sweeps(float *d_p, plate plate, int devices, int count);

/* Task 2. The same, but the halo rows travel while the devices compute rows that need none. */
cudaError_t sweeps_hidden(float *d_p, plate plate, int devices, int count);

/*
 * Task 3. One rank of `ranks`, on the current device, which no other rank uses: `count` sweeps of its part. d_rows
 * holds the rows that it owns, and the result. Every rank calls this function with the same plate, ranks, id and
 * count, each in a thread or a process of its own, on this machine or another. `id` is of ncclGetUniqueId; one
 * communicator can be made with it. Rows travel by NCCL only.
 */
cudaError_t sweeps_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, int count);

/* Task 4. The same until a condition of `stop` holds. *reached is that of the whole plate, the same in all ranks.
 * Differences, squares and sums are in double, and the ranks' sums are added by NCCL: one collective for each
 * check. The plate has at least one cell. */
cudaError_t solve_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached);

/* Go further. As task 1, but copies between devices cost a time of their own, however small: make at most
 * 2 * (devices - 1) of them for 8 sweeps, where each part has 8 rows or more. */
cudaError_t sweeps_deep(float *d_p, plate plate, int devices, int count);

#ifdef __cplusplus
}
#endif
#endif
