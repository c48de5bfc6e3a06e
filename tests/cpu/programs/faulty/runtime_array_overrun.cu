// expect: memcheck: -
// says: index 1 is outside of its array, whose length is known only at run time, in the host; <= for <
/* The properties of a second device, where there is one device. */
#include "program.h"

int main() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
#ifdef FIXED
  cudaDeviceProp properties[count + 1];
#else
  cudaDeviceProp properties[count];
#endif
  for (int i = 0; i < count; i++) CHECK(cudaGetDeviceProperties(&properties[i], i));
  return properties[1].warpSize == -1; // <- at
}
