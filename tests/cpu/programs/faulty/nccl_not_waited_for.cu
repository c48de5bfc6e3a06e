// expect: racecheck: ?
// says: ncclAllReduce in stream; without synchronisation between them; synchronise between two streams
// flags: -lnccl
/* The numbers are made in one stream and summed in another. */
#include "../ranks.h"

__global__ void fill(float *p) { p[threadIdx.x] = static_cast<float>(threadIdx.x); } // <- at

int main() {
  const ranks r;
  {
    const arrays<float> a(r, 64, [](int, int) { return 0; });
    cudaStream_t compute;
    CHECK(cudaStreamCreate(&compute));
    fill<<<1, 64, 0, compute>>>(a.at[0]);
#ifdef FIXED
    CHECK(cudaStreamSynchronize(compute));
#endif
    NCCL(ncclAllReduce(a.at[0], a.at[0], a.count, ncclFloat, ncclSum, r.comm[0], r.stream[0])); // <- at
    r.wait();
    CHECK(cudaStreamDestroy(compute));
  }
}
