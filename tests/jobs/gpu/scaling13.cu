/*
 * scaling13: how well lesson13's solution scales from one GPU to two. Prints Markdown.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I common -I lessons/lesson13 -o scaling13 tests/jobs/gpu/scaling13.cu -lnccl
 *     scaling13              4096 to 16384 cells a side, weak scaling, and ranks as processes
 *     scaling13 256          this side
 *
 * A call also makes the parts, deals the rows out and collects them. So the time of a sweep is the difference of a
 * long call and a short one, divided by the difference of their sweeps; the median of ROUNDS such differences.
 * E = T1 / (2 T2), where T1 is the best time of one GPU at that size, by any of the functions. Each function's plate
 * after 24 sweeps is compared bit for bit with that of one GPU.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "origin.h"

#include "../../../solutions/lesson13/multigpu.cu"

#define ROUNDS     3
#define CELLS_A_US 500000ull /* that a GPU sweeps in a microsecond, roughly: it decides how long calls are */
#define MS         400       /* of a long call */

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "scaling13: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));  \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

typedef cudaError_t sweep_function(float *, plate, int, int);

static const struct version {
  const char *name;
  sweep_function *function;
} versions[] = {{"sweeps", sweeps}, {"sweeps_hidden", sweeps_hidden}, {"sweeps_deep", sweeps_deep}};

static size_t cells_of(plate plate) { return (size_t)plate.rows * plate.cols; }

/* The content of a cell depends on its place in the plate: so a rank can fill its rows by itself. */
static __global__ void fill_kernel(float *d_p, size_t first, size_t cells) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  unsigned h = (unsigned)(first + i) * 2654435761u;
  h = (h ^ h >> 15) * 2246822519u;
  d_p[i] = (float)(h >> 8) * 0x1p-24f;
}

static __global__ void compare_kernel(const float *d_p, const float *d_right, size_t cells, int *d_wrong) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells && __float_as_int(d_p[i]) != __float_as_int(d_right[i])) atomicAdd(d_wrong, 1);
}

static unsigned blocks_for(size_t cells) { return (unsigned)((cells + 255) / 256); }

static void fill(float *d_p, size_t first, size_t cells) {
  fill_kernel<<<blocks_for(cells), 256>>>(d_p, first, cells);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

static bool same(const float *d_p, const float *d_right, size_t cells) {
  int *d_wrong, wrong;
  CHECK(cudaMalloc(&d_wrong, sizeof *d_wrong));
  CHECK(cudaMemset(d_wrong, 0, sizeof *d_wrong));
  compare_kernel<<<blocks_for(cells), 256>>>(d_p, d_right, cells, d_wrong);
  CHECK(cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_wrong));
  return wrong == 0;
}

static double seconds(void) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double call_s(const version &v, float *d_p, plate plate, int devices, int count) {
  const double start = seconds();
  CHECK(v.function(d_p, plate, devices, count));
  return seconds() - start;
}

static double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/* Microseconds of a sweep. */
static double sweep_us(const version &v, float *d_p, plate plate, int devices) {
  const int most = (int)(CELLS_A_US * 1000 * MS / cells_of(plate)) / 8 * 8 + 80, few = most / 80 * 8;
  std::vector<double> times;
  call_s(v, d_p, plate, devices, few);
  for (int round = 0; round < ROUNDS; round++) {
    const double less = call_s(v, d_p, plate, devices, few), more = call_s(v, d_p, plate, devices, most);
    times.push_back((more - less) * 1e6 / (most - few));
  }
  return median(times);
}

static bool right(const version &v, float *d_p, float *d_right, plate plate, int devices) {
  fill(d_right, 0, cells_of(plate));
  CHECK(sweeps(d_right, plate, 1, 24));
  fill(d_p, 0, cells_of(plate));
  CHECK(v.function(d_p, plate, devices, 24));
  return same(d_p, d_right, cells_of(plate));
}

/* The table's rows for one plate. one_us: the time of one GPU; 0: to be measured here. Returns it; 0 if a version is
 * wrong. */
static double measure(plate plate, int devices, double one_us) {
  float *d_p, *d_right;
  bool all_right = true;
  std::vector<double> one(std::size(versions), 0);
  CHECK(cudaMalloc(&d_p, cells_of(plate) * sizeof *d_p));
  CHECK(cudaMalloc(&d_right, cells_of(plate) * sizeof *d_right));
  fill(d_p, 0, cells_of(plate));
  const bool weak = one_us > 0;
  for (size_t i = 0; i < std::size(versions) && !weak; i++) {
    one[i] = sweep_us(versions[i], d_p, plate, 1);
    one_us = i == 0 ? one[i] : std::min(one_us, one[i]);
  }
  for (size_t i = 0; i < std::size(versions); i++) {
    const bool ok = right(versions[i], d_p, d_right, plate, devices);
    const double us = devices > 1 ? sweep_us(versions[i], d_p, plate, devices) : 0;
    all_right = all_right && ok;
    printf("| %d x %d | %s | ", plate.rows, plate.cols, versions[i].name);
    weak ? printf("| ") : printf("%.2f | ", one[i]);
    if (devices > 1)
      printf("%.2f | %.3f |%s\n", us, weak ? one_us / us : one_us / (2 * us), ok ? "" : " WRONG");
    else
      printf("not measured: one GPU | |%s\n", ok ? "" : " WRONG");
    fflush(stdout);
  }
  CHECK(cudaFree(d_p));
  CHECK(cudaFree(d_right));
  return all_right ? one_us : 0;
}

/* What the processes of the ranks share. */
struct shared {
  volatile int id_is_there;
  ncclUniqueId id;
  bool right[2];
  double s[2];
};

/* One rank, in a process of its own. */
static void rank_process(shared *all, plate plate, int rank, int ranks) {
  const int first = first_row(plate.rows, ranks, rank), end = first_row(plate.rows, ranks, rank + 1);
  const size_t before = (size_t)first * plate.cols, cells = (size_t)(end - first) * plate.cols;
  float *d_rows, *d_all;
  CHECK(cudaSetDevice(rank));
  if (rank == 0) {
    CHECK(cuda_error(ncclGetUniqueId(&all->id)));
    __sync_synchronize();
    all->id_is_there = 1;
  }
  while (!all->id_is_there) usleep(1000);
  CHECK(cudaMalloc(&d_rows, (cells + 1) * sizeof *d_rows));
  fill(d_rows, before, cells);
  const double start = seconds();
  CHECK(sweeps_rank(d_rows, plate, rank, ranks, all->id, 24));
  all->s[rank] = seconds() - start;

  CHECK(cudaMalloc(&d_all, cells_of(plate) * sizeof *d_all)); /* all rows, by this GPU alone */
  fill(d_all, 0, cells_of(plate));
  member m = {};
  m.p.end = m.p.bottom = plate.rows;
  m.p.d_now = d_all;
  CHECK(cudaMalloc(&m.p.d_next, cells_of(plate) * sizeof *d_all));
  for (int k = 0; k < 24; k++) {
    CHECK(sweep_rows(m.p, plate, 0, plate.rows, 0));
    swap_arrays(m.p);
  }
  all->right[rank] = same(d_rows, m.p.d_now + before, cells);
}

/* Before this process uses a GPU: its children could not use it any more. */
static bool ranks_as_processes(plate plate, int ranks) {
  shared *all = (shared *)mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool right = true;
  for (int rank = 0; rank < ranks; rank++)
    if (fork() == 0) {
      rank_process(all, plate, rank, ranks);
      _exit(0);
    }
  for (int rank = 0; rank < ranks; rank++) {
    int status;
    wait(&status);
    right = right && status == 0;
  }
  for (int rank = 0; rank < ranks; rank++) right = right && all->right[rank];
  printf(
      "\nsweeps_rank, %d process%s, one GPU each, %d x %d, 24 sweeps: %s, %.1f s with the start of NCCL.\n",
      ranks, ranks == 1 ? "" : "es", plate.rows, plate.cols, right ? "bits as of one GPU" : "WRONG",
      std::max(all->s[0], all->s[1]));
  return right;
}

static plate square(int rows, int cols) { return {rows, cols, rows / 2, cols / 3, 1}; }

/* Asked by a child, which may use the GPU. */
static int gpus(void) {
  int status = 0;
  if (fork() == 0) {
    int count = 0;
    _exit(cudaGetDeviceCount(&count) ? 0 : std::min(count, 2));
  }
  wait(&status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int main(int argc, char **argv) {
  std::vector<int> sides;
  for (int i = 1; i < argc; i++) sides.push_back(atoi(argv[i]));
  const bool own = sides.empty();
  if (own) sides = {4096, 8192, 16384};
  const int devices = gpus();
  bool right = devices > 0 && ranks_as_processes(square(sides[0] + 3, sides[0]), devices);

  printf("\nMedians of %d rounds, float. E = T1 / (2 T2), T1 being the least time of one GPU.\n\n", ROUNDS);
  printf(
      "| rows x cols | function | us a sweep, one GPU | us a sweep, two GPUs | E |\n|---|---|---|---|---|\n");
  double one_us = 0;
  for (int n : sides) right = (one_us = measure(square(n, n), devices, 0)) > 0 && right;
  if (devices > 1 && one_us > 0) /* weak scaling: twice the rows on two GPUs, so E = T1 / T2 */
    right = measure(square(2 * sides.back(), sides.back()), devices, one_us) > 0 && right;
  printf("\n%s", origin().c_str());
  return right ? 0 : 1;
}
