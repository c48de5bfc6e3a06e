/* Shuffles of every type, in segments of every width, by PTX's rules: an absolute source wraps around in its
 * segment, a relative one beyond the segment gives the lane's own value, a distance counts modulo 32. */
#include "program.h"

template <class T> __host__ __device__ T make(int lane) { return (T)(lane * 3 - 20) / (T)2; }

template <class T> __global__ void shuffle(T *out, int by, int width) {
  const int lane = threadIdx.x;
  const T v = make<T>(lane);
  out[lane] = __shfl_sync(0xffffffff, v, by, width);
  out[32 + lane] = __shfl_up_sync(0xffffffff, v, by, width);
  out[64 + lane] = __shfl_down_sync(0xffffffff, v, by, width);
  out[96 + lane] = __shfl_xor_sync(0xffffffff, v, by, width);
}

template <class T> static void judge(const char *type, T *d, int by, int width) {
  T h[128];
  shuffle<T><<<1, 32>>>(d, by, width);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int lane = 0; lane < 32; lane++) {
    const int first = lane / width * width, last = first + width - 1, distance = by & 31;
    const int up = lane - distance, down = lane + distance, other = lane ^ distance;
    expect(type, lane, (double)h[lane], (double)make<T>(first + by % width));
    expect(type, 32 + lane, (double)h[32 + lane], (double)make<T>(up < first ? lane : up));
    expect(type, 64 + lane, (double)h[64 + lane], (double)make<T>(down > last ? lane : down));
    expect(type, 96 + lane, (double)h[96 + lane], (double)make<T>(other > last ? lane : other));
  }
}

template <class T> static void judge_all(const char *type) {
  T *d;
  CHECK(cudaMalloc(&d, 128 * sizeof(T)));
  for (int width = 2; width <= 32; width *= 2)
    for (int by = 0; by < 36; by += by < 4 ? 1 : 7) judge<T>(type, d, by, width);
  CHECK(cudaFree(d));
}

int main() {
  judge_all<int>("int");
  judge_all<unsigned>("unsigned");
  judge_all<long>("long");
  judge_all<unsigned long>("unsigned long");
  judge_all<long long>("long long");
  judge_all<unsigned long long>("unsigned long long");
  judge_all<float>("float");
  judge_all<double>("double");
}
