/*
 * ladder08: compares every version of lesson08's solution, a tile in shared memory and a CUDA graph with a copy
 * of the same bytes, in one program. Then solves the seed's problem completely. Prints Markdown.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I lessons/lesson08 -o ladder08 tests/jobs/gpu/ladder08.cu
 *     ladder08               256 to 16384 cells a side, one of them no multiple of 4
 *     ladder08 48 96         these sides; common/cpu/cucc compiles it too
 *
 * Versions are timed in turn (A B C A B C ...), SWEEPS sweeps between two events, and medians are printed.
 * Each version's final plate must have the bits of the plain version's. A sweep counts as 8 bytes a cell: a
 * version exceeds the copy only with several sweeps a load, or if its plates stay in the L2 cache.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "origin.h"

#include "../../../solutions/lesson08/jacobi.cu"

#define SWEEPS 96 /* a multiple of twice every depth: versions do an even number of launches */
#define ROUNDS 9

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "ladder08: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* Two plates on the device, and one to compare with. */
struct plates {
  float *d_p, *d_work, *d_right;
  size_t cells;
};

/* One version: SWEEPS sweeps from d_p; the answer ends in d_p. */
struct version {
  std::string name;
  std::function<cudaError_t(const plates &, plate)> run;
};

static __global__ void fill_kernel(float *d_p, size_t cells) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  unsigned h = (unsigned)i * 2654435761u;
  h = (h ^ h >> 15) * 2246822519u;
  d_p[i] = (float)(h >> 8) * 0x1p-24f;
}

static __global__ void compare_kernel(const float *d_p, const float *d_right, size_t cells, int *d_wrong) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells && __float_as_uint(d_p[i]) != __float_as_uint(d_right[i])) atomicAdd(d_wrong, 1);
}

static __global__ void copy_kernel(const float4 *d_from, float4 *d_to, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_to[i] = d_from[i];
}

/* The plain kernel with a tile in shared memory: each value comes from the caches once a block instead of
 * four times. */
static __global__ void sweep_tile_kernel(const float *d_p, float *d_next, plate plate) {
  __shared__ float tile[8 + 2][WARP + 2];
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  const int col = blockIdx.x * WARP + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const bool inside = row < plate.rows && col < plate.cols;
  const size_t i = (size_t)row * plate.cols + col;
  if (inside) {
    tile[y][x] = d_p[i];
    if (y == 1 && row > 0) tile[0][x] = d_p[i - plate.cols];
    if (y == 8 && row + 1 < plate.rows) tile[9][x] = d_p[i + plate.cols];
    if (x == 1 && col > 0) tile[y][0] = d_p[i - 1];
    if (x == WARP && col + 1 < plate.cols) tile[y][WARP + 1] = d_p[i + 1];
  }
  __syncthreads();
  if (!inside) return;
  if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) {
    d_next[i] = tile[y][x];
    return;
  }
  float sum = (tile[y - 1][x] + tile[y + 1][x]) + (tile[y][x - 1] + tile[y][x + 1]);
  if (row == plate.source_row && col == plate.source_col) sum += (float)plate.strength;
  d_next[i] = sum / 4;
}

static cudaError_t launch_tile(const float *d_p, float *d_next, plate plate) {
  sweep_tile_kernel<<<dim3(ceil_div(plate.cols, WARP), ceil_div(plate.rows, 8)), dim3(WARP, 8)>>>(d_p, d_next,
                                                                                                  plate);
  return cudaGetLastError();
}

/* SWEEPS sweeps by a kernel that does `depth` of them at a time: an even number of launches. */
static version by_turns(const char *name, cudaError_t (*function)(const float *, float *, plate), int depth) {
  if (SWEEPS % (2 * depth)) fprintf(stderr, "ladder08: %s does more than %d sweeps\n", name, SWEEPS), exit(1);
  return {name, [=](const plates &p, plate plate) {
            cudaError_t error = cudaSuccess;
            for (int done = 0; done < SWEEPS && !error; done += 2 * depth) {
              error = function(p.d_p, p.d_work, plate);
              if (!error) error = function(p.d_work, p.d_p, plate);
            }
            return error;
          }};
}

/* The same launches of the plain kernel as one graph, recorded beforehand. */
static version as_graph(const plates &p, plate plate) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  const dim3 threads(WARP, 8), blocks(ceil_div(plate.cols, threads.x), ceil_div(plate.rows, threads.y));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int k = 0; k < SWEEPS; k++)
    sweep_kernel<<<blocks, threads, 0, stream>>>(k % 2 ? p.d_work : p.d_p, k % 2 ? p.d_p : p.d_work, plate);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  const std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>> owned(exec, cudaGraphExecDestroy);
  return {"plain, in a graph", [=](const plates &, struct plate) { return cudaGraphLaunch(owned.get(), 0); }};
}

static std::vector<version> versions_for(const plates &p, plate plate) {
  std::vector<version> versions;
  versions.push_back({"copy", [](const plates &p, struct plate) {
                        const size_t count = p.cells / 4;
                        for (int k = 0; k < SWEEPS; k++)
                          copy_kernel<<<ceil_div(count, 256), 256>>>(
                              (const float4 *)(k % 2 ? p.d_work : p.d_p),
                              (float4 *)(k % 2 ? p.d_p : p.d_work), count);
                        return cudaGetLastError();
                      }});
  for (const stage &s : stages)
    if (plate.cols % s.cols_multiple_of == 0) versions.push_back(by_turns(s.name, s.function, s.depth));
  versions.push_back(by_turns("stream 12", launch_stream<12>, 12)); /* worth it? */
  versions.push_back({"sweeps()", [](const plates &p, struct plate plate) {
                        return sweeps(p.d_p, p.d_work, plate, SWEEPS);
                      }});
  versions.push_back(by_turns("shared tile", launch_tile, 1));
  versions.push_back(as_graph(p, plate));
  return versions;
}

static float median(std::vector<float> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

static void fill(const plates &p) {
  fill_kernel<<<ceil_div(p.cells, 256), 256>>>(p.d_p, p.cells);
  CHECK(cudaGetLastError());
}

static int wrong_cells(const plates &p, const version &v, plate plate) {
  int *d_wrong, wrong;
  CHECK(cudaMalloc(&d_wrong, sizeof *d_wrong));
  CHECK(cudaMemset(d_wrong, 0, sizeof *d_wrong));
  CHECK(cudaMemset(p.d_work, 0xff, p.cells * sizeof(float)));
  fill(p);
  CHECK(v.run(p, plate));
  compare_kernel<<<ceil_div(p.cells, 256), 256>>>(p.d_p, p.d_right, p.cells, d_wrong);
  CHECK(cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_wrong));
  return wrong;
}

static float run_once(const plates &p, const version &v, plate plate, cudaEvent_t start, cudaEvent_t stop) {
  float time_ms;
  CHECK(cudaEventRecord(start));
  CHECK(v.run(p, plate));
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&time_ms, start, stop));
  return time_ms;
}

/* All versions on one plate; false if one is wrong. */
static bool measure(int n) {
  const plate plate = {n, n, n / 2, n / 2, 1};
  plates p = {NULL, NULL, NULL, (size_t)n * n};
  for (float **d : {&p.d_p, &p.d_work, &p.d_right}) CHECK(cudaMalloc(d, p.cells * sizeof(float)));
  const std::vector<version> versions = versions_for(p, plate);
  fill(p);
  CHECK(by_turns("plain", launch_sweep<float>, 1).run(p, plate));
  CHECK(cudaMemcpy(p.d_right, p.d_p, p.cells * sizeof(float), cudaMemcpyDeviceToDevice));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  std::vector<std::vector<float>> times(versions.size());
  for (int round = -1; round < ROUNDS; round++) /* one to warm up */
    for (size_t v = 0; v < versions.size(); v++) {
      const float time_ms = run_once(p, versions[v], plate, start, stop);
      if (round >= 0) times[v].push_back(time_ms / SWEEPS);
    }
  bool right = true;
  for (size_t v = 0; v < versions.size(); v++) {
    const float time_ms = median(times[v]);
    const int wrong = v == 0 ? 0 : wrong_cells(p, versions[v], plate);
    printf("| %d | %s | %.2f | %.0f | %.2f |%s\n", n, versions[v].name.c_str(), 1e3 * time_ms,
           8e-6 * p.cells / time_ms, median(times[0]) / time_ms, wrong ? " WRONG" : "");
    right = right && wrong == 0;
  }
  fflush(stdout);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  for (float *d : {p.d_p, p.d_work, p.d_right}) CHECK(cudaFree(d));
  return right;
}

/* The seed's problem on n x n cells: `real` decides between solve and solve_float. */
template <class real>
static void seed_problem(const char *name, int n, int every,
                         cudaError_t (*function)(real *, real *, plate, stopping, outcome *)) {
  const plate plate = {n, n, n / 2, n / 2, 10000.0 / n / n};
  const size_t cells = (size_t)n * n, middle = (size_t)(n / 2) * n + n / 2;
  real *d_p, *d_work, value;
  outcome reached;
  float time_ms;
  cudaEvent_t start, stop;
  CHECK(cudaMalloc(&d_p, cells * sizeof(real)));
  CHECK(cudaMalloc(&d_work, cells * sizeof(real)));
  CHECK(cudaMemset(d_p, 0, cells * sizeof(real)));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  CHECK(function(d_p, d_work, plate, {1e-4, every, 100000}, &reached));
  CHECK(cudaEventRecord(stop));
  CHECK(cudaMemcpy(&value, d_p + middle, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(cudaEventElapsedTime(&time_ms, start, stop));
  printf("| %d | %s | %d | %d | %.10f | %.2f |\n", n, name, every, reached.sweeps, (double)value, time_ms);
  fflush(stdout);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(d_p));
  CHECK(cudaFree(d_work));
}

int main(int argc, char **argv) {
  std::vector<int> sides;
  for (int i = 1; i < argc; i++) sides.push_back(atoi(argv[i]));
  const bool own = sides.empty();
  if (own) sides = {256, 1024, 4096, 7854, 8192, 16384};

  printf("Medians of %d rounds of %d sweeps, float.\n\n", ROUNDS, SWEEPS);
  printf("| side | version | us a sweep | GB/s at 8 B a cell | of a copy |\n|---|---|---|---|---|\n");
  bool right = true;
  for (int n : sides) right = measure(n) && right;

  const int n = own ? 256 : sides[0];
  printf("\n| side | seed's problem | check every | sweeps | middle | ms |\n|---|---|---|---|---|---|\n");
  for (int every : {1, 10, 100, 1000}) {
    seed_problem<double>("solve (double)", n, every, solve);
    seed_problem<float>("solve_float", n, every, solve_float);
  }
  printf("\n%s", origin().c_str());
  return right ? 0 : 1;
}
