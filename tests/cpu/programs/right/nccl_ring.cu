// flags: -lnccl
// with: CUCC_DEVICES=3
/* A thread for each rank: communicators from one id, a ring of sends and receives in groups, and a sum of
 * what came. */
#include <thread>

#include "../ranks.h"

static const size_t count = 64;

static void rank_main(int rank, int n, ncclUniqueId id) {
  ncclComm_t comm;
  cudaStream_t stream;
  float *mine, *next;
  std::vector<float> h(count);
  CHECK(cudaSetDevice(rank));
  NCCL(ncclCommInitRank(&comm, n, id, rank));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&mine, count * sizeof *mine));
  CHECK(cudaMalloc(&next, count * sizeof *next));
  for (size_t i = 0; i < count; i++) h[i] = static_cast<float>(100 * rank) + static_cast<float>(i);
  CHECK(cudaMemcpy(mine, h.data(), count * sizeof *mine, cudaMemcpyHostToDevice));

  /* once around: after n steps each has its own numbers again */
  for (int step = 0; step < n; step++) {
    NCCL(ncclGroupStart());
    NCCL(ncclSend(mine, count, ncclFloat, (rank + 1) % n, comm, stream));
    NCCL(ncclRecv(next, count, ncclFloat, (rank + n - 1) % n, comm, stream));
    NCCL(ncclGroupEnd());
    std::swap(mine, next);
    CHECK(cudaMemcpyAsync(h.data(), mine, count * sizeof *mine, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    const int from = (rank + n - 1 - step % n) % n;
    for (size_t i = 0; i < count; i++)
      expect("what came around", static_cast<long>(i), h[i], 100 * from + static_cast<double>(i));
  }

  /* the last rank's numbers, one hop after the other, without groups */
  if (n > 1) {
    if (rank > 0) NCCL(ncclSend(mine, count, ncclFloat, 0, comm, stream));
    for (int from = 1; rank == 0 && from < n; from++)
      NCCL(ncclRecv(next, count, ncclFloat, from, comm, stream));
  }
  NCCL(ncclAllReduce(mine, mine, count, ncclFloat, ncclMax, comm, stream));
  CHECK(cudaMemcpyAsync(h.data(), mine, count * sizeof *mine, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect("the largest", 5, h[5], 100 * (n - 1) + 5);
  CHECK(cudaFree(mine));
  CHECK(cudaFree(next));
  CHECK(cudaStreamDestroy(stream));
  NCCL(ncclCommDestroy(comm));
}

int main() {
  int n;
  ncclUniqueId id;
  CHECK(cudaGetDeviceCount(&n));
  NCCL(ncclGetUniqueId(&id));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < n; rank++) threads.emplace_back(rank_main, rank, n, id);
  for (std::thread &t : threads) t.join();
}
