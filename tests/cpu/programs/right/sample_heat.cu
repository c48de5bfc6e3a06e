// Heat spreads over a plate: a five-point stencil with a halo in shared memory, two buffers, the boundary
// kept.
#include "../program.h"
#include <utility>
#include <vector>

#define IDX(x, y) ((y)*NX + (x))
const int NX = 70, NY = 45, TILE = 16;

__global__ void heat(float *__restrict__ out, const float *__restrict__ in, float rate) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  bool valid = x < NX && y < NY;
  if (valid) {
    tile[ty][tx] = in[IDX(x, y)];
    if (threadIdx.x == 0 && x > 0) tile[ty][0] = in[IDX(x - 1, y)];
    if (threadIdx.x == TILE - 1 && x < NX - 1) tile[ty][TILE + 1] = in[IDX(x + 1, y)];
    if (threadIdx.y == 0 && y > 0) tile[0][tx] = in[IDX(x, y - 1)];
    if (threadIdx.y == TILE - 1 && y < NY - 1) tile[TILE + 1][tx] = in[IDX(x, y + 1)];
  }
  __syncthreads();
  if (!valid) return;
  float here = tile[ty][tx];
  bool edge = x == 0 || y == 0 || x == NX - 1 || y == NY - 1;
  if (!edge)
    here += rate * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] - 4.0f * here);
  out[IDX(x, y)] = here;
}

int main() {
  const size_t bytes = NX * NY * sizeof(float);
  std::vector<float> plate(NX * NY, 20.0f), next, got(NX * NY);
  for (int x = 0; x < NX; x++) plate[IDX(x, 0)] = 100.0f;
  next = plate;
  float *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_in, plate.data(), bytes, cudaMemcpyHostToDevice));
  dim3 block(TILE, TILE), grid((NX + TILE - 1) / TILE, (NY + TILE - 1) / TILE);
  for (int step = 0; step < 10; step++) {
    heat<<<grid, block>>>(d_out, d_in, 0.2f);
    std::swap(d_in, d_out);
    for (int y = 1; y < NY - 1; y++)
      for (int x = 1; x < NX - 1; x++)
        next[IDX(x, y)] =
            plate[IDX(x, y)] + 0.2f * (plate[IDX(x - 1, y)] + plate[IDX(x + 1, y)] + plate[IDX(x, y - 1)] +
                                       plate[IDX(x, y + 1)] - 4.0f * plate[IDX(x, y)]);
    plate.swap(next);
  }
  CHECK(cudaMemcpy(got.data(), d_in, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < NX * NY; i++) expect("plate", i, got[i], plate[i]);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}
