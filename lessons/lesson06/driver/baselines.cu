/* baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured. */
#ifndef CUCC /* nvcc; common/cpu/cucc, which has no CUB, defines it */
#include <cub/cub.cuh>
#endif

#include "atomics.h"
#include "baselines.h"

#ifndef CUCC /* nvcc; common/cpu/cucc, which has no CUB, defines it */

/* CUB's functions are called twice: without storage they return how much they need. The storage is kept from
 * call to call, because the learner's functions allocate nothing either. */
template <class function> static int with_storage(function call) {
  static void *d_storage;
  static size_t room;
  size_t needed = 0;
  cudaError_t error = call(nullptr, needed);
  if (!error && needed > room) {
    cudaFree(d_storage);
    room = 0;
    error = cudaMalloc(&d_storage, needed);
    if (!error) room = needed;
  }
  return error ? error : call(d_storage, needed);
}

int cub_maximum_of_integers_call(const wb_case *c) {
  return with_storage([=](void *d_storage, size_t &room) {
    return cub::DeviceReduce::Max(d_storage, room, wb_i32(c, D_X), wb_i32(c, D_RESULT), c->size.n[N]);
  });
}

int cub_maximum_call(const wb_case *c) {
  return with_storage([=](void *d_storage, size_t &room) {
    return cub::DeviceReduce::Max(d_storage, room, wb_f32(c, D_X), wb_f32(c, D_RESULT), c->size.n[N]);
  });
}

int cub_histogram_call(const wb_case *c) {
  return with_storage([=](void *d_storage, size_t &room) {
    return cub::DeviceHistogram::HistogramEven(d_storage, room, wb_u8(c, D_X), wb_u32(c, D_RESULT), BINS + 1,
                                               0, BINS, (int64_t)c->size.n[N]);
  });
}

int cub_sum_call(const wb_case *c) {
  return with_storage([=](void *d_storage, size_t &room) {
    return cub::DeviceReduce::Sum(d_storage, room, wb_f32(c, D_X), wb_f32(c, D_RESULT), c->size.n[N]);
  });
}

#else

int cub_maximum_of_integers_call(const wb_case *) { return cudaErrorNotSupported; }
int cub_maximum_call(const wb_case *) { return cudaErrorNotSupported; }
int cub_histogram_call(const wb_case *) { return cudaErrorNotSupported; }
int cub_sum_call(const wb_case *) { return cudaErrorNotSupported; }

#endif
