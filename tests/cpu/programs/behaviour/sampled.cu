/* cucc_sample: a matrix of 3,000,000,000 elements, of which a few blocks are done within a second. With
 * argument "int" the index is computed in int, with "lost" nothing is done where that is negative. Prints how
 * many blocks counted themselves, whether nothing was touched from element 2^31 on, and the findings. */
#include "../program.h"
#include "cucc.h"
#include <string.h>

__global__ void fill(char *m, int rows, int columns, bool in_int, bool lost, int *blocks) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (threadIdx.x == 0) atomicAdd(blocks, 1);
  if (column >= columns || (lost && row * columns + column < 0)) return;
  m[in_int ? row * columns + column : (size_t)row * columns + column] = 1;
}

int main(int, char **argv) {
  const int rows = 60000, columns = 50000;
  const bool lost = !strcmp(argv[1], "lost"), in_int = !strcmp(argv[1], "int");
  static char json[1 << 16];
  char *m;
  int *blocks, count = 0;
  cucc_sample("with 60000 rows");
  CHECK(cudaMalloc(&m, (size_t)rows * columns));
  CHECK(cudaMalloc(&blocks, sizeof *blocks));
  CHECK(cudaMemset(blocks, 0, sizeof *blocks));
  CHECK(cudaMemset(m, 0, (size_t)rows * columns)); /* too large: does nothing */
  fill<<<dim3((columns + 255) / 256, rows), 256>>>(m, rows, columns, in_int, lost, blocks);
  if (!cudaDeviceSynchronize()) CHECK(cudaMemcpy(&count, blocks, sizeof count, cudaMemcpyDeviceToHost));
  const int unreached = cucc_sample_reached(m, "m", (size_t)rows * columns, 1);
  cucc_findings_json(json, sizeof json);
  printf("%d %d %s\n", count, unreached, json);
}
