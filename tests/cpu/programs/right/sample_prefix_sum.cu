// A prefix sum over many blocks, after Blelloch: each block scans its part up and down a tree, the blocks'
// sums are scanned by one block, and a third kernel adds them.
#include "../program.h"
#include <numeric>
#include <vector>

template <int BLOCK> __global__ void scan_blocks(int *data, int *sums, int n) {
  __shared__ int tree[2 * BLOCK];
  const int first = 2 * BLOCK * blockIdx.x, t = threadIdx.x;
  tree[2 * t] = first + 2 * t < n ? data[first + 2 * t] : 0;
  tree[2 * t + 1] = first + 2 * t + 1 < n ? data[first + 2 * t + 1] : 0;
  int offset = 1;
  for (int d = BLOCK; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset <<= 1;
  }
  if (t == 0) {
    if (sums) sums[blockIdx.x] = tree[2 * BLOCK - 1];
    tree[2 * BLOCK - 1] = 0;
  }
  for (int d = 1; d <= BLOCK; d <<= 1) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      int kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  __syncthreads();
  if (first + 2 * t < n) data[first + 2 * t] = tree[2 * t];
  if (first + 2 * t + 1 < n) data[first + 2 * t + 1] = tree[2 * t + 1];
}

template <int BLOCK> __global__ void add_sums(int *data, const int *sums, int n) {
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  if (i < n) data[i] += sums[blockIdx.x];
  if (i + BLOCK < n) data[i + BLOCK] += sums[blockIdx.x];
}

int main() {
  constexpr int BLOCK = 64;
  const int n = 5000, blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
  std::vector<int> in(n), want(n), got(n);
  for (int i = 0; i < n; i++) in[i] = (i * 7) % 13 - 3;
  std::partial_sum(in.begin(), in.end() - 1, want.begin() + 1);
  int *data, *sums;
  CHECK(cudaMalloc(&data, n * sizeof(int)));
  CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
  CHECK(cudaMemcpy(data, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scan_blocks<BLOCK><<<blocks, BLOCK>>>(data, sums, n);
  scan_blocks<BLOCK><<<1, BLOCK>>>(sums, nullptr, blocks);
  add_sums<BLOCK><<<blocks, BLOCK>>>(data, sums, n);
  CHECK(cudaMemcpy(got.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("prefix", i, got[i], want[i]);
  CHECK(cudaFree(data));
  CHECK(cudaFree(sums));
}
