// expect: leakcheck: -
// says: was never destroyed; cudaStreamDestroy
/* A new stream for each batch, and none destroyed. */
#include "program.h"

int main() {
  for (int batch = 0; batch < 3; batch++) {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream)); // <- at
    CHECK(cudaStreamSynchronize(stream));
#ifdef FIXED
    CHECK(cudaStreamDestroy(stream));
#endif
  }
}
