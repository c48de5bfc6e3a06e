// expect: synccheck: -
// says: ncclAllReduce of rank 0 has 100 elements of 4 bytes; of rank 1 has 50 of 4
// flags: -lnccl
// with: CUCC_DEVICES=2
/* The elements are split among the ranks for a sum that all of them should take whole. */
#include "../ranks.h"

int main() {
  const ranks r;
  {
    const arrays<float> a(r, 100, [](int rank, int i) { return rank + i; });
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < a.at.size(); i++) {
#ifdef FIXED
      const size_t n = a.count;
#else
      const size_t n = i == 0 ? a.count : a.count / 2;
#endif
      NCCL(ncclAllReduce(a.at[i], a.at[i], n, ncclFloat, ncclSum, r.comm[i], r.stream[i])); // <- at
    }
    NCCL(ncclGroupEnd());
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  }
}
