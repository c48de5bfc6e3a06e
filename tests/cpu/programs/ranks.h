/* What the test programs of NCCL share: an error macro, and the devices with a stream each. */
#ifndef RANKS_H
#define RANKS_H

#include <nccl.h>
#include <vector>

#include "program.h"

#define NCCL(call)                                                                                           \
  do {                                                                                                       \
    ncclResult_t nccl_result = (call);                                                                       \
    if (nccl_result != ncclSuccess) {                                                                        \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, ncclGetErrorString(nccl_result));        \
      exit(2);                                                                                               \
    }                                                                                                        \
  } while (0)

/* One rank for each device, its communicator made by ncclCommInitAll. */
struct ranks {
  int n = 0;
  std::vector<ncclComm_t> comm;
  std::vector<cudaStream_t> stream;

  ranks() {
    CHECK(cudaGetDeviceCount(&n));
    comm.resize(static_cast<size_t>(n));
    stream.resize(static_cast<size_t>(n));
    NCCL(ncclCommInitAll(comm.data(), n, nullptr));
    for (size_t i = 0; i < stream.size(); i++) {
      CHECK(cudaSetDevice(static_cast<int>(i)));
      CHECK(cudaStreamCreate(&stream[i]));
    }
  }
  ranks(const ranks &) = delete;
  ~ranks() {
    for (size_t i = 0; i < stream.size(); i++) {
      CHECK(cudaSetDevice(static_cast<int>(i)));
      CHECK(cudaStreamDestroy(stream[i]));
      NCCL(ncclCommDestroy(comm[i]));
    }
  }
  void wait() const {
    for (size_t i = 0; i < stream.size(); i++) {
      CHECK(cudaSetDevice(static_cast<int>(i)));
      CHECK(cudaStreamSynchronize(stream[i]));
    }
  }
};

/* An array on each device: on rank r element i is value(r, i). */
template <class T> struct arrays {
  size_t count;
  std::vector<T *> at;

  template <class F> arrays(const ranks &r, size_t n, F value) : count(n), at(static_cast<size_t>(r.n)) {
    std::vector<T> h(n);
    for (size_t rank = 0; rank < at.size(); rank++) {
      for (size_t i = 0; i < n; i++)
        h[i] = static_cast<T>(value(static_cast<int>(rank), static_cast<int>(i)));
      CHECK(cudaSetDevice(static_cast<int>(rank)));
      CHECK(cudaMalloc(&at[rank], n * sizeof(T)));
      CHECK(cudaMemcpy(at[rank], h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
  }
  arrays(const arrays &) = delete;
  ~arrays() {
    for (T *p : at) CHECK(cudaFree(p));
  }
  /* Ends the process with status 1 unless all is as value(rank, i) says. */
  template <class F> void expect_all(const char *what, F value) const {
    std::vector<T> h(count);
    for (size_t rank = 0; rank < at.size(); rank++) {
      CHECK(cudaMemcpy(h.data(), at[rank], count * sizeof(T), cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < count; i++)
        expect(what, static_cast<long>(i), static_cast<double>(h[i]),
               static_cast<double>(value(static_cast<int>(rank), static_cast<int>(i))));
    }
  }
};

#endif
