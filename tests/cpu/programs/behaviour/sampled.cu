/* cucc_sample: a matrix of 3,000,000,000 elements, of which a few blocks are done within a second. With
 * argument "int" the index is computed in int, with "lost" nothing is done where that is negative. With
 * "unsigned" there are 4,500,000,000, and the index is computed so. With "capped" there are 65535 blocks and no
 * loop, with "rounds" a loop in steps of the whole grid, with "two rounds" one of 2,000,000,000 threads. With
 * "bytes" 4,500,000,000 are copied by a number of bytes in 32 bits. Prints how many blocks counted themselves,
 * whether the end was not touched, and the findings. A variable of the device has its value of before at the end:
 * a part of the blocks has no last one that would reset it. */
#include "../program.h"
#include "cucc.h"

__device__ int tickets = 7;

__global__ void fill(char *m, int rows, int columns, char way, int *blocks) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) atomicAdd(blocks, 1), atomicAdd(&tickets, 1);
  for (int row = blockIdx.y; row < rows; row += rows / 3) {
    if (column >= columns || (way == 'l' && row * columns + column < 0)) return;
    if (way == 'u')
      m[(unsigned)row * columns + column] = 1;
    else
      m[way == 'i' ? row * columns + column : (size_t)row * columns + column] = 1;
  }
}

__global__ void fill_line(char *m, size_t cells, int *blocks) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) atomicAdd(blocks, 1);
  if (i < cells) m[i] = 1;
}

__global__ void fill_in_rounds(char *m, size_t cells, int *blocks) {
  if (threadIdx.x == 0) atomicAdd(blocks, 1);
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells;
       i += (size_t)gridDim.x * blockDim.x)
    m[i] = 1;
}

int main(int, char **argv) {
  const char way = *argv[1];
  const int rows = 60000, columns = way == 'u' || way == 'b' ? 75000 : 50000;
  static char json[1 << 16];
  char *m;
  int *blocks, count = 0;
  cucc_sample("with 60000 rows");
  CHECK(cudaMalloc(&m, (size_t)rows * columns));
  CHECK(cudaMalloc(&blocks, sizeof *blocks));
  CHECK(cudaMemset(blocks, 0, sizeof *blocks));
  CHECK(cudaMemset(m, 0, (size_t)rows * columns)); /* too large: does nothing */
  char *copy = m;
  if (way == 'b') {
    CHECK(cudaMalloc(&copy, (size_t)rows * columns));
    CHECK(cudaMemcpy(copy, m, (unsigned)rows * columns, cudaMemcpyDeviceToDevice));
  } else if (way == 'c')
    fill_line<<<65535, 256>>>(m, (size_t)rows * columns, blocks);
  else if (way == 't')
    fill_in_rounds<<<7812500, 256>>>(m, (size_t)rows * columns, blocks);
  else if (way == 'r')
    fill_in_rounds<<<(unsigned)((size_t)rows * columns / 1024 + 3), 256>>>(m, (size_t)rows * columns, blocks);
  else
    fill<<<dim3((columns + 255) / 256, rows), 256>>>(m, rows, columns, way, blocks);
  if (!cudaDeviceSynchronize()) CHECK(cudaMemcpy(&count, blocks, sizeof count, cudaMemcpyDeviceToHost));
  const size_t cells = (size_t)rows * columns;
  const int unreached = cucc_sample_reached(copy, "m", cells, 1) < cells;
  cucc_findings_json(json, sizeof json);
  cucc_sample(NULL);
  int left;
  if (!cudaMemcpyFromSymbol(&left, tickets, sizeof left)) expect("tickets", 0, left, 7);
  printf("%d %d %s\n", count, unreached, json);
}
