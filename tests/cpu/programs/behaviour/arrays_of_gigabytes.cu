/* Arrays of 9, 9 and 22 GB on one of four devices, whose share is 64 GiB: all have a place. */
#include "../program.h"
#include "cucc.h"

int main() {
  char *a, *b, *c;
  cucc_sample("with arrays of gigabytes");
  CHECK(cudaMalloc(&a, 9000000000));
  CHECK(cudaMalloc(&b, 9000000000));
  CHECK(cudaMalloc(&c, 22000000000));
  puts("all have a place");
}
