// flags: -lnccl
// with: CUCC_DEVICES=4
/* NCCL's collectives, one thread with all ranks in groups: types, operations, roots, and in place. As many
 * ranks as there are devices, one as well. */
#include <cstdint>

#include "../ranks.h"

static const size_t count = 100;

/* Whole numbers, small enough for sums and products in every type. */
static int value(int rank, int i) { return 1 + (rank + i) % 3; }

static double reduced(ncclRedOp_t op, int ranks, int i) {
  double result = value(0, i);
  for (int r = 1; r < ranks; r++) {
    const double v = value(r, i);
    result = op == ncclProd  ? result * v
             : op == ncclMax ? fmax(result, v)
             : op == ncclMin ? fmin(result, v)
                             : result + v;
  }
  return op == ncclAvg ? result / ranks : result;
}

template <class T> static void reductions(const ranks &r, ncclDataType_t type, bool whole) {
  const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
  for (ncclRedOp_t op : ops) {
    if (op == ncclAvg && whole) continue; /* rounds */
    const arrays<T> a(r, count, value), all(r, count, [](int, int) { return 0; });
    const arrays<T> one(r, count, [](int, int) { return 77; });
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < a.at.size(); i++)
      NCCL(ncclAllReduce(a.at[i], all.at[i], count, type, op, r.comm[i], r.stream[i]));
    NCCL(ncclGroupEnd());
    const int root = r.n - 1;
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < a.at.size(); i++)
      NCCL(ncclReduce(a.at[i], one.at[i], count, type, op, root, r.comm[i], r.stream[i]));
    NCCL(ncclGroupEnd());
    NCCL(ncclGroupStart()); /* in place */
    for (size_t i = 0; i < a.at.size(); i++)
      NCCL(ncclAllReduce(a.at[i], a.at[i], count, type, op, r.comm[i], r.stream[i]));
    NCCL(ncclGroupEnd());
    r.wait();
    all.expect_all("AllReduce", [&](int, int i) { return reduced(op, r.n, i); });
    a.expect_all("AllReduce in place", [&](int, int i) { return reduced(op, r.n, i); });
    one.expect_all("Reduce", [&](int rank, int i) { return rank == root ? reduced(op, r.n, i) : 77; });
  }
}

static void moves(const ranks &r) {
  const int n = r.n;
  const size_t whole = count * static_cast<size_t>(n);
  for (int root = 0; root < n; root++) {
    const arrays<int> a(r, count, [](int rank, int i) { return 1000 * rank + i; });
    const arrays<int> b(r, count, [](int, int) { return -1; });
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < a.at.size(); i++)
      NCCL(ncclBroadcast(a.at[i], b.at[i], count, ncclInt, root, r.comm[i], r.stream[i]));
    NCCL(ncclGroupEnd());
    NCCL(ncclGroupStart());
    for (size_t i = 0; i < a.at.size(); i++)
      NCCL(ncclBcast(a.at[i], count, ncclInt, root, r.comm[i], r.stream[i]));
    NCCL(ncclGroupEnd());
    r.wait();
    a.expect_all("Bcast", [&](int, int i) { return 1000 * root + i; });
    b.expect_all("Broadcast", [&](int, int i) { return 1000 * root + i; });
  }

  const arrays<int64_t> one(r, count, [](int rank, int i) { return 1000 * rank + i; });
  const arrays<int64_t> all(r, whole, [](int, int) { return -1; });
  const arrays<int64_t> all_in_place(
      r, whole, [](int rank, int i) { return 1000 * rank + i % static_cast<int>(count); });
  NCCL(ncclGroupStart());
  for (size_t i = 0; i < one.at.size(); i++) {
    NCCL(ncclAllGather(one.at[i], all.at[i], count, ncclInt64, r.comm[i], r.stream[i]));
    NCCL(ncclAllGather(all_in_place.at[i] + i * count, all_in_place.at[i], count, ncclInt64, r.comm[i],
                       r.stream[i]));
  }
  NCCL(ncclGroupEnd());
  r.wait();
  const auto gathered = [](int, int i) {
    return 1000 * (i / static_cast<int>(count)) + i % static_cast<int>(count);
  };
  all.expect_all("AllGather", gathered);
  all_in_place.expect_all("AllGather in place", gathered);

  const arrays<double> from(r, whole, value);
  const arrays<double> piece(r, count, [](int, int) { return -1; });
  NCCL(ncclGroupStart());
  for (size_t i = 0; i < from.at.size(); i++)
    NCCL(ncclReduceScatter(from.at[i], piece.at[i], count, ncclDouble, ncclSum, r.comm[i], r.stream[i]));
  NCCL(ncclGroupEnd());
  NCCL(ncclGroupStart()); /* in place: each rank's piece where it lies */
  for (size_t i = 0; i < from.at.size(); i++)
    NCCL(ncclReduceScatter(from.at[i], from.at[i] + i * count, count, ncclDouble, ncclSum, r.comm[i],
                           r.stream[i]));
  NCCL(ncclGroupEnd());
  r.wait();
  const int c = static_cast<int>(count);
  piece.expect_all("ReduceScatter", [&](int rank, int i) { return reduced(ncclSum, n, rank * c + i); });
  from.expect_all("ReduceScatter in place",
                  [&](int rank, int i) { return i / c == rank ? reduced(ncclSum, n, i) : value(rank, i); });
}

/* Kernels before and after, in the same streams, and one wait at the end: a step of gradient descent. */
__global__ void scale(float *p, float by, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] *= by;
}

static void in_streams(const ranks &r) {
  const arrays<float> a(r, count, value);
  for (size_t i = 0; i < a.at.size(); i++) {
    CHECK(cudaSetDevice(static_cast<int>(i)));
    scale<<<1, 128, 0, r.stream[i]>>>(a.at[i], 2, count);
  }
  NCCL(ncclGroupStart());
  for (size_t i = 0; i < a.at.size(); i++)
    NCCL(ncclAllReduce(a.at[i], a.at[i], count, ncclFloat, ncclSum, r.comm[i], r.stream[i]));
  NCCL(ncclGroupEnd());
  for (size_t i = 0; i < a.at.size(); i++) {
    CHECK(cudaSetDevice(static_cast<int>(i)));
    scale<<<1, 128, 0, r.stream[i]>>>(a.at[i], 10, count);
  }
  r.wait();
  a.expect_all("twenty times the sum", [&](int, int i) { return 20 * reduced(ncclSum, r.n, i); });
}

int main() {
  const ranks r;
  int ranks_of, device, rank, version;
  NCCL(ncclCommCount(r.comm.back(), &ranks_of));
  NCCL(ncclCommCuDevice(r.comm.back(), &device));
  NCCL(ncclCommUserRank(r.comm.back(), &rank));
  NCCL(ncclGetVersion(&version));
  expect("ranks", 0, ranks_of, r.n);
  expect("device", 0, device, r.n - 1);
  expect("rank", 0, rank, r.n - 1);
  expect("NCCL is of version 2", 0, version / 10000, 2);
  expect("a root that is no rank", 0,
         ncclBroadcast(nullptr, nullptr, 1, ncclInt, r.n, r.comm[0], r.stream[0]), ncclInvalidArgument);
  reductions<int8_t>(r, ncclInt8, true);
  reductions<uint8_t>(r, ncclUint8, true);
  reductions<int32_t>(r, ncclInt32, true);
  reductions<uint32_t>(r, ncclUint32, true);
  reductions<int64_t>(r, ncclInt64, true);
  reductions<uint64_t>(r, ncclUint64, true);
  reductions<float>(r, ncclFloat, false);
  reductions<double>(r, ncclDouble, false);
  moves(r);
  in_streams(r);
}
