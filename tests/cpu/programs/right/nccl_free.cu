// flags: -lnccl
// with: CUCC_DEVICES=2
/* A rank waits for its stream and frees memory of its device, while the others wait for its next call. */
#include "../ranks.h"

static const int count = 1003;

int main() {
  const ranks r;
  const arrays<float> a(r, count, [](int rank, int) { return rank + 1; });
  for (size_t me = static_cast<size_t>(r.n); me-- > 0;) {
    float *used;
    CHECK(cudaSetDevice(static_cast<int>(me)));
    CHECK(cudaMalloc(&used, count * sizeof(float)));
    CHECK(cudaMemsetAsync(used, 0, count * sizeof(float), r.stream[me]));
    CHECK(cudaStreamSynchronize(r.stream[me]));
    CHECK(cudaFree(used));
    NCCL(ncclBroadcast(a.at[me], a.at[me], count, ncclFloat, 0, r.comm[me], r.stream[me]));
  }
  r.wait();
  a.expect_all("of rank 0", [](int, int) { return 1; });
  return 0;
}
