/* Game of life on bytes, ping-pong between two boards; a glider that moves. */
#include "program.h"

#define SIDE 40

__global__ void step(const unsigned char *from, unsigned char *to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= SIDE || y >= SIDE) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) alive += from[(y + dy + SIDE) % SIDE * SIDE + (x + dx + SIDE) % SIDE];
  to[y * SIDE + x] = alive == 3 || (alive == 2 && from[y * SIDE + x]);
}

int main() {
  static unsigned char h[SIDE * SIDE];
  unsigned char *board[2];
  h[0 * SIDE + 1] = h[1 * SIDE + 2] = h[2 * SIDE + 0] = h[2 * SIDE + 1] = h[2 * SIDE + 2] = 1;
  for (int b = 0; b < 2; b++) CHECK(cudaMalloc(&board[b], sizeof h));
  CHECK(cudaMemcpy(board[0], h, sizeof h, cudaMemcpyHostToDevice));
  for (int s = 0; s < 40; s++) step<<<dim3(3, 5), dim3(16, 8)>>>(board[s % 2], board[(s + 1) % 2]);
  CHECK(cudaMemcpy(h, board[0], sizeof h, cudaMemcpyDeviceToHost));
  int alive = 0;
  for (int i = 0; i < SIDE * SIDE; i++) alive += h[i];
  expect("alive", 0, alive, 5);
  expect("glider", 0,
         h[10 * SIDE + 11] + h[11 * SIDE + 12] + h[12 * SIDE + 10] + h[12 * SIDE + 11] + h[12 * SIDE + 12],
         5);
  for (int b = 0; b < 2; b++) CHECK(cudaFree(board[b]));
}
