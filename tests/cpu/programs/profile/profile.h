/*
 * What the programs of this folder share. Each launches one kernel once, and its first lines say what
 * CUCC_PROFILE must count, worked out by hand:
 *     // expect: NAME = EXPRESSION      a NAME of counters.names; shell arithmetic
 * The same programs run under Nsight Compute on a GPU (tests/jobs/gpu/counters).
 */
#ifndef PROFILE_H
#define PROFILE_H

#include "../program.h"

/* n elements of device memory, element i being value(i); for cudaFree. */
template <class T, class Value> static T *device_array(size_t n, Value value) {
  T *host = (T *)malloc(n * sizeof(T)), *device;
  for (size_t i = 0; i < n; i++) host[i] = value(i);
  CHECK(cudaMalloc(&device, n * sizeof(T)));
  CHECK(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
  free(host);
  return device;
}

/* Waits for the kernel; ends the program unless device element i is want(i), for all i < n; frees it. */
template <class T, class Want> static void expect_array(T *device, size_t n, Want want) {
  T *host = (T *)malloc(n * sizeof(T));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++) expect("out", (long)i, (double)host[i], (double)want(i));
  free(host);
  CHECK(cudaFree(device));
}

/* Small whole numbers, exact in a float. */
static inline float number(size_t i) { return (float)(i * 7 % 1009); }
static inline float nothing(size_t) { return -1; }

#endif
