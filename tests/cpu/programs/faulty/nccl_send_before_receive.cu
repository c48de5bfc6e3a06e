// expect: synccheck: -
// says: ncclSend of rank 2 waits for ncclRecv of rank 0, which comes after its ncclSend; ncclGroupStart
// flags: -lnccl
// with: CUCC_DEVICES=3
/* In a ring every rank sends to the next one before it receives, without a group. */
#include "../ranks.h"

int main() {
  const ranks r;
  {
    const arrays<float> a(r, 100, [](int rank, int i) { return rank + i; });
    const arrays<float> b(r, 100, [](int, int) { return 0; });
    for (int rank = 0; rank < r.n; rank++) {
      const size_t i = static_cast<size_t>(rank);
      const int next = (rank + 1) % r.n, last = (rank + r.n - 1) % r.n;
      CHECK(cudaSetDevice(rank));
#ifdef FIXED
      if (rank == 0) { /* one rank receives first: the others follow one after another */
        NCCL(ncclRecv(b.at[i], b.count, ncclFloat, last, r.comm[i], r.stream[i]));
        NCCL(ncclSend(a.at[i], a.count, ncclFloat, next, r.comm[i], r.stream[i]));
        continue;
      }
#endif
      NCCL(ncclSend(a.at[i], a.count, ncclFloat, next, r.comm[i], r.stream[i])); // <- at
      NCCL(ncclRecv(b.at[i], b.count, ncclFloat, last, r.comm[i], r.stream[i]));
    }
    CHECK(cudaSetDevice(0));
    if (cudaStreamSynchronize(r.stream[0]) != cudaSuccess) exit(1); /* 86: more than this status */
    r.wait();
    b.expect_all("received", [&](int rank, int i) { return (rank + r.n - 1) % r.n + i; });
  }
}
