// expect: synccheck: -
// says: ncclAllReduce of rank 0 waits for rank 1 (of 2), which never calls it; ncclGroupStart
// flags: -lnccl
// with: CUCC_DEVICES=2
/* The loop over the ranks begins the collective for the first one only. */
#include "../ranks.h"

int main() {
  cudaError_t error;
  const ranks r;
#ifdef FIXED
  const size_t callers = r.comm.size();
#else
  const size_t callers = 1;
#endif
  {
    const arrays<float> a(r, 100, [](int rank, int i) { return rank + i; });
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < callers; i++)
      NCCL(ncclAllReduce(a.at[i], a.at[i], a.count, ncclFloat, ncclSum, r.comm[i], r.stream[i])); // <- at
    NCCL(ncclGroupEnd());
    CHECK(cudaSetDevice(0));
    error = cudaStreamSynchronize(r.stream[0]);
    if (error != cudaSuccess) exit(1); /* 86: the finding is more than this status */
  }
}
