/* Hundred thousand allocations of varied sizes: at random freed and made anew, then 40000 at once. */
#include <time.h>

#include "program.h"

int main() {
  static char *held[1000], *all[40000];
  unsigned seed = 1;
  for (int i = 0; i < 100000; i++) {
    seed = seed * 1664525u + 1013904223u;
    char **p = &held[(seed >> 8) % 1000];
    CHECK(cudaFree(*p));
    CHECK(cudaMalloc(p, 1 + (seed >> 12) % 20000));
  }
  for (int i = 0; i < 1000; i++) CHECK(cudaFree(held[i]));
  for (int i = 0; i < 40000; i++) CHECK(cudaMalloc(&all[i], 100));
  for (int i = 0; i < 40000; i++) CHECK(cudaMemset(all[i], i & 127, 100));
  char value;
  CHECK(cudaMemcpy(&value, all[39999] + 99, 1, cudaMemcpyDeviceToHost));
  expect("value", 39999, value, 39999 & 127);
  for (int i = 0; i < 40000; i += 2) CHECK(cudaFree(all[i]));
  for (int i = 1; i < 40000; i += 2) CHECK(cudaFree(all[i]));
  printf("%.1f\n", (double)clock() / CLOCKS_PER_SEC);
}
