/*
 * scaling14: the time of a step of lesson14's solution, 784-512-10, on one GPU and on two. Prints Markdown.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I common -I lessons/lesson14 -o scaling14 tests/jobs/gpu/scaling14.cu \
 *       -lcublas -lnccl
 *
 * A call also allocates, captures a graph or starts NCCL. So the time of a step is the difference of a long call and a
 * short one, divided by the difference of their steps; the median of ROUNDS such differences. Ranks are threads. beside/
 * training.py does the same in PyTorch.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "origin.h"

#include "../../../solutions/lesson14/training.cu"

#define ROUNDS 3
#define FEW    1000
#define MANY   11000
#define IMAGES 10000

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const int error_ = (int)(call);                                                                          \
    if (error_) {                                                                                            \
      fprintf(stderr, "scaling14: %s:%d: %s: %d\n", __FILE__, __LINE__, #call, error_);                      \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static const mlp net = {784, 512, 10};

/* A rank's handle, stream and arrays, on its device. */
struct place {
  int device;
  cublasHandle_t handle;
  cudaStream_t stream;
  float *d_images, *d_params, *d_m, *d_v, *d_losses;
  int *d_labels, *d_order, *d_step;
};

/* Numbers from -1 to 1, the same on every device. */
static __global__ void fill_kernel(float *d_x, size_t count, float size) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = (unsigned)i * 2654435761u;
  h = (h ^ h >> 15) * 2246822519u;
  if (i < count) d_x[i] = ((float)(h >> 8) * 0x1p-23f - 1) * size;
}

static __global__ void number_kernel(int *d_x, size_t count, unsigned below) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = (unsigned)i * 2246822519u;
  if (i < count) d_x[i] = (int)((h ^ h >> 13) % below);
}

static float *floats(size_t count, float size) {
  float *d_x;
  CHECK(cudaMalloc(&d_x, count * sizeof *d_x));
  fill_kernel<<<blocks_for(count), BLOCK>>>(d_x, count, size);
  CHECK(cudaGetLastError());
  return d_x;
}

static int *numbers(size_t count, unsigned below) {
  int *d_x;
  CHECK(cudaMalloc(&d_x, count * sizeof *d_x));
  number_kernel<<<blocks_for(count), BLOCK>>>(d_x, count, below);
  CHECK(cudaGetLastError());
  return d_x;
}

static place make_place(int device, int batch) {
  const size_t count = mlp_count(net);
  place p = {};
  p.device = device;
  CHECK(cudaSetDevice(device));
  CHECK(cublasCreate(&p.handle));
  CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
  p.d_images = floats((size_t)IMAGES * net.inputs, 1);
  p.d_labels = numbers(IMAGES, net.outputs);
  p.d_order = numbers((size_t)MANY * batch, IMAGES);
  p.d_params = floats(count, 0.04f);
  p.d_m = floats(count, 0);
  p.d_v = floats(count, 0);
  p.d_losses = floats(MANY, 0);
  p.d_step = numbers(1, 1);
  CHECK(cudaDeviceSynchronize());
  return p;
}

static void release(const place &p) {
  CHECK(cudaSetDevice(p.device));
  CHECK(cublasDestroy(p.handle));
  CHECK(cudaStreamDestroy(p.stream));
  for (void *d : {(void *)p.d_images, (void *)p.d_labels, (void *)p.d_order, (void *)p.d_params,
                  (void *)p.d_m, (void *)p.d_v, (void *)p.d_losses, (void *)p.d_step})
    CHECK(cudaFree(d));
}

/* `ranks` 0: train, otherwise train_rank. */
static void call(const place &p, int rank, int ranks, ncclUniqueId id, int batch, int steps) {
  CHECK(cudaSetDevice(p.device));
  CHECK(cudaMemset(p.d_step, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  if (ranks == 0)
    CHECK(train(p.handle, p.stream, net, batch, steps, 1e-3f, p.d_images, p.d_labels, p.d_order, p.d_params,
                p.d_m, p.d_v, p.d_step, p.d_losses));
  else
    CHECK(train_rank(id, rank, ranks, p.handle, p.stream, net, batch, steps, 1e-3f, p.d_images, p.d_labels,
                     p.d_order, p.d_params, p.d_m, p.d_v, p.d_step, p.d_losses));
}

static double call_s(const std::vector<place> &places, int ranks, int batch, int steps) {
  ncclUniqueId id = {};
  if (ranks > 0) CHECK(ncclGetUniqueId(&id));
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (size_t r = 0; r < places.size(); r++)
    threads.emplace_back(call, places[r], (int)r, ranks, id, batch, steps);
  for (std::thread &t : threads) t.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/* Microseconds of a step of a batch, that `ranks` share. */
static double step_us(int ranks, int batch) {
  std::vector<place> places;
  std::vector<double> times;
  for (int r = 0; r < std::max(ranks, 1); r++) places.push_back(make_place(r, batch));
  call_s(places, ranks, batch, FEW);
  for (int round = 0; round < ROUNDS; round++) {
    const double less = call_s(places, ranks, batch, FEW), more = call_s(places, ranks, batch, MANY);
    times.push_back((more - less) * 1e6 / (MANY - FEW));
  }
  for (const place &p : places) release(p);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int main() {
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  printf("Medians of %d rounds of %d steps.\n\n| function | GPUs | batch | us a step |\n|---|---|---|---|\n",
         ROUNDS, MANY - FEW);
  double best = 0;
  for (int batch : {128, 64})
    printf("| train | 1 | %d | %.1f |\n", batch, best = step_us(0, batch)), fflush(stdout);
  const double one = step_us(1, 64);
  printf("| train_rank | 1 | 64 | %.1f |\n", one), fflush(stdout);
  if (devices > 1) {
    const double two = step_us(2, 128);
    printf("| train_rank | 2 | 128, 64 each | %.1f |\n", two);
    printf("\nTwo GPUs at 64 images each: %.3f of train_rank on one at 64, %.3f of train.\n", one / two,
           best / two);
  } else {
    printf("| train_rank | 2 | 128, 64 each | not measured: one GPU |\n");
  }
  printf("\n%s", origin().c_str());
  return 0;
}
