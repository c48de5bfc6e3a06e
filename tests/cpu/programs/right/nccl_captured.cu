// flags: -lnccl
// with: CUCC_DEVICES=3
/* Collectives, and a ring of sends and receives, that are captured: each launch of the graphs repeats them. */
#include "../ranks.h"

static const int count = 1003, launches = 5;

__global__ void add_one(float *p, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] += 1;
}

struct ring {
  const arrays<float> &a, &b;
  const ranks &r;

  /* What rank `me` does in a step: a of all ranks becomes their sum, and then it goes on to the next rank. */
  void step(size_t me) const {
    const int n = r.n, rank = static_cast<int>(me);
    add_one<<<(count + 127) / 128, 128, 0, r.stream[me]>>>(a.at[me], count);
    CHECK(cudaGetLastError());
    NCCL(ncclAllReduce(a.at[me], a.at[me], count, ncclFloat, ncclSum, r.comm[me], r.stream[me]));
    NCCL(ncclGroupStart());
    NCCL(ncclSend(a.at[me], count, ncclFloat, (rank + 1) % n, r.comm[me], r.stream[me]));
    NCCL(ncclRecv(b.at[me], count, ncclFloat, (rank + n - 1) % n, r.comm[me], r.stream[me]));
    NCCL(ncclGroupEnd());
  }
};

int main() {
  const ranks r;
  const size_t n = static_cast<size_t>(r.n);
  arrays<float> a(r, count, [](int rank, int) { return rank; }), b(r, count, [](int, int) { return 0; });
  const ring all{a, b, r};
  std::vector<cudaGraph_t> graph(n);
  std::vector<cudaGraphExec_t> repeat(n);
  for (size_t me = 0; me < n; me++) {
    CHECK(cudaSetDevice(static_cast<int>(me)));
    CHECK(cudaStreamBeginCapture(r.stream[me], cudaStreamCaptureModeThreadLocal));
    all.step(me);
    CHECK(cudaStreamEndCapture(r.stream[me], &graph[me]));
    CHECK(cudaGraphInstantiate(&repeat[me], graph[me], 0));
  }
  a.expect_all("before the first launch", [](int rank, int) { return rank; });
  for (size_t me = 0; me < n; me++) { /* the ranks are several launches apart */
    CHECK(cudaSetDevice(static_cast<int>(me)));
    for (int i = 0; i < launches; i++) CHECK(cudaGraphLaunch(repeat[me], r.stream[me]));
  }
  r.wait();
  double sum = 0, each = 0;
  for (size_t me = 0; me < n; me++) sum += static_cast<double>(me) + 1;
  for (int i = 1; i < launches; i++) {
    each = sum + 1;
    sum = each * static_cast<double>(n);
  }
  a.expect_all("after five launches", [=](int, int) { return sum; });
  b.expect_all("from the rank before", [=](int, int) { return sum; });
  for (size_t me = 0; me < n; me++) { /* once more without a graph: the calls still meet in their order */
    CHECK(cudaSetDevice(static_cast<int>(me)));
    NCCL(ncclAllReduce(a.at[me], b.at[me], count, ncclFloat, ncclMax, r.comm[me], r.stream[me]));
  }
  r.wait();
  b.expect_all("after the graphs", [=](int, int) { return sum; });
  for (size_t me = 0; me < n; me++) {
    CHECK(cudaGraphExecDestroy(repeat[me]));
    CHECK(cudaGraphDestroy(graph[me]));
  }
  return 0;
}
