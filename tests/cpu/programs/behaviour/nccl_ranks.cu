/* Ranks of NCCL, as threads of one process, as processes, or as both: nccl_ranks WHAT [FIRST [COUNT]] runs
 * COUNT ranks of $RANKS from FIRST, each with its own device. Without FIRST: all. The id of the first one
 * travels in the file `id`. WHAT is `good`, which prints a sum of all bits of the results, or a mistake. */
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>

#include "../ranks.h"

static const int count = 1000;
static std::string what;

static bool is(const char *mistake) { return what == mistake; }

__global__ void fill(float *p, float rank, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = 1 / (rank + 3 + static_cast<float>(i)); /* sums of these depend on their order */
}

static void load_id(ncclUniqueId *id) {
  FILE *f;
  while (!(f = fopen("id", "rb"))) usleep(1000);
  if (fread(id, sizeof *id, 1, f) != 1) exit(3);
  fclose(f);
}

static void store_id(const ncclUniqueId *id) {
  FILE *f = fopen("id.new", "wb");
  if (!f || fwrite(id, sizeof *id, 1, f) != 1 || fclose(f) || rename("id.new", "id")) exit(3);
}

struct rank {
  int me, n;
  ncclComm_t comm;
  cudaStream_t stream;
  float *a, *b;
  unsigned long sum = 0;

  void add(size_t elements) {
    std::vector<unsigned> h(elements);
    CHECK(cudaMemcpyAsync(h.data(), b, elements * sizeof *b, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (unsigned x : h) sum = (sum ^ x) * 0x100000001b3ul;
  }

  void again() {
    fill<<<(count + 127) / 128, 128, 0, stream>>>(a, static_cast<float>(me), count);
    CHECK(cudaGetLastError());
  }

  void ring(ncclComm_t c) {
    NCCL(ncclGroupStart());
    NCCL(ncclSend(a, count, ncclFloat, (me + 1) % n, c, stream));
    NCCL(ncclRecv(b, count, ncclFloat, (me + n - 1) % n, c, stream));
    NCCL(ncclGroupEnd());
    add(count);
  }

  void good() {
    const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
    const size_t part = static_cast<size_t>(count / n);
    const int root = n - 1;
    for (ncclRedOp_t op : ops) {
      again();
      NCCL(ncclAllReduce(a, b, count, ncclFloat, op, comm, stream));
      add(count);
      NCCL(ncclReduce(a, b, count, ncclFloat, op, root, comm, stream));
      if (me == root) add(count);
    }
    NCCL(ncclReduceScatter(a, b, part, ncclFloat, ncclSum, comm, stream));
    add(part);
    NCCL(ncclAllGather(a, b, part, ncclFloat, comm, stream));
    add(part * static_cast<size_t>(n));
    NCCL(ncclBroadcast(a, b, count, ncclFloat, root, comm, stream));
    add(count);
    ring(comm);
    for (int from = 1; from < n; from++) { /* without a group: one after the other */
      if (me == from) NCCL(ncclSend(a, count, ncclFloat, 0, comm, stream));
      if (me == 0) NCCL(ncclRecv(b, count, ncclFloat, from, comm, stream));
    }
    add(count);
    NCCL(ncclGroupStart()); /* two collectives, two streams, one group */
    cudaStream_t other;
    CHECK(cudaStreamCreate(&other));
    NCCL(ncclAllReduce(a, a, count, ncclFloat, ncclSum, comm, stream));
    NCCL(ncclAllReduce(b, b, count, ncclFloat, ncclMax, comm, other));
    NCCL(ncclGroupEnd());
    CHECK(cudaStreamSynchronize(other));
    CHECK(cudaStreamDestroy(other));
    add(count);
    graph();
    second();
  }

  /* Launches of one graph after the other; in between the same calls without a graph. */
  void graph() {
    cudaGraph_t once;
    cudaGraphExec_t repeat;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    NCCL(ncclAllReduce(a, b, count, ncclFloat, ncclAvg, comm, stream));
    NCCL(ncclGroupStart());
    NCCL(ncclSend(b, count, ncclFloat, (me + 1) % n, comm, stream));
    NCCL(ncclRecv(a, count, ncclFloat, (me + n - 1) % n, comm, stream));
    NCCL(ncclGroupEnd());
    CHECK(cudaStreamEndCapture(stream, &once));
    CHECK(cudaGraphInstantiate(&repeat, once, 0));
    for (int i = 0; i < 7; i++) {
      if (i == 3) NCCL(ncclAllReduce(a, a, count, ncclFloat, ncclSum, comm, stream));
      CHECK(cudaGraphLaunch(repeat, stream));
    }
    add(count);
    CHECK(cudaGraphExecDestroy(repeat));
    CHECK(cudaGraphDestroy(once));
  }

  /* Another communicator, of the ranks in reverse, whose id travels through the first. */
  void second() {
    ncclUniqueId id;
    ncclComm_t reverse;
    char *d;
    CHECK(cudaMalloc(&d, sizeof id));
    if (me == n - 1) NCCL(ncclGetUniqueId(&id));
    CHECK(cudaMemcpy(d, &id, sizeof id, cudaMemcpyHostToDevice));
    NCCL(ncclBcast(d, sizeof id, ncclChar, n - 1, comm, stream));
    CHECK(cudaMemcpyAsync(&id, d, sizeof id, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d));
    NCCL(ncclCommInitRank(&reverse, n, id, n - 1 - me));
    NCCL(ncclAllReduce(a, a, count, ncclFloat, ncclSum, comm, stream));
    NCCL(ncclAllReduce(a, b, count, ncclFloat, ncclSum, reverse, stream));
    add(count);
    NCCL(ncclCommDestroy(reverse));
  }

  void mistake() {
    again();
    if (is("send first")) {
      NCCL(ncclSend(a, count, ncclFloat, (me + 1) % n, comm, stream));
      NCCL(ncclRecv(b, count, ncclFloat, (me + n - 1) % n, comm, stream));
    } else if (is("counts")) {
      NCCL(ncclAllReduce(a, b, static_cast<size_t>(count - me), ncclFloat, ncclSum, comm, stream));
    } else if (is("order")) {
      NCCL(ncclAllReduce(a, b, count, ncclFloat, ncclSum, comm, stream));
      if (me == 0) NCCL(ncclBcast(b, count, ncclFloat, 0, comm, stream));
    } else if (is("early")) {
      NCCL(ncclAllReduce(a, b, count, ncclFloat, ncclSum, comm, stream));
      if (me != 1) NCCL(ncclAllReduce(a, b, count, ncclFloat, ncclSum, comm, stream));
    } else if (is("dies") || is("first dies")) {
      NCCL(ncclAllReduce(a, b, count, ncclFloat, ncclSum, comm, stream));
      CHECK(cudaStreamSynchronize(stream));
      if (me == (is("dies") ? 1 : 0)) _exit(7);
      NCCL(ncclBcast(b, count, ncclFloat, 0, comm, stream));
    } else if (is("too short")) {
      NCCL(ncclAllGather(a, b, count / 2 + 1, ncclFloat, comm, stream));
    } else if (is("unwaited")) {
      cudaStream_t other;
      CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
      NCCL(ncclAllReduce(a, b, count, ncclFloat, ncclSum, comm, stream));
      fill<<<(count + 127) / 128, 128, 0, other>>>(b, 0, count);
      CHECK(cudaStreamSynchronize(other));
      CHECK(cudaStreamDestroy(other));
    } else if (is("leak")) {
      if (me == 1) CHECK(cudaMalloc(&b, sizeof *b));
    }
    CHECK(cudaStreamSynchronize(stream));
  }

  rank(int which, int ranks) : me(which), n(ranks) {
    ncclUniqueId id;
    load_id(&id);
    if (is("own id") && me == 0) NCCL(ncclGetUniqueId(&id));
    const bool last = me == n - 1;
    CHECK(cudaSetDevice(is("same GPU") || getenv("SLURM_PROCID") ? 0 : me)); /* a task sees its own */
    NCCL(ncclCommInitRank(&comm, is("number") && last ? n + 1 : n, id, is("same rank") ? 1 : me));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&a, count * sizeof *a));
    CHECK(cudaMalloc(&b, count * sizeof *b));
    float *kept = b;
    if (is("good"))
      good();
    else
      mistake();
    CHECK(cudaFree(a));
    CHECK(cudaFree(kept));
    CHECK(cudaStreamDestroy(stream));
    NCCL(ncclCommDestroy(comm));
    if (is("good")) printf("rank %d: %016lx\n", me, sum);
  }
  rank(const rank &) = delete;
};

int main(int argc, char **argv) {
  const int ranks = atoi(getenv("RANKS"));
  const int first = argc > 2 ? atoi(argv[2]) : 0, here = argc > 3 ? atoi(argv[3]) : argc > 2 ? 1 : ranks;
  what = argv[1];
  if (first == 0 && !is("old id")) {
    ncclUniqueId id;
    NCCL(ncclGetUniqueId(&id));
    store_id(&id);
  }
  std::vector<std::thread> threads;
  for (int r = first; r < first + here; r++) threads.emplace_back([r, ranks] { const rank one(r, ranks); });
  for (std::thread &t : threads) t.join();
}
