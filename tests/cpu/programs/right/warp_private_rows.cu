/* Each warp has a row of shared memory of its own and only __syncwarp between its steps. */
#include "program.h"

__global__ void sums(const short *in, int *out) {
  __shared__ int rows[4][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  volatile int *row = rows[warp];
  row[lane] = in[threadIdx.x];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (lane < d) row[lane] = row[lane] + row[lane + d];
    __syncwarp();
  }
  if (lane == 0) out[warp] = row[0];
}

int main() {
  short h[128], *in;
  int back[4], *out;
  for (int i = 0; i < 128; i++) h[i] = (short)i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof back));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, 128>>>(in, out);
  CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int w = 0; w < 4; w++) expect("sum", w, back[w], 32 * 32 * w + 496);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
