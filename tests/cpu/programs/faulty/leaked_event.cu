// expect: leakcheck: -
// says: an event was never destroyed; cudaEventDestroy
/* The start event is destroyed, the stop event is not. */
#include "program.h"

int main() {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop)); // <- at
  CHECK(cudaEventRecord(start));
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventDestroy(start));
#ifdef FIXED
  CHECK(cudaEventDestroy(stop));
#endif
}
