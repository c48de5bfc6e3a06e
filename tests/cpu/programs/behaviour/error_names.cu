/* Prints all errors, or with an argument the number of devices. */
#include "program.h"

#include <string.h>

int main(int argc, char **) {
  if (argc > 1) {
    int devices;
    CHECK(cudaGetDeviceCount(&devices));
    printf("%d\n", devices);
    return 0;
  }
  for (int e = 0; e <= 10000; e++)
    if (strcmp(cudaGetErrorName((cudaError_t)e), "unrecognized error code"))
      printf("%d %s %s\n", e, cudaGetErrorName((cudaError_t)e), cudaGetErrorString((cudaError_t)e));
}
