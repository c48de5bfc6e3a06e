// expect: memcheck: -
// says: ncclAllReduce of rank 1, on device 1, is given memory of device 0; cudaSetDevice forgotten
// flags: -lnccl
// with: CUCC_DEVICES=2
/* The loop that allocates does not change the device. */
#include "../ranks.h"

int main() {
  const ranks r;
  std::vector<float *> at(r.comm.size());
  for (size_t i = 0; i < at.size(); i++) {
#ifdef FIXED
    CHECK(cudaSetDevice(static_cast<int>(i)));
#else
    CHECK(cudaSetDevice(0));
#endif
    CHECK(cudaMalloc(&at[i], 400));
    CHECK(cudaMemset(at[i], 0, 400));
    CHECK(cudaDeviceSynchronize());
  }
  ncclGroupStart();
  for (size_t i = 0; i < at.size(); i++)
    ncclAllReduce(at[i], at[i], 100, ncclFloat, ncclSum, r.comm[i], r.stream[i]); // <- at
  if (ncclGroupEnd() == ncclSuccess) r.wait();
  for (float *p : at) CHECK(cudaFree(p));
}
